/** A condition of an object in Kubernetes' standard form (metav1.Condition). */
export interface StandardCondition {
  /** Type of the condition. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Reason as one word. */
  readonly reason: string;
  /** Message for people; can be empty. */
  readonly message: string;
  /**
   * When `status` last changed (RFC 3339).
   * @format date-time
   */
  readonly lastTransitionTime: string;
  /**
   * `metadata.generation` of the object that the condition is about.
   * @default - unknown
   * @format int64
   */
  readonly observedGeneration?: number;
}
