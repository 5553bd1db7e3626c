import { HttpError } from './http';
import type { Clock } from '../../kube/clock';
import { FairSemaphore, type FairSemaphoreOptions } from '../../kube/fair-semaphore';

/** Seconds after which a rejected client should retry. */
const RETRY_AFTER = 1;

/** Returns a semaphore that rejects clients with status 503. */
export function consoleSemaphore(limits: Omit<FairSemaphoreOptions, 'refusal' | 'clock'>, clock: Clock): FairSemaphore {
  return new FairSemaphore({ ...limits, clock, refusal: tooMany });
}

function tooMany(): HttpError {
  return new HttpError(503, `the console is overloaded; try again in ${RETRY_AFTER} s`, { 'retry-after': String(RETRY_AFTER) });
}
