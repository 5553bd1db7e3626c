/** Which metrics of an application are served, and how. */
export interface MonitoringSpec {
  /** Whether the driver serves its metrics. */
  readonly exposeDriverMetrics: boolean;
  /** Whether the executors serve theirs. */
  readonly exposeExecutorMetrics: boolean;
  /**
   * Content of `metrics.properties`.
   * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
   * @default - a configuration that serves everything by JMX
   */
  readonly metricsProperties?: string;
  /**
   * Path of a `metrics.properties` in the image. It wins over `metricsProperties`.
   * @default - `metricsProperties`
   */
  readonly metricsPropertiesFile?: string;
  /**
   * The JMX exporter of Prometheus.
   * @default - none
   */
  readonly prometheus?: PrometheusSpec;
  /**
   * Whether the driver serves metrics for Prometheus itself, on the port of its web UI; no jar in the image is needed. Its own are at
   * `/metrics/prometheus/` (with `exposeDriverMetrics`), those of all executors at `/metrics/executors/prometheus` (with `exposeExecutorMetrics`).
   * The driver's annotations `prometheus.io/scrape`, `port` and `path` name the first of them that is served, unless `prometheus` does.
   * Names start with `metrics_spark_` unless `spark.metrics.namespace` is set. Not in kubeflow/spark-operator.
   * @see https://spark.apache.org/docs/latest/monitoring.html#list-of-available-metrics-providers
   * @default false
   */
  readonly prometheusServlet?: boolean;
}

/** The JMX exporter of Prometheus, a Java agent that serves metrics by HTTP. */
export interface PrometheusSpec {
  /** Path of its jar in the image. */
  readonly jmxExporterJar: string;
  /**
   * Port on which it serves.
   * @default 8090
   * @minimum 1024
   * @maximum 49151
   */
  readonly port?: number;
  /**
   * Name of that port: at most 15 lower-case letters, digits and single dashes, one of them a letter.
   * @default jmx-exporter
   * @maxLength 15
   * @validation [{"rule": "self.matches('^(([a-z0-9]-?)*[a-z](-?[a-z0-9])*)?$')", "message": "must be made of lower-case letters, digits and single '-' between them, with at least one letter"}]
   */
  readonly portName?: string;
  /**
   * Path of its configuration in the image. It wins over `configuration`.
   * @default - `configuration`
   */
  readonly configFile?: string;
  /**
   * Its configuration, as YAML.
   * @default - one with rules for Spark's metrics
   */
  readonly configuration?: string;
}
