import { endOf } from '../../src/client/result';
import type { SparkApplicationObject } from '../../src/client/types';

const application = (status: object | undefined, generation = 2): SparkApplicationObject => ({
  metadata: { namespace: 'jobs', name: 'pi', uid: 'uid-pi', generation, creationTimestamp: '2026-03-01T10:00:00Z' }, spec: {}, status,
} as unknown as SparkApplicationObject);

const TIMES = { lastSubmissionAttemptTime: '2026-03-01T10:01:00Z', terminationTime: '2026-03-01T10:01:30Z' };

test('an application that has succeeded', () => {
  const seen = application({
    applicationState: { state: 'COMPLETED' }, observedGeneration: 2, executionAttempts: 2, submissionAttempts: 3, ...TIMES,
  });

  expect(endOf(seen)).toEqual({
    outcome: 'completed', application: seen, attempts: 2, submissions: 3, seconds: 90, lastAttemptSeconds: 30,
  });
});

test('the seconds after a rerun are those of the new run', () => {
  const seen = application({ applicationState: { state: 'COMPLETED' }, observedGeneration: 2, ...TIMES });
  const rerun = { ...seen, spec: { driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': '2026-03-01T10:00:50Z' } } } } as unknown as SparkApplicationObject;

  expect(endOf(rerun)).toMatchObject({ seconds: 40, lastAttemptSeconds: 30 });
});

test.each([
  ['driver container failed with ExitCode: 137, Reason: OOMKilled', 137],
  ['driver does not start: ErrImagePull: not found (the operator gave up after 10s)', undefined],
  // It is not the exit code of the driver.
  ['init container setup failed with ExitCode: 3, Reason: Error', undefined],
])('an application that has failed: %s', (errorMessage, exitCode) => {
  const seen = application({ applicationState: { state: 'FAILED', errorMessage }, observedGeneration: 2, executionAttempts: 1, ...TIMES });

  expect(endOf(seen)).toMatchObject({ outcome: 'failed', reason: errorMessage, exitCode, attempts: 1, submissions: 0 });
});

test.each([
  ['it was not reconciled', undefined],
  ['it waits for its next attempt', { applicationState: { state: 'FAILING' }, observedGeneration: 2 }],
  ['it is suspended', { applicationState: { state: 'SUSPENDED' }, observedGeneration: 2 }],
  ['the state is of the previous specification', { applicationState: { state: 'COMPLETED' }, observedGeneration: 1 }],
])('no end: %s', (_, status) => {
  expect(endOf(application(status))).toBeUndefined();
});

test("kubeflow's operator tells neither generation nor, of one that it could not submit, times", () => {
  expect(endOf(application({
    applicationState: { state: 'FAILED' }, lastSubmissionAttemptTime: null, terminationTime: null,
  }))).toMatchObject({
    outcome: 'failed', reason: 'the operator reports no reason', seconds: undefined, lastAttemptSeconds: undefined,
  });
});
