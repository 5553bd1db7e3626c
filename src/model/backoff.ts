import { createHash } from 'node:crypto';

/** Seconds between two attempts when the specification names none. */
export const DEFAULT_INTERVAL = 5;
/** Defaults of `restartPolicy.backoff`, in seconds. */
export const [DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER] = [300, 600];
/** By how much an exponential wait is longer or shorter than it would be: that those who failed together do not come back together. */
const JITTER = 0.2;
/** By how much the clocks of nodes and operators may differ, in milliseconds. */
export const CLOCK_SKEW = 60_000;

/** A wait that grows. */
export interface GrowingWait {
  /** Milliseconds of the first one. */
  readonly first: number;
  /** Which one it is, from 1. */
  readonly count: number;
  /** Milliseconds that none exceeds. */
  readonly limit: number;
  /** Of what the wait is: the same waits as long each time one looks. */
  readonly id: string;
}

/** Milliseconds of a wait that doubles, a little longer or shorter by its id. */
export function growingWait({ first, count, limit, id }: GrowingWait): number {
  const wait = Math.min(first * 2 ** Math.min(count - 1, 30), limit) * (1 + JITTER * (2 * fractionOf(id) - 1));
  return Math.min(wait, limit);
}

/** A number from 0 to 1 that is the same each time one looks at the attempt. */
function fractionOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}
