import { backoff } from '../../kube/backoff';
import { type Clock, type Random, sleep } from '../../kube/clock';

/** Maximum attempts of a request that fails with transient errors. */
const ATTEMPTS = 5;

/** Milliseconds before the next attempt: minimum and maximum of the backoff. */
const [MIN_WAIT, MAX_WAIT] = [500, 10_000];

/** Dependencies of retries. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Calls a function again while it fails with a transient error.
 *
 * @throws the last error, or the reason of the signal
 */
export async function withRetries<T>(
  { clock, random, signal }: RetryOptions, isTransient: (error: unknown) => boolean, call: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(attempt);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!isTransient(error) || attempt >= ATTEMPTS) throw error;
      await sleep(clock, backoff(attempt - 1, MIN_WAIT, MAX_WAIT, random), signal);
    }
  }
}
