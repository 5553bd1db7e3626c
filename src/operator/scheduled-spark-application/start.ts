import { ConcurrencyPolicy } from '../../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../../api/scheduled-spark-application-status';
import type { Occurrence } from '../spark-application/decision';
import { rfc3339 } from '../spark-application/step';
import { isReplacing, type Waiting } from './conditions';
import type { Action, BegunRun, Count, Hindrance, Observation, PlannedRun } from './decision';
import { isActive } from './model';
import { concurrencyPolicyOf } from './plan';
import * as tell from './tell';

/** A part of a decision. */
export interface Step {
  readonly action?: Action;
  /** What it changes in the status. */
  readonly changes?: Partial<ScheduledSparkApplicationStatus>;
  readonly waiting?: Waiting;
  readonly events?: readonly Occurrence[];
  readonly counts?: readonly Count[];
  /** In milliseconds. */
  readonly requeueAfter?: number;
}

/** How often what a run waits for is looked at, should nobody tell of it, in milliseconds. */
export const LOOK_AGAIN = 30_000;

/** After how long the creation of a run is tried again, in milliseconds. */
const TRY_AGAIN = 15_000;

/** What a run begins with, by the policy about runs that go on; `forbidden` if it does not begin. */
export function startOf(observation: Observation, run: PlannedRun): Step | { readonly forbidden: readonly string[] } {
  const { schedule: { spec, status }, runs, isConfirmed, drivers, areDriversConfirmed } = observation;
  const policy = concurrencyPolicyOf(spec);
  if (policy === ConcurrencyPolicy.ALLOW) return { action: { kind: 'start', run } };
  const active = runs.filter(isActive);
  const names = active.map(({ metadata }) => metadata.name);
  // Also under one that is unknown: nothing is deleted for it.
  if (policy !== ConcurrencyPolicy.REPLACE && active.length > 0) return { forbidden: names };
  if (active.length > 0) {
    const going = active.filter(({ metadata }) => !metadata.deletionTimestamp);
    return {
      ...replacing(run, names),
      ...(going.length > 0 && { action: { kind: 'replace', runs: going }, events: [tell.replaced(run, going.map(({ metadata }) => metadata.name))] }),
    };
  }
  if (!isConfirmed) return { action: { kind: 'confirm' } };
  if (policy === ConcurrencyPolicy.REPLACE) {
    // The application is gone before its driver is, which has its time of grace.
    if (drivers.length > 0) {
      const staying = drivers.filter(({ isLeaving }) => !isLeaving);
      return { ...replacing(run, drivers.map(({ name }) => name)), ...(staying.length > 0 && { action: { kind: 'end-drivers', drivers: staying } }) };
    }
    if (isReplacing(status) && !areDriversConfirmed) return { action: { kind: 'look-for-drivers' } };
  }
  return { action: { kind: 'start', run } };
}

function replacing(run: PlannedRun, names: readonly string[]): Step {
  return { waiting: { reason: 'Replacing', message: `${run.name} begins when ${tell.several(names)} is gone` }, requeueAfter: LOOK_AGAIN };
}

/** What follows when a run has begun. */
export function begunStep(run: BegunRun): Step {
  return {
    changes: { lastRun: rfc3339(run.at), lastRunName: run.name },
    events: [tell.started(run)],
    counts: [{ kind: 'started', trigger: run.trigger, ...(run.time !== undefined && { lateness: Math.max(0, run.at - run.time) / 1000 }) }],
  };
}

/** What follows when a run cannot be created. */
export function hinderedStep(hindrance: Hindrance): Step {
  return { waiting: { reason: 'CannotStart', message: hindrance.reason }, events: [tell.hindered(hindrance)], requeueAfter: TRY_AGAIN };
}

/** The same run, if it is there: an earlier pass has created it, and could not write that down. */
export function alreadyBegun({ runs }: Observation, run: PlannedRun): BegunRun | undefined {
  const found = runs.find(({ metadata }) => metadata.name === run.name);
  return found && { ...run, at: Date.parse(found.metadata.creationTimestamp!) };
}
