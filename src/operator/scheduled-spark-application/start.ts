import { ConcurrencyPolicy } from '../../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../../api/scheduled-spark-application-status';
import type { UserEvent } from '../occurrence';
import { rfc3339 } from '../../text/times';
import { admittedIn, replacing, type Waiting } from './conditions';
import type { Action, BegunRun, Count, CreationFailure, Observation, PlannedRun } from './decision';
import { isActive, triggerOf } from '../../model/scheduled-spark-application';
import { concurrencyPolicyOf } from './plan';
import * as tell from './tell';

/** A part of a decision. */
export interface Step {
  readonly action?: Action;
  /** The changes of the status. */
  readonly changes?: Partial<ScheduledSparkApplicationStatus>;
  readonly waiting?: Waiting;
  readonly events?: readonly UserEvent[];
  readonly counts?: readonly Count[];
  /** The time until the next pass, in milliseconds. */
  readonly requeueAfter?: number;
}

/** The interval between checks of what a run waits for, if no event arrives, in milliseconds. */
export const LOOK_AGAIN = 30_000;

/**
 * Returns the first step of a run by the policy about overlapping runs; `forbidden` or `superseded`
 * if it does not begin.
 */
export function startOf(
  observation: Observation, run: PlannedRun,
): Step | { readonly forbidden: readonly string[] } | { readonly superseded: string } {
  const { schedule: { spec }, runs, drivers, areDriversConfirmed } = observation;
  const policy = concurrencyPolicyOf(spec);
  if (policy === ConcurrencyPolicy.ALLOW) return { action: { kind: 'start', run } };
  const active = runs.filter(isActive);
  const names = active.map(({ metadata }) => metadata.name);
  // This also applies to an unknown policy: nothing is deleted for it.
  if (policy !== ConcurrencyPolicy.REPLACE && active.length > 0) return { forbidden: names };
  const later = active.find(
    (each) => run.time !== undefined && triggerOf(each) === 'run-now' && Date.parse(each.metadata.creationTimestamp ?? '') >= run.time,
  );
  if (later) return { superseded: later.metadata.name };
  if (active.length > 0) {
    const going = active.filter(({ metadata }) => !metadata.deletionTimestamp);
    return {
      ...waitingFor(run, names),
      ...(going.length > 0 && {
        action: { kind: 'replace', runs: going, event: tell.replaced(run, going.map(({ metadata }) => metadata.name)) },
      }),
    };
  }
  if (policy === ConcurrencyPolicy.REPLACE) {
    // The application can be gone before its driver, which has a grace period.
    if (drivers.length > 0) {
      const staying = drivers.filter(({ isLeaving }) => !isLeaving);
      return {
        ...waitingFor(run, drivers.map(({ name }) => name)),
        ...(staying.length > 0 && { action: { kind: 'end-drivers', drivers: staying } }),
      };
    }
    if (admittedOf(observation) !== undefined && !areDriversConfirmed) return { action: { kind: 'look-for-drivers' } };
  }
  return { action: { kind: 'start', run } };
}

function waitingFor(run: PlannedRun, names: readonly string[]): Step {
  return { waiting: replacing(run.name, tell.several(names)), requeueAfter: LOOK_AGAIN };
}

/** Returns the name of the run that replaces others. */
export function admittedOf({ schedule: { status }, admitted }: Observation): string | undefined {
  return admittedIn(status) ?? admitted;
}

/** Returns the step of a run that has begun. */
export function begunStep(run: BegunRun): Step {
  return {
    changes: { lastRun: rfc3339(run.at), lastRunName: run.name },
    events: [tell.started(run)],
    counts: [{ kind: 'started', trigger: run.trigger, ...(run.time !== undefined && { lateness: Math.max(0, run.at - run.time) / 1000 }) }],
  };
}

/** Returns the step of a run that cannot be created. */
export function hinderedStep(failure: CreationFailure, run: PlannedRun, now: number): Step {
  return {
    waiting: { reason: 'CannotStart', message: failure.reason },
    ...(failure.isNew && { events: [tell.hindered(failure)], counts: [{ kind: 'not-started', trigger: failure.run.trigger }] }),
    requeueAfter: triedFrom(failure, run) - now,
  };
}

/** Returns the failure that prevents a try of a run now. */
export function failureOf({ failures: hindrances }: Observation, run: PlannedRun, now: number): CreationFailure | undefined {
  // A failure in the future is ignored: the clock was set back since.
  return hindrances?.find(
    (each) => (each.run.trigger === 'run-now') === (run.trigger === 'run-now') && each.at <= now && now < triedFrom(each, run),
  );
}

function triedFrom({ run: { name }, until, othersFrom }: CreationFailure, run: PlannedRun): number {
  return name === run.name ? until : othersFrom;
}

/**
 * Returns the same run if it exists: an earlier pass has created it and failed to write the status.
 */
export function alreadyBegun({ runs }: Observation, run: PlannedRun): BegunRun | undefined {
  const found = runs.find(({ metadata }) => metadata.name === run.name);
  return found && { ...run, at: Date.parse(found.metadata.creationTimestamp!), wasThere: true };
}
