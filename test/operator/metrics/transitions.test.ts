import { ApplicationState as State, ConditionType } from '../../../src/api/states';
import { Series } from '../../../src/operator/metrics/series';
import { DEFAULT_SETTINGS } from '../../../src/operator/metrics/settings';
import { countTransitions } from '../../../src/operator/metrics/transitions';
import type { SparkApplication } from '../../../src/model/spark-application';
import { application, at, time } from './helpers';

const FIRST = { submissionAttempts: 1, executionAttempts: 1, lastSubmissionAttemptTime: time(1) };
const INTENT = { submissionAttempts: 1, lastSubmissionAttemptTime: time(1) };
const condition = (type: ConditionType) => ({ type, status: 'False', reason: 'R', message: '', lastTransitionTime: time(1) });

/** Returns the counts that are not zero, and the sums of distributions. */
function counted(...writes: [before: SparkApplication, after: SparkApplication, passed: State[], seconds?: number][]) {
  const series = new Series({}, DEFAULT_SETTINGS);
  for (const [before, after, passed, seconds = 3] of writes) countTransitions(series, { before, after, passed }, at(seconds));
  return Object.fromEntries(Object.entries(series).flatMap(([name, value]) => {
    if (typeof value === 'number') return value === 0 ? [] : [[name, value]];
    const [sum, count] = value instanceof Object && 'summary' in value
      ? value.summary('').map((sample: { value: number }) => sample.value)
      : [0, 0];
    return count === 0 ? [] : [[name, count === 1 ? sum : `${count} observations`]];
  }));
}

test('an application from creation to success, step by step', () => {
  const intended = application(State.NEW, INTENT);
  const [submitted, running] = [application(State.SUBMITTED, FIRST), application(State.RUNNING, FIRST)];
  expect(counted(
    [application(), intended, [], 1],
    [intended, submitted, [State.SUBMITTED], 2],
    [submitted, running, [State.RUNNING], 5],
    [running, running, []],
    [running, application(State.COMPLETED, { ...FIRST, terminationTime: time(21) }), [State.SUCCEEDING, State.COMPLETED], 22],
  )).toEqual({ created: 1, submitted: 1, submitLatency: 2, startLatency: 5, succeeded: 1, successTime: 20 });
});

test('an application that ran while the operator was down: all states in one write', () => {
  expect(counted(
    [application(State.NEW, INTENT), application(State.FAILED, { ...FIRST, terminationTime: time(11) }), [
      State.SUBMITTED, State.FAILING, State.FAILED,
    ], 60],
  )).toEqual({ submitted: 1, submitLatency: 60, failed: 1, failureTime: 10 });
});

test('each failed submission counts, also that of a retry; there is no execution', () => {
  const failed = application(State.SUBMISSION_FAILED, { ...INTENT, terminationTime: time(1) });
  const again = application(State.PENDING_RERUN, { ...INTENT, submissionAttempts: 2 });
  expect(counted(
    [application(State.NEW, INTENT), failed, [State.SUBMISSION_FAILED]],
    [failed, again, [State.PENDING_RERUN]],
    [again, application(State.FAILED, { ...INTENT, submissionAttempts: 2, terminationTime: time(30) }), [
      State.SUBMISSION_FAILED, State.FAILED,
    ]],
  )).toEqual({ failedSubmissions: 2, failed: 1 });
});

test('retries count as submissions, but without latency since creation, and without a failure of the application', () => {
  const ran = { ...FIRST, conditions: [condition(ConditionType.RUNNING)] };
  const second = { ...ran, submissionAttempts: 2, executionAttempts: 2 };
  expect(counted(
    [application(State.RUNNING, ran), application(State.PENDING_RERUN, ran), [State.FAILING, State.PENDING_RERUN]],
    [application(State.PENDING_RERUN, ran), application(State.SUBMITTED, second), [State.SUBMITTED]],
    [application(State.SUBMITTED, second), application(State.RUNNING, second), [State.RUNNING]],
  )).toEqual({ submitted: 1 });
  // The first one did not get there.
  const unstarted = { ...second, conditions: [] };
  expect(counted([application(State.SUBMITTED, unstarted), application(State.RUNNING, unstarted), [State.RUNNING]])).toEqual({});
});

test.each([
  ['the specification was changed: attempts are counted anew', State.PENDING_RERUN, ConditionType.RUNNING],
  ['it was suspended: it waited for its user', State.RESUMING, ConditionType.SUSPENDED],
])('no latency since creation when %s', (_, begin, type) => {
  const status = { ...FIRST, conditions: [condition(type)] };
  expect(counted(
    [application(begin, { ...status, executionAttempts: undefined }), application(State.SUBMITTED, status), [State.SUBMITTED], 900],
    [application(State.SUBMITTED, status), application(State.RUNNING, status), [State.RUNNING], 901],
  )).toEqual({ submitted: 1 });
});

test('a driver with a previously unknown state, or that waits again, does not count as submitted or started again', () => {
  const ran = { ...FIRST, conditions: [condition(ConditionType.RUNNING)] };
  expect(counted(
    [application(State.RUNNING, ran), application(State.UNKNOWN, ran), [State.UNKNOWN]],
    [application(State.UNKNOWN, ran), application(State.SUBMITTED, ran), [State.SUBMITTED]],
    [application(State.SUBMITTED, ran), application(State.RUNNING, ran), [State.RUNNING]],
  )).toEqual({});
});

test('an application counts once, even if it is suspended at once, waits, or the operator restarts', () => {
  const suspended = application(State.SUSPENDED, { observedGeneration: 1 });
  const waiting = application(State.NEW, { ...INTENT, observedGeneration: 1 });
  expect(counted(
    [application(), suspended, [State.SUSPENDING, State.SUSPENDED]],
    [suspended, application(State.RESUMING, { observedGeneration: 1 }), [State.RESUMING]],
    [application(), waiting, []],
    [waiting, waiting, []],
    [application(State.NEW, { observedGeneration: 1 }), waiting, []],
  )).toEqual({ created: 2 });
});

test('unknown times and slow clocks do no harm', () => {
  const nowhere = { creationTimestamp: undefined };
  expect(counted(
    [application(State.NEW, INTENT), application(State.SUBMITTED, FIRST, nowhere), [State.SUBMITTED]],
    [application(State.RUNNING, {}), application(State.COMPLETED, {}), [State.SUCCEEDING, State.COMPLETED]],
    [application(State.NEW, INTENT), application(State.SUBMITTED, FIRST), [State.SUBMITTED], -5],
  )).toEqual({ submitted: 2, succeeded: 1, submitLatency: 0 });
});
