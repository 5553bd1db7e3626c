import { ScheduleState } from '../../../api/scheduled-spark-application-status';
import { ANNOTATION_TRIGGER } from '../../../api/labels';
import { runName } from '../../../model/run-names';
import { scheduledTimeOf, timeIn, triggerOf, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import { dueRuns } from '../../../schedule/due-runs';
import { rfc3339 } from '../../../text/times';
import { catchesUpAll, catchingUp, catchUpStep, dueOf, isSurelyBacklog, waitToCatchUp } from './catch-up';
import { admittedOf, startOf } from './concurrency';
import type { BegunRun, Context, Observation, PlannedRun, Skipped } from './decision';
import type { PlannedRuns } from './plan';
import { begunStep, failureOf, failedStep, REQUEUE_AFTER, together, type Step } from './step';
import * as scheduleEvents from './schedule-events';

/** The most tries of a run whose name an object of another owner has. Then the next runs begin. */
const MOST_TRIES = 5;

/** Returns the step of the scheduled runs: at most one begins in a step. */
export function scheduledStep(observation: Observation, { now, precision }: Context, plan: PlannedRuns): Step {
  const { schedule } = observation;
  const following = (next: number | undefined) => followingIn(plan, next);
  if (plan.next === undefined) return { changes: following(undefined) };
  if (plan.next > now) {
    const events = plan.isNew ? [scheduleEvents.planned(plan.next)] : [];
    return { changes: following(plan.next), events, requeueAfter: plan.next - now };
  }

  const nextAfter = (time: number): Step => {
    const next = plan.times.next(new Date(time))?.getTime();
    return { changes: following(next), ...(next !== undefined && { requeueAfter: Math.max(0, next - now) }) };
  };
  const found = lastBegun(observation, plan.next, now);
  if (found) {
    const { earlier: runs, isMore } = dueRuns(plan.times, plan.next, found.time, 1);
    const reason = catchesUpAll(schedule.spec) && schedule.spec.startingDeadlineSeconds != null
      ? 'deadline'
      : 'missed';
    // The next pass decides about the next run, after this write.
    return together(
      nextAfter(found.time), runs > 0 ? skippedStep(schedule, { reason, runs, isMore, from: plan.next }) : {}, begunStep(found),
    );
  }
  const isAdmitted = admittedOf(observation) === runName(schedule.metadata.name, plan.next, precision);
  if (!isAdmitted && isSurelyBacklog(observation, plan.next, now)) {
    const wait = waitToCatchUp(observation);
    if (wait) return { ...wait, changes: following(plan.next) };
  }
  const due = dueOf(schedule, plan, plan.next, now, isAdmitted ? plan.next : undefined);
  const left = due.skipped ? skippedStep(schedule, due.skipped) : {};
  if (due.time === undefined) return together(nextAfter(due.last), left);

  const run: PlannedRun = {
    name: runName(schedule.metadata.name, due.time, precision), time: due.time,
    trigger: due.isLate || due.isBacklog ? 'catch-up' : 'schedule',
  };
  const stay: Step = together({ changes: following(due.time) }, left);
  const failure = failureOf(observation, run, now);
  if (failure) {
    if (failure.isNameTaken && failure.tries >= MOST_TRIES && catchesUpAll(schedule.spec)) {
      const refused = failedStep(failure, run, now).counts ?? [];
      return together(
        nextAfter(due.time), left, {
          events: [scheduleEvents.nameTaken(run, failure.reason)],
          counts: [...refused, { kind: 'skipped', reason: 'name-taken', runs: 1 }],
        },
      );
    }
    // The next time has a run of its own, which is tried when it is due.
    const next = plan.times.next(new Date(due.last))?.getTime();
    return together(stay, failedStep(failure, run, now), next === undefined ? {} : { requeueAfter: next - now });
  }
  if (due.isBacklog) return together(stay, catchUpStep(observation, run));
  const start = startOf(observation, run);
  if ('forbidden' in start) {
    return together(
      nextAfter(due.time), left,
      { events: [scheduleEvents.forbidden(run, start.forbidden)], counts: [{ kind: 'skipped', reason: 'forbidden', runs: 1 }] },
    );
  }
  if ('superseded' in start) {
    // This policy leaves out no due run.
    if (catchesUpAll(schedule.spec)) {
      return together(stay, { waiting: catchingUp([start.superseded]), requeueAfter: REQUEUE_AFTER });
    }
    return together(nextAfter(due.time), left, supersededBy(start.superseded, due.time, 1, false));
  }
  return start.waiting ? together(stay, start) : start;
}

/**
 * Skips the times that become due while a requested run waits to replace others. Their runs would
 * replace the requested run as soon as it begins.
 */
export function supersededStep(observation: Observation, context: Context, plan: PlannedRuns, asked: string): Step {
  const { schedule } = observation;
  const { now } = context;
  if (plan.next === undefined || plan.next > now || lastBegun(observation, plan.next, now)) {
    return scheduledStep(observation, context, plan);
  }
  if (catchesUpAll(schedule.spec)) return {};
  const { latest, earlier, isMore } = dueRuns(plan.times, plan.next, now, 1);
  const next = plan.times.next(new Date(latest[latest.length - 1]!))?.getTime();
  return together(
    { changes: followingIn(plan, next), ...(next !== undefined && { requeueAfter: next - now }) },
    supersededBy(asked, plan.next, latest.length + earlier, isMore),
  );
}

function supersededBy(name: string, from: number, runs: number, isMore: boolean): Step {
  return { events: [scheduleEvents.superseded(name, { runs, isMore, from })], counts: [{ kind: 'skipped', reason: 'superseded', runs }] };
}

function followingIn({ hash }: PlannedRuns, next: number | undefined): Step['changes'] {
  return {
    scheduleState: ScheduleState.SCHEDULED, scheduleHash: hash, nextRun: next === undefined ? undefined : rfc3339(next),
    reason: next === undefined ? 'the schedule has no further time' : undefined,
  };
}

/** Returns the step for a run that an outdated plan has started and the status lacks. */
export function unwrittenStep(observation: Observation, { now }: Context): Step {
  const planned = timeIn(observation.schedule.status?.nextRun);
  const found = planned === undefined ? undefined : lastBegun(observation, planned, now);
  return found ? begunStep(found) : {};
}

function skippedStep(schedule: ScheduledSparkApplication, skipped: Skipped): Step {
  return { events: [scheduleEvents.skipped(schedule, skipped)], counts: [{ kind: 'skipped', reason: skipped.reason, runs: skipped.runs }] };
}

/**
 * Returns the last run that has begun and that the status lacks: from this pass, or from one that
 * failed to write the status. The run's time identifies it, whatever its name is.
 */
function lastBegun(observation: Observation, planned: number, now: number): BegunRun & { readonly time: number } | undefined {
  const { runs, begun } = observation;
  const unwritten = runs.flatMap((run) => {
    const time = scheduledTimeOf(run);
    return time !== undefined && time >= planned && time <= now ? [{ run, time }] : [];
  }).sort((a, b) => b.time - a.time)[0];
  const justBegun = begun?.find((each): each is BegunRun & { readonly time: number } => each.time !== undefined && each.time >= planned);
  if (!unwritten) return justBegun ?? begunByOther(observation, planned);
  const { run: { metadata }, time } = unwritten;
  const at = justBegun?.name === metadata.name ? justBegun.at : Date.parse(metadata.creationTimestamp!);
  return { name: metadata.name, time, trigger: triggerOf(unwritten.run), at };
}

/**
 * Returns a run that kubeflow's operator has created. It names a run after the moment of its
 * creation, and might not have written it into the status.
 */
function begunByOther({ schedule: { status }, runs }: Observation, planned: number): BegunRun & { readonly time: number } | undefined {
  if (status?.scheduleHash !== undefined) return undefined;
  const found = runs.find(({ metadata: { name, annotations, creationTimestamp } }) => (
    annotations?.[ANNOTATION_TRIGGER] === undefined && name !== status?.lastRunName && Date.parse(creationTimestamp ?? '') >= planned
  ));
  return found && { name: found.metadata.name, time: planned, trigger: 'schedule', at: Date.parse(found.metadata.creationTimestamp!) };
}
