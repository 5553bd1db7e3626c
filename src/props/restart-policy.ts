import { Duration } from 'cdk8s';
import { missing, rejectArguments, seconds, wrongNumber, wrongSeconds } from './_check';
import { checkArguments, duration, number } from './_prop-types';
import { BackoffType, RestartPolicySpec, RestartPolicyType } from '../api/restart-policy';
import type { Problem } from '../model/problem';

/** A wait that doubles with each attempt. */
export interface ExponentialBackoffOptions {
  /**
   * Maximum wait.
   *
   * @default Duration.minutes(5)
   */
  readonly maxInterval?: Duration;

  /**
   * Minimum duration of an attempt that counts as successful: the wait after it is the first one
   * again.
   *
   * @default Duration.minutes(10)
   */
  readonly resetAfter?: Duration;
}

/** Settings for running an application again after every end. */
export interface AlwaysOptions {
  /**
   * Wait after a failed attempt, from its start: one interval for each attempt so far, so that each
   * wait is longer than the previous one. With `exponentialBackoff`, the first wait, from the end
   * of the attempt. After a success there is no wait.
   *
   * @default Duration.seconds(5)
   */
  readonly interval?: Duration;

  /**
   * Doubles the wait after each failure, up to a limit, instead of adding one `interval` each time.
   * Each wait varies by up to a fifth, so that applications that failed together do not retry
   * together.
   *
   * @default - each wait is longer by one `interval`
   */
  readonly exponentialBackoff?: ExponentialBackoffOptions;
}

/** Settings for running an application again after a failure. */
export interface OnFailureOptions extends AlwaysOptions {
  /** Maximum number of retries of a failed application. */
  readonly retries: number;

  /**
   * Maximum number of retries of a failed submission.
   *
   * @default 0
   */
  readonly submissionRetries?: number;

  /**
   * Wait before a retry of a failed submission: one interval for each submission so far.
   *
   * @default Duration.seconds(5)
   */
  readonly submissionInterval?: Duration;
}

/** Whether, when and how often an application runs again. */
export class RestartPolicy {
  /** Runs the application once. */
  public static never(): RestartPolicy {
    return new RestartPolicy({ type: RestartPolicyType.NEVER });
  }

  /**
   * Runs the application again after every end, without limit, for streaming applications.
   *
   * @param options Waits.
   */
  public static always(options: AlwaysOptions = {}): RestartPolicy {
    options = checkArguments('RestartPolicy.always', { options }, { options: ALWAYS }).options;
    rejectArguments('RestartPolicy.always', wrongWaits(options));
    // The first wait applies after failed attempts and after failed submissions.
    const interval = seconds(options.interval);
    return new RestartPolicy({
      type: RestartPolicyType.ALWAYS, onFailureRetryInterval: interval, onSubmissionFailureRetryInterval: interval,
      backoff: backoff(options),
    });
  }

  /**
   * Runs the application again after a failure, a number of times.
   *
   * @param options Numbers of retries, and waits.
   */
  public static onFailure(options: OnFailureOptions): RestartPolicy {
    options = checkArguments('RestartPolicy.onFailure', { options }, {
      options: { ...ALWAYS, retries: number, submissionRetries: number, submissionInterval: duration },
    }).options;
    const { retries, submissionRetries = 0 } = options;
    rejectArguments('RestartPolicy.onFailure', [
      missing('retries', retries),
      wrongNumber('retries', retries, 0, MAX_INT32),
      wrongNumber('submissionRetries', submissionRetries, 0, MAX_INT32),
      retries === 0 && submissionRetries === 0 ? {
        path: 'retries', value: 0, reason: 'without submissionRetries retries nothing: write RestartPolicy.never()',
      } : undefined,
      wrongSeconds('submissionInterval', options.submissionInterval),
      ...wrongWaits(options),
    ]);
    return new RestartPolicy({
      type: RestartPolicyType.ON_FAILURE,
      onFailureRetries: retries,
      onFailureRetryInterval: seconds(options.interval),
      onSubmissionFailureRetries: options.submissionRetries,
      onSubmissionFailureRetryInterval: seconds(options.submissionInterval),
      backoff: backoff(options),
    });
  }

  private constructor(private readonly spec: RestartPolicySpec) {}

  /** @internal */
  public _toRestartPolicy(): RestartPolicySpec {
    return this.spec;
  }
}

const ALWAYS = { interval: duration, exponentialBackoff: { maxInterval: duration, resetAfter: duration } } as const;
const MAX_INT32 = 2 ** 31 - 1;

function wrongWaits({ interval, exponentialBackoff }: AlwaysOptions) {
  return [
    wrongSeconds('interval', interval),
    wrongSeconds('exponentialBackoff.maxInterval', exponentialBackoff?.maxInterval),
    wrongSeconds('exponentialBackoff.resetAfter', exponentialBackoff?.resetAfter),
    exponentialBackoff
      && wrongOrder(seconds(interval) ?? DEFAULT_INTERVAL, seconds(exponentialBackoff.maxInterval) ?? DEFAULT_MAX_INTERVAL),
  ];
}

const DEFAULT_INTERVAL = 5;
const DEFAULT_MAX_INTERVAL = 300;

function wrongOrder(interval: number, maxInterval: number): Problem | undefined {
  return interval > maxInterval ? {
    path: 'interval', value: `${interval} s`, reason: `must not be longer than exponentialBackoff.maxInterval, ${maxInterval} s`,
  } : undefined;
}

function backoff({ exponentialBackoff: options }: AlwaysOptions): RestartPolicySpec['backoff'] {
  return options && { type: BackoffType.EXPONENTIAL, maxInterval: seconds(options.maxInterval), resetAfter: seconds(options.resetAfter) };
}
