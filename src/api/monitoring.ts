/** Metrics of an application, and how they are served. */
export interface MonitoringSpec {
  /** Whether the driver serves its metrics. */
  readonly exposeDriverMetrics: boolean;
  /** Whether the executors serve their metrics. */
  readonly exposeExecutorMetrics: boolean;
  /**
   * Content of `metrics.properties`.
   * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
   * @default - a configuration that serves everything by JMX
   */
  readonly metricsProperties?: string;
  /**
   * Path of a `metrics.properties` in the image. It takes precedence over `metricsProperties`.
   * @default - `metricsProperties`
   */
  readonly metricsPropertiesFile?: string;
  /**
   * The JMX exporter of Prometheus.
   * @default - none
   */
  readonly prometheus?: PrometheusSpec;
  /**
   * Whether the driver itself serves metrics for Prometheus, on the port of its web UI. This needs
   * no jar in the image.
   *
   * `/metrics/prometheus/` has the driver's metrics (with `exposeDriverMetrics`).
   * `/metrics/executors/prometheus` has those of all executors (with `exposeExecutorMetrics`). The
   * driver's annotations `prometheus.io/scrape`, `port` and `path` name the first of these that is
   * served, unless `prometheus` sets them. Names start with `metrics_spark_`, unless
   * `spark.metrics.namespace` is set. Not in kubeflow/spark-operator.
   *
   * @see https://spark.apache.org/docs/latest/monitoring.html#list-of-available-metrics-providers
   * @default false
   */
  readonly prometheusServlet?: boolean;
}

/** The JMX exporter of Prometheus, a Java agent that serves metrics by HTTP. */
export interface PrometheusSpec {
  /** Path of the exporter's jar in the image. */
  readonly jmxExporterJar: string;
  /**
   * Port of the metrics.
   * @default 8090
   * @minimum 1024
   * @maximum 49151
   */
  readonly port?: number;
  /**
   * Name of that port: at most 15 lower-case letters, digits and single dashes, one of them a
   * letter.
   * @default jmx-exporter
   * @maxLength 15
   * @validation [{"rule": "self.matches('^(([a-z0-9]-?)*[a-z](-?[a-z0-9])*)?$')", "message": "must be made of lower-case letters, digits and single '-' between them, with at least one letter"}]
   */
  readonly portName?: string;
  /**
   * Path of the exporter's configuration in the image. It takes precedence over `configuration`.
   * @default - `configuration`
   */
  readonly configFile?: string;
  /**
   * The exporter's configuration, as YAML.
   * @default - one with rules for Spark's metrics
   */
  readonly configuration?: string;
}
