import { ManualClock } from './manual-clock';

/** The clock of a process that may be paused, or whose virtual machine may be suspended. */
export class PausableClock extends ManualClock {
  /** Time goes on, and nothing fires. */
  isPaused = false;
  /** Only the time of day goes on. */
  isSuspended = false;

  async pass(ms: number): Promise<void> {
    if (this.isSuspended) this.jump(ms);
    else if (this.isPaused) (this as unknown as { time: number }).time += ms;
    else await this.advanceAsync(ms);
  }
}
