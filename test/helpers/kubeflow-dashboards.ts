/** Metrics that a dashboard of Grafana asks for, which kubeflow's documentation names: facts, none of its text. */
export interface Dashboard {
  /** Its number on grafana.com/grafana/dashboards. */
  readonly id: number;
  readonly title: string;
  /** The file of kubeflow/spark-operator that names it. */
  readonly namedBy: string;
  /** A public copy, as repository and path. */
  readonly copy: string;
  /** Metrics that the operator serves, with the labels of the queries. */
  readonly operator: { readonly [metric: string]: readonly string[] };
  /** Metrics of drivers and executors that the Java agent of `monitoring.prometheus` has by itself, whatever its rules are. */
  readonly agent: readonly string[];
}

/** Labels that Prometheus adds to all series of a target. */
export const TARGET_LABELS = ['container', 'instance', 'job', 'namespace', 'pod'];

/** All dashboards that kubeflow's documentation names. */
export const DASHBOARDS: readonly Dashboard[] = [
  {
    id: 23032,
    title: 'Spark-Operator Scale Test Dashboard',
    namedBy: 'docs/website/performance/benchmarking.md',
    copy: 'awslabs/data-on-eks: infra/terraform/grafana-dashboards/kubeflow-spark-operator-dashboard.json',
    operator: {
      spark_application_count: ['pod'],
      spark_application_failure_count: ['pod'],
      spark_application_running_count: ['pod'],
      spark_application_start_latency_seconds_histogram_bucket: ['job', 'le', 'pod'],
      spark_application_submit_count: ['pod'],
      spark_application_success_count: ['pod'],
      spark_executor_failure_count: [],
      spark_executor_success_count: [],
      workqueue_adds_total: ['container', 'name'],
      workqueue_depth: ['container', 'name'],
      workqueue_longest_running_processor_seconds: ['job', 'name'],
      workqueue_queue_duration_seconds_bucket: ['job', 'le', 'name'],
      workqueue_retries_total: ['container'],
      workqueue_unfinished_work_seconds: ['job', 'name'],
      workqueue_work_duration_seconds_bucket: ['job', 'le', 'name'],
    },
    agent: [],
  },
  {
    id: 23304,
    title: 'JMX for fink-broker',
    namedBy: 'docs/website/user-guide/monitoring-with-jmx-and-prometheus.md',
    copy: 'astrolabsoftware/fink-broker: grafana/JMX for fink-broker-1744798846129.json',
    operator: {},
    agent: [
      'jvm_classes_currently_loaded', 'jvm_classes_loaded_total', 'jvm_gc_collection_seconds_sum', 'jvm_memory_pool_allocated_bytes_total',
      'jvm_memory_pool_used_bytes', 'jvm_memory_used_bytes', 'process_cpu_seconds_total', 'process_open_fds',
    ],
  },
];
