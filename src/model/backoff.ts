import { createHash } from 'node:crypto';

/** Seconds between two attempts when the specification names none. */
export const DEFAULT_INTERVAL = 5;
/** Defaults of `restartPolicy.backoff`, in seconds. */
export const [DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER] = [300, 600];
/**
 * Share by which the jitter changes an exponential backoff in either direction, so that failures of
 * the same time do not retry together.
 */
const JITTER = 0.2;
/** Maximum expected difference between the clocks of nodes and operators, in milliseconds. */
export const CLOCK_SKEW = 60_000;

/** An exponential backoff. */
export interface GrowingWait {
  /** The first wait, in milliseconds. */
  readonly first: number;
  /** Number of this wait, counted from 1. */
  readonly count: number;
  /** Maximum wait, in milliseconds. */
  readonly limit: number;
  /** Seed of the jitter: the same id always has the same wait. */
  readonly id: string;
}

/** Returns the milliseconds of a wait that doubles each time, with jitter by its id. */
export function growingWait({ first, count, limit, id }: GrowingWait): number {
  const wait = Math.min(first * 2 ** Math.min(count - 1, 30), limit) * (1 + JITTER * (2 * fractionOf(id) - 1));
  return Math.min(wait, limit);
}

/** Returns a number from 0 to 1 that depends only on the id. */
function fractionOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}
