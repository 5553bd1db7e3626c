import type { ApplicationRow, Changes, ScheduleRow, Unlisted, Update } from '../wire';

/** Returns the key of a row, as in the server's messages. */
export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

interface Tables {
  readonly applications: Map<string, ApplicationRow>;
  readonly schedules: Map<string, ScheduleRow>;
}

/** Rows that the server has sent. */
export class Rows {
  private tables: Tables = { applications: new Map(), schedules: new Map() };
  /** Snapshot that is incomplete; until it is complete, the page shows the old rows. */
  private coming?: Tables;
  private readonly listeners = new Set<() => void>();
  private count = 0;
  private isLoading = true;
  private complaint = '';
  private absence = '';
  private refusals: Unlisted = { applications: [], schedules: [] };

  get applications(): ReadonlyMap<string, ApplicationRow> {
    return this.tables.applications;
  }

  get schedules(): ReadonlyMap<string, ScheduleRow> {
    return this.tables.schedules;
  }

  /** Grows with each change. */
  get version(): number {
    return this.count;
  }

  /** Whether the server's first list is incomplete. */
  get loading(): boolean {
    return this.isLoading;
  }

  /** Problem of the server's own connection to the cluster; empty without one. */
  get trouble(): string {
    return this.complaint;
  }

  /** Namespaces where the user cannot list applications or schedules. */
  get unlisted(): Unlisted {
    return this.refusals;
  }

  /** Evidence that no operator runs; empty if one runs, or if it is unknown. */
  get noOperator(): string {
    return this.absence;
  }

  /** Whether there are applications of other operators than that of `noOperator`. */
  get hasOthers(): boolean {
    return [...this.tables.applications.values()].some(({ otherOperator }) => otherOperator);
  }

  /** Applies a message of the server. */
  apply({ reset, more, applications, schedules, trouble, loading, noOperator, unlisted }: Update): void {
    if (reset) this.coming = { applications: new Map(), schedules: new Map() };
    const target = this.coming ?? this.tables;
    change(target.applications, applications);
    change(target.schedules, schedules);
    if (trouble !== undefined) this.complaint = trouble;
    if (loading !== undefined) this.isLoading = loading;
    if (noOperator !== undefined) this.absence = noOperator;
    if (unlisted !== undefined) this.refusals = unlisted;
    if (more) return;
    if (this.coming) this.tables = this.coming;
    this.coming = undefined;
    this.count++;
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

function change<Row extends { readonly namespace: string; readonly name: string }>(
  rows: Map<string, Row>, changes: Changes<Row> | undefined,
): void {
  for (const row of changes?.put ?? []) rows.set(keyOf(row), row);
  for (const key of changes?.drop ?? []) rows.delete(key);
}
