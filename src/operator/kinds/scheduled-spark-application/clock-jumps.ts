import type { Clock, Timer } from '../../../kube/clock';

/** The time between two checks of the clocks, in milliseconds. */
const INTERVAL = 5_000;

/** Smaller differences, in milliseconds, are not a jump. */
const TOLERANCE = 500;

/**
 * Calls back when the machine's clock is set forward or back, or after the machine was asleep.
 * Running timers do not notice that and would fire too late or too early. One timer serves all
 * schedules.
 *
 * @returns the function that stops it
 */
export function onClockJump(clock: Clock, report: () => void): () => void {
  const offsetNow = () => clock.now() - clock.monotonic();
  let offset = offsetNow();
  let timer: Timer;
  const look = () => {
    const seen = offsetNow();
    const hasJumped = Math.abs(seen - offset) > TOLERANCE;
    // Smaller differences add up, as when a clock is slowed down for a while.
    if (hasJumped) {
      offset = seen;
      report();
    }
    timer = clock.setTimeout(look, INTERVAL);
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  look();
  return () => clock.clearTimeout(timer);
}
