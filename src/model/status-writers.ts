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
