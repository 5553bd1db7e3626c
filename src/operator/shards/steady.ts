/** A text that counts as soon as it has stayed the same for a while. What is gone again within that time has never been. */
export class Steady {
  private settled?: string;
  /** What differs from that. */
  private pending?: { readonly text: string; readonly since: number; readonly differsSince: number };

  /**
   * @param wait milliseconds that it must stay the same
   * @param most milliseconds after which it counts although it does not stay the same
   */
  constructor(private readonly wait: number, private readonly most: number) {}

  /**
   * Takes in how it is.
   *
   * @param now milliseconds, by a clock that never goes back
   * @returns whether it counts from now on
   */
  see(text: string, now: number): boolean {
    if (text === this.settled) {
      this.pending = undefined;
      return false;
    }
    if (text !== this.pending?.text) this.pending = { text, since: now, differsSince: this.pending?.differsSince ?? now };
    if (this.dueIn(now)! > 0) return false;
    this.settled = text;
    this.pending = undefined;
    return true;
  }

  /** Milliseconds until it counts if it stays as it is; undefined if it counts already. */
  dueIn(now: number): number | undefined {
    if (!this.pending) return undefined;
    const { since, differsSince } = this.pending;
    return Math.min(since + this.wait, differsSince + this.most) - now;
  }
}
