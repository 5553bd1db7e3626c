import type { Clock } from '../kube/clock';

/** What is kept for how long. */
export interface RecentOptions {
  /** Milliseconds for which an answer is given again. 0: only those who ask while it is fetched share it. */
  readonly age: number;
  /** Milliseconds for which it is remembered that there is nothing (undefined). @default 0 */
  readonly ageOfNothing?: number;
  /** Answers that are kept at most. */
  readonly size: number;
  readonly clock: Clock;
}

/**
 * Fetches things for many who ask for the same at about the same time, such as an application for each of a hundred executors. Failures are not kept.
 */
export class Recent<T> {
  private readonly entries = new Map<string, { readonly value: Promise<T>; readonly until: number }>();

  constructor(private readonly options: RecentOptions, private readonly fetch: (key: string) => Promise<T>) {}

  /**
   * @param signal ends the waiting; what is fetched may be for others, too, and goes on
   * @throws what fetching throws, or the signal's reason
   */
  async get(key: string, signal?: AbortSignal): Promise<T> {
    const { age, ageOfNothing = 0, size, clock } = this.options;
    signal?.throwIfAborted();
    let entry = this.entries.get(key);
    if (!entry || entry.until <= clock.monotonic()) {
      const value = this.fetch(key);
      entry = { value, until: Infinity };
      this.entries.delete(key);
      this.entries.set(key, entry);
      if (this.entries.size > size) this.entries.delete(this.entries.keys().next().value!);
      value.then((found) => this.settled(key, value, found === undefined ? ageOfNothing : age), () => this.settled(key, value, 0));
    }
    return signal ? unlessAborted(entry.value, signal) : entry.value;
  }

  private settled(key: string, value: Promise<T>, age: number): void {
    if (this.entries.get(key)?.value !== value) return;
    if (age > 0) this.entries.set(key, { value, until: this.options.clock.monotonic() + age });
    else this.entries.delete(key);
  }
}

/** What a promise resolves to, unless a signal is aborted before. */
export function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
