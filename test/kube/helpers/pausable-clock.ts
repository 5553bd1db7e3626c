import { ManualClock } from './manual-clock';

/** Clock of a process that can be paused, or whose virtual machine can be suspended. */
export class PausableClock extends ManualClock {
  /** Time advances, but no timer fires. */
  isPaused = false;
  /** Only the wall clock advances. */
  isSuspended = false;

  async pass(ms: number): Promise<void> {
    if (this.isSuspended) this.jump(ms);
    else if (this.isPaused) (this as unknown as { time: number }).time += ms;
    else await this.advanceAsync(ms);
  }
}
