/** A call under way. */
interface SharedCall<T> {
  readonly answer: Promise<T>;
  /** Ends it. */
  readonly ending: AbortController;
  /** Callers that wait for it; one without a signal never leaves. */
  waiting: number;
}

/** Calls under way. Equal questions share one, which is aborted when all callers have left. */
export class SharedCalls<T> {
  private readonly underWay = new Map<string, SharedCall<T>>();

  /**
   * Makes a call, or joins the one that asks the same.
   *
   * @param signal ends the waiting
   * @throws what the call throws, or the signal's reason
   */
  async get(question: string, call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.underWay.get(question) ?? this.begin(question, call);
    shared.waiting++;
    if (!signal) return shared.answer;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason as Error);
        if (--shared.waiting > 0) return;
        this.forget(question, shared);
        shared.ending.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  private begin(question: string, call: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const ending = new AbortController();
    const shared: SharedCall<T> = { answer: call(ending.signal), ending, waiting: 0 };
    this.underWay.set(question, shared);
    const end = () => this.forget(question, shared);
    shared.answer.then(end, end);
    return shared;
  }

  private forget(question: string, shared: SharedCall<T>): void {
    if (this.underWay.get(question) === shared) this.underWay.delete(question);
  }
}
