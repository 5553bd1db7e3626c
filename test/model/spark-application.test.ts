import type { SparkApplicationStatus } from '../../src/api/spark-application-status';
import { ApplicationState } from '../../src/api/states';
import { isUnconfirmed, needsDriver, submissionTime, type SparkApplication } from '../../src/model/spark-application';

const SUBMITTED_AT = '2026-03-01T10:00:00Z';
const RECORD = { number: 1, submissionID: 'a-b', submissionTime: SUBMITTED_AT };
const application = (status: Partial<SparkApplicationStatus>) => ({
  status: {
    submissionID: 'a-b', sparkApplicationId: 'spark-ab', lastSubmissionAttemptTime: SUBMITTED_AT, driverInfo: { podName: 'pi-driver' },
    applicationState: { state: ApplicationState.SUBMITTED }, attemptHistory: [RECORD], ...status,
  },
}) as SparkApplication;

test.each<[string, boolean, Partial<SparkApplicationStatus>]>([
  ['the intent of a native submission', true, {}],
  ['the same with a CRD that drops the history', true, { attemptHistory: undefined }],
  ['a later write, which names the driver', false, { attemptHistory: [{ ...RECORD, driverPodName: 'pi-driver' }] }],
  ['a later attempt', true, { attemptHistory: [{ ...RECORD, submissionID: 'other', driverPodName: 'pi-driver' }, { ...RECORD, number: 2 }] }],
  ['a submission by spark-submit, which draws another id', false, { sparkApplicationId: 'spark-1' }],
  ['a running driver', false, { applicationState: { state: ApplicationState.RUNNING } }],
  ['no submission', false, { submissionID: undefined }],
])('%s: unconfirmed %s', (_, expected, status) => {
  expect(isUnconfirmed(application(status))).toBe(expected);
});

test('the driver of an unconfirmed submission must exist after a minute, and any other at once', () => {
  const at = Date.parse(SUBMITTED_AT);
  expect([at + 59_000, at + 60_000].map((now) => needsDriver(application({}), now))).toEqual([false, true]);
  expect(needsDriver(application({ attemptHistory: [{ ...RECORD, driverPodName: 'pi-driver' }] }), at)).toBe(true);
});

test.each<[string, string, Partial<SparkApplicationStatus>]>([
  ['its driver, if that could not be created at once', '10:02:00', { conditions: [{ type: 'Submitted', status: 'True', lastTransitionTime: '2026-03-01T10:02:00Z' }] as never }],
  ['its driver, also after a suspension', '10:02:00', {
    conditions: [{ type: 'Submitted', status: 'False', lastTransitionTime: '2026-03-01T10:09:00Z' }] as never,
    attemptHistory: [{ ...RECORD, driverCreationTime: '2026-03-01T10:02:00Z' }],
  }],
  ['the attempt, without the time of its driver', '10:00:00', {}],
  ['the attempt, rather than an earlier driver', '10:00:00', { attemptHistory: [{ ...RECORD, driverCreationTime: '2026-03-01T09:00:00Z' }] }],
])('an application was submitted with %s', (_, time, status) => {
  expect(submissionTime(application(status))).toBe(Date.parse(`2026-03-01T${time}Z`));
});
