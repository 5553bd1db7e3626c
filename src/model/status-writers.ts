import type { SparkApplicationStatus } from '../api/spark-application-status';
import type { ObjectMeta } from '../kube/objects';

/** One who has written to an object's status, as the API server records it (`metadata.managedFields`). */
export interface StatusWriter {
  /** Name of the program; it is the part of its `User-Agent` before the slash, unless it says another. */
  readonly manager: string;
  /** When it changed something the last time, in milliseconds since the epoch, by the API server's clock; its precision is a second. */
  readonly time: number;
}

/** An entry of `metadata.managedFields`, as far as it is read. */
interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** Most writers that are kept: users can make the list as long as they like. */
const MAX_WRITERS = 20;

/**
 * Returns who has written to the status, the last ones. To be asked when an object arrives: the
 * field is not kept.
 */
export function statusWriters(metadata: ObjectMeta & { readonly managedFields?: readonly ManagedFieldsEntry[] }): StatusWriter[] {
  return (metadata.managedFields ?? []).flatMap(({ manager, subresource, time }) => (
    subresource === 'status' && manager && time ? [{ manager, time: Date.parse(time) }] : []
  )).sort((a, b) => b.time - a.time).slice(0, MAX_WRITERS);
}

/** An application as the API server has it, as far as it tells of other writers. */
export interface Sighting {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly status: SparkApplicationStatus | undefined;
  /** See `statusWriters`. Without them only what is lost tells. */
  readonly writers?: readonly StatusWriter[];
}

/** A sign of another operator. */
export interface Notice {
  /** The name of its program, where the API server records it. */
  readonly manager?: string;
  /** What it is that tells; a sentence without a full stop. */
  readonly reason: string;
}

/** Fields of the status that kubeflow's operator does not know. It writes statuses from Go structs, so that each write of its drops all of them. */
const OWN_FIELDS = ['observedGeneration', 'conditions', 'specHash', 'appliedDefaults', 'deadlineTime'] as const satisfies readonly string[];

/** People and their scripts: they repair a status by hand, and do not go on with it. */
const TOOLS = /^kubectl|^kubelet$|^curl|^k9s|^Mozilla/;

/**
 * Whether somebody else has written to the status of an application since our last write.
 *
 * @param previous what the API server answered to our last write of the status; not what was sent, as a CRD that is not ours drops fields, too
 * @param seen the application as it is now
 * @param manager the name under which the API server records this operator
 */
export function notice(previous: Sighting, seen: Sighting, manager: string): Notice | undefined {
  if (seen.uid !== previous.uid || seen.resourceVersion === previous.resourceVersion || !seen.status) return undefined;
  const others = (seen.writers ?? []).filter((writer) => writer.manager !== manager && !TOOLS.test(writer.manager));
  // An entry that the answer did not have is of a later write, also within the same second.
  const isKnown = (writer: StatusWriter) => previous.writers!.some(({ manager: name, time }) => name === writer.manager && time === writer.time);
  const newer = previous.writers && others.filter((writer) => !isKnown(writer)).sort((a, b) => b.time - a.time)[0];
  if (newer) return { manager: newer.manager, reason: `${newer.manager} has written the status after this operator` };
  const had = OWN_FIELDS.filter((field) => isThere(previous.status, field));
  if (had.length === 0 || had.some((field) => isThere(seen.status, field))) return undefined;
  const known = others.sort((a, b) => b.time - a.time)[0];
  return { ...(known && { manager: known.manager }), reason: `the status has lost ${had.join(', ')}, which happens when kubeflow's operator writes it` };
}

/**
 * The fields of a status that the API server did not keep: the CRD in the cluster is that of another operator, or an older one. Everything
 * works, but for what these fields are for.
 *
 * @param sent what was written
 * @param answered what the API server made of it
 */
export function fieldsNotKept(sent: SparkApplicationStatus, answered: SparkApplicationStatus | undefined): string[] {
  return OWN_FIELDS.filter((field) => isThere(sent, field) && !isThere(answered, field));
}

/** What the CRD of another operator keeps of a status. */
export function withoutOwnFields(status: object): object {
  return Object.fromEntries(Object.entries(status).filter(([field]) => !(OWN_FIELDS as readonly string[]).includes(field)));
}

function isThere(status: SparkApplicationStatus | undefined, field: string): boolean {
  const value = (status as Readonly<Record<string, unknown>> | undefined)?.[field];
  return value !== undefined && value !== null;
}
