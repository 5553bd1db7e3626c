import type { SparkApplicationStatus } from '../../src/api/spark-application-status';
import { ApplicationState } from '../../src/api/states';
import { isUnconfirmed, needsDriver, type SparkApplication } from '../../src/model/spark-application';

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
