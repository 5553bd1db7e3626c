import { Duration } from 'cdk8s';
import { refuseArguments, seconds, wrongNumber, wrongSeconds } from './_check';
import { BackoffType, RestartPolicySpec, RestartPolicyType } from '../api/restart-policy';
import type { Violation } from '../model/problem';

/** A wait that doubles with each attempt. */
export interface ExponentialBackoffOptions {
  /**
   * What no wait exceeds.
   *
   * @default Duration.minutes(5)
   */
  readonly maxInterval?: Duration;

  /**
   * An attempt that took this long counts as one that has worked: the wait after it is the first one again.
   *
   * @default Duration.minutes(10)
   */
  readonly resetAfter?: Duration;
}

/** How an application is run again whenever it has ended. */
export interface AlwaysOptions {
  /**
   * The wait after a failed attempt, counted from its start: one interval for each attempt so far, so that each wait is longer than the one before. With
   * `exponentialBackoff` the first wait, counted from the end of the attempt. After a good end there is no wait.
   *
   * @default Duration.seconds(5)
   */
  readonly interval?: Duration;

  /**
   * Let the waits double, up to a limit, in place of growing by one `interval` each. Each is up to a fifth longer or shorter, so that those who failed together
   * do not come back together.
   *
   * @default - each wait is longer by one `interval`
   */
  readonly exponentialBackoff?: ExponentialBackoffOptions;
}

/** How an application is run again when it has failed. */
export interface OnFailureOptions extends AlwaysOptions {
  /**
   * How often an application that has failed is run again.
   */
  readonly retries: number;

  /**
   * How often it is submitted again when it could not be submitted.
   *
   * @default 0
   */
  readonly submissionRetries?: number;

  /**
   * The wait before it is submitted again when it could not be submitted: one interval for each submission so far.
   *
   * @default Duration.seconds(5)
   */
  readonly submissionInterval?: Duration;
}

/**
 * Whether, when and how often an application is run again.
 */
export class RestartPolicy {
  /** It is run once. */
  public static never(): RestartPolicy {
    return new RestartPolicy({ type: RestartPolicyType.NEVER });
  }

  /**
   * It is run again whenever it has ended, well or badly, without end: for what streams.
   *
   * @param options How long to wait before.
   */
  public static always(options: AlwaysOptions = {}): RestartPolicy {
    refuseArguments('RestartPolicy.always', wrongWaits(options));
    // The wait after an end is that after a failure, or that after a submission that failed.
    const interval = seconds(options.interval);
    return new RestartPolicy({ type: RestartPolicyType.ALWAYS, onFailureRetryInterval: interval, onSubmissionFailureRetryInterval: interval, backoff: backoff(options) });
  }

  /**
   * It is run again when it has failed, a number of times.
   *
   * @param options How often, and how long to wait before.
   */
  public static onFailure(options: OnFailureOptions): RestartPolicy {
    const { retries, submissionRetries = 0 } = options;
    refuseArguments('RestartPolicy.onFailure', [
      wrongNumber('retries', retries, 0, MAX_INT32),
      wrongNumber('submissionRetries', submissionRetries, 0, MAX_INT32),
      retries === 0 && submissionRetries === 0 ? { path: 'retries', value: 0, reason: 'and no submissionRetries run nothing again: write RestartPolicy.never()' } : undefined,
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
  public _toSpec(): RestartPolicySpec {
    return this.spec;
  }
}

const MAX_INT32 = 2 ** 31 - 1;

function wrongWaits({ interval, exponentialBackoff }: AlwaysOptions) {
  return [
    wrongSeconds('interval', interval),
    wrongSeconds('exponentialBackoff.maxInterval', exponentialBackoff?.maxInterval),
    wrongSeconds('exponentialBackoff.resetAfter', exponentialBackoff?.resetAfter),
    exponentialBackoff && wrongOrder(seconds(interval) ?? DEFAULT_INTERVAL, seconds(exponentialBackoff.maxInterval) ?? DEFAULT_MAX_INTERVAL),
  ];
}

const DEFAULT_INTERVAL = 5;
const DEFAULT_MAX_INTERVAL = 300;

function wrongOrder(interval: number, maxInterval: number): Violation | undefined {
  return interval > maxInterval ? { path: 'interval', value: `${interval} s`, reason: `must not be longer than exponentialBackoff.maxInterval, ${maxInterval} s` } : undefined;
}

function backoff({ exponentialBackoff: options }: AlwaysOptions): RestartPolicySpec['backoff'] {
  return options && { type: BackoffType.EXPONENTIAL, maxInterval: seconds(options.maxInterval), resetAfter: seconds(options.resetAfter) };
}
