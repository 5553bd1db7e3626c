import { RestartPolicyType } from '../api/restart-policy';
import { ApplicationState } from '../api/states';
import { stateOf, type SparkApplication } from './spark-application';
import { CLOCK_SKEW, DEFAULT_INTERVAL, DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER, growingWait } from './backoff';

/** The next attempt at an application that has ended. */
export interface Retry {
  /** Milliseconds until it begins; 0 or less: now. */
  readonly dueIn: number;
}

/**
 * Whether and when an application that has ended is run again, by its restart policy.
 *
 * The wait grows with the number of attempts: by one interval with each, counted from the begin of the attempt, as kubeflow/spark-operator does;
 * or, with `restartPolicy.backoff`, twofold with each up to a limit, counted from its end.
 *
 * @returns undefined if the end is final
 */
export function retryOf(application: SparkApplication, now: number): Retry | undefined {
  const { restartPolicy: policy = {} } = application.spec;
  const { executionAttempts = 0, submissionAttempts = 0 } = application.status ?? {};
  switch (stateOf(application)) {
    case ApplicationState.SUCCEEDING:
      return policy.type === RestartPolicyType.ALWAYS ? { dueIn: 0 } : undefined;
    case ApplicationState.FAILING:
      return retryAfter(application, { attempts: executionAttempts, retries: policy.onFailureRetries, interval: policy.onFailureRetryInterval }, now);
    case ApplicationState.SUBMISSION_FAILED:
      return retryAfter(application, {
        // An attempt that ran is none of the failed submissions.
        attempts: Math.max(submissionAttempts - executionAttempts, 1),
        retries: policy.onSubmissionFailureRetries,
        interval: policy.onSubmissionFailureRetryInterval,
      }, now);
    default:
      return undefined;
  }
}

/** The attempts so far, and what the policy says of this kind of failure. */
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
  // An attempt that ran for long says that the failures of before have nothing to do with this one.
  const count = end - begin >= resetAfter * 1000 ? 1 : Math.max(attempts, 1);
  return { dueIn: end + growingWait({ first, count, limit: maxInterval * 1000, id: submissionID ?? '' }) - now };
}

/**
 * A time that is missing, or of a clock that ran ahead and was set right, must not hold an application back: it is long ago. It cannot be now,
 * as it would be so at each look.
 */
function timeOf(text: string | undefined, now: number): number {
  const time = Date.parse(text ?? '');
  return time <= now + CLOCK_SKEW ? time : -Infinity;
}
