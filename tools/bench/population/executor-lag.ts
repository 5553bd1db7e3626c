import { spreadOf, type Spread } from './timeline.ts';

/** What a status should come to say of an executor, and since when. */
interface Expected {
  readonly runs: boolean;
  readonly since: number;
}

/** From what happens to executors of applications that go on to the status that says so. Times are in milliseconds of one clock. */
export class ExecutorLag {
  private readonly expected = new Map<string, Map<string, Expected>>();
  private readonly running = new Set<string>();
  private lags: number[] = [];

  /** An executor runs; it may be told more than once that it does. */
  runs(application: string, executor: string, at: number): void {
    if (this.running.has(executor)) return;
    this.running.add(executor);
    this.expect(application, executor, { runs: true, since: at });
  }

  /** An executor that ran is gone. */
  gone(application: string, executor: string, at: number): void {
    this.expect(application, executor, { runs: false, since: at });
  }

  /** The status of an application was seen. @param states of its executors, by name */
  seeStatus(application: string, states: Readonly<Record<string, string>>, at: number): void {
    const expected = this.expected.get(application);
    if (!expected) return;
    for (const [executor, { runs, since }] of expected) {
      if ((states[executor] === 'RUNNING') !== runs || (!runs && states[executor] === undefined)) continue;
      this.lags.push(Math.max(0, at - since));
      expected.delete(executor);
    }
    if (expected.size === 0) this.expected.delete(application);
  }

  /** Forgets what was found until now. */
  reset(): void {
    this.lags = [];
    this.expected.clear();
  }

  /** What was found since then. */
  get spread(): Spread {
    return spreadOf(this.lags);
  }

  /** What no status has said yet. */
  get open(): number {
    return [...this.expected.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private expect(application: string, executor: string, expected: Expected): void {
    let all = this.expected.get(application);
    if (!all) this.expected.set(application, all = new Map());
    all.set(executor, expected);
  }
}
