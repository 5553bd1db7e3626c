import type { MachineFacts } from '../machine.ts';
import type { CpuFigures, ProfileFigures } from '../measurements.ts';
import type { Spread } from './timeline.ts';

/** What was found in the cluster, from the first creation to the last COMPLETED. */
export interface LifecycleFigures {
  readonly nodes: number;
  /** From the first creation to the last, in milliseconds. */
  readonly creation: number;
  /** From the first creation to the last application that was seen to be SUBMITTED, in milliseconds. */
  readonly submission: number;
  /** From the first creation to the last application that was seen to be COMPLETED, in milliseconds. */
  readonly whole: number;
  /** From an application to its driver Pod. */
  readonly toDriver: Spread;
  /** From a new phase of a driver to the status of its application that says so: of both together, when it runs, when it has ended. */
  readonly lag: { readonly all: Spread; readonly running: Spread; readonly ended: Spread };
  /** The operator's physical memory, in bytes: the most since its start, and the most before there were applications. */
  readonly memory: { readonly peak: number; readonly idle: number };
  /** The operator's CPU time in milliseconds per application. */
  readonly cpu: CpuFigures;
  /** Calls of the operator for one application by its own count, such as `POST pods`; without watches. */
  readonly calls: Readonly<Record<string, number>>;
  /** Calls for one application by anybody, as the API server counts; without watches. */
  readonly allCalls: number;
  /** Applications that wait to be looked at, as the operator tells. Absent when it does not tell. */
  readonly queue?: { readonly mean: number; readonly max: number };
  /** What each program of the cluster and of the benchmark took, greatest first. */
  readonly processors: readonly ProgramLoad[];
  /** Processors that others than the cluster and the benchmark kept busy. */
  readonly otherLoad: number;
  /** By how much the benchmark itself was late with its work, in milliseconds, at the 99th percentile. Its own times are wrong by as much. */
  readonly lateness: number;
  /** How often the API server has cut off a watch of the benchmark, which sees changes later then. */
  readonly watchCuts: number;
  /** Executors that are not in the status of their application as completed. */
  readonly executorsMissed: number;
  /** What the operator complained about in its log. */
  readonly complaints: readonly string[];
  readonly profile?: ProfileFigures;
}

/** What a program took until all applications were COMPLETED. */
export interface ProgramLoad {
  readonly program: string;
  /** How many processors it kept busy. */
  readonly busy: number;
  /** Its CPU time in milliseconds. */
  readonly cpu: number;
}

export interface Figures {
  readonly machine: MachineFacts;
  readonly applications: number;
  readonly executors: number;
  readonly driverSeconds: number;
  readonly startSeconds: number;
  readonly workers: number;
  readonly cluster: LifecycleFigures;
}
