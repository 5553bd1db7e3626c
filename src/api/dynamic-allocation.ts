/**
 * Limits within which Spark adds and removes executors. They are validated if
 * `enabled` is true.
 *
 * @see https://spark.apache.org/docs/latest/job-scheduling.html#dynamic-resource-allocation
 * @validation [{"rule": "!has(self.enabled) || !self.enabled || !has(self.minExecutors) || !has(self.maxExecutors) || self.minExecutors <= self.maxExecutors", "message": "minExecutors must not be greater than maxExecutors"}, {"rule": "!has(self.enabled) || !self.enabled || !has(self.minExecutors) || !has(self.initialExecutors) || self.minExecutors <= self.initialExecutors", "message": "initialExecutors must not be less than minExecutors"}, {"rule": "!has(self.enabled) || !self.enabled || !has(self.initialExecutors) || !has(self.maxExecutors) || self.initialExecutors <= self.maxExecutors", "message": "initialExecutors must not be greater than maxExecutors"}, {"rule": "!has(self.enabled) || !self.enabled || !has(self.maxExecutors) || self.maxExecutors >= 1", "message": "maxExecutors must be at least 1"}]
 */
export interface DynamicAllocationSpec {
  /**
   * Whether dynamic allocation is on.
   * @default false
   */
  readonly enabled?: boolean;
  /**
   * Executors at the start.
   * @default - Spark's: minExecutors
   * @minimum 0
   */
  readonly initialExecutors?: number;
  /**
   * Minimum number of executors.
   * @default - Spark's: 0
   * @minimum 0
   */
  readonly minExecutors?: number;
  /**
   * Maximum number of executors.
   * @default - Spark's: unlimited
   * @minimum 0
   */
  readonly maxExecutors?: number;
  /**
   * Whether to keep executors whose shuffle data is still needed. It must stay `true`, unless
   * shuffle data is kept elsewhere: by decommissioning, an external shuffle service or a plugin.
   * @default true
   */
  readonly shuffleTrackingEnabled?: boolean;
  /**
   * Milliseconds to keep an idle executor for its shuffle data.
   * @default - Spark's: unlimited
   * @minimum 0
   * @format int64
   */
  readonly shuffleTrackingTimeout?: number;
}
