/** One run: under way, or ended with a result that nobody has fetched. */
interface Run<T> {
  readonly id: string;
  readonly stop: AbortController;
  readonly end: Promise<void>;
  result?: { readonly result: T };
}

/**
 * Work that takes longer than a pass of the reconciler may: it goes on in the background, one run for each application, and its end calls for
 * another pass. Results that nobody fetches are bounded by the number of applications: `forget` is called for those that are gone.
 */
export class Runs<T> {
  private readonly runs = new Map<string, Run<T>>();
  private readonly ends = new Set<Promise<void>>();
  private stopped = false;

  /** @param onEnd told of the key of each run that has ended */
  constructor(private readonly onEnd: (key: string) => void) {}

  /**
   * Starts the work for an application, or looks how far it is. A result is handed out once.
   *
   * @param key `namespace/name` of the application
   * @param id the submission; a run of another submission of the same application is ended
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

  /** Whether there is a run for a submission, or a result that nobody has fetched. */
  has(key: string, id: string): boolean {
    return this.runs.get(key)?.id === id;
  }

  /** Ends what is under way for an application. */
  forget(key: string): void {
    this.runs.get(key)?.stop.abort();
    this.runs.delete(key);
  }

  /** Ends what is under way for an application. Resolves when it has ended. */
  async end(key: string): Promise<void> {
    const run = this.runs.get(key);
    this.forget(key);
    await run?.end;
  }

  /** Ends all that is under way, and begins nothing more. Resolves when it has ended. */
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
