import { BackoffType, RestartPolicyType, type RestartPolicySpec } from '../../src/api/restart-policy';
import { ApplicationState } from '../../src/api/states';
import type { SparkApplication } from '../../src/model/spark-application';
import { retriesSubmissions, retryOf } from '../../src/model/restart-policy';

const SUBMITTED = Date.parse('2026-03-01T10:00:00Z');
const ENDED = Date.parse('2026-03-01T10:01:00Z');

interface Attempts {
  readonly executionAttempts?: number;
  readonly submissionAttempts?: number;
  readonly end?: number;
  readonly submissionID?: string;
}

function application(state: ApplicationState, restartPolicy: RestartPolicySpec | undefined, attempts: Attempts = {}): SparkApplication {
  const { executionAttempts = 1, submissionAttempts = 1, end = ENDED, submissionID = 's1' } = attempts;
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid' },
    spec: { restartPolicy } as SparkApplication['spec'],
    status: {
      driverInfo: {}, applicationState: { state }, submissionID, executionAttempts, submissionAttempts,
      lastSubmissionAttemptTime: new Date(SUBMITTED).toISOString(), terminationTime: new Date(end).toISOString(),
    },
  };
}

const { SUCCEEDING, FAILING, SUBMISSION_FAILED, RUNNING } = ApplicationState;
const { ALWAYS, ON_FAILURE, NEVER } = RestartPolicyType;

// Whether the operator retries: by state, policy, allowed retries, and attempts so far.
test.each<[ApplicationState, RestartPolicySpec | undefined, object, boolean]>([
  [SUCCEEDING, { type: ALWAYS }, {}, true],
  [SUCCEEDING, { type: ON_FAILURE, onFailureRetries: 9 }, {}, false],
  [SUCCEEDING, undefined, {}, false],
  [FAILING, { type: ALWAYS }, { executionAttempts: 99 }, true],
  [FAILING, { type: ALWAYS, onFailureRetries: 0 }, {}, true],
  [FAILING, { type: ON_FAILURE, onFailureRetries: 2 }, { executionAttempts: 2 }, true],
  [FAILING, { type: ON_FAILURE, onFailureRetries: 2 }, { executionAttempts: 3 }, false],
  [FAILING, { type: ON_FAILURE, onFailureRetries: 2 }, { executionAttempts: 1, submissionAttempts: 7 }, true],
  [FAILING, { type: ON_FAILURE, onSubmissionFailureRetries: 2 }, {}, false],
  [FAILING, { type: NEVER, onFailureRetries: 2 }, {}, false],
  [FAILING, undefined, {}, false],
  [SUBMISSION_FAILED, { type: ON_FAILURE, onSubmissionFailureRetries: 1 }, {}, true],
  [SUBMISSION_FAILED, { type: ON_FAILURE, onSubmissionFailureRetries: 1 }, { submissionAttempts: 2, executionAttempts: 0 }, false],
  // Failed runs are not failed submissions.
  [SUBMISSION_FAILED, { type: ON_FAILURE, onSubmissionFailureRetries: 1 }, { submissionAttempts: 4, executionAttempts: 3 }, true],
  [SUBMISSION_FAILED, { type: ON_FAILURE, onSubmissionFailureRetries: 1 }, { submissionAttempts: 5, executionAttempts: 3 }, false],
  [SUBMISSION_FAILED, { type: ON_FAILURE, onFailureRetries: 1 }, {}, false],
  [SUBMISSION_FAILED, { type: ALWAYS }, { submissionAttempts: 99 }, true],
  [RUNNING, { type: ALWAYS }, {}, false],
])('%s with %j after %j is tried again: %p', (state, policy, attempts, expected) => {
  expect(retryOf(application(state, policy, attempts), ENDED) !== undefined).toBe(expected);
});

test.each<[RestartPolicySpec | undefined, boolean]>([
  [undefined, false], [{}, false], [{ type: NEVER, onSubmissionFailureRetries: 1 }, false], [{ type: ON_FAILURE, onFailureRetries: 1 }, false],
  [{ type: ON_FAILURE, onSubmissionFailureRetries: 0 }, false], [{ type: ON_FAILURE, onSubmissionFailureRetries: 1 }, true], [{ type: ALWAYS }, true],
])('%j retries failed submissions: %p', (policy, expected) => {
  expect(retriesSubmissions(policy)).toBe(expected);
});

test.each<[string, RestartPolicySpec, object, number]>([
  ['the interval, counted from the submission', { type: ALWAYS, onFailureRetryInterval: 90 }, {}, 30_000],
  ['one interval more with each attempt', { type: ALWAYS, onFailureRetryInterval: 90 }, { executionAttempts: 3 }, 210_000],
  ['nothing after an attempt that took longer', { type: ALWAYS, onFailureRetryInterval: 10 }, {}, -50_000],
  ['five seconds by default', { type: ALWAYS }, { executionAttempts: 20 }, 40_000],
])('how long a failed run waits: %s', (_, policy, attempts, dueIn) => {
  expect(retryOf(application(FAILING, policy, attempts), ENDED)).toEqual({ dueIn });
});

test('known failure 16: a failed submission has its own interval and its own count', () => {
  const policy = { type: ALWAYS, onFailureRetryInterval: 1000, onSubmissionFailureRetryInterval: 40 };
  expect(retryOf(application(SUBMISSION_FAILED, policy, {
    submissionAttempts: 11, executionAttempts: 9,
  }), ENDED)).toEqual({ dueIn: 20_000 });
});

describe('exponential', () => {
  const policy: RestartPolicySpec = {
    type: ALWAYS, onFailureRetryInterval: 10, backoff: { type: BackoffType.EXPONENTIAL, maxInterval: 60, resetAfter: 600 },
  };
  const waitAfter = (executionAttempts: number, more: object = {}) => retryOf(
    application(FAILING, policy, { executionAttempts, ...more }), ENDED,
  )!.dueIn / 1000;

  test.each([
    [1, 10], [2, 20], [3, 40], [4, 60], [50, 60], [5000, 60],
  ])('known failure 16: after %i attempts about %i seconds from the end', (attempts, expected) => {
    expect(waitAfter(attempts)).toBeGreaterThanOrEqual(0.8 * expected);
    expect(waitAfter(attempts)).toBeLessThanOrEqual(1.2 * expected);
  });

  test('known failure 16: failures of the same time do not retry together, and one attempt always has the same wait', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitAfter(1, { submissionID: `s${index}` }));
    expect(new Set(waits).size).toBe(50);
    expect(waitAfter(1, { submissionID: 's7' })).toBe(waits[7]);
  });

  test('known failure 16: a long attempt resets the count', () => {
    const end = SUBMITTED + 600_000;
    const { dueIn } = retryOf(application(FAILING, policy, { executionAttempts: 30, end }), end)!;
    expect(dueIn).toBeLessThanOrEqual(12_000);
  });
});

test.each([
  undefined, { type: BackoffType.EXPONENTIAL },
])('missing times, and future times after a clock was corrected, do not delay the retry (%j)', (backoff) => {
  const ahead = application(FAILING, { type: ALWAYS, onFailureRetryInterval: 10, backoff });
  const without: SparkApplication = {
    ...ahead, status: { ...ahead.status!, lastSubmissionAttemptTime: undefined, terminationTime: undefined },
  };
  expect(retryOf(without, ENDED)!.dueIn).toBeLessThanOrEqual(0);
  expect(retryOf(ahead, SUBMITTED - 86_400_000)!.dueIn).toBeLessThanOrEqual(0);
});

test("a node's clock that is a little ahead does not shorten the wait", () => {
  const policy: RestartPolicySpec = { type: ALWAYS, onFailureRetryInterval: 10, backoff: { type: BackoffType.EXPONENTIAL } };
  expect(retryOf(application(FAILING, policy), ENDED - 3_000)!.dueIn).toBeGreaterThanOrEqual(11_000);
});
