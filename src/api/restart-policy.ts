/** When an application is run again. */
export enum RestartPolicyType {
  /** Never. */
  NEVER = 'Never',
  /** Whenever it has ended, well or badly. */
  ALWAYS = 'Always',
  /** When it failed, as often as the numbers of retries say. */
  ON_FAILURE = 'OnFailure',
}

/** When and how often an application is run again. */
export interface RestartPolicy {
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
}
