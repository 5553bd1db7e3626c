/** Settings of the metrics about applications, by the flags `--metrics-…`. */
export interface MetricsSettings {
  /** Prefix of the names of metrics about applications and executors. */
  readonly prefix: string;
  /**
   * Names of labels of applications to copy to these metrics; `namespace` is the application's
   * namespace.
   */
  readonly labels: readonly string[];
  /** Upper bounds in seconds of the time from creation to submission; ascending. */
  readonly submitLatencyBuckets: readonly number[];
  /** Upper bounds in seconds of the time from creation to the driver's start; ascending. */
  readonly startLatencyBuckets: readonly number[];
}

/** Defaults of the flags: those of kubeflow/spark-operator's chart. */
export const DEFAULT_SETTINGS: MetricsSettings = {
  prefix: '',
  labels: ['app_type'],
  submitLatencyBuckets: [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
  startLatencyBuckets: [30, 60, 90, 120, 150, 180, 210, 240, 270, 300],
};
