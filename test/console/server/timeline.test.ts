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

const record = (number: number, submitted: number, more: object = {}) => ({
  number, submissionID: `id-${number}`, submissionTime: text(submitted), driverCreationTime: text(submitted), ...more,
});

test('the recorded attempts determine the states, however often Kubernetes has folded the events', () => {
  const failed = { result: 'Failed', exitCode: 1, cause: 'ValueError: boom', nodeName: 'node-1', driverPodName: 'pi-driver' };
  const retried = application('COMPLETED', {
    attemptHistory: [
      record(1, 1, { ...failed, driverStartTime: text(3), endTime: text(10) }),
      record(2, 21, { ...failed, trigger: 'RestartPolicy', driverStartTime: text(22), endTime: text(30) }),
      record(3, 41, {
        trigger: 'RestartPolicy', driverStartTime: text(42), endTime: text(60), result: 'Completed', exitCode: 0,
        executors: { requested: 2, peak: 2, firstStartTime: text(45) },
      }),
    ],
  });
  expect(brief(statesOf(retried))).toEqual([
    ['', 0, 1], ['SUBMITTED', 1, 3], ['RUNNING', 3, 10], ['FAILING', 10, 21], ['SUBMITTED', 21, 22], ['RUNNING', 22, 30],
    ['FAILING', 30, 41], ['SUBMITTED', 41, 42], ['RUNNING', 42, 60], ['COMPLETED', 60, 60],
  ]);
  expect(attemptsOf(retried).map(({ from, to, state, cause }) => [seconds(from), seconds(to), state, cause])).toEqual([
    [1, 10, 'FAILED', 'ValueError: boom'], [21, 30, 'FAILED', 'ValueError: boom'], [41, 60, 'COMPLETED', undefined],
  ]);
  expect(attemptsOf(retried)[2]).toEqual({
    number: 3, submissionId: 'id-3', trigger: 'RestartPolicy', from: at(41), created: at(41), started: at(42), to: at(60),
    state: 'COMPLETED', result: 'Completed', exitCode: 0,
    executors: { requested: 2, peak: 2, firstStarted: at(45), failed: 0, failures: [] },
  });
});

test('a suspension between two attempts follows the wait for the next one', () => {
  const attemptHistory = [record(1, 1, { result: 'Failed', endTime: text(10) })];
  const conditions = [{ type: 'Suspended', status: 'True', lastTransitionTime: text(40) }];
  const ends = (state: string, status: object) => brief(statesOf(application(state, status))).slice(-2).map(([name, from]) => [name, from]);
  expect(ends('SUSPENDED', { attemptHistory, conditions })).toEqual([['FAILING', 10], ['SUSPENDED', 40]]);
  expect(ends('SUSPENDED', { attemptHistory: [record(1, 1, { result: 'Stopped', endTime: text(10) })], conditions })).toEqual([['SUSPENDING', 10], ['SUSPENDED', 40]]);
  expect(ends('SUSPENDED', { conditions })).toEqual([['', 0], ['SUSPENDED', 40]]);
  const refused = [record(1, 1, { driverStartTime: undefined, result: 'SubmissionFailed', endTime: text(10) })];
  expect(ends('SUSPENDED', { attemptHistory: refused, conditions })).toEqual([['SUBMISSION_FAILED', 10], ['SUSPENDED', 40]]);
  const resumed = [...attemptHistory, record(2, 50, { trigger: 'Resume' })];
  expect(ends('SUBMITTED', { attemptHistory: resumed })).toEqual([['SUSPENDED', 10], ['SUBMITTED', 50]]);
});

test('an application that was created suspended was not new until its resumption', () => {
  const states = (trigger: string) => brief(statesOf(application('SUBMITTED', { attemptHistory: [record(1, 50, { trigger, driverStartTime: undefined })] }))).map(([name]) => name);
  expect([states('Resume'), states('Creation')]).toEqual([['SUSPENDED', 'SUBMITTED'], ['', 'SUBMITTED']]);
});

test('a stopped attempt is stopped, whatever stopped it', () => {
  const stopped = { result: 'Stopped', endTime: text(10) };
  expect(attemptsOf(application('SUSPENDED', {
    attemptHistory: [
      record(1, 1, stopped), record(2, 21, { ...stopped, trigger: 'Resume' }), record(3, 31, { ...stopped, trigger: 'SpecChange' }),
    ],
  })).map(({ state }) => state)).toEqual(['STOPPED', 'STOPPED', 'STOPPED']);
});

test('after a stopped attempt, the next one shows what stopped it', () => {
  const stopped = { result: 'Stopped' };
  const states = statesOf(application('SUSPENDED', {
    attemptHistory: [
      record(1, 1, { ...stopped, endTime: text(10) }), record(2, 21, { ...stopped, trigger: 'Resume', endTime: text(24) }),
      record(3, 31, { ...stopped, trigger: 'SpecChange', endTime: text(40) }),
    ],
  }));
  expect(states.filter(({ state }) => !['', 'SUBMITTED', 'RUNNING'].includes(state)).map(({ state, from }) => [state, seconds(from)]))
    .toEqual([['SUSPENDED', 10], ['INVALIDATING', 24], ['SUSPENDED', 40]]);
});

test('without records, the rest of the status determines the latest attempt', () => {
  const theirs = application('FAILED', {
    submissionID: 'theirs', submissionAttempts: 3, lastSubmissionAttemptTime: text(100), terminationTime: text(160),
  });
  expect(brief(statesOf(theirs))).toEqual([['', 0, 100], ['SUBMITTED', 100, 160], ['FAILED', 160, 160]]);
  expect(attemptsOf(theirs)).toEqual([
    { number: 3, submissionId: 'theirs', from: at(100), to: at(160), state: 'FAILED', result: 'Failed' },
  ]);
});

test('a current state has no end', () => {
  const running = (state: string) => application(state, { attemptHistory: [record(1, 1, { driverStartTime: text(5) })] });
  expect(brief(statesOf(running('RUNNING')))).toEqual([['', 0, 1], ['SUBMITTED', 1, 5], ['RUNNING', 5, undefined]]);
  expect(brief(statesOf(running('UNKNOWN'))).at(-1)).toEqual(['UNKNOWN', 5, undefined]);
  expect(brief(statesOf(application('')))).toEqual([['', 0, undefined]]);
});

test('an attempt that could not be submitted was never submitted', () => {
  const refused = application('SUBMISSION_FAILED', {
    terminationTime: text(2),
    attemptHistory: [{ number: 1, submissionID: 'a', submissionTime: text(1), endTime: text(2), result: 'SubmissionFailed' }],
  });
  expect(brief(statesOf(refused))).toEqual([['', 0, 2], ['SUBMISSION_FAILED', 2, undefined]]);
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

  test('of an attempt without pods: by its events, or else by its record', () => {
    const [first, second] = attemptsOf(application('RUNNING', {
      attemptHistory: [
        record(1, 1, { result: 'Failed', endTime: text(9), executors: { requested: 2, peak: 2, firstStartTime: text(3) } }),
        record(2, 21, { executors: { requested: 2, peak: 1, firstStartTime: text(25) } }),
      ],
    }));
    const current = [{ at: at(25), running: 1 }];
    const ended = event('SparkDriverFailed', 9);
    expect(executorSteps([pod('1', 25)], [ended], 1, [first!, second!])).toEqual([{ at: at(3), running: 2 }, { at: at(9), running: 0 }, ...current]);
    // The operator reports the first one later.
    expect(executorSteps([pod('1', 25)], [event('SparkExecutorRunning', 5), ended], 1, [first!, second!])).toEqual([
      { at: at(3), running: 1 }, { at: at(9), running: 0 }, ...current,
    ]);
    expect(executorSteps([], [], 0, [first!])).toEqual([{ at: at(3), running: 2 }, { at: at(9), running: 0 }]);
  });

  describe('after the end of an attempt', () => {
    const attempts = (...spans: readonly (readonly [number: number, from: number, to?: number])[]) => attemptsOf(application('FAILING', {
      attemptHistory: spans.map(([number, from, to]) => record(number, from, {
        executors: { requested: 1, peak: 1 }, ...(to !== undefined && { result: 'Failed', endTime: text(to) }),
      })),
    }));
    const running = (first: number) => event('SparkExecutorRunning', first, { message: `Executor pi-${first} is running` });

    test('no executor runs, although Kubernetes has folded the ends of all drivers into one event', () => {
      const events = [running(5), running(25), running(45), event('SparkDriverFailed', 9, { count: 2, last: 29 })];
      expect(executorSteps([], events, 1, attempts([1, 1, 9], [2, 21, 29], [3, 41]))).toEqual([
        { at: at(5), running: 1 }, { at: at(9), running: 0 }, { at: at(25), running: 1 }, { at: at(29), running: 0 }, { at: at(45), running: 1 },
      ]);
    });

    test('no executor runs that the operator reported later, or whose pod is not deleted yet', () => {
      const ended = attempts([1, 1, 9], [2, 21]);
      // The record has the executor that ran before.
      expect(executorSteps([], [running(10), running(25)], 1, ended)).toEqual([
        { at: at(1), running: 1 }, { at: at(9), running: 0 }, { at: at(25), running: 1 },
      ]);
      expect(executorSteps([pod('1', 5), pod('2', 6, 10), pod('3', 25)], [], 1, ended)).toEqual([
        { at: at(5), running: 1 }, { at: at(6), running: 2 }, { at: at(9), running: 0 }, { at: at(25), running: 1 },
      ]);
    });

    test('executors of attempts run that are not recorded', () => {
      expect(executorSteps([], [running(15), event('SparkDriverFailed', 19), running(45)], 1, attempts([1, 1, 9], [3, 41, 49]))).toEqual([
        { at: at(1), running: 1 }, { at: at(9), running: 0 }, { at: at(15), running: 1 }, { at: at(19), running: 0 },
        { at: at(45), running: 1 }, { at: at(49), running: 0 },
      ]);
    });

    test('there is no line without an executor', () => {
      const [attempt] = attempts([1, 1, 9]);
      expect(executorSteps([], [], 0, [{ ...attempt!, executors: { requested: 1, peak: 0, failed: 0, failures: [] } }])).toEqual([]);
    });
  });
});
