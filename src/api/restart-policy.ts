/** When an application is run again. */
export enum RestartPolicyType {
  /** Never. */
  NEVER = 'Never',
  /** Whenever it has ended, well or badly. */
  ALWAYS = 'Always',
  /** When it failed, as often as the numbers of retries say. */
  ON_FAILURE = 'OnFailure',
}

/** How the wait before the next attempt grows. */
export enum BackoffType {
  /** Twofold with each attempt, up to a limit. */
  EXPONENTIAL = 'Exponential',
}

/** A wait that grows with each attempt, counted from the end of the one before. */
export interface RestartBackoff {
  /** How it grows. The first wait is the policy's interval; each is up to a fifth longer or shorter, so that those who failed together do not come back together. */
  readonly type: BackoffType;
  /**
   * Seconds that no wait exceeds.
   * @default 300
   * @minimum 1
   * @format int64
   */
  readonly maxInterval?: number;
  /**
   * Seconds after which an attempt counts as one that has worked: the wait after it is the first one again.
   * @default 600
   * @minimum 1
   * @format int64
   */
  readonly resetAfter?: number;
}

/** When and how often an application is run again. */
export interface RestartPolicySpec {
  /**
   * When it is run again.
   * @default RestartPolicyType.NEVER
   */
  readonly type?: RestartPolicyType;
  /**
   * How often a failed submission is repeated with `OnFailure`.
   * @default 0
   * @minimum 0
   */
  readonly onSubmissionFailureRetries?: number;
  /**
   * How often a failed run is repeated with `OnFailure`.
   * @default 0
   * @minimum 0
   */
  readonly onFailureRetries?: number;
  /**
   * Seconds between a failed submission and the next; each further wait is longer by as much.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly onSubmissionFailureRetryInterval?: number;
  /**
   * Seconds between a failed run and the next; each further wait is longer by as much.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly onFailureRetryInterval?: number;

  /**
   * How the wait before the next attempt grows, in place of growing by one interval with each attempt since it was submitted.
   * @default - by one interval with each attempt
   */
  readonly backoff?: RestartBackoff;
}
