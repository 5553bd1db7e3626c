import { normal, warning, type UserEvent } from '../../user-event';
import { rfc3339 } from '../../../text/times';
import type { BegunRun, CreationFailure, PlannedRun, Skipped } from './decision';
import { catchUpPolicyOf, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';

/* Events for users. */

/** Reports that the next run is planned. */
export function planned(next: number): UserEvent {
  return normal('ScheduledSparkApplicationScheduled', 'Schedule', `The next run is at ${rfc3339(next)}`);
}

/** Reports that there are no runs, as the schedule is invalid. */
export function invalid(reason: string): UserEvent {
  return warning('ScheduledSparkApplicationInvalid', 'Schedule', `The operator plans no run: ${reason}`);
}

/** Reports that there are no runs while the schedule is suspended. */
export function suspended(): UserEvent {
  return normal(
    'ScheduledSparkApplicationSuspended', 'Schedule', 'No further run is planned, as spec.suspend is true; runs that have begun continue',
  );
}

/** Reports that a run has begun. */
export function started(run: BegunRun): UserEvent {
  return normal('ScheduledRunStarted', 'Run', `Started ${run.name}, ${whatFor(run)}`);
}

/** Reports that a run replaces others. */
export function replaced(run: PlannedRun, names: readonly string[]): UserEvent {
  return normal(
    'ScheduledRunReplaced', 'Delete',
    `Deleting ${several(names)}: ${run.name}, ${whatFor(run)}, takes its place, as spec.concurrencyPolicy is Replace`,
  );
}

/** Reports that a run does not begin, as another one is active. */
export function forbidden(run: PlannedRun, names: readonly string[]): UserEvent {
  const what = run.time === undefined ? 'the requested run' : `the run of ${rfc3339(run.time)}`;
  return normal('ScheduledRunSkipped', 'Skip', `Skipped ${what}: ${several(names)} has not ended, and spec.concurrencyPolicy is Forbid`);
}

/** Reports that times have no run. */
export function skipped({ spec }: ScheduledSparkApplication, { reason, runs, isMore, from }: Skipped): UserEvent {
  const why = reason === 'deadline'
    ? `later than spec.startingDeadlineSeconds = ${spec.startingDeadlineSeconds} allows`
    : `missed, and not caught up by spec.catchUpPolicy (${catchUpPolicyOf(spec)})`;
  return warning('ScheduledRunSkipped', 'Skip', `Skipped ${whichOf({ runs, isMore, from })}: ${why}`);
}

/** Reports that times have no run, as a requested run comes after them. */
export function superseded(name: string, times: Omit<Skipped, 'reason'>): UserEvent {
  return normal(
    'ScheduledRunSkipped', 'Skip',
    `Skipped ${whichOf(times)}: ${name}, which was requested, comes later, and spec.concurrencyPolicy is Replace`,
  );
}

/** Reports that a time has no run, as an object of another owner has its name. */
export function nameTaken(run: PlannedRun, reason: string): UserEvent {
  return warning('ScheduledRunSkipped', 'Skip', `Skipped ${whatFor(run)}, so that those after it can begin: ${reason}`);
}

function whichOf({ runs, isMore, from }: Omit<Skipped, 'reason'>): string {
  return runs === 1 && !isMore ? `the run of ${rfc3339(from)}` : `${isMore ? 'more than ' : ''}${runs} ${runs === 1 ? 'run' : 'runs'} from ${rfc3339(from)} on`;
}

/** Reports that a run cannot be created. */
export function notStarted({ run, reason }: CreationFailure): UserEvent {
  return warning('ScheduledRunNotStarted', 'Run', `${run.name}, ${whatFor(run)}, could not be started and is tried again: ${reason}`);
}

/** Reports that the annotation has no effect. */
export function notRemembered(): UserEvent {
  return warning(
    'ScheduledRunNotStarted', 'Run',
    'The operator starts no run for the annotation sparkoperator.k8s.io/run-now: the CRD in the cluster drops what '
      + 'the operator has to remember of it; apply the CRD of this version',
  );
}

/** Returns the purpose of a run. */
export function whatFor({ time, trigger }: PlannedRun): string {
  if (time === undefined) return 'which was requested';
  return `the run of ${rfc3339(time)}${trigger === 'catch-up' ? ', which was missed' : ''}`;
}

/** Reports that the annotation's value already had its run. */
export function alreadyRun({ name }: PlannedRun): UserEvent {
  return normal(
    'ScheduledRunSkipped', 'Skip',
    `The operator starts no run for the annotation sparkoperator.k8s.io/run-now: ${name} has already begun for this value; write another value`,
  );
}

/** Reports that the annotation was there before the operator saw the schedule. */
export function annotatedBefore(): UserEvent {
  return normal(
    'ScheduledRunSkipped', 'Skip',
    'The operator starts no run for the annotation sparkoperator.k8s.io/run-now: the schedule had it when the operator '
      + 'first saw it, as after a restore; write another value',
  );
}

/** Returns a readable list of names, however many there are. */
export function several(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
