import { CatchUpPolicy, ConcurrencyPolicy } from '../../api/scheduled-spark-application';
import { ScheduleState } from '../../api/scheduled-spark-application-status';
import { ANNOTATION_TRIGGER } from '../../api/labels';
import { dueRuns } from '../../schedule/due-runs';
import { rfc3339 } from '../spark-application/step';
import { isReplacing } from './conditions';
import type { BegunRun, Context, Observation, PlannedRun } from './decision';
import { dueOf, type Skipped } from './due';
import { isActive, scheduledTimeOf, triggerOf, type ScheduledSparkApplication } from './model';
import { catchUpPolicyOf, concurrencyPolicyOf, type PlannedRuns } from './plan';
import { runName } from './run-names';
import { begunStep, hinderedStep, LOOK_AGAIN, startOf, type Step } from './start';
import * as tell from './tell';

/** The runs that follow from the schedule: at most one begins in a step. */
export function scheduledStep(observation: Observation, { now, precision }: Context, plan: PlannedRuns): Step {
  const { schedule, hindrances, isConfirmed } = observation;
  const following = (next: number | undefined) => ({
    scheduleState: ScheduleState.SCHEDULED, scheduleHash: plan.hash, nextRun: next === undefined ? undefined : rfc3339(next), reason: next === undefined ? 'the schedule has no further time' : undefined,
  });
  if (plan.next === undefined) return { changes: following(undefined) };
  if (plan.next > now) return { changes: following(plan.next), ...(plan.isNew && { events: [tell.planned(plan.next)] }), requeueAfter: plan.next - now };

  const nextAfter = (time: number): Step => {
    const next = plan.times.next(new Date(time))?.getTime();
    return { changes: following(next), ...(next !== undefined && { requeueAfter: Math.max(0, next - now) }) };
  };
  const found = lastBegun(observation, plan.next, now);
  if (found) {
    const { earlier: runs, isMore } = dueRuns(plan.times, plan.next, found.time, 1);
    const reason = catchUpPolicyOf(schedule.spec) === CatchUpPolicy.ALL && schedule.spec.startingDeadlineSeconds != null ? 'deadline' : 'missed';
    // What begins next is decided when this is written down.
    return together(nextAfter(found.time), runs > 0 ? skippedStep(schedule, { reason, runs, isMore, from: plan.next }) : {}, begunStep(found));
  }
  const due = dueOf(schedule, plan, plan.next, now, isReplacing(schedule.status));
  const left = due.skipped ? skippedStep(schedule, due.skipped) : {};
  if (due.time === undefined) return together(nextAfter(due.last), left);

  const run: PlannedRun = { name: runName(schedule.metadata.name, due.time, precision), time: due.time, trigger: due.isLate || due.isBacklog ? 'catch-up' : 'schedule' };
  const stay: Step = together({ changes: following(due.time) }, left);
  const hindrance = hindrances?.find((each) => each.run.time !== undefined);
  if (hindrance) return together(stay, hinderedStep(hindrance));
  if (due.isBacklog) {
    const blocking = blockingCatchUp(observation);
    if (blocking.length > 0) return together(stay, { waiting: catchingUp(blocking), requeueAfter: LOOK_AGAIN });
    return isConfirmed ? { action: { kind: 'start', run } } : { action: { kind: 'confirm' } };
  }
  const start = startOf(observation, run);
  if ('forbidden' in start) return together(nextAfter(due.time), left, { events: [tell.forbidden(run, start.forbidden)], counts: [{ kind: 'skipped', reason: 'forbidden', runs: 1 }] });
  return start.waiting ? together(stay, start) : start;
}

/** Several steps as one. */
export function together(...steps: readonly Step[]): Step {
  const waits = steps.flatMap(({ requeueAfter }) => requeueAfter ?? []);
  const actions = steps.flatMap(({ action }) => action ?? []);
  const waiting = steps.flatMap((step) => step.waiting ?? []);
  return {
    action: actions[0],
    changes: Object.assign({}, ...steps.map(({ changes }) => changes)),
    waiting: waiting[0],
    events: steps.flatMap(({ events = [] }) => events),
    counts: steps.flatMap(({ counts = [] }) => counts),
    ...(waits.length > 0 && { requeueAfter: Math.min(...waits) }),
  };
}

/** Of runs that were missed one begins after the other has ended. Where runs may go on beside each other, those on time are not waited for. */
function blockingCatchUp({ schedule, runs }: Observation): string[] {
  const isAllowed = concurrencyPolicyOf(schedule.spec) === ConcurrencyPolicy.ALLOW;
  return runs.filter((run) => isActive(run) && (!isAllowed || triggerOf(run) === 'catch-up')).map(({ metadata }) => metadata.name);
}

function catchingUp(names: readonly string[]): Step['waiting'] {
  return { reason: 'CatchingUp', message: `missed runs begin one after the other; the next one when ${tell.several(names)} has ended` };
}

function skippedStep(schedule: ScheduledSparkApplication, skipped: Skipped): Step {
  return { events: [tell.skipped(schedule, skipped)], counts: [{ kind: 'skipped', reason: skipped.reason, runs: skipped.runs }] };
}

/** The last run that has begun and is not written down: in this pass, or in one that could not write it down. Its time tells, whatever it is called. */
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

/** kubeflow's operator creates a run under the name of that moment, and may not have come to write that down. */
function begunByOther({ schedule: { status }, runs }: Observation, planned: number): BegunRun & { readonly time: number } | undefined {
  if (status?.scheduleHash !== undefined) return undefined;
  const found = runs.find(({ metadata: { name, annotations, creationTimestamp } }) => (
    annotations?.[ANNOTATION_TRIGGER] === undefined && name !== status?.lastRunName && Date.parse(creationTimestamp ?? '') >= planned
  ));
  return found && { name: found.metadata.name, time: planned, trigger: 'schedule', at: Date.parse(found.metadata.creationTimestamp!) };
}
