/* The types of bench/figures.json. Times in milliseconds, memory in bytes, rates a minute, unless a name has another unit. */

/** Spread of a number of durations; each value is one of them. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Processors that each program kept busy in a span of time, and its memory at the end. */
export type Busy = Readonly<Record<string, { readonly processors: number; readonly memory: number }>>;

/** Calls by method and resource, such as `POST pods`; for one application. */
export type Calls = Readonly<Record<string, number>>;

interface Competitors {
  readonly operator: number;
  readonly bareClient: number;
  readonly sparkSubmit: number;
}

/** Figures by scenario. */
export interface Figures {
  readonly submission: {
    readonly rate: Competitors;
    /** CPU time of one submission. */
    readonly cpu: Competitors;
    /** The operator while applications are created as fast as the API server takes them. */
    readonly created: { readonly rate: number; readonly cpu: number };
    readonly calls: Calls;
    readonly sparkVersion: string;
  };
  /** At fixed rates of creation. */
  readonly paces: readonly { readonly perSecond: number; readonly toDriver: Spread; readonly busy: Busy }[];
  readonly population: {
    readonly applications: number;
    readonly pods: number;
    /** Executors of each application. */
    readonly executors: number;
    /** From the first creation to the last COMPLETED. */
    readonly lifecycle: { readonly applications: number; readonly rate: number; readonly cpu: number; readonly calls: Calls };
    /** By size. CPU time, and bytes that the operator read, for one application until its executors run. */
    readonly fill: readonly { readonly applications: number; readonly rate: number; readonly cpu: number; readonly received: number }[];
    /** `lag`: from a change of a driver to the status that shows it. `memory`: the median. */
    readonly steady: { readonly lag: Spread; readonly executorLag: Spread; readonly toDriver: Spread; readonly memory: number };
    /** `memory`: the median of the 15 s after it. */
    readonly restart: { readonly caughtUp: number; readonly cpu: number; readonly received: number; readonly memory: number };
    /** By phase. */
    readonly busy: Readonly<Record<string, Busy>>;
  };
  readonly finished: {
    /** Applications that were measured. */
    readonly applications: number;
    /** Finished applications beside them, with their drivers. */
    readonly finished: number;
    /** CPU time of one application from its creation to COMPLETED; without finished ones, and beside them. */
    readonly alone: { readonly cpu: number; readonly memory: number };
    readonly beside: { readonly cpu: number; readonly memory: number };
  };
  readonly neighbours: {
    readonly flood: {
      readonly applications: number;
      readonly huge: number;
      readonly hugeBytes: number;
      readonly createdAfter: number;
      readonly doneAfter: number;
    };
    /** Creation to driver Pod in the quiet namespace, before the flood and beside it. */
    readonly alone: Spread;
    readonly beside: Spread;
    readonly peakMemory: number;
    readonly busy: Busy;
  };
  readonly scheduled: { readonly schedules: number; readonly lag: Spread };
  readonly webhook: {
    /** Reviews a second. */
    readonly rate: number;
    readonly seconds: number;
    readonly latency: Spread;
    /** Failures by reason. */
    readonly failures: Readonly<Record<string, number>>;
    /** CPU time of a review, and of one that a bare server answers. */
    readonly cpu: number;
    readonly bareCpu: number;
    /** Latency of the bare server in the same seconds. */
    readonly besideP99: number;
    readonly memory: number;
  };
  readonly synth: readonly { readonly applications: number; readonly whole: number; readonly memory: number; readonly bytes: number }[];
}

export type Scenario = keyof Figures;

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = ['submission', 'paces', 'population', 'finished', 'neighbours', 'scheduled', 'webhook', 'synth'];

/** Speed of the machine. */
export interface Machine {
  /** Runs of a fixed loop a second, on each processor while all are busy. */
  readonly loops: number;
  /** CPU time of these loops by the time that passed. */
  readonly share: number;
  /** Processors that the hypervisor kept for others. */
  readonly stolen: number;
}

/** Figures of a scenario, and their origin. */
export interface Measured<Name extends Scenario = Scenario> {
  readonly day: string;
  /** Seconds that it took. */
  readonly seconds: number;
  /** Commit of the measured checkout, as `git describe --always --dirty` prints it. */
  readonly commit: string;
  readonly processor: string;
  readonly cores: number;
  /** Load average before. */
  readonly load: number;
  /** The slower of two measurements, before and after. @default - it was not measured */
  readonly machine?: Machine;
  /** Reasons why the figures might be wrong. */
  readonly doubts: readonly string[];
  readonly figures: Figures[Name];
}

export interface FiguresFile {
  /** Loops a second in the best hour, by processor. @default - none was measured */
  readonly fastest?: Readonly<Record<string, number>>;
  readonly versions: { readonly node: string; readonly kubernetes: string; readonly spark: string };
  readonly scenarios: { readonly [Name in Scenario]?: Measured<Name> };
}

/** Returns the spread of durations by the nearest rank; NaN (null in JSON) for none. */
export function spreadOf(durations: readonly number[]): Spread {
  const sorted = [...durations].sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
  return { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Divides each count by a number of applications. */
export function callsForOne(calls: Calls, applications: number): Calls {
  return Object.fromEntries(Object.entries(calls).map(([call, count]) => [call, count / applications]));
}
