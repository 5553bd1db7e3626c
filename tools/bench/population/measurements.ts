import type { Garbage } from '../api-garbage.ts';
import type { MachineFacts } from '../machine.ts';
import type { CpuFigures, ProfileFigures } from '../measurements.ts';
import type { Spread } from './timeline.ts';

/*
 * All times are in milliseconds, all memory in bytes, unless a name says otherwise. Each group of figures tells the size that it belongs to, as
 * what is asked is how they grow with it.
 */

/** How many objects there were besides what was measured. */
export interface Size {
  /** Applications that were measured: that were created, or were running. */
  readonly applications: number;
  /** Pods that existed at the end of the measurement, drivers and executors, finished ones too. */
  readonly pods: number;
  /** Applications that were finished before, and still there. */
  readonly finished: number;
}

/** What a span of time took, of whatever phase. */
export interface Load {
  /** How long it was. */
  readonly milliseconds: number;
  /** The operator's CPU time in all. */
  readonly cpu: CpuFigures;
  /** The operator's physical memory: the most since its start, and in the middle of samples that were taken each second. */
  readonly memory: { readonly peak: number; readonly median: number };
  /** By how much the operator's event loop was late, at the 99th percentile: the worst of spans of 15 s. Of a restart: the worst of spans of 0.25 s. */
  readonly eventLoopDelay: number;
  /** The longest that it was late. */
  readonly eventLoopBlocked: number;
  /** Milliseconds of each time that the operator collected all garbage at once. */
  readonly collections: readonly number[];
  /** Processors that the machine wanted and did not get from its hypervisor. */
  readonly stolen: number;
  /** Calls of the operator in all, by its own count, such as `PUT sparkapplications/status`; without watches. */
  readonly calls: Readonly<Record<string, number>>;
  /** Bytes that the operator read in all, by its own count, such as `watch pods`, in the words of RBAC. */
  readonly received: Readonly<Record<string, number>>;
  /** Applications that waited to be looked at. */
  readonly queue: { readonly mean: number; readonly max: number };
  /** What each program of the cluster and of the benchmark took, greatest first. */
  readonly processors: readonly ProgramLoad[];
  /** Processors that others than the cluster and the benchmark kept busy. */
  readonly otherLoad: number;
  /** By how much the benchmark itself was late with its work, at the 99th percentile. Its own times are wrong by as much. */
  readonly lateness: number;
}

/** What a program took. */
export interface ProgramLoad {
  readonly program: string;
  /** How many processors it kept busy. */
  readonly busy: number;
  /** Its CPU time in milliseconds. */
  readonly cpu: number;
  /** Its physical memory at the end, in bytes. */
  readonly memory: number;
}

/** From a new phase of a driver, or a change of an executor, to the status of its application that says so, by what the benchmark saw. */
export interface Lag {
  /** Of the phases of drivers: that they run, and that they have ended. */
  readonly all: Spread;
  readonly running: Spread;
  readonly ended: Spread;
}

/** Applications that are created as fast as the API server takes them and go on to COMPLETED. */
export interface LifecycleFigures {
  readonly size: Size;
  /** How long their drivers ran. */
  readonly driverSeconds: number;
  /** From the first creation to the last; to the last driver that was seen; to the last RUNNING; to the last COMPLETED. */
  readonly after: { readonly created: number; readonly submitted: number; readonly running: number; readonly completed: number };
  /** From an application to its driver Pod. Applications wait for their turn here, as they come faster than they can be dealt with. */
  readonly toDriver: Spread;
  readonly lag: Lag;
  readonly load: Load;
  /** Calls of anybody in all, as the API server counts; without watches. */
  readonly allCalls: number;
  /** Writes of the operator for one application, events aside. */
  readonly writes: WriteFigures;
  /** Executors that are not in the status of their application as completed. */
  readonly executorsMissed: number;
  /** Whether executors ended without a time of grace, as those of the population do: with one, there is one event more of each. */
  readonly atOnce: boolean;
}

/** What the operator writes for one application from its creation to COMPLETED, by its own count. */
export interface WriteFigures {
  /** The first write of the status of each attempt, which hands the application over to the operator (docs/decisions/0004-intent-first.md). */
  readonly handOver: number;
  /** All other writes of the status. */
  readonly status: number;
  /** `POST` of anything but events: one for each object. */
  readonly created: number;
  /** `DELETE`: what is of no use after the end, such as the Service of the web UI. */
  readonly deleted: number;
  /** Everything else that changes something, but events. */
  readonly others: number;
  readonly events: number;
}

/** Applications that come at a fixed rate. */
export interface PaceFigures {
  readonly size: Size;
  /** Applications that were created in a second, as wanted and as it came. */
  readonly perSecond: { readonly wanted: number; readonly actual: number };
  /** From an application to its driver Pod. */
  readonly toDriver: Spread;
  /** The same from when the application was to be created, so that a creation that had to wait counts with its wait. */
  readonly sinceDue: Spread;
  readonly lag: Lag;
  /** What the API server took for a small write of the benchmark's own, ten times a second. */
  readonly probe: Spread;
  readonly load: Load;
}

/**
 * Applications that are created as fast as the API server takes them, beside those that run, and go on to RUNNING with all executors.
 */
export interface FillFigures {
  /** Those that run at the end. */
  readonly size: Size;
  /** Those that were created here. */
  readonly created: number;
  /** From the first creation to the last; to the last driver that was seen; to the last RUNNING; to the last status with all executors running. */
  readonly after: { readonly created: number; readonly submitted: number; readonly running: number; readonly whole: number };
  readonly toDriver: Spread;
  /** `ended` is empty: NaN, which JSON shows as null. */
  readonly lag: Lag;
  readonly load: Load;
  readonly allCalls: number;
}

/** A population that runs, while executors come and go, and a few applications end and others come. */
export interface SteadyFigures {
  readonly size: Size;
  /** For how long executors came and went. */
  readonly span: number;
  /** What happened, a second. */
  readonly churn: { readonly executors: number; readonly applications: number };
  /** From an application to its driver Pod. */
  readonly toDriver: Spread;
  /** From a new phase of a driver to the status that says so. */
  readonly lag: Lag;
  /** From the deletion of an executor, and from the start of one, to the status that says so. */
  readonly executorLag: Spread;
  /** What the API server took for a small write of the benchmark's own, ten times a second. */
  readonly probe: Spread;
  /** What had happened to executors, and no status said so a minute later: it is not in `executorLag`. */
  readonly executorsUntold: number;
  /** Writes of the operator a second: of statuses, and of all. */
  readonly writesPerSecond: { readonly status: number; readonly all: number };
  /** What the API server did for its own garbage until all was told. */
  readonly apiGarbage: Garbage;
  readonly load: Load;
  /** The same over time, for the report's plots. @default - was not noted */
  readonly series?: SteadySeries;
}

/** What was noted every few seconds, each list as long as the first. Enough is a few hundred of each. */
export interface SteadySeries {
  /** When, in seconds since the begin. */
  readonly seconds: readonly number[];
  /** The operator's physical memory, in bytes. */
  readonly memory: readonly number[];
  /** Status lag since the time before, of drivers and executors, at the 99th percentile, in milliseconds; null when nothing happened. */
  readonly lagP99: readonly (number | null)[];
  /** Writes of the benchmark's own that were answered since the time before, at the 99th percentile, in milliseconds. */
  readonly probeP99: readonly (number | null)[];
  /** Writes of statuses a second since the time before. */
  readonly statusWrites: readonly number[];
}

/** An operator that ends and is started again beside what is there. Times are from the start of its process. */
export interface RestartFigures {
  readonly size: Size;
  /** Until it serves health and metrics. */
  readonly listening: number;
  /** Until its caches are filled. */
  readonly filled: number;
  /** Until the first applications are looked at: as soon as all of a first namespace is in the caches. */
  readonly firstReconcile: number;
  /** Until nothing waits any more: each application was looked at, and what had happened meanwhile is in its status. */
  readonly caughtUp: number;
  /** Drivers that ended while no operator was there, and until the last of them was seen in its status. */
  readonly missed: { readonly drivers: number; readonly told: number };
  /** Objects that were in the caches, as the operator tells. */
  readonly cached: number;
  /** From the start of the process to when it had caught up. */
  readonly load: Load;
  /** The operator's physical memory in the 15 seconds after that, in the middle. */
  readonly settledMemory: number;
}

/** Two operators with leader election, of which the one that leads is killed. Times are from there. */
export interface FailoverFigures {
  readonly size: Size;
  /** Until the other one leads. */
  readonly leading: number;
  /** Until it has caught up: nothing waits any more. */
  readonly caughtUp: number;
  /** Until an application has a driver that was created at the moment of the kill. */
  readonly toDriver: number;
  /** Physical memory of the one that stands by, before. */
  readonly standbyMemory: number;
  /** What the Lease says. */
  readonly leaseSeconds: number;
}

/** Drivers of a population that end, from the first that does to the last COMPLETED. */
export interface DrainFigures {
  /** `applications` are those that ended. */
  readonly size: Size;
  /** To the last driver that was seen to have ended; to the last COMPLETED. */
  readonly after: { readonly ended: number; readonly completed: number };
  readonly lag: Lag;
  readonly load: Load;
  readonly allCalls: number;
}

/** What was found in the cluster. */
export interface PopulationRun {
  readonly nodes: number;
  /** The operator's physical memory before there were applications. */
  readonly idleMemory: number;
  /** By size. */
  readonly lifecycle: readonly LifecycleFigures[];
  readonly pace: PaceFigures;
  /** By size; each goes on where the one before ended. */
  readonly fill: readonly FillFigures[];
  /** By size. */
  readonly steady: readonly SteadyFigures[];
  /** By size. */
  readonly restart: readonly RestartFigures[];
  readonly failover: FailoverFigures;
  readonly drain: DrainFigures;
  /** As one of `lifecycle`, beside the finished applications of the population. */
  readonly again: LifecycleFigures;
  /** Writes for one application of the population from creation to COMPLETED, without the time of churn in between. */
  readonly writes: WriteFigures;
  /** How often the API server has cut off a watch of the benchmark, which sees changes later then. */
  readonly watchCuts: number;
  /** What the operator complained about in its log. */
  readonly complaints: readonly string[];
  /** How long each phase took, in seconds, by its name. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** All that the population benchmark finds. */
export interface PopulationFigures extends PopulationRun {
  readonly machine: MachineFacts;
  readonly quick: boolean;
  /** Of each application. */
  readonly executors: number;
  /** Applications that the operator works on at the same time. */
  readonly workers: number;
  /** Where the operator's CPU time goes, by phase: `lifecycle` and `steady`, the greatest of each. @default - was not taken apart */
  readonly profiles?: Readonly<Record<string, ProfileFigures>>;
}
