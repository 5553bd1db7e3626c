import { attemptsOfRun } from '../../src/model/attempts';

const record = (number: number, trigger: string) => ({ number, trigger, submissionID: `s${number}`, submissionTime: '2026-03-01T10:00:00Z' });

test.each<[string, object | undefined, number]>([
  ['a new application', undefined, 0],
  ['the current run, by the status', { submissionAttempts: 2, attemptHistory: [record(1, 'Creation'), record(2, 'SpecChange'), record(3, 'RestartPolicy')] }, 2],
  // A suspension removes the number from the status.
  ['a suspended application, by its records', { attemptHistory: [record(1, 'Creation'), record(2, 'RestartPolicy')] }, 2],
  ['a suspended application that was run again before', { attemptHistory: [record(1, 'Creation'), record(2, 'SpecChange')] }, 1],
  ['a suspended application with too many attempts to be recorded', { attemptHistory: [record(1, 'Creation'), record(19, 'RestartPolicy'), record(20, 'RestartPolicy')] }, 20],
])('the number of attempts of %s', (_, status, attempts) => {
  expect(attemptsOfRun({ metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: {}, ...(status && { status }) } as any)).toBe(attempts);
});
