import { ANNOTATION_RUN_NOW } from '../../api/labels';
import { CLOCK_SKEW } from '../../model/backoff';
import { boundedValue } from '../../model/bounded-metadata';
import type { BegunRun, Context, Observation, PlannedRun } from './decision';
import { timeIn, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { runNowName } from '../../model/run-names';
import { alreadyBegun, begunStep, hinderedStep, failureOf, startOf, type Step } from './start';
import * as tell from './tell';

/** The run that the annotation asks for. */
export function askedRun(schedule: ScheduledSparkApplication): PlannedRun & { readonly token: string } | undefined {
  const token = schedule.metadata.annotations?.[ANNOTATION_RUN_NOW];
  return token ? { name: runNowName(schedule, token), trigger: 'run-now', token } : undefined;
}

/**
 * The run that the annotation asks for: one for each value of it. It is started whatever the schedule says, also while it is suspended or cannot be read, but not against
 * the policy about runs that go on. What was asked for while that forbids it is not made up for later. A value that is there when the schedule is first seen asks for nothing: schedules that are
 * restored from a backup bring theirs along.
 */
export function runNowStep(observation: Observation, { now }: Context): Step {
  const { schedule, begun, dropsFields, toldToken } = observation;
  const { status } = schedule;
  const run = askedRun(schedule);
  if (!run) return status?.lastRunNow ? { changes: { lastRunNow: undefined } } : {};
  const { token } = run;
  if (boundedValue(token) === status?.lastRunNow) return {};
  // What was done has to be remembered, or it would be done again when the run is deleted.
  if (dropsFields) return toldToken === token ? {} : { events: [tell.notRemembered()] };
  // This operator's status without what it always writes: that such fields are dropped shows when the status is written next.
  if (status?.nextRun !== undefined && status.observedGeneration !== undefined && status.scheduleHash === undefined) return { requeueAfter: 0 };
  const changes = { lastRunNow: boundedValue(token) };
  const found = begun?.find((each) => each.token === token) ?? alreadyBegun(observation, run);
  if (found) {
    if (isKnown(found, observation)) return { changes, events: [tell.alreadyRun(found)] };
    const step = begunStep(found);
    return { ...step, changes: { ...step.changes, ...changes } };
  }
  if (status?.observedGeneration === undefined) return { changes, events: [tell.takenAsDone()] };
  const failure = failureOf(observation, run, now);
  if (failure) return hinderedStep(failure, run, now);
  const start = startOf(observation, run);
  if ('superseded' in start) return {};
  return 'forbidden' in start ? { changes, events: [tell.forbidden(run, start.forbidden)], counts: [{ kind: 'skipped', reason: 'forbidden', runs: 1 }] } : start;
}

/** Whether a run is one that was written down before: another has begun since, or it is the last one. */
function isKnown({ name, at, wasThere }: BegunRun, { schedule: { status }, runs }: Observation): boolean {
  if (!wasThere) return false;
  if (status?.lastRunName === name) return true;
  // As long as it is there, by the API server's clock alone: what is written may be by the operator's.
  const last = runs.find(({ metadata }) => metadata.name === status?.lastRunName);
  const since = last ? Date.parse(last.metadata.creationTimestamp ?? '') : (timeIn(status?.lastRun) ?? NaN) - CLOCK_SKEW;
  return at < since;
}
