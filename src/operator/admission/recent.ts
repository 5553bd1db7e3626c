import type { Clock } from '../../kube/clock';
import { WeightedCache } from './weighted-cache';

/** What is kept for how long. */
export interface RecentOptions<T> {
  /** Milliseconds for which an answer is given again. 0: only those who ask while it is fetched share it. */
  readonly age: number;
  /** Answers that are kept at most, or with `weigh` their weights together. */
  readonly size: number;
  /** Returns how much of `size` an answer takes. @default - 1 */
  readonly weigh?: (value: T) => number;
  readonly clock: Clock;
}

/** Something that is being fetched. */
interface Fetch<T> {
  readonly value: Promise<T>;
  /** Ends it. */
  readonly ending: AbortController;
  /** Which one it is of all, in the order in which they began. */
  readonly number: number;
  /** How many wait for it. Who has no signal never leaves. */
  waiting: number;
}

/**
 * Fetches things for many who ask for the same at about the same time, such as an application for each of a hundred executors. What nobody waits for any more is not fetched on. Neither
 * failures are kept, nor that there is nothing (undefined).
 */
export class Recent<T> {
  private readonly kept: WeightedCache<{ readonly value: T; readonly until: number }>;
  private readonly underWay = new Map<string, Fetch<T>>();
  private begun = 0;

  /** @param fetch its signal is aborted when nobody waits for it any more */
  constructor(private readonly options: RecentOptions<T>, private readonly fetch: (key: string, signal: AbortSignal) => Promise<T>) {
    this.kept = new WeightedCache(options.size);
  }

  /**
   * @param signal ends the waiting
   * @param isMeant whether what others have fetched, or had begun to fetch before, is new enough. If it is not, what is returned was fetched after this question came. @default - it is
   * @throws what fetching throws, or the signal's reason
   */
  async get(key: string, signal?: AbortSignal, isMeant: (value: T) => boolean = () => true): Promise<T> {
    const before = this.begun;
    const kept = this.kept.get(key);
    if (kept && kept.until > this.options.clock.monotonic() && isMeant(kept.value)) return kept.value;
    for (;;) {
      signal?.throwIfAborted();
      const fetch = this.underWay.get(key) ?? this.begin(key);
      const value = await this.wait(key, fetch, signal);
      if (fetch.number > before || isMeant(value)) return value;
    }
  }

  private begin(key: string): Fetch<T> {
    const ending = new AbortController();
    const fetch: Fetch<T> = { value: this.fetch(key, ending.signal), ending, number: ++this.begun, waiting: 0 };
    this.underWay.set(key, fetch);
    fetch.value.then((value) => this.end(key, fetch, value), () => this.end(key, fetch));
    return fetch;
  }

  private wait(key: string, fetch: Fetch<T>, signal: AbortSignal | undefined): Promise<T> {
    fetch.waiting++;
    return signal ? unlessAborted(fetch.value, signal, () => this.leave(key, fetch, signal)) : fetch.value;
  }

  private leave(key: string, fetch: Fetch<T>, { reason }: AbortSignal): void {
    if (--fetch.waiting > 0) return;
    // Who comes now is not to get its end.
    if (this.underWay.get(key) === fetch) this.underWay.delete(key);
    fetch.ending.abort(reason);
  }

  private end(key: string, fetch: Fetch<T>, value?: T): void {
    if (this.underWay.get(key) !== fetch) return;
    this.underWay.delete(key);
    this.kept.delete(key);
    const { age, weigh, clock } = this.options;
    if (age === 0 || value === undefined) return;
    this.kept.set(key, { value, until: clock.monotonic() + age }, weigh?.(value) ?? 1);
  }
}

/**
 * What a promise resolves to, unless a signal is aborted before.
 *
 * @param left called when it is aborted
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
