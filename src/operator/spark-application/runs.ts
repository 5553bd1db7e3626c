/** A run under way, or its result. */
type Run<T> = { readonly state: 'running' } | { readonly state: 'ended'; readonly result: T };

/**
 * Work that takes longer than a pass of the reconciler may: it goes on in the background, one run for each submission, and its end calls for
 * another pass. Results that nobody fetches are bounded by the number of applications: `forget` is called for those that are gone.
 */
export class Runs<T> {
  private readonly runs = new Map<string, { readonly id: string; run: Run<T>; readonly stop: AbortController }>();

  /** @param onEnd told of the key of each run that has ended */
  constructor(private readonly onEnd: (key: string) => void) {}

  /**
   * Starts the work for an application, or looks how far it is. A result is handed out once.
   *
   * @param key `namespace/name` of the application
   * @param id the submission; a run of another submission of the same application is ended
   * @param work never rejects without being wrapped into a result
   */
  startOrFetch(key: string, id: string, work: (signal: AbortSignal) => Promise<T>): 'begun' | 'running' | { readonly result: T } {
    const known = this.runs.get(key);
    if (known && known.id === id) {
      if (known.run.state === 'running') return 'running';
      this.runs.delete(key);
      return { result: known.run.result };
    }
    known?.stop.abort();
    const entry = { id, run: { state: 'running' } as Run<T>, stop: new AbortController() };
    this.runs.set(key, entry);
    void work(entry.stop.signal).then((result) => {
      entry.run = { state: 'ended', result };
      if (this.runs.get(key) === entry) this.onEnd(key);
    });
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

  /** Ends all that is under way. */
  stop(): void {
    for (const key of [...this.runs.keys()]) this.forget(key);
  }
}
