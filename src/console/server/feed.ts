import { keyOf } from '../../kube/objects';
import type { ApplicationRow, Changes, ScheduleRow, Update } from '../wire';

/**
 * Changes that are kept for clients that reconnect; after more changes they receive all rows again.
 */
const MAX_CHANGES = 20_000;

/** Rows in one message of a snapshot: a page would freeze while it parses all rows at once. */
const SNAPSHOT_ROWS = 500;

/** Kind of a row. */
export type RowKind = 'applications' | 'schedules';

type Row = ApplicationRow | ScheduleRow;

/** Whether a viewer can see the rows of a kind in a namespace. */
export type IsVisible = (kind: RowKind, namespace: string) => boolean;

interface Change {
  readonly kind: RowKind;
  readonly namespace: string;
  readonly key: string;
}

/**
 * Log of the changed rows. A reader passes the last change that it has received and gets each row
 * that changed since then, once, in its current version. A slow reader therefore receives fewer
 * messages, and a reader can resume after a lost connection.
 */
export class Feed {
  private readonly rows: Readonly<Record<RowKind, Map<string, Row>>> = { applications: new Map(), schedules: new Map() };
  private readonly log: Change[] = [];
  private seen = new Set<string>();
  private last = 0;
  private readonly listeners = new Set<() => void>();

  /** @param epoch identifies the feed of this process */
  constructor(private readonly epoch: string, private readonly remembered = MAX_CHANGES) {}

  /** Number of the last change. */
  get sequence(): number {
    return this.last;
  }

  /** Returns the event id of a position in the stream. */
  eventIdOf(sequence: number): string {
    return `${this.epoch}-${sequence}`;
  }

  /**
   * Returns the sequence number of an event id; undefined for an id of another feed, or one that is
   * too old.
   */
  resume(place: string | undefined): number | undefined {
    const [, epoch, digits] = /^(.+)-(\d{1,15})$/.exec(place ?? '') ?? [];
    const sequence = Number(digits);
    if (epoch !== this.epoch || sequence > this.last) return undefined;
    return this.isKept(sequence) ? sequence : undefined;
  }

  /** Adds or replaces a row. */
  put(kind: RowKind, row: Row): void {
    const key = keyOf(row);
    this.rows[kind].set(key, row);
    this.changed(kind, row.namespace, key);
  }

  /** Removes a row. */
  drop(kind: RowKind, { namespace, name }: { readonly namespace: string; readonly name: string }): void {
    const key = keyOf({ namespace, name });
    if (this.rows[kind].delete(key)) this.changed(kind, namespace, key);
  }

  /** Namespaces of all rows, and of deleted rows whose changes are kept. */
  namespaces(): Set<string> {
    return new Set(this.seen);
  }

  /** Calls the listener after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listeners after a change of something other than rows. */
  notify(): void {
    for (const listener of this.listeners) listener();
  }

  /**
   * Returns all rows that a viewer can see, in messages of 500. The first message resets the page.
   */
  *snapshot(sees: IsVisible): Generator<Update> {
    const seen = (kind: RowKind) => [...this.rows[kind].values()].filter(({ namespace }) => sees(kind, namespace)).map((row) => ({
      kind, row,
    }));
    const all = [...seen('applications'), ...seen('schedules')];
    for (let start = 0; start === 0 || start < all.length; start += SNAPSHOT_ROWS) {
      const chunk = all.slice(start, start + SNAPSHOT_ROWS);
      const of = (kind: RowKind) => chunk.filter((entry) => entry.kind === kind).map(({ row }) => row);
      yield {
        ...start === 0 && { reset: true as const },
        ...start + SNAPSHOT_ROWS < all.length && { more: true as const },
        applications: { put: of('applications') as ApplicationRow[] },
        schedules: { put: of('schedules') as ScheduleRow[] },
      };
    }
  }

  /**
   * Returns the rows that changed after one change and up to another, as far as the viewer can see
   * them: each in its current version.
   *
   * @returns undefined if the first change is too old
   */
  between(after: number, upTo: number, sees: IsVisible): Update | undefined {
    if (!this.isKept(after)) return undefined;
    const changed = { applications: new Map<string, Row | undefined>(), schedules: new Map<string, Row | undefined>() };
    // The numbers of the changes in the log are consecutive.
    const end = this.log.length - (this.last - upTo);
    for (const { kind, namespace, key } of this.log.slice(end - (upTo - after), end)) {
      if (sees(kind, namespace)) changed[kind].set(key, this.rows[kind].get(key));
    }
    const applications = changesOf<ApplicationRow>(changed.applications);
    const schedules = changesOf<ScheduleRow>(changed.schedules);
    return { ...applications && { applications }, ...schedules && { schedules } };
  }

  private isKept(sequence: number): boolean {
    return this.last - sequence <= this.log.length;
  }

  private changed(kind: RowKind, namespace: string, key: string): void {
    this.last++;
    this.log.push({ kind, namespace, key });
    this.seen.add(namespace);
    // Not after each change, because it moves all that remain.
    if (this.log.length > 2 * this.remembered) this.forgetOldest();
    this.notify();
  }

  /** Removes the oldest changes, and namespaces without rows and changes. */
  private forgetOldest(): void {
    this.log.splice(0, this.log.length - this.remembered);
    const { applications, schedules } = this.rows;
    this.seen = new Set([...applications.values(), ...schedules.values(), ...this.log].map(({ namespace }) => namespace));
  }
}

function changesOf<R extends Row>(rows: ReadonlyMap<string, Row | undefined>): Changes<R> | undefined {
  const put = [...rows.values()].filter((row) => row !== undefined) as R[];
  const drop = [...rows].filter(([, row]) => row === undefined).map(([key]) => key);
  return put.length + drop.length === 0 ? undefined : { ...put.length > 0 && { put }, ...drop.length > 0 && { drop } };
}
