/* Runs that were missed, and wait for others: how little that costs. */
import { CatchUpPolicy, ConcurrencyPolicy } from '../../../../src/api/scheduled-spark-application';
import type { Observation } from '../../../../src/operator/kinds/scheduled-spark-application/decision';
import { scheduledStep } from '../../../../src/operator/kinds/scheduled-spark-application/scheduled-run';
import { parseSchedule } from '../../../../src/schedule/expression';
import { World, type Spec } from './world';

const NEXT = Date.parse('2026-03-01T10:01:00Z');

/** Returns the decision ten hours later, with an active run. */
function lookTenHoursLater(spec: Spec) {
  const { schedule } = new World('2026-03-01T10:00:00Z', { schedule: '* * * * *', catchUpPolicy: CatchUpPolicy.ALL, concurrencyPolicy: ConcurrencyPolicy.FORBID, ...spec });
  const { interval, timeZone, next } = parseSchedule('* * * * *');
  let asked = 0;
  const times = { interval, timeZone, next: (after: Date) => (asked++, next(after)) };
  const going = { metadata: { name: 'nightly-going', namespace: 'jobs', uid: 'going' }, spec: {} };
  const observation = { schedule, runs: [going], drivers: [], isConfirmed: true } as unknown as Observation;
  const step = scheduledStep(observation, { now: NEXT + 10 * 3_600_000, precision: 'seconds' }, { kind: 'planned', times, next: NEXT, isNew: false, hash: 'hash' });
  return { step, asked };
}

test('while the previous run is active, passes do not compute all due times again', () => {
  const { step, asked } = lookTenHoursLater({});
  expect(step).toMatchObject({ changes: { nextRun: '2026-03-01T10:01:00Z' }, waiting: { reason: 'CatchingUp', message: expect.stringContaining('nightly-going') } });
  expect(asked).toBe(0);
});

test('what is too late is settled meanwhile', () => {
  const { step } = lookTenHoursLater({ startingDeadlineSeconds: 600 });
  expect(step).toMatchObject({ changes: { nextRun: '2026-03-01T19:51:00Z' }, waiting: { reason: 'CatchingUp' }, counts: [{ kind: 'skipped', reason: 'deadline' }] });
});
