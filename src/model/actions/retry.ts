import { backoff } from '../../kube/backoff';
import { sleep, type Clock, type Random } from '../../kube/clock';
import { isTransient } from '../../kube/errors';

/** Dependencies that tests replace. */
export interface Dependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Maximum number of attempts. With the waits in between they take half a minute, which is enough
 * for a restart of the API server.
 */
const ATTEMPTS = 7;

/**
 * Makes an idempotent call, and repeats it after transient failures.
 *
 * @throws the error of the last attempt, or the signal's reason
 */
export async function retry<T>(call: () => Promise<T>, { clock, random }: Dependencies, signal?: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || failures + 1 >= ATTEMPTS) throw error;
      await sleep(clock, backoff(failures, 500, 10_000, random), signal);
    }
  }
}
