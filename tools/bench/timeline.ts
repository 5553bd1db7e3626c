/**
 * Events of an application, in their usual order. `whole`: its status shows all executors running. `ended`: its
 * status shows the end of the driver.
 */
export type Mark = 'created' | 'driver' | 'driverRunning' | 'running' | 'whole' | 'driverEnded' | 'ended' | 'completed';

/** Marks that each state implies. A state that passes quickly is not always seen by itself. */
const BY_STATE: Readonly<Record<string, readonly Mark[]>> = {
  RUNNING: ['created', 'running'],
  SUCCEEDING: ['created', 'running', 'ended'],
  COMPLETED: ['created', 'running', 'ended', 'completed'],
};

/** Marks that each phase of a driver implies. */
const BY_PHASE: Readonly<Record<string, readonly Mark[]>> = {
  Pending: ['driver'],
  Running: ['driver', 'driverRunning'],
  Succeeded: ['driver', 'driverRunning', 'driverEnded'],
};

/** Status of an application. */
export interface Seen {
  /** Empty for a new one. */
  readonly state: string;
  readonly message?: string;
  /** Executors that run. @default 0 */
  readonly executors?: number;
}

/** Times of the events of a number of applications, in milliseconds of one clock. Only the first time of a mark is kept. */
export class Timeline {
  private readonly marks: ReadonlyMap<string, Map<Mark, number>>;
  private readonly counts = new Map<Mark, number>();
  private readonly seen = new Map<string, Seen>();
  private readonly executors: number;

  /**
   * @param names of the applications; events of others are ignored
   * @param executors of each, for the mark `whole`
   */
  constructor(names: readonly string[], executors = 0) {
    this.marks = new Map(names.map((name) => [name, new Map()]));
    this.executors = executors;
  }

  /** The API server answered the creation of an application. */
  answered(name: string, at: number): void {
    this.note(name, ['created'], at);
  }

  /** A driver was seen in a phase. */
  driver(name: string, phase: string, at: number): void {
    this.note(name, BY_PHASE[phase] ?? [], at);
  }

  /** The status of an application was seen. */
  application(name: string, seen: Seen, at: number): void {
    if (!this.marks.has(name)) return;
    this.seen.set(name, seen);
    this.note(name, BY_STATE[seen.state] ?? ['created'], at);
    if (seen.state === 'RUNNING' && (seen.executors ?? 0) >= this.executors) this.note(name, ['whole'], at);
  }

  get size(): number {
    return this.marks.size;
  }

  /** Returns the number of applications that have a mark. */
  count(mark: Mark): number {
    return this.counts.get(mark) ?? 0;
  }

  /** Returns the time of the last mark. */
  last(mark: Mark): number {
    return [...this.marks.values()].reduce((latest, marks) => Math.max(latest, marks.get(mark) ?? -Infinity), -Infinity);
  }

  /**
   * Returns how long applications took from one mark to another. Marks in the wrong order, as two watches can
   * show them, took no time.
   *
   * @param span of the first mark. @default - any time
   */
  between(from: Mark, to: Mark, [since, until]: readonly [number, number] = [-Infinity, Infinity]): number[] {
    return [...this.marks.values()].flatMap((marks) => {
      const [begin, end] = [marks.get(from), marks.get(to)];
      return begin === undefined || end === undefined || begin < since || begin >= until ? [] : [Math.max(0, end - begin)];
    });
  }

  /** Describes the states of the applications. */
  describe(): string {
    const counts = new Map<string, number>();
    let example = '';
    for (const name of this.marks.keys()) {
      const { state = 'not seen', message } = this.seen.get(name) ?? {};
      counts.set(state || 'New', (counts.get(state || 'New') ?? 0) + 1);
      if (message && !example) example = `; ${name}: ${message}`;
    }
    const states = [...counts].map(([state, count]) => `${state}: ${count}`).join(', ');
    return `${this.count('driver')} of ${this.size} applications have a driver; ${states}${example}`;
  }

  private note(name: string, marks: readonly Mark[], at: number): void {
    const noted = this.marks.get(name);
    for (const mark of noted ? marks : []) {
      if (noted!.has(mark)) continue;
      noted!.set(mark, at);
      this.counts.set(mark, this.count(mark) + 1);
    }
  }
}
