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
  /** What it changes in the status. */
  readonly changes?: Partial<ScheduledSparkApplicationStatus>;
  readonly waiting?: Waiting;
  readonly events?: readonly UserEvent[];
  readonly counts?: readonly Count[];
  /** In milliseconds. */
  readonly requeueAfter?: number;
}

/** How often what a run waits for is looked at, should nobody tell of it, in milliseconds. */
export const LOOK_AGAIN = 30_000;

/** What a run begins with, by the policy about runs that go on; `forbidden` or `superseded` if it does not begin. */
export function startOf(observation: Observation, run: PlannedRun): Step | { readonly forbidden: readonly string[] } | { readonly superseded: string } {
  const { schedule: { spec }, runs, drivers, areDriversConfirmed } = observation;
  const policy = concurrencyPolicyOf(spec);
  if (policy === ConcurrencyPolicy.ALLOW) return { action: { kind: 'start', run } };
  const active = runs.filter(isActive);
  const names = active.map(({ metadata }) => metadata.name);
  // Also under one that is unknown: nothing is deleted for it.
  if (policy !== ConcurrencyPolicy.REPLACE && active.length > 0) return { forbidden: names };
  const later = active.find((each) => run.time !== undefined && triggerOf(each) === 'run-now' && Date.parse(each.metadata.creationTimestamp ?? '') >= run.time);
  if (later) return { superseded: later.metadata.name };
  if (active.length > 0) {
    const going = active.filter(({ metadata }) => !metadata.deletionTimestamp);
    return {
      ...waitingFor(run, names),
      ...(going.length > 0 && { action: { kind: 'replace', runs: going, event: tell.replaced(run, going.map(({ metadata }) => metadata.name)) } }),
    };
  }
  if (policy === ConcurrencyPolicy.REPLACE) {
    // The application is gone before its driver is, which has its time of grace.
    if (drivers.length > 0) {
      const staying = drivers.filter(({ isLeaving }) => !isLeaving);
      return { ...waitingFor(run, drivers.map(({ name }) => name)), ...(staying.length > 0 && { action: { kind: 'end-drivers', drivers: staying } }) };
    }
    if (admittedOf(observation) !== undefined && !areDriversConfirmed) return { action: { kind: 'look-for-drivers' } };
  }
  return { action: { kind: 'start', run } };
}

function waitingFor(run: PlannedRun, names: readonly string[]): Step {
  return { waiting: replacing(run.name, tell.several(names)), requeueAfter: LOOK_AGAIN };
}

/** The name of the run that others have been deleted for. */
export function admittedOf({ schedule: { status }, admitted }: Observation): string | undefined {
  return admittedIn(status) ?? admitted;
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
export function hinderedStep(failure: CreationFailure, run: PlannedRun, now: number): Step {
  return {
    waiting: { reason: 'CannotStart', message: failure.reason },
    ...(failure.isNew && { events: [tell.hindered(failure)], counts: [{ kind: 'not-started', trigger: failure.run.trigger }] }),
    requeueAfter: triedFrom(failure, run) - now,
  };
}

/** What keeps a run from being tried now. */
export function failureOf({ failures: hindrances }: Observation, run: PlannedRun, now: number): CreationFailure | undefined {
  // Not by a clock that was set back since.
  return hindrances?.find((each) => (each.run.trigger === 'run-now') === (run.trigger === 'run-now') && each.at <= now && now < triedFrom(each, run));
}

function triedFrom({ run: { name }, until, othersFrom }: CreationFailure, run: PlannedRun): number {
  return name === run.name ? until : othersFrom;
}

/** The same run, if it is there: an earlier pass has created it, and could not write that down. */
export function alreadyBegun({ runs }: Observation, run: PlannedRun): BegunRun | undefined {
  const found = runs.find(({ metadata }) => metadata.name === run.name);
  return found && { ...run, at: Date.parse(found.metadata.creationTimestamp!), wasThere: true };
}
