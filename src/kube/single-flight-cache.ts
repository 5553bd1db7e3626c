import type { Clock } from './clock';
import { LruMap } from './lru-map';

/** Settings of a cache. */
export interface SingleFlightCacheOptions<T> {
  /** Milliseconds for which an answer is used. */
  readonly age: number;
  /** The maximum weight of all cached answers. 0: callers only share the calls under way. */
  readonly limit: number;
  /** Returns the weight of an answer. @default - each weighs 1 */
  readonly weigh?: (answer: T) => number;
  readonly clock: Clock;
}

/** A call under way. */
interface Call<T> {
  readonly answer: Promise<T>;
  /** Ends it. */
  readonly ending: AbortController;
  /** Its place in the order in which all calls began. */
  readonly number: number;
  /** Callers that wait for it; one without a signal never leaves. */
  waiting: number;
}

/**
 * Answers to questions that many callers ask at about the same time. Equal questions share one
 * call, which is aborted when all its callers have left. Failures and `undefined` are not cached.
 */
export class SingleFlightCache<T> {
  private readonly cached: LruMap<string, { readonly answer: T; readonly until: number }>;
  private readonly underWay = new Map<string, Call<T>>();
  private begun = 0;

  constructor(private readonly options: SingleFlightCacheOptions<T>) {
    const { limit, weigh } = options;
    this.cached = new LruMap(limit, weigh && (({ answer }) => weigh(answer)));
  }

  /**
   * Returns a cached answer, joins the call under way, or makes a call.
   *
   * @param call must return the same for each caller with this key
   * @param signal ends the wait
   * @param isFresh returns whether an answer whose call began before this question is new enough.
   * If not, the caller gets the answer of a call that began afterwards. @default - it is
   * @throws what the call throws, or the signal's reason
   */
  async get(
    key: string, call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal, isFresh: (answer: T) => boolean = () => true,
  ): Promise<T> {
    const before = this.begun;
    const cached = this.cached.get(key);
    if (cached && cached.until > this.options.clock.monotonic() && isFresh(cached.answer)) return cached.answer;
    for (;;) {
      signal?.throwIfAborted();
      const shared = this.underWay.get(key) ?? this.begin(key, call);
      shared.waiting++;
      const answer = await (signal ? unlessAborted(shared.answer, signal, () => this.leave(key, shared, signal)) : shared.answer);
      if (shared.number > before || isFresh(answer)) return answer;
    }
  }

  private begin(key: string, call: (signal: AbortSignal) => Promise<T>): Call<T> {
    const ending = new AbortController();
    const shared: Call<T> = { answer: call(ending.signal), ending, number: ++this.begun, waiting: 0 };
    this.underWay.set(key, shared);
    shared.answer.then((answer) => this.end(key, shared, answer), () => this.end(key, shared));
    return shared;
  }

  private leave(key: string, shared: Call<T>, { reason }: AbortSignal): void {
    if (--shared.waiting > 0) return;
    // The next caller must not share the abort.
    if (this.underWay.get(key) === shared) this.underWay.delete(key);
    shared.ending.abort(reason);
  }

  private end(key: string, shared: Call<T>, answer?: T): void {
    if (this.underWay.get(key) !== shared) return;
    this.underWay.delete(key);
    this.cached.delete(key);
    const { age, clock } = this.options;
    if (answer !== undefined) this.cached.set(key, { answer, until: clock.monotonic() + age });
  }
}

/**
 * Waits for a promise until a signal is aborted.
 *
 * @param left called when the signal is aborted
 * @throws the signal's reason
 */
export function unlessAborted<T>(value: Promise<T>, signal: AbortSignal, left: () => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
      left();
    };
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
