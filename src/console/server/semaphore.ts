import { HttpError } from './http';
import type { Clock } from '../../kube/clock';
import { FairSemaphore, type FairSemaphoreOptions } from '../../kube/fair-semaphore';

/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 1;

/** Returns a semaphore that refuses clients with status 503. */
export function consoleSemaphore(limits: Omit<FairSemaphoreOptions, 'refusal' | 'clock'>, clock: Clock): FairSemaphore {
  return new FairSemaphore({ ...limits, clock, refusal: tooMany });
}

function tooMany(): HttpError {
  return new HttpError(503, `the console has too much to do; try again in ${RETRY_AFTER} s`, { 'retry-after': String(RETRY_AFTER) });
}
