import type { Clock, Timer } from '../../kube/clock';

/** Between two looks at the clocks, in milliseconds. */
const INTERVAL = 5_000;

/** Less than this, in milliseconds, is no jump. */
const TOLERANCE = 500;

/**
 * Watches whether the machine's clock is set forward or back, or the machine was asleep: timers go on as before then, and would come too late or too early. One timer for all schedules.
 *
 * @returns what ends it
 */
export function onClockJump(clock: Clock, tell: () => void): () => void {
  const offsetNow = () => clock.now() - clock.monotonic();
  let offset = offsetNow();
  let timer: Timer;
  const look = () => {
    const seen = offsetNow();
    const hasJumped = Math.abs(seen - offset) > TOLERANCE;
    // What is less adds up, as when a clock is slowed down for a while.
    if (hasJumped) {
      offset = seen;
      tell();
    }
    timer = clock.setTimeout(look, INTERVAL);
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  look();
  return () => clock.clearTimeout(timer);
}
