/** What is noted of an application, in the order in which it should happen. */
type Mark = 'created' | 'driver' | 'submitted' | 'driverRunning' | 'running' | 'driverEnded' | 'ended' | 'completed';

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

/** How a number of durations is spread, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What was seen of a number of applications, and when. All times are in milliseconds, of one clock. */
export class Timeline {
  private readonly marks: ReadonlyMap<string, Map<Mark, number>>;
  private readonly states = new Map<string, { readonly state: string; readonly message?: string }>();

  /** @param names of the applications; what is told of others is ignored */
  constructor(names: readonly string[]) {
    this.marks = new Map(names.map((name) => [name, new Map()]));
  }

  /** An application was seen in a state; the empty one is New. */
  application(name: string, state: string, at: number, message?: string): void {
    if (!this.marks.has(name)) return;
    this.states.set(name, { state, message });
    this.note(name, ['created', ...(SAYS[state] ?? [])], at);
  }

  /** The driver of an application was seen in a phase. */
  driver(name: string, phase: string, at: number): void {
    if (this.marks.has(name)) this.note(name, DRIVER_SAYS[phase] ?? [], at);
  }

  /** Whether all applications have come to an end, a good or a bad one. */
  get isOver(): boolean {
    return [...this.marks.keys()].every((name) => FINAL.includes(this.states.get(name)?.state ?? ''));
  }

  /** Why not all applications are COMPLETED, for people; undefined when they are. */
  get problem(): string | undefined {
    const counts = new Map<string, number>();
    for (const name of this.marks.keys()) {
      const state = this.states.get(name)?.state;
      const word = state === undefined ? 'not seen' : state || 'New';
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const completed = counts.get('COMPLETED') ?? 0;
    if (completed === this.marks.size) return undefined;
    const [name] = [...this.marks.keys()].filter((key) => this.states.get(key)?.state !== 'COMPLETED');
    const { message } = this.states.get(name!) ?? {};
    return `only ${completed} of ${this.marks.size} applications are COMPLETED (${[...counts].map(([state, count]) => `${state}: ${count}`).join(', ')}); `
      + `one that is not is ${name}${message ? `: ${message}` : ''}`;
  }

  /** When the last application got there. */
  last(mark: Mark): number {
    return this.times(mark).reduce((latest, time) => Math.max(latest, time), -Infinity);
  }

  /** How long applications took from one mark to the other. What is seen in the wrong order, as two watches can show it, took no time. */
  between(from: Mark, to: Mark): number[] {
    return [...this.marks.values()].flatMap((marks) => {
      const [begin, end] = [marks.get(from), marks.get(to)];
      return begin === undefined || end === undefined ? [] : [Math.max(0, end - begin)];
    });
  }

  private times(mark: Mark): number[] {
    return [...this.marks.values()].flatMap((marks) => marks.get(mark) ?? []);
  }

  /** The first time counts. */
  private note(name: string, marks: readonly Mark[], at: number): void {
    const noted = this.marks.get(name)!;
    for (const mark of marks) if (!noted.has(mark)) noted.set(mark, at);
  }
}

/** The spread of durations, by the nearest rank: a percentile is one of them. */
export function spreadOf(durations: readonly number[]): Spread {
  const sorted = [...durations].sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
  return { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) };
}
