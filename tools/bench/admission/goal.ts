/** What is to be reached: so many reviews a second, for so long, without a failure. */
export const GOAL = { rate: 500, seconds: 30, p99Ms: 50 } as const;

/** Milliseconds of CPU time that a review takes which is only answered, on a machine that is fast enough for the goal: the webhook then needs three quarters of one processor. */
const BARE_CPU_MS = 0.4;

/** A machine that did not make a rate is asked for this share of it, if it is not slower than that: something else may be running there. */
const NEXT_TRY = 0.8;

/**
 * Reviews a second that a machine can be asked for which did not make a rate. With the whole of a processor in use, each delay makes connections, and these make delays,
 * however quick an answer is.
 */
export function nextRate(rate: number, bareCpuMs: number): number {
  return Math.round(Math.min(NEXT_TRY * rate, (GOAL.rate * BARE_CPU_MS) / bareCpuMs));
}
