/** What Prometheus reads about applications, as the flags `--metrics-…` say it. */
export interface MetricsSettings {
  /** What the names of metrics about applications and executors begin with. */
  readonly prefix: string;
  /** Names of labels of applications that these metrics get; `namespace` is the application's namespace. */
  readonly labels: readonly string[];
  /** Upper bounds, in seconds, of the time from creation to submission; ascending. */
  readonly submitLatencyBuckets: readonly number[];
  /** Upper bounds, in seconds, of the time from creation to the driver's start; ascending. */
  readonly startLatencyBuckets: readonly number[];
}

/** The defaults of kubeflow/spark-operator's flags. */
export const DEFAULT_SETTINGS: MetricsSettings = {
  prefix: '',
  labels: [],
  submitLatencyBuckets: [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
  startLatencyBuckets: [30, 60, 90, 120, 150, 180, 210, 240, 270, 300],
};
