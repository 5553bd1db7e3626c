import { RestartPolicyType, type RestartPolicySpec } from '../api/restart-policy';
import { ApplicationState } from '../api/states';
import { stateOf, type SparkApplication } from './spark-application';
import { CLOCK_SKEW, DEFAULT_INTERVAL, DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER, growingWait } from './backoff';

/** The next attempt of a finished application. */
export interface Retry {
  /** Milliseconds until it starts; 0 or less if it starts now. */
  readonly dueIn: number;
}

/**
 * Returns when the operator retries a finished application, by its restart policy.
 *
 * The wait grows with the number of attempts. By default, as in kubeflow/spark-operator, each
 * attempt adds one interval, and the wait starts with the previous attempt. With
 * `restartPolicy.backoff`, it doubles up to a limit, and starts when the previous attempt ends.
 *
 * @returns undefined if the operator does not retry it
 */
export function retryOf(application: SparkApplication, now: number): Retry | undefined {
  const { restartPolicy: policy = {} } = application.spec;
  const { executionAttempts = 0, submissionAttempts = 0 } = application.status ?? {};
  switch (stateOf(application)) {
    case ApplicationState.SUCCEEDING:
      return policy.type === RestartPolicyType.ALWAYS ? { dueIn: 0 } : undefined;
    case ApplicationState.FAILING:
      return retryAfter(
        application, { attempts: executionAttempts, retries: policy.onFailureRetries, interval: policy.onFailureRetryInterval }, now,
      );
    case ApplicationState.SUBMISSION_FAILED:
      return retryAfter(application, {
        // An attempt that ran is not a failed submission.
        attempts: Math.max(submissionAttempts - executionAttempts, 1),
        retries: policy.onSubmissionFailureRetries,
        interval: policy.onSubmissionFailureRetryInterval,
      }, now);
    default:
      return undefined;
  }
}

/** Whether a restart policy asks for retries of failed submissions. */
export function retriesSubmissions({ type, onSubmissionFailureRetries = 0 }: RestartPolicySpec = {}): boolean {
  return type === RestartPolicyType.ALWAYS || (type === RestartPolicyType.ON_FAILURE && onSubmissionFailureRetries > 0);
}

/** Number of attempts, and the restart policy for this kind of failure. */
interface Failure {
  readonly attempts: number;
  readonly retries: number | undefined;
  /** Seconds. */
  readonly interval: number | undefined;
}

function retryAfter({ spec, status }: SparkApplication, { attempts, retries, interval }: Failure, now: number): Retry | undefined {
  const { type, backoff } = spec.restartPolicy ?? {};
  const isRetried = type === RestartPolicyType.ALWAYS || (type === RestartPolicyType.ON_FAILURE && attempts <= (retries ?? 0));
  if (!isRetried) return undefined;
  const { lastSubmissionAttemptTime, terminationTime, submissionID } = status ?? {};
  const [begin, end] = [timeOf(lastSubmissionAttemptTime, now), timeOf(terminationTime, now)];
  const first = (interval ?? DEFAULT_INTERVAL) * 1000;
  if (!backoff) return { dueIn: begin + first * Math.max(attempts, 1) - now };
  const { maxInterval = DEFAULT_MAX_INTERVAL, resetAfter = DEFAULT_RESET_AFTER } = backoff;
  // After a long attempt, previous failures have no influence on the wait.
  const count = end - begin >= resetAfter * 1000 ? 1 : Math.max(attempts, 1);
  return { dueIn: end + growingWait({ first, count, limit: maxInterval * 1000, id: submissionID ?? '' }) - now };
}

/**
 * Returns the time of a text. A missing time, or one in the future after a clock was corrected,
 * must not delay a retry: it is treated as long ago. Treating it as now would restart the wait at
 * each reconcile.
 */
function timeOf(text: string | undefined, now: number): number {
  const time = Date.parse(text ?? '');
  return time <= now + CLOCK_SKEW ? time : -Infinity;
}
