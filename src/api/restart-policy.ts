/** When an application is restarted. */
export enum RestartPolicyType {
  /** Never. */
  NEVER = 'Never',
  /** After every end, successful or not. */
  ALWAYS = 'Always',
  /** After a failure, up to the numbers of retries. */
  ON_FAILURE = 'OnFailure',
}

/** How the delay before the next attempt grows. */
export enum BackoffType {
  /** Doubles with each attempt, up to a limit. */
  EXPONENTIAL = 'Exponential',
}

/** A delay that grows with each attempt, measured from the end of the previous one. */
export interface RestartBackoff {
  /**
   * How the delay grows. The first delay is the policy's interval. Jitter changes each delay by up
   * to a fifth, so that applications that failed together do not restart together.
   */
  readonly type: BackoffType;
  /**
   * Maximum delay in seconds.
   * @default 300
   * @minimum 1
   * @format int64
   */
  readonly maxInterval?: number;
  /**
   * Seconds after which an attempt resets the delay to the first one.
   * @default 600
   * @minimum 1
   * @format int64
   */
  readonly resetAfter?: number;
}

/** When and how often an application is restarted. */
export interface RestartPolicySpec {
  /**
   * When the application is restarted.
   * @default RestartPolicyType.NEVER
   */
  readonly type?: RestartPolicyType;
  /**
   * Maximum retries of a failed submission with `OnFailure`.
   * @default 0
   * @minimum 0
   */
  readonly onSubmissionFailureRetries?: number;
  /**
   * Maximum retries of a failed run with `OnFailure`.
   * @default 0
   * @minimum 0
   */
  readonly onFailureRetries?: number;
  /**
   * Seconds from a failed submission to its retry. Each further delay is longer by this value.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly onSubmissionFailureRetryInterval?: number;
  /**
   * Seconds from the submission of a failed run to its retry. A run that took longer is retried at
   * once. Each further delay is longer by this value. `backoff` starts at the end of the run.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly onFailureRetryInterval?: number;

  /**
   * Backoff before the next attempt. Without it, the delay grows by one interval with each attempt,
   * measured from the submission.
   * @default - by one interval with each attempt
   */
  readonly backoff?: RestartBackoff;
}
