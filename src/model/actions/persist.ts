import { backoff } from '../../kube/backoff';
import { sleep, type Clock, type Random } from '../../kube/clock';
import { isTransient } from '../../kube/errors';

/** What depends on the moment. */
export interface Dependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/** How often a call is tried. With the waits in between that is half a minute, in which an API server is started anew. */
const ATTEMPTS = 7;

/**
 * Makes a call that may be repeated, again while what it fails at may pass.
 *
 * @throws what the last try has thrown, or the signal's reason
 */
export async function persist<T>(call: () => Promise<T>, { clock, random }: Dependencies, signal?: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || failures + 1 >= ATTEMPTS) throw error;
      await sleep(clock, backoff(failures, 500, 10_000, random), signal);
    }
  }
}
