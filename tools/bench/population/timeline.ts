/** What is noted of an application, in the order in which it should happen. `whole`: its status tells that all of its executors run. */
export type Mark = 'created' | 'driver' | 'submitted' | 'driverRunning' | 'running' | 'whole' | 'driverEnded' | 'ended' | 'completed';

/** What each state says of an application. One that passes quickly is not always seen by itself. */
const SAYS: Readonly<Record<string, readonly Mark[]>> = {
  SUBMITTED: ['submitted'],
  RUNNING: ['submitted', 'running'],
  SUCCEEDING: ['submitted', 'running', 'ended'],
  COMPLETED: ['submitted', 'running', 'ended', 'completed'],
};

/** What the phase of a driver says. */
const DRIVER_SAYS: Readonly<Record<string, readonly Mark[]>> = {
  Pending: ['driver'],
  Running: ['driver', 'driverRunning'],
  Succeeded: ['driver', 'driverRunning', 'driverEnded'],
};

/** States that an application does not leave by itself. */
const FINAL = ['COMPLETED', 'FAILED'];

/** Something that took a while. */
export interface Lasted {
  readonly ended: number;
  readonly duration: number;
}

/** How a number of durations is spread, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What the status of an application says. */
export interface Seen {
  /** The empty one is New. */
  readonly state: string;
  readonly message?: string;
  /** Its executors that run, and that have completed. @default 0 */
  readonly executors?: { readonly running: number; readonly completed: number };
}

/** What was seen of a number of applications, and when. All times are in milliseconds, of one clock. */
export class Timeline {
  private readonly marks: ReadonlyMap<string, Map<Mark, number>>;
  private readonly counts = new Map<Mark, number>();
  private readonly seen = new Map<string, Seen>();
  private readonly executors: number;
  private ends = 0;

  /**
   * @param names of the applications; what is told of others is ignored
   * @param executors of each, for the mark `whole`
   */
  constructor(names: readonly string[], executors = 0) {
    this.marks = new Map(names.map((name) => [name, new Map()]));
    this.executors = executors;
  }

  /** The status of an application was seen. */
  application(name: string, seen: Seen, at: number): void {
    if (!this.marks.has(name)) return;
    if (FINAL.includes(seen.state) && !FINAL.includes(this.seen.get(name)?.state ?? '')) this.ends++;
    this.seen.set(name, seen);
    this.note(name, ['created', ...(SAYS[seen.state] ?? [])], at);
    if (seen.state === 'RUNNING' && (seen.executors?.running ?? 0) >= this.executors) this.note(name, ['whole'], at);
  }

  /** The API server has answered that an application is created. */
  answered(name: string, at: number): void {
    if (this.marks.has(name)) this.note(name, ['created'], at);
  }

  /** The driver of an application was seen in a phase. */
  driver(name: string, phase: string, at: number): void {
    if (this.marks.has(name)) this.note(name, DRIVER_SAYS[phase] ?? [], at);
  }

  /** Whether all applications have come to an end, a good or a bad one. */
  get isOver(): boolean {
    return this.ends === this.marks.size;
  }

  /** How many applications have come so far. */
  count(mark: Mark): number {
    return this.counts.get(mark) ?? 0;
  }

  /** How far the applications are, for people. */
  get progress(): string {
    const stages = [['created', 'created'], ['driver', 'with a driver'], ['running', 'RUNNING'], ['whole', 'with all executors'], ['completed', 'COMPLETED']] as const;
    return `${stages.filter(([mark]) => this.count(mark) > 0).map(([mark, words]) => `${this.count(mark)} ${words}`).join(', ') || 'none created'}, of ${this.size}`;
  }

  /** The applications. */
  get names(): readonly string[] {
    return [...this.marks.keys()];
  }

  /** How many applications there are. */
  get size(): number {
    return this.marks.size;
  }

  /** How many executors are in the statuses as completed. */
  get executorsCompleted(): number {
    return [...this.seen.values()].reduce((sum, { executors }) => sum + (executors?.completed ?? 0), 0);
  }

  /** Why not all applications are COMPLETED, for people; undefined when they are. */
  get problem(): string | undefined {
    const counts = new Map<string, number>();
    for (const name of this.marks.keys()) {
      const state = this.seen.get(name)?.state;
      const word = state === undefined ? 'not seen' : state || 'New';
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const completed = counts.get('COMPLETED') ?? 0;
    if (completed === this.marks.size) return undefined;
    const [name] = [...this.marks.keys()].filter((key) => this.seen.get(key)?.state !== 'COMPLETED');
    const { message } = this.seen.get(name!) ?? {};
    return `only ${completed} of ${this.marks.size} applications are COMPLETED (${[...counts].map(([state, count]) => `${state}: ${count}`).join(', ')}); `
      + `one that is not is ${name}${message ? `: ${message}` : ''}`;
  }

  /** When the last application got there. */
  last(mark: Mark): number {
    return this.times(mark).reduce((latest, time) => Math.max(latest, time), -Infinity);
  }

  /** When each application got there, in the order of their names; undefined for those that did not. */
  at(mark: Mark): (number | undefined)[] {
    return [...this.marks.values()].map((marks) => marks.get(mark));
  }

  /** How long applications took from one mark to the other. What is seen in the wrong order, as two watches can show it, took no time. */
  between(from: Mark, to: Mark): number[] {
    return this.lasting(from, to).map(({ duration }) => duration);
  }

  /** The same, with when each got to the other. */
  lasting(from: Mark, to: Mark): Lasted[] {
    return [...this.marks.values()].flatMap((marks) => {
      const [begin, end] = [marks.get(from), marks.get(to)];
      return begin === undefined || end === undefined ? [] : [{ ended: end, duration: Math.max(0, end - begin) }];
    });
  }

  private times(mark: Mark): number[] {
    return [...this.marks.values()].flatMap((marks) => marks.get(mark) ?? []);
  }

  /** The first time counts. */
  private note(name: string, marks: readonly Mark[], at: number): void {
    const noted = this.marks.get(name)!;
    for (const mark of marks) {
      if (noted.has(mark)) continue;
      noted.set(mark, at);
      this.counts.set(mark, (this.counts.get(mark) ?? 0) + 1);
    }
  }
}

/** The spread of durations, by the nearest rank: a percentile is one of them. */
export function spreadOf(durations: readonly number[]): Spread {
  const sorted = [...durations].sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
  return { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) };
}
