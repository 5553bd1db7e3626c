import { ApplicationState } from '../../../src/api/states';
import type { Observation } from '../../../src/operator/spark-application/decision';
import { Waits } from '../../../src/operator/spark-application/waits';

function seen(state: ApplicationState, more: Partial<Observation> = {}, generation = 1, uid = 'u'): Observation {
  const application = { metadata: { name: 'pi', namespace: 'jobs', uid, generation }, status: { driverInfo: {}, applicationState: { state } } };
  return { application: application as unknown as Observation['application'], driver: { kind: 'absent' }, executors: [], ...more };
}

const { NEW, SUBMITTED, RUNNING } = ApplicationState;
const LASTING = { hindrance: { reason: 'no service account', kind: 'lasting' } } as const;
const QUOTA = { hindrance: { reason: 'exceeded quota', kind: 'passing' } } as const;
const stuckDriver = { driver: { kind: 'ours', pod: { metadata: { name: 'd' }, phase: 'Pending', obstacle: { reason: 'ImagePullBackOff', passes: false } } } } as const;

test('the wait for the creation begins with the first try that is hindered, and goes on over the tries', () => {
  const waits = new Waits();
  expect(waits.observe('jobs/pi', seen(NEW), 1_000).stuckSince).toBeUndefined();
  expect(waits.observe('jobs/pi', seen(NEW, LASTING), 2_000).stuckSince).toBe(2_000);
  expect(waits.observe('jobs/pi', seen(NEW), 3_000).stuckSince).toBe(2_000);
  expect(waits.observe('jobs/pi', seen(NEW, LASTING), 4_000).stuckSince).toBe(2_000);
});

test('a wait for quota in between does not count', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen(NEW, LASTING), 1_000);
  expect(waits.observe('jobs/pi', seen(NEW, QUOTA), 2_000).stuckSince).toBeUndefined();
  expect(waits.observe('jobs/pi', seen(NEW, LASTING), 9_000).stuckSince).toBe(9_000);
});

test('the pause between two tries is kept, unless the application is changed', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen(NEW, LASTING), 1_000);
  waits.tryAgainAt('jobs/pi', 5_000, 1);
  expect(waits.observe('jobs/pi', seen(NEW), 1_001).notBefore).toBe(5_000);
  expect(waits.observe('jobs/pi', seen(NEW, {}, 2), 1_002).notBefore).toBeUndefined();
});

test('the wait for the start is another one than that for the creation', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen(NEW, LASTING), 1_000);
  expect(waits.observe('jobs/pi', seen(SUBMITTED, stuckDriver), 7_000).stuckSince).toBe(7_000);
  expect(waits.observe('jobs/pi', seen(SUBMITTED, stuckDriver), 8_000).stuckSince).toBe(7_000);
});

test('nothing is remembered of an application that does not wait', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen(SUBMITTED, stuckDriver), 1_000);
  waits.observe('jobs/pi', seen(RUNNING), 2_000);
  waits.observe('jobs/other', seen(NEW), 2_000);
  waits.forget('jobs/other');
  expect(waits.size).toBe(0);
});

test('an application that was created again under its name inherits nothing', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen(NEW, LASTING), 1_000);
  waits.tryAgainAt('jobs/pi', 5_000, 1);
  expect(waits.observe('jobs/pi', seen(NEW, LASTING, 1, 'another'), 2_000)).toEqual({ stuckSince: 2_000, notBefore: undefined });
});

test('the next attempt waits anew: what one has waited for is not held against the next', () => {
  const waits = new Waits();
  const ofSubmission = (submissionID: string) => {
    const observation = seen(NEW, LASTING);
    return { ...observation, application: { ...observation.application, status: { ...observation.application.status!, submissionID } } };
  };
  waits.observe('jobs/pi', ofSubmission('first'), 1_000);
  expect(waits.observe('jobs/pi', ofSubmission('second'), 301_000).stuckSince).toBe(301_000);
});
