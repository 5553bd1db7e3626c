/* The default rules of `monitoring.prometheus`: which series the JMX exporter makes of Spark's beans, and that kubeflow's are among them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { exporterConfiguration } from '../../../src/plan/properties/metrics-configuration';
import { exported, type ExporterRule } from '../../helpers/jmx-exporter';
import { notRun } from '../../helpers/not-run';

const rulesOf = (name: string) => (parse(exporterConfiguration('jobs', name)) as { rules: ExporterRule[] }).rules;

/** Attributes of beans as Spark 3.5, 4.1 and 4.3 register them, and as the exporter writes them for its patterns. */
const value = (name: string) => `${name}, type=gauges><>Value`;
const count = (name: string, type: 'counters' | 'timers' | 'histograms' | 'meters' = 'counters') => `${name}, type=${type}><>Count`;

/**
 * Series that the default rules of kubeflow/spark-operator make of Spark's beans since Spark 3. Facts from kubeflow's
 * pkg/common/prometheus.go, and from what its users see (its issue 2380).
 */
const KUBEFLOWS: readonly [attribute: string, name: string, labels?: object][] = [
  [value('driver.LiveListenerBus.queue.streams.size'), 'spark_driver_livelistenerbus_queue_streams_size_type_gauges'],
  [
    count('driver.LiveListenerBus.queue.streams.numDroppedEvents'),
    'spark_driver_livelistenerbus_queue_streams_numdroppedevents_type_counters_count_total',
  ],
  [count('driver.LiveListenerBus.numEventsPosted'), 'spark_driver_livelistenerbus_numeventsposted_type_counters_count_total'],
  [
    count('driver.LiveListenerBus.listenerProcessingTime.org.apache.spark.HeartbeatReceiver', 'timers'),
    'spark_driver_livelistenerbus_listenerprocessingtime_org_apache_spark_heartbeatreceiver_type_timers_count_total',
  ],
  [count('driver.DAGScheduler.messageProcessingTime', 'timers'), 'spark_driver_dagscheduler_messageprocessingtime_type_timers_count_total'],
  [count('driver.HiveExternalCatalog.hiveClientCalls'), 'spark_driver_hiveexternalcatalog_hiveclientcalls_type_counters_count_total'],
  [count('driver.CodeGenerator.compilationTime', 'histograms'), 'spark_driver_codegenerator_compilationtime_type_histograms_count_total'],
  [
    value('driver.spark.streaming.clicks.inputRate-total'), 'spark_structured_streaming_driver_inputrate_total_type_gauges',
    { query_name: 'clicks' },
  ],
  [
    value('driver.spark.streaming.my.query.states-rowsTotal'), 'spark_structured_streaming_driver_states_rowstotal_type_gauges',
    { query_name: 'my.query' },
  ],
  [count('1.executor.bytesRead'), 'spark_executor_bytesread_type_counters_count_total', { executor_id: '1' }],
  [count('17.executor.shuffleRemoteBytesRead'), 'spark_executor_shuffleremotebytesread_type_counters_count_total', { executor_id: '17' }],
  [value('1.jvm.heap.used'), 'spark_executor_jvm_heap_used_type_gauges', { executor_id: '1' }],
  [value('1.jvm.pools.G1-Eden-Space.used'), 'spark_executor_jvm_pools_g1_eden_space_used_type_gauges', { executor_id: '1' }],
  [
    value('1.NettyBlockTransfer.shuffle-client.usedDirectMemory'),
    'spark_executor_nettyblocktransfer_shuffle_client_useddirectmemory_type_gauges', { executor_id: '1' },
  ],
  [count('1.HiveExternalCatalog.filesDiscovered'), 'spark_executor_hiveexternalcatalog_filesdiscovered_type_counters_count_total', { executor_id: '1' }],
  [count('1.CodeGenerator.sourceCodeSize', 'histograms'), 'spark_executor_codegenerator_sourcecodesize_type_histograms_count_total', { executor_id: '1' }],
];

/** Series that only these rules make: kubeflow's patterns for them fit names from before Spark 3, or there are none. */
const OURS: typeof KUBEFLOWS = [
  [value('driver.BlockManager.memory.maxMem_MB'), 'spark_driver_blockmanager_memory_maxmem_mb_type_gauges'],
  [value('driver.DAGScheduler.stage.failedStages'), 'spark_driver_dagscheduler_stage_failedstages_type_gauges'],
  [value('driver.jvm.heap.used'), 'spark_driver_jvm_heap_used_type_gauges'],
  [
    value('driver.MyApp.StreamingMetrics.streaming.lastCompletedBatch_processingDelay'),
    'spark_streaming_driver_lastcompletedbatch_processingdelay_type_gauges',
  ],
  [value('1.executor.threadpool.activeTasks'), 'spark_executor_threadpool_activetasks_type_gauges', { executor_id: '1' }],
  [value('2.ExecutorMetrics.JVMHeapMemory'), 'spark_executor_executormetrics_jvmheapmemory_type_gauges', { executor_id: '2' }],
  [count('driver.appStatus.jobs.failedJobs'), 'spark_driver_appstatus_jobs_failedjobs_type_counters_count_total'],
  [count('1.ExternalShuffle.blockTransferRate', 'meters'), 'spark_executor_externalshuffle_blocktransferrate_type_meters_count_total', { executor_id: '1' }],
  [
    'driver.DAGScheduler.messageProcessingTime, type=timers><>95thPercentile',
    'spark_driver_dagscheduler_messageprocessingtime_type_timers_percentile', { percentile: '95' },
  ],
];

test.each<[string, string, object?]>([...KUBEFLOWS, ...OURS])('%s is %s', (attribute, name, labels = {}) => {
  const rules = rulesOf('daily.report');
  expect(exported(rules, `metrics<name=jobs.daily.report.${attribute}: 5`)).toEqual({
    name, type: name.endsWith('_total') ? 'COUNTER' : 'GAUGE', labels: { app_namespace: 'jobs', app_id: 'daily.report', ...labels },
  });
  // Spark sets the namespace of the names per application; a rule fits only its own.
  expect(exported(rules, `metrics<name=jobs.daily-report.${attribute}: 5`)).toBeUndefined();
});

test.each([
  'metrics<name=jobs.pi.driver.jvm.heap.used, type=gauges><>Number', // the same value again
  'metrics<name=jobs.pi.driver.CodeGenerator.compilationTime, type=histograms><>StdDev',
  'java.lang<type=Memory><HeapMemoryUsage>used', // the agent has metrics of the JVM of its own
])('%s is not served', (attribute) => {
  expect(exported(rulesOf('pi'), attribute)).toBeUndefined();
});

const checkout = process.env.KUBEFLOW_CHECKOUT;

/** The facts above against kubeflow's source; does not run without a checkout of it in KUBEFLOW_CHECKOUT. */
(checkout ? test : notRun)("with KUBEFLOW_CHECKOUT: kubeflow's own rules make the same series, and none of them is missing here", () => {
  const source = readFileSync(join(checkout!, 'pkg/common/prometheus.go'), 'utf8');
  const [, text] = /DefaultPrometheusConfiguration = `([^`]*)`/.exec(source)!;
  const { rules } = parse(text!) as { rules: ExporterRule[] };
  const series = (attribute: string) => exported(rules, `metrics<name=jobs.pi.${attribute}: 5`);
  for (const [attribute, name] of KUBEFLOWS) expect([attribute, series(attribute)]).toEqual([attribute, expect.objectContaining({ name })]);
  for (const [attribute] of [...KUBEFLOWS, ...OURS]) {
    const theirs = series(attribute);
    if (theirs) expect(exported(rulesOf('pi'), `metrics<name=jobs.pi.${attribute}: 5`)).toEqual(theirs);
  }
  expect(OURS.map(([attribute]) => series(attribute)).filter(Boolean)).toEqual([]);
});
