/** So many urgent keys are taken for one that is not. */
const URGENT_TURNS = 3;

/** The part of the workers that keys which are not urgent may hold while urgent ones wait. */
const OTHERS_SHARE = 1 / 5;

/** A queue that takes its turn. */
export interface Line {
  /** Whether it has urgent keys that are ready. */
  readonly hasUrgent: boolean;
  /** Whether it has other keys that are ready. */
  readonly hasOthers: boolean;
  /** How many workers wait for a key of it. */
  readonly idle: number;
  /** Gives a key to a worker that waits, of those that are urgent or of the others. There are both. */
  readonly handOut: (isUrgent: boolean) => void;
}

/**
 * Says from which of several queues a key is worked on next, and bounds how many are at the same time. Urgent keys of all of them go before the others, of which every fourth turn is one; but those never
 * hold more than a fifth of the workers (one at least) while urgent ones wait. The queues take turns.
 */
export class Turns {
  /** In the order of their last turns. */
  private readonly lines = new Set<Line>();
  private running = 0;
  /** How many of those are not urgent. */
  private othersRunning = 0;
  /** How many urgent keys have been taken in a row while others waited. */
  private urgentTurns = 0;

  /** @param most keys that are worked on at the same time; more wait in their queues */
  constructor(private readonly most = Infinity) {}

  /** Takes a queue in. */
  join(line: Line): void {
    this.lines.add(line);
  }

  /** Gives a queue no more turns. What is worked on of it goes on to count until it is done. */
  quit(line: Line): void {
    this.lines.delete(line);
  }

  /** Hands out what can be worked on; to be called whenever a key is ready or a worker waits. */
  dispatch(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { line, isUrgent } = next;
      this.running++;
      if (!isUrgent) this.othersRunning++;
      this.lines.delete(line);
      this.lines.add(line);
      line.handOut(isUrgent);
    }
  }

  /** The work on a key has ended. */
  done(isUrgent: boolean): void {
    this.running--;
    if (!isUrgent) this.othersRunning--;
    this.dispatch();
  }

  private next(): { readonly line: Line; readonly isUrgent: boolean } | undefined {
    if (this.running >= this.most) return undefined;
    let urgent: Line | undefined;
    let other: Line | undefined;
    for (const line of this.lines) {
      if (line.idle === 0) continue;
      if (line.hasUrgent) urgent ??= line;
      if (line.hasOthers) other ??= line;
      if (urgent && other) break;
    }
    if (!urgent && !other) return undefined;
    if (!urgent || (other && this.isOthersTurn())) {
      this.urgentTurns = 0;
      return { line: other!, isUrgent: false };
    }
    this.urgentTurns = other ? this.urgentTurns + 1 : 0;
    return { line: urgent, isUrgent: true };
  }

  private isOthersTurn(): boolean {
    if (this.urgentTurns < URGENT_TURNS) return false;
    const workers = Math.min(this.most, [...this.lines].reduce((sum, { idle }) => sum + idle, this.running));
    return this.othersRunning < Math.max(1, Math.floor(workers * OTHERS_SHARE));
  }
}
