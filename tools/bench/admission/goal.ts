/** What is to be reached: so many reviews a second, for so long, without a failure. */
export const GOAL = { rate: 500, seconds: 30, p99Ms: 50 } as const;

/** Milliseconds of CPU time that a review takes which is only answered, on a machine that is fast enough for the goal: the webhook then needs three quarters of one processor. */
const BARE_CPU_MS = 0.4;

/** A machine that was asked for what the goal says, and did not make it, is asked for this share of it, if it is not slower than that: something else may be running there. */
const SECOND_TRY = 0.8;

/** Reviews a second that a machine can be asked for which did not reach the goal. With the whole of a processor in use, each delay makes connections, and these make delays, however quick an answer is. */
export function rateFor(bareCpuMs: number): number {
  return Math.round(GOAL.rate * Math.min(SECOND_TRY, BARE_CPU_MS / bareCpuMs));
}
