/**
 * Bounds within which Spark adds and removes executors. They are compared with each other if `enabled` is true.
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
   * The least number of executors.
   * @default - Spark's: 0
   * @minimum 0
   */
  readonly minExecutors?: number;
  /**
   * The greatest number of executors.
   * @default - Spark's: no bound
   * @minimum 0
   */
  readonly maxExecutors?: number;
  /**
   * Keep executors that hold shuffle data which is still needed. It must stay on, unless shuffle data is kept elsewhere: by decommissioning, an external shuffle service or a plugin.
   * @default true
   */
  readonly shuffleTrackingEnabled?: boolean;
  /**
   * How long an idle executor is kept for its shuffle data, in milliseconds.
   * @default - Spark's: without end
   * @minimum 0
   * @format int64
   */
  readonly shuffleTrackingTimeout?: number;
}
