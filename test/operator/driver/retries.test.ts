import { Retries } from '../../../src/operator/driver/retries';

const ATTEMPT = { uid: 'u', generation: 1, submissionID: 's' };
const planned = () => {
  const retries = new Retries();
  retries.plan('jobs/pi', ATTEMPT, 5_000);
  return retries;
};

test('nothing is tried again before its time', () => {
  const retries = planned();
  expect(retries.notBefore('jobs/pi', ATTEMPT, 1_001)).toBe(5_000);
  expect(retries.notBefore('jobs/other', ATTEMPT, 1_001)).toBeUndefined();
  expect(retries.notBefore('jobs/pi', ATTEMPT, 4_999)).toBe(5_000);
});

test.each([
  ['edited', { generation: 2 }], ['recreated', { uid: 'another' }], ['submitted again', { submissionID: 'another' }],
])('an application that was %s does not wait', (_, change) => {
  expect(planned().notBefore('jobs/pi', { ...ATTEMPT, ...change }, 1_001)).toBeUndefined();
});

test('a retry that is due, or whose application is gone, is forgotten', () => {
  const [due, gone] = [planned(), planned()];
  expect(due.notBefore('jobs/pi', ATTEMPT, 5_000)).toBeUndefined();
  gone.forget('jobs/pi');
  expect([due.size, gone.size]).toEqual([0, 0]);
});
