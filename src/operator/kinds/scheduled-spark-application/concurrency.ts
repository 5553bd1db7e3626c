import { ConcurrencyPolicy, type ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { concurrencyPolicyOf, isActive, triggerOf } from '../../../model/scheduled-spark-application';
import { admittedIn, replacing, type Waiting } from './conditions';
import type { Observation, PlannedRun } from './decision';
import { REQUEUE_AFTER, type Step } from './step';
import * as scheduleEvents from './schedule-events';

/** Whether runs can overlap. */
export function canOverlap(spec: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy'>): boolean {
  return concurrencyPolicyOf(spec) === ConcurrencyPolicy.ALLOW;
}

function isReplaced(spec: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy'>): boolean {
  return concurrencyPolicyOf(spec) === ConcurrencyPolicy.REPLACE;
}

/**
 * Returns the first step of a run by the policy about overlapping runs; `forbidden` or `superseded`
 * if it does not begin.
 */
export function startOf(
  observation: Observation, run: PlannedRun,
): Step | { readonly forbidden: readonly string[] } | { readonly superseded: string } {
  const { schedule: { spec }, runs, drivers, areDriversConfirmed } = observation;
  if (canOverlap(spec)) return { action: { kind: 'start', run } };
  const active = runs.filter(isActive);
  const names = active.map(({ metadata }) => metadata.name);
  // This also applies to an unknown policy: nothing is deleted for it.
  if (!isReplaced(spec) && active.length > 0) return { forbidden: names };
  const later = active.find(
    (each) => run.time !== undefined && triggerOf(each) === 'run-now' && Date.parse(each.metadata.creationTimestamp ?? '') >= run.time,
  );
  if (later) return { superseded: later.metadata.name };
  if (active.length > 0) {
    const going = active.filter(({ metadata }) => !metadata.deletionTimestamp);
    return {
      ...waitingFor(run, names),
      ...(going.length > 0 && {
        action: { kind: 'replace', runs: going, event: scheduleEvents.replaced(run, going.map(({ metadata }) => metadata.name)) },
      }),
    };
  }
  if (isReplaced(spec)) {
    // The application can be gone before its driver, which has a grace period.
    if (drivers.length > 0) return { ...waitingFor(run, drivers.map(({ name }) => name)), ...endOf(drivers) };
    if (admittedOf(observation) !== undefined && !areDriversConfirmed) return { action: { kind: 'look-for-drivers' } };
  }
  return { action: { kind: 'start', run } };
}

function waitingFor(run: PlannedRun, names: readonly string[]): Step {
  return { waiting: replacing(run.name, scheduleEvents.several(names)), requeueAfter: REQUEUE_AFTER };
}

/** Returns the name of the run that replaces others. */
export function admittedOf({ schedule: { status }, admitted }: Observation): string | undefined {
  return admittedIn(status) ?? admitted;
}

/**
 * Returns the step of a missed run that waits for no other run, but for the drivers of runs that it
 * replaces: an application can be gone before its driver is.
 */
export function startAfterDrivers(
  { schedule: { spec }, drivers }: Observation, run: PlannedRun, waiting: (names: readonly string[]) => Waiting,
): Step {
  if (!isReplaced(spec) || drivers.length === 0) return { action: { kind: 'start', run } };
  return { waiting: waiting(drivers.map(({ name }) => name)), requeueAfter: REQUEUE_AFTER, ...endOf(drivers) };
}

function endOf(drivers: Observation['drivers']): Step {
  const staying = drivers.filter(({ isLeaving }) => !isLeaving);
  return staying.length > 0 ? { action: { kind: 'end-drivers', drivers: staying } } : {};
}
