import { keyOf } from '../../kube/objects';
import type { ApplicationRow, Changes, ScheduleRow, Update } from '../wire';

/** Changes that are remembered for those who lost their connection; who comes later gets all rows anew. */
const REMEMBERED = 20_000;

/** Rows of one message of a snapshot: a page that gets all at once would stand still while it reads them. */
const CHUNK = 500;

/** Which kind of row. */
export type RowKind = 'applications' | 'schedules';

type Row = ApplicationRow | ScheduleRow;

/** Which rows somebody may see, by their kind and namespace. */
export type Sees = (kind: RowKind, namespace: string) => boolean;

interface Change {
  readonly kind: RowKind;
  readonly namespace: string;
  readonly key: string;
}

/**
 * The rows that are there, in the order of their changes: a reader says which change it has seen last, and gets what has come since, each row once and as it is now. So a slow reader gets
 * less, not more, and one that lost its connection goes on where it was.
 */
export class Feed {
  private readonly rows: Readonly<Record<RowKind, Map<string, Row>>> = { applications: new Map(), schedules: new Map() };
  private readonly log: Change[] = [];
  private seen = new Set<string>();
  private last = 0;
  private readonly listeners = new Set<() => void>();

  /** @param epoch tells this feed from those of other processes */
  constructor(private readonly epoch: string, private readonly remembered = REMEMBERED) {}

  /** The number of the last change. */
  get sequence(): number {
    return this.last;
  }

  /** What stands for a place in the stream. */
  placeOf(sequence: number): string {
    return `${this.epoch}-${sequence}`;
  }

  /** The change that a place stands after; undefined if it is of another feed, or too long ago. */
  resume(place: string | undefined): number | undefined {
    const [, epoch, digits] = /^(.+)-(\d{1,15})$/.exec(place ?? '') ?? [];
    const sequence = Number(digits);
    if (epoch !== this.epoch || sequence > this.last) return undefined;
    return this.isRemembered(sequence) ? sequence : undefined;
  }

  /** Takes in a row that is new or has changed. */
  put(kind: RowKind, row: Row): void {
    const key = keyOf(row);
    this.rows[kind].set(key, row);
    this.changed(kind, row.namespace, key);
  }

  /** Takes in that a row is gone. */
  drop(kind: RowKind, { namespace, name }: { readonly namespace: string; readonly name: string }): void {
    const key = keyOf({ namespace, name });
    if (this.rows[kind].delete(key)) this.changed(kind, namespace, key);
  }

  /** The namespaces that rows are in, or were in as far as changes are remembered. */
  namespaces(): Set<string> {
    return new Set(this.seen);
  }

  /** Calls the listener after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listeners, for what is told beside the rows. */
  notify(): void {
    for (const listener of this.listeners) listener();
  }

  /** All rows that somebody may see, in messages of a few hundred; the first one voids what came before. */
  *snapshot(sees: Sees): Generator<Update> {
    const seen = (kind: RowKind) => [...this.rows[kind].values()].filter(({ namespace }) => sees(kind, namespace)).map((row) => ({ kind, row }));
    const all = [...seen('applications'), ...seen('schedules')];
    for (let start = 0; start === 0 || start < all.length; start += CHUNK) {
      const chunk = all.slice(start, start + CHUNK);
      const of = (kind: RowKind) => chunk.filter((entry) => entry.kind === kind).map(({ row }) => row);
      yield {
        ...start === 0 && { reset: true as const },
        ...start + CHUNK < all.length && { more: true as const },
        applications: { put: of('applications') as ApplicationRow[] },
        schedules: { put: of('schedules') as ScheduleRow[] },
      };
    }
  }

  /**
   * What has changed after one change and up to another, as far as somebody may see it: each row as it is now.
   *
   * @returns undefined if that is too long ago
   */
  between(after: number, upTo: number, sees: Sees): Update | undefined {
    if (!this.isRemembered(after)) return undefined;
    const changed = { applications: new Map<string, Row | undefined>(), schedules: new Map<string, Row | undefined>() };
    // The numbers in the log have no gaps.
    const end = this.log.length - (this.last - upTo);
    for (const { kind, namespace, key } of this.log.slice(end - (upTo - after), end)) {
      if (sees(kind, namespace)) changed[kind].set(key, this.rows[kind].get(key));
    }
    const applications = changesOf<ApplicationRow>(changed.applications);
    const schedules = changesOf<ScheduleRow>(changed.schedules);
    return { ...applications && { applications }, ...schedules && { schedules } };
  }

  private isRemembered(sequence: number): boolean {
    return this.last - sequence <= this.log.length;
  }

  private changed(kind: RowKind, namespace: string, key: string): void {
    this.last++;
    this.log.push({ kind, namespace, key });
    this.seen.add(namespace);
    // Seldom, as it moves all that are left.
    if (this.log.length > 2 * this.remembered) this.forgetOldest();
    this.notify();
  }

  /** Removes the oldest changes, and the namespaces of which only these were left. */
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
