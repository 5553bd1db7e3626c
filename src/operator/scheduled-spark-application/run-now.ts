import { ANNOTATION_RUN_NOW } from '../../api/labels';
import type { Observation, PlannedRun } from './decision';
import { keptToken, runNowName } from './run-names';
import { alreadyBegun, begunStep, hinderedStep, startOf, type Step } from './start';
import * as tell from './tell';

/**
 * The run that the annotation asks for: one for each value of it. It is started whatever the schedule says, also while it is suspended or cannot be read, but not against
 * the policy about runs that go on. What was asked for while that forbids it is not made up for later.
 */
export function runNowStep(observation: Observation): Step {
  const { schedule, begun, hindrances, dropsFields } = observation;
  const { metadata, status } = schedule;
  const token = metadata.annotations?.[ANNOTATION_RUN_NOW];
  if (!token || keptToken(token) === status?.lastRunNow) return {};
  // What was done has to be remembered, or it would be done again when the run is deleted.
  if (dropsFields) return { events: [tell.notRemembered()] };
  if (status?.observedGeneration === undefined) return {};
  const changes = { lastRunNow: keptToken(token) };
  const run: PlannedRun = { name: runNowName(schedule, token), trigger: 'run-now', token };
  const found = begun?.find((each) => each.token === token) ?? alreadyBegun(observation, run);
  if (found) {
    const step = begunStep(found);
    return { ...step, changes: { ...step.changes, ...changes } };
  }
  const hindrance = hindrances?.find((each) => each.run.token === token);
  if (hindrance) return hinderedStep(hindrance);
  const start = startOf(observation, run);
  return 'forbidden' in start ? { changes, events: [tell.forbidden(run, start.forbidden)], counts: [{ kind: 'skipped', reason: 'forbidden', runs: 1 }] } : start;
}
