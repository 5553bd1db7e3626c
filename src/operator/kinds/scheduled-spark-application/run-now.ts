import { ANNOTATION_RUN_NOW } from '../../../api/labels';
import { CLOCK_SKEW } from '../../../model/backoff';
import { boundedValue } from '../../../model/bounded-metadata';
import type { BegunRun, Context, Observation, PlannedRun } from './decision';
import { timeIn, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import { runNowName } from '../../../model/run-names';
import { startOf } from './concurrency';
import { alreadyBegun, begunStep, failureOf, failedStep, type Step } from './step';
import * as scheduleEvents from './schedule-events';

/** Returns the run that the annotation requests. */
export function askedRun(schedule: ScheduledSparkApplication): PlannedRun & { readonly token: string } | undefined {
  const token = schedule.metadata.annotations?.[ANNOTATION_RUN_NOW];
  return token ? { name: runNowName(schedule, token), trigger: 'run-now', token } : undefined;
}

/**
 * Starts the run that the annotation requests, one for each value of the annotation. The run starts
 * whatever the schedule is, even if suspended or invalid. The policy about overlapping runs still
 * applies, and a request that it forbids is not caught up later. A value that is present when the
 * operator first sees the schedule requests nothing: schedules restored from a backup have such
 * values.
 */
export function runNowStep(observation: Observation, { now }: Context): Step {
  const { schedule, begun, dropsFields, reportedToken } = observation;
  const { status } = schedule;
  const run = askedRun(schedule);
  if (!run) return status?.lastRunNow ? { changes: { lastRunNow: undefined } } : {};
  const { token } = run;
  if (boundedValue(token) === status?.lastRunNow) return {};
  // The status must remember the run, or it would start again after its deletion.
  if (dropsFields) return reportedToken === token ? {} : { events: [scheduleEvents.notRemembered()] };
  // This operator's status lacks fields that it always writes. The next write of the status shows
  // whether the API server drops such fields.
  if (status?.nextRun !== undefined && status.observedGeneration !== undefined && status.scheduleHash === undefined) {
    return { requeueAfter: 0 };
  }
  const changes = { lastRunNow: boundedValue(token) };
  const found = begun?.find((each) => each.token === token) ?? alreadyBegun(observation, run);
  if (found) {
    if (isKnown(found, observation)) return { changes, events: [scheduleEvents.alreadyRun(found)] };
    const step = begunStep(found);
    return { ...step, changes: { ...step.changes, ...changes } };
  }
  if (status?.observedGeneration === undefined) return { changes, events: [scheduleEvents.annotatedBefore()] };
  const failure = failureOf(observation, run, now);
  if (failure) return failedStep(failure, run, now);
  const start = startOf(observation, run);
  if ('superseded' in start) return {};
  return 'forbidden' in start
    ? { changes, events: [scheduleEvents.forbidden(run, start.forbidden)], counts: [{ kind: 'skipped', reason: 'forbidden', runs: 1 }] }
    : start;
}

/** Whether the status had a run before: another has begun since, or it is the last one. */
function isKnown({ name, at, wasThere }: BegunRun, { schedule: { status }, runs }: Observation): boolean {
  if (!wasThere) return false;
  if (status?.lastRunName === name) return true;
  // While the run exists, only the API server's clock decides: the times in the status might be the
  // operator's.
  const last = runs.find(({ metadata }) => metadata.name === status?.lastRunName);
  const since = last ? Date.parse(last.metadata.creationTimestamp ?? '') : (timeIn(status?.lastRun) ?? NaN) - CLOCK_SKEW;
  return at < since;
}
