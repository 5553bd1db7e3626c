/** What is true or not about an object, in Kubernetes' standard form (metav1.Condition). */
export interface StandardCondition {
  /** What it is about. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Why, in one word. */
  readonly reason: string;
  /** Why, in words; may be empty. */
  readonly message: string;
  /**
   * When `status` last changed (RFC 3339).
   * @format date-time
   */
  readonly lastTransitionTime: string;
  /**
   * `metadata.generation` of the object that it is about.
   * @default - unknown
   * @format int64
   */
  readonly observedGeneration?: number;
}
