import { isDeepStrictEqual } from 'node:util';
import {
  ScheduleConditionType, ScheduleState, type ScheduledSparkApplicationStatus,
} from '../../../api/scheduled-spark-application-status';
import { conditionsOf, isTrue } from './conditions';
import type { Action, Context, Decision, Observation } from './decision';
import { historyOf } from './history';
import { planOf, type Plan } from './plan';
import { askedRun, runNowStep } from './run-now';
import { scheduledStep, supersededStep, unwrittenStep } from './scheduled-run';
import { together, type Step } from './step';
import { missesAny, runRecords } from './run-records';
import * as scheduleEvents from './schedule-events';

/** The most runs that one pass deletes, so that a lowered limit does not delay other schedules. */
const MOST_DELETED = 50;

/** Decides what to do about a schedule: a pure function of the observation and the time. */
export function decide(observation: Observation, context: Context): Decision {
  if (!observation.isConfirmed) return { action: { kind: 'confirm' }, events: [], counts: [] };
  const plan = planOf(observation.schedule, observation.runs, context);
  const asked = runNowStep(observation, context);
  // One run at a time: the policy might forbid the second while the first runs.
  if (asked.action && !isIntended(asked.action)) return { action: asked.action, events: [], counts: [] };
  const planned = planStep(
    observation, context, plan, asked.waiting?.reason === 'Replacing' ? askedRun(observation.schedule)?.name : undefined,
  );
  if (planned.action && !isIntended(planned.action)) {
    return asked.changes
      ? complete(observation, context, plan, { ...asked, requeueAfter: 0 })
      : { action: planned.action, events: [], counts: [] };
  }
  return complete(observation, context, plan, together(asked, planned));
}

/** Whether the status must record the action before the operator performs it. */
function isIntended({ kind }: Action): boolean {
  return kind === 'replace' || kind === 'end-drivers';
}

/**
 * Returns the step that follows from the schedule itself.
 *
 * @param asked name of a requested run that replaces others and waits until they are gone
 */
function planStep(observation: Observation, context: Context, plan: Plan, asked: string | undefined): Step {
  const { status } = observation.schedule;
  const nothing = { nextRun: undefined, scheduleHash: undefined };
  switch (plan.kind) {
    case 'invalid': {
      const isKnown = status?.scheduleState === ScheduleState.FAILED_VALIDATION && status.reason === plan.reason;
      const step = {
        changes: { ...nothing, scheduleState: ScheduleState.FAILED_VALIDATION, reason: plan.reason },
        events: isKnown ? [] : [scheduleEvents.invalid(plan.reason)],
      };
      return together(unwrittenStep(observation, context), step);
    }
    case 'suspended': {
      // A CRD of another origin drops the condition.
      const isKnown = isTrue(status, ScheduleConditionType.SUSPENDED) || status?.reason === SUSPENDED;
      const step = {
        changes: { ...nothing, scheduleState: ScheduleState.SCHEDULED, reason: SUSPENDED },
        events: isKnown ? [] : [scheduleEvents.suspended()],
      };
      return together(unwrittenStep(observation, context), step);
    }
    case 'planned': {
      const step = asked === undefined ? scheduledStep(observation, context, plan) : supersededStep(observation, context, plan, asked);
      return plan.isNew ? together(unwrittenStep(observation, context), step) : step;
    }
  }
}

const SUSPENDED = 'spec.suspend is true';

/** Returns the decision, with the resulting status. */
function complete({ schedule, runs }: Observation, { now }: Context, plan: Plan, step: Step): Decision {
  const { metadata: { generation }, status: before } = schedule;
  const history = historyOf(schedule, runs);
  const records = runRecords(before?.runHistory, runs);
  const conditions = conditionsOf({ isSuspended: plan.kind === 'suspended', waiting: step.waiting }, before?.conditions, generation, now);
  const status = withoutGaps({
    ...before,
    ...step.changes,
    pastSuccessfulRunNames: history.successful.length > 0 ? [...history.successful] : undefined,
    pastFailedRunNames: history.failed.length > 0 ? [...history.failed] : undefined,
    runHistory: records.length > 0 ? records : undefined,
    observedGeneration: generation,
    conditions: conditions.length > 0 ? conditions : undefined,
  });
  return {
    ...((!isSame(status, before) || missesAny(before?.runHistory, history.surplus)) && { status }),
    action: step.action ?? (
      history.surplus.length > 0
        ? { kind: 'clean-up', runs: history.surplus.slice(0, MOST_DELETED), isMore: history.surplus.length > MOST_DELETED }
        : undefined
    ),
    events: step.events ?? [],
    counts: step.counts ?? [],
    requeueAfter: step.requeueAfter,
  };
}

/** Whether a status needs no write. A record of a run that stays can wait for another change. */
function isSame(status: ScheduledSparkApplicationStatus, before: ScheduledSparkApplicationStatus = {}): boolean {
  return isDeepStrictEqual(withoutGaps({ ...status, runHistory: undefined }), withoutGaps({ ...before, runHistory: undefined }));
}

function withoutGaps(status: ScheduledSparkApplicationStatus): ScheduledSparkApplicationStatus {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined && value !== null));
}
