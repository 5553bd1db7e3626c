/**
 * Default `metrics.properties`: all metrics, including those of the JVM, by JMX.
 * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
 */
export const METRICS_PROPERTIES = `# Metrics as JMX beans, which the exporter reads.
*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink
driver.source.jvm.class=org.apache.spark.metrics.source.JvmSource
executor.source.jvm.class=org.apache.spark.metrics.source.JvmSource
`;

/**
 * Mapping from a JMX bean (com.codahale.metrics.jmx.JmxReporter) to a Prometheus metric, for one
 * kind of metric.
 */
interface Kind {
  /** Types of the beans in the exporter's pattern; each becomes a part of the metric's name. */
  readonly beans: string;
  /** Pattern of the attribute. */
  readonly attribute: string;
  /** Suffix of the metric's name. */
  readonly suffix: string;
  /** Type of the metric. */
  readonly type: 'GAUGE' | 'COUNTER';
  /** Label with the number in the attribute. */
  readonly label?: string;
}

const KINDS: readonly Kind[] = [
  { beans: 'gauges', attribute: 'Value', suffix: '', type: 'GAUGE' },
  { beans: 'counters|meters|timers|histograms', attribute: 'Count', suffix: '_count', type: 'COUNTER' },
  { beans: 'timers|histograms', attribute: '(50|95|99)thPercentile', suffix: '_percentile', type: 'GAUGE', label: 'percentile' },
];

/**
 * A group of metrics: the pattern of their names after `<namespace>.<application>.`, and the
 * meaning of its groups.
 */
interface Source {
  readonly pattern: string;
  /** Name of the metric; `$1` and so on refer to groups of the pattern. */
  readonly name: string;
  /** Labels in addition to those of all metrics. */
  readonly labels: { readonly [label: string]: string };
  /** Number of groups in the pattern. */
  readonly groups: number;
}

/** The groups of metrics; the first match applies. */
const SOURCES: readonly Source[] = [
  {
    pattern: 'driver\\.spark\\.streaming\\.([^,]+)\\.([^.,]+)',
    name: 'spark_structured_streaming_driver_$2',
    labels: { query_name: '$1' },
    groups: 2,
  },
  { pattern: 'driver\\.[^,]+\\.StreamingMetrics\\.streaming\\.([^,]+)', name: 'spark_streaming_driver_$1', labels: {}, groups: 1 },
  { pattern: 'driver\\.([^,]+)', name: 'spark_driver_$1', labels: {}, groups: 1 },
  { pattern: '([0-9]+)\\.(?:executor\\.)?([^,]+)', name: 'spark_executor_$2', labels: { executor_id: '$1' }, groups: 2 },
];

/**
 * Returns the default configuration of the JMX exporter. Spark's metrics are named `spark_driver_…`
 * and `spark_executor_…`. Their labels are `app_namespace`, `app_id` and, for executors,
 * `executor_id`.
 *
 * Names and labels are those that kubeflow/spark-operator's default configuration has with Spark 3
 * and later, where the type of the bean is a part of the name: `…_type_gauges`,
 * `…_type_counters_count`. Exporters since 1.0 append `_total` to counters. Most of kubeflow's
 * patterns match nothing since Spark 3; here such metrics have names of the same form. Timers and
 * histograms also have `…_percentile` with the label `percentile`.
 *
 * @param namespace of the application
 * @param name of the application
 */
export function exporterConfiguration(namespace: string, name: string): string {
  const prefix = `${namespace}.${name}`.replaceAll('.', '\\.');
  const labels = { app_namespace: namespace, app_id: name };
  const rules = SOURCES.flatMap(source => KINDS.map(kind => rule(prefix, source, kind, labels)));
  return ['lowercaseOutputName: true', 'rules:', ...rules, ''].join('\n');
}

function rule(prefix: string, source: Source, kind: Kind, applicationLabels: { readonly [label: string]: string }): string {
  const labels = {
    ...applicationLabels,
    ...source.labels,
    ...(kind.label === undefined ? {} : { [kind.label]: `$${source.groups + 2}` }),
  };
  return [
    `  - pattern: 'metrics<name=${prefix}\\.${source.pattern}, type=(${kind.beans})><>${kind.attribute}'`,
    `    name: ${source.name}_type_$${source.groups + 1}${kind.suffix}`,
    `    type: ${kind.type}`,
    '    labels:',
    ...Object.entries(labels).map(([label, value]) => `      ${label}: "${value}"`),
  ].join('\n');
}
