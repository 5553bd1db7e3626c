/** A run in progress, or its result until it is fetched. */
interface Run<T> {
  readonly id: string;
  readonly stop: AbortController;
  readonly end: Promise<void>;
  result?: { readonly result: T };
}

/**
 * Background work that is too long for a reconcile: one run per application. The end of a run
 * enqueues the application. Unfetched results are bounded by the number of applications: `forget`
 * is called for deleted ones.
 */
export class Runs<T> {
  private readonly runs = new Map<string, Run<T>>();
  private readonly ends = new Set<Promise<void>>();
  private stopped = false;

  /** @param onEnd called with the key of each finished run */
  constructor(private readonly onEnd: (key: string) => void) {}

  /**
   * Starts the work for an application, or returns its state. Returns a result once.
   *
   * @param key `namespace/name` of the application
   * @param id submission ID; a run of another submission of the same application is aborted
   * @param work must not reject
   */
  startOrFetch(key: string, id: string, work: (signal: AbortSignal) => Promise<T>): 'begun' | 'running' | { readonly result: T } {
    const known = this.runs.get(key);
    if (known?.id === id) {
      if (known.result) this.runs.delete(key);
      return known.result ?? 'running';
    }
    if (this.stopped) return 'running';
    known?.stop.abort();
    this.runs.set(key, this.begin(key, id, work));
    return 'begun';
  }

  /** Whether there is a run for a submission, or its unfetched result. */
  has(key: string, id: string): boolean {
    return this.runs.get(key)?.id === id;
  }

  /** Aborts the run of an application. */
  forget(key: string): void {
    this.runs.get(key)?.stop.abort();
    this.runs.delete(key);
  }

  /** Aborts the run of an application. Resolves when it has ended. */
  async end(key: string): Promise<void> {
    const run = this.runs.get(key);
    this.forget(key);
    await run?.end;
  }

  /** Aborts all runs, and starts no more. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { stop } of this.runs.values()) stop.abort();
    await Promise.all(this.ends);
  }

  private begin(key: string, id: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const stop = new AbortController();
    const end = work(stop.signal).then((result) => {
      this.ends.delete(end);
      if (this.runs.get(key) !== run) return;
      run.result = { result };
      this.onEnd(key);
    });
    this.ends.add(end);
    const run: Run<T> = { id, stop, end };
    return run;
  }
}
