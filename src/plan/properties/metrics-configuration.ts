/**
 * The default of `metrics.properties`: all metrics by JMX, and those of the JVM among them.
 * @see https://spark.apache.org/docs/latest/monitoring.html#metrics
 */
export const METRICS_PROPERTIES = `# Metrics as JMX beans, which the exporter reads.
*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink
driver.source.jvm.class=org.apache.spark.metrics.source.JvmSource
executor.source.jvm.class=org.apache.spark.metrics.source.JvmSource
`;

/** How a kind of metric is read from its JMX bean (com.codahale.metrics.jmx.JmxReporter), and what it becomes for Prometheus. */
interface Kind {
  /** The beans' type, as the pattern of the exporter has it. */
  readonly beans: string;
  /** The attribute, as a pattern. */
  readonly attribute: string;
  /** What is appended to the name. */
  readonly suffix: string;
  /** The type of the metric. */
  readonly type: 'GAUGE' | 'COUNTER';
  /** A label with the number that the attribute's pattern finds. */
  readonly label?: string;
}

const KINDS: readonly Kind[] = [
  { beans: 'gauges', attribute: 'Value', suffix: '', type: 'GAUGE' },
  { beans: '(?:counters|meters|timers|histograms)', attribute: 'Count', suffix: '_total', type: 'COUNTER' },
  { beans: '(?:timers|histograms)', attribute: '(50|95|99)thPercentile', suffix: '_percentile', type: 'GAUGE', label: 'percentile' },
];

/** A group of metrics: the pattern of their names behind `<namespace>.<application>.`, and what the groups of the pattern are. */
interface Source {
  readonly pattern: string;
  /** The name of the metric; `$3` and so on are groups of the pattern. */
  readonly name: string;
  /** Labels besides those of all metrics. */
  readonly labels: { readonly [label: string]: string };
  /** How many groups the pattern has. */
  readonly groups: number;
}

/** The first that matches counts. */
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
 * The default configuration of the JMX exporter: Spark's metrics as `spark_driver_…` and `spark_executor_…`, with the labels `app_namespace`,
 * `app_id` and, for executors, `executor_id`. Counters end in `_total`; of timers and histograms there are the number of events and
 * `_percentile` with the label `percentile`. Nothing else is served.
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
    ...(kind.label === undefined ? {} : { [kind.label]: `$${source.groups + 1}` }),
  };
  return [
    `  - pattern: 'metrics<name=${prefix}\\.${source.pattern}, type=${kind.beans}><>${kind.attribute}'`,
    `    name: ${source.name}${kind.suffix}`,
    `    type: ${kind.type}`,
    '    labels:',
    ...Object.entries(labels).map(([label, value]) => `      ${label}: "${value}"`),
  ].join('\n');
}
