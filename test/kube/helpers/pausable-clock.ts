import { ManualClock } from './manual-clock';

/** A clock whose time goes on while nothing fires, as for a process that is paused. */
export class PausableClock extends ManualClock {
  isPaused = false;

  async pass(ms: number): Promise<void> {
    if (this.isPaused) (this as unknown as { time: number }).time += ms;
    else await this.advanceAsync(ms);
  }
}
