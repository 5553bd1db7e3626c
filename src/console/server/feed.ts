import { keyOf } from '../../kube/objects';
import type { ApplicationRow, Changes, ScheduleRow, Update } from '../wire';

/** Rows in one message of a snapshot: a page would freeze while it parses all rows at once. */
const SNAPSHOT_ROWS = 500;

/** Kind of a row. */
export type RowKind = 'applications' | 'schedules';

type Row = ApplicationRow | ScheduleRow;

/** Whether a viewer can see the rows of a kind in a namespace. */
export type IsVisible = (kind: RowKind, namespace: string) => boolean;

/** Id of a row: `kind/namespace/name`. */
export type RowId = string;

/** Returns the namespace of a row. */
export function namespaceOf(id: RowId): string {
  return id.split('/')[1]!;
}

/**
 * Receives the id of a row that was put or dropped; undefined after a change of something other
 * than rows.
 */
export type FeedListener = (id?: RowId) => void;

/**
 * Current rows, and the listeners to their changes. A reader collects the ids of changed rows and
 * gets each row once, in its current version; a slow reader therefore receives fewer messages.
 */
export class Feed {
  private readonly rows = new Map<RowId, Row>();
  private readonly listeners = new Set<FeedListener>();

  /** Adds or replaces a row. */
  put(kind: RowKind, row: Row): void {
    const id = `${kind}/${keyOf(row)}`;
    this.rows.set(id, row);
    this.notify(id);
  }

  /** Removes a row. */
  drop(kind: RowKind, object: { readonly namespace: string; readonly name: string }): void {
    const id = `${kind}/${keyOf(object)}`;
    if (this.rows.delete(id)) this.notify(id);
  }

  /** Namespaces of all rows. */
  namespaces(): Set<string> {
    return new Set([...this.rows.values()].map(({ namespace }) => namespace));
  }

  /** Calls the listener after each change, until the returned function is called. */
  onChange(listener: FeedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listeners. */
  notify(id?: RowId): void {
    for (const listener of this.listeners) listener(id);
  }

  /**
   * Returns all rows that a viewer can see, in messages of 500. The first message resets the page.
   */
  *snapshot(sees: IsVisible): Generator<Update> {
    const visible = visibleOf(this.rows.keys(), sees);
    for (let start = 0; start === 0 || start < visible.length; start += SNAPSHOT_ROWS) {
      const end = start + SNAPSHOT_ROWS;
      yield {
        ...start === 0 && { reset: true as const },
        ...end < visible.length && { more: true as const },
        ...this.updateOf(visible.slice(start, end)),
      };
    }
  }

  /** Returns the changed rows that a viewer can see: each in its current version. */
  changesOf(changed: Iterable<RowId>, sees: IsVisible): Update {
    return this.updateOf(visibleOf(changed, sees));
  }

  private updateOf(ids: readonly RowId[]): Update {
    const changesOf = <R extends Row>(kind: RowKind): Changes<R> | undefined => {
      const own = ids.filter((id) => id.startsWith(`${kind}/`));
      const put = own.flatMap((id) => this.rows.get(id) ?? []) as R[];
      const drop = own.filter((id) => !this.rows.has(id)).map((id) => id.slice(kind.length + 1));
      return own.length === 0 ? undefined : { ...put.length > 0 && { put }, ...drop.length > 0 && { drop } };
    };
    const applications = changesOf<ApplicationRow>('applications');
    const schedules = changesOf<ScheduleRow>('schedules');
    return { ...applications && { applications }, ...schedules && { schedules } };
  }
}

function visibleOf(ids: Iterable<RowId>, sees: IsVisible): RowId[] {
  return [...ids].filter((id) => sees(id.slice(0, id.indexOf('/')) as RowKind, namespaceOf(id)));
}
