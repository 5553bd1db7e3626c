import type { SparkApplicationStatus } from '../api/spark-application-status';
import type { ObjectMeta } from '../kube/objects';

/** A writer of an object's status, as the API server records it in `metadata.managedFields`. */
export interface StatusWriter {
  /** Field manager. By default, this is the part of the `User-Agent` before the slash. */
  readonly manager: string;
  /**
   * Time of its last change in milliseconds since the epoch, by the API server's clock. The
   * precision is one second.
   */
  readonly time: number;
}

/** An entry of `metadata.managedFields`, with the fields that are read. */
interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** Maximum number of writers to keep: users can make the list as long as they like. */
const MAX_WRITERS = 20;

/**
 * Returns the latest writers of the status. Must be called when an object arrives, as the managed
 * fields are not kept.
 */
export function statusWriters(metadata: ObjectMeta & { readonly managedFields?: readonly ManagedFieldsEntry[] }): StatusWriter[] {
  return (metadata.managedFields ?? []).flatMap(({ manager, subresource, time }) => (
    subresource === 'status' && manager && time ? [{ manager, time: Date.parse(time) }] : []
  )).sort((a, b) => b.time - a.time).slice(0, MAX_WRITERS);
}

/**
 * Fields of the status that kubeflow's operator does not know. It writes statuses from Go structs,
 * so each of its writes drops all of them.
 */
const OWN_FIELDS = ['observedGeneration', 'conditions', 'specHash', 'appliedDefaults', 'deadlineTime'] as const satisfies readonly string[];

/**
 * Returns the fields of a status that the API server did not keep. This happens if the CRD in the
 * cluster is older or another operator's. Only the features of these fields do not work then.
 *
 * @param sent the status in the request
 * @param answered the status in the API server's response
 */
export function fieldsNotKept(sent: SparkApplicationStatus, answered: SparkApplicationStatus | undefined): string[] {
  return OWN_FIELDS.filter((field) => isThere(sent, field) && !isThere(answered, field));
}

/** Returns a status without the fields that the CRD of another operator drops. */
export function withoutOwnFields(status: object): object {
  return Object.fromEntries(Object.entries(status).filter(([field]) => !(OWN_FIELDS as readonly string[]).includes(field)));
}

function isThere(status: SparkApplicationStatus | undefined, field: string): boolean {
  const value = (status as Readonly<Record<string, unknown>> | undefined)?.[field];
  return value !== undefined && value !== null;
}
