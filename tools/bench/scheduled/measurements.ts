import type { CpuTime, MachineFacts } from '../machine.ts';
import type { Spread } from '../population/timeline.ts';
import type { ProfileFigures } from '../measurements.ts';

/** What happened in the minute at which all were due. Times in milliseconds. */
export interface MinuteFigures {
  /** Runs that were created. */
  readonly runs: number;
  /** From the due time to the moment at which the benchmark learnt of the run. */
  readonly lag: Spread;
  /** From the due time to the status of the schedule that tells of it. */
  readonly statusLag: Spread;
  /** How many of the runs had been submitted when the last one was created. */
  readonly submitted: number;
  /** CPU time of the operator for all of it. */
  readonly cpu: CpuTime;
  /** Calls of the operator. */
  readonly calls: Readonly<Record<string, number>>;
  readonly otherLoad: number;
  /** How late the benchmark itself was, at the 99th percentile. */
  readonly lateness: number;
  readonly complaints: readonly string[];
  readonly profile?: ProfileFigures;
}

/** What a run of the benchmark found. */
export interface Figures {
  readonly machine: MachineFacts;
  readonly schedules: number;
  readonly workers: number;
  readonly cluster: MinuteFigures;
}
