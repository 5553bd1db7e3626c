import { executorSteps } from '../../../src/console/server/executors';
import { attemptsOf, statesOf } from '../../../src/console/server/timeline';
import type { EventRow, PodRow } from '../../../src/console/wire';
import type { ApplicationState } from '../../../src/api/states';
import type { SparkApplication } from '../../../src/model/spark-application';

const BEGIN = Date.parse('2026-03-01T10:00:00Z');

/** Seconds after the creation of the application. */
const at = (seconds: number) => BEGIN + seconds * 1_000;
const text = (seconds: number) => new Date(at(seconds)).toISOString();

function event(reason: string, first: number, more: Partial<EventRow> = {}): EventRow {
  return {
    uid: `${reason}-${first}`, type: 'Normal', reason, message: '', count: 1, first: at(first), last: at(more.last ?? first),
    about: 'SparkApplication/pi', ...more,
  };
}

function application(state: string, status: object = {}): SparkApplication {
  return {
    metadata: { namespace: 'default', name: 'pi', uid: 'u', creationTimestamp: text(0) },
    spec: {} as never,
    status: { driverInfo: {}, applicationState: { state: state as ApplicationState }, ...status },
  };
}

const seconds = (time: number | undefined) => time && (time - BEGIN) / 1_000;
const brief = (stretches: ReturnType<typeof statesOf>) => stretches.map(({ state, from, to }) => [state, seconds(from), seconds(to)]);

test('events determine the states and attempts', () => {
  const events = [
    event('SparkApplicationSubmitted', 1), event('SparkDriverRunning', 3), event('SparkDriverFailed', 10),
    event('SparkApplicationPendingRerun', 20), event('SparkApplicationSubmitted', 21), event('SparkDriverRunning', 22),
    event('SparkDriverCompleted', 40), event('SparkApplicationCompleted', 41),
  ];
  const states = statesOf(application('COMPLETED', { submissionAttempts: 2 }), events);
  expect(brief(states)).toEqual([
    ['', 0, 1], ['SUBMITTED', 1, 3], ['RUNNING', 3, 10], ['FAILING', 10, 20], ['PENDING_RERUN', 20, 21], ['SUBMITTED', 21, 22],
    ['RUNNING', 22, 40], ['SUCCEEDING', 40, 41], ['COMPLETED', 41, 41],
  ]);
  expect(attemptsOf(states, 2)).toEqual([
    { number: 1, from: at(1), to: at(10), state: 'FAILING' }, { number: 2, from: at(21), to: at(40), state: 'SUCCEEDING' },
  ]);
});

test('without events, the status determines the latest attempt', () => {
  const states = statesOf(
    application('FAILED', { submissionAttempts: 3, lastSubmissionAttemptTime: text(100), terminationTime: text(160) }), [],
  );
  expect(brief(states)).toEqual([['', 0, 100], ['SUBMITTED', 100, 160], ['FAILED', 160, 160]]);
  expect(attemptsOf(states, 3)).toEqual([{ number: 3, from: at(100), to: at(160), state: 'FAILED' }]);
});

test('a current state has no end', () => {
  const running = application('RUNNING', {
    lastSubmissionAttemptTime: text(1), conditions: [
      { type: 'Running', status: 'True', reason: '', message: '', lastTransitionTime: text(5) },
    ],
  });
  const states = statesOf(running, []);
  expect(brief(states)).toEqual([['', 0, 1], ['SUBMITTED', 1, 5], ['RUNNING', 5, undefined]]);
  expect(attemptsOf(states, 1)).toEqual([{ number: 1, from: at(1), state: 'RUNNING' }]);
});

test('an attempt that could not be submitted has no duration', () => {
  const states = statesOf(application('SUBMISSION_FAILED'), [event('SparkApplicationSubmissionFailed', 2)]);
  expect(attemptsOf(states, 1)).toEqual([{ number: 1, from: at(2), to: at(2), state: 'SUBMISSION_FAILED' }]);
});

test('events about other objects, and reasons named like object properties, are ignored', () => {
  const events = [event('SparkDriverRunning', 1, { about: 'Pod/pi-driver' }), event('constructor', 2), event('toString', 3)];
  expect(brief(statesOf(application(''), events))).toEqual([['', 0, undefined]]);
});

describe('executors over time', () => {
  const pod = (name: string, started?: number, ended?: number): PodRow => ({
    name, uid: name, role: 'executor', state: 'RUNNING', containers: [], ...(started !== undefined && { started: at(started) }),
    ...(ended !== undefined && { ended: at(ended) }),
  });

  test('by their pods', () => {
    expect(executorSteps([pod('1', 1, 9), pod('2', 1), pod('3', 5), pod('4')], [], 3)).toEqual([
      { at: at(1), running: 2 }, { at: at(5), running: 3 }, { at: at(9), running: 2 },
    ]);
  });

  test('by events, when Spark has deleted pods', () => {
    const events = [event('SparkExecutorRunning', 1, {
      message: '12 executors are running: a, b and 10 more',
    }), event('SparkExecutorFailed', 4, { message: 'Executor a failed' }), event('SparkDriverCompleted', 9)];
    expect(executorSteps([], events, 12)).toEqual([{ at: at(1), running: 12 }, { at: at(4), running: 11 }, { at: at(9), running: 0 }]);
  });
});
