import { Waits, type Waiting } from '../../../src/operator/driver/waits';

function seen(phase: Waiting['phase'], more: Partial<Waiting> = {}): Waiting {
  return { uid: 'u', generation: 1, phase, submissionID: undefined, driver: { kind: 'absent' }, ...more };
}

const LASTING = { failure: { reason: 'no service account', kind: 'lasting' } } as const;
const QUOTA = { failure: { reason: 'exceeded quota', kind: 'passing' } } as const;
const stuckDriver = {
  driver: { kind: 'ours', pod: { metadata: { name: 'd' }, phase: 'Pending', obstacle: { reason: 'ImagePullBackOff', passes: false } } },
} as const;

test('the wait for the creation starts with the first failed attempt, and continues over further attempts', () => {
  const waits = new Waits();
  expect(waits.observe('jobs/pi', seen('creation'), 1_000).stuckSince).toBeUndefined();
  expect(waits.observe('jobs/pi', seen('creation', LASTING), 2_000).stuckSince).toBe(2_000);
  expect(waits.observe('jobs/pi', seen('creation'), 3_000).stuckSince).toBe(2_000);
  expect(waits.observe('jobs/pi', seen('creation', LASTING), 4_000).stuckSince).toBe(2_000);
});

test('a wait for quota in between is excluded', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen('creation', LASTING), 1_000);
  expect(waits.observe('jobs/pi', seen('creation', QUOTA), 2_000).stuckSince).toBeUndefined();
  expect(waits.observe('jobs/pi', seen('creation', LASTING), 9_000).stuckSince).toBe(9_000);
});

test('the delay between two attempts remains, unless the application changes', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen('creation', LASTING), 1_000);
  waits.retryAt('jobs/pi', 5_000, 1);
  expect(waits.observe('jobs/pi', seen('creation'), 1_001).notBefore).toBe(5_000);
  expect(waits.observe('jobs/pi', seen('creation', { generation: 2 }), 1_002).notBefore).toBeUndefined();
});

test('the wait for the start is separate from that for the creation', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen('creation', LASTING), 1_000);
  expect(waits.observe('jobs/pi', seen('start', stuckDriver), 7_000).stuckSince).toBe(7_000);
  expect(waits.observe('jobs/pi', seen('start', stuckDriver), 8_000).stuckSince).toBe(7_000);
});

test('an application that does not wait has no state', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen('start', stuckDriver), 1_000);
  waits.observe('jobs/pi', seen('start'), 2_000);
  waits.observe('jobs/other', seen('creation'), 2_000);
  waits.forget('jobs/other');
  expect(waits.size).toBe(0);
});

test('a recreated application does not inherit the state', () => {
  const waits = new Waits();
  waits.observe('jobs/pi', seen('creation', LASTING), 1_000);
  waits.retryAt('jobs/pi', 5_000, 1);
  expect(waits.observe('jobs/pi', seen('creation', { ...LASTING, uid: 'another' }), 2_000)).toEqual({
    stuckSince: 2_000, notBefore: undefined,
  });
});

test('the next attempt has a new wait', () => {
  const waits = new Waits();
  const ofSubmission = (submissionID: string) => seen('creation', { ...LASTING, submissionID });
  waits.observe('jobs/pi', ofSubmission('first'), 1_000);
  expect(waits.observe('jobs/pi', ofSubmission('second'), 301_000).stuckSince).toBe(301_000);
});
