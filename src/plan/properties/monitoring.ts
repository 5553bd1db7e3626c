import { LABEL_CREATED_BY } from '../../api/labels';
import type { MonitoringSpec, PrometheusSpec } from '../../api/monitoring';
import type { ConfigMap } from '../../model/kubernetes-objects';
import { METRICS_DIRECTORY } from '../pods/metrics';
import type { PodMetrics } from '../pods/pod-template';
import { SubmissionError } from '../errors';
import { sparkList } from './java-values';
import { exporterConfiguration, METRICS_PROPERTIES } from './metrics-configuration';
import { setServletProperties, SERVLET_FIELD, servletWarnings } from './metrics-servlet';
import type { Role } from './role';
import type { ReadonlySparkProperties, SparkProperties } from './spark-conf';
import type { SparkVersion } from '../versions';
import { overridden, type Problem, withoutEffect } from '../../model/problem';

/** Parts of an application for its metrics. */
export interface MonitoredApplication {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly monitoring?: MonitoringSpec; readonly sparkConf?: { readonly [key: string]: string } };
}

/** Resources that serve the metrics of an application. */
export interface Monitoring {
  /**
   * ConfigMap with the configuration of Spark's metrics and of the exporter. Undefined if the image
   * has both.
   */
  readonly configMap?: ConfigMap;
  /** Parts that each pod needs. */
  readonly metrics: { readonly [role in Role]: PodMetrics };
}

const METRICS_FILE = 'metrics.properties';
const EXPORTER_FILE = 'prometheus.yaml';
const DEFAULT_PORT = 8090;
const DEFAULT_PORT_NAME = 'jmx-exporter';
const FIELD = 'spec.monitoring.prometheus';

/**
 * Returns the resources that serve the metrics of an application by the JMX exporter. Undefined
 * without `monitoring.prometheus`: Spark's own servlet only needs properties. The ConfigMap has no
 * owner yet.
 *
 * @param application the application
 * @param configMapName name of the ConfigMap
 */
export function monitoring({ metadata, spec }: MonitoredApplication, configMapName: string): Monitoring | undefined {
  const { prometheus } = spec.monitoring ?? {};
  if (!prometheus) {
    return undefined;
  }
  const data = configuration(metadata, spec.monitoring!, prometheus);
  const pod = (exposed: boolean): PodMetrics => ({
    // One property sets metrics.properties for driver and executors, and Spark logs errors where
    // the file is missing.
    ...(METRICS_FILE in data || (exposed && EXPORTER_FILE in data) ? { configMapName } : {}),
    ...(exposed ? { port: { name: prometheus.portName || DEFAULT_PORT_NAME, number: portOf(prometheus) } } : {}),
  });
  return {
    ...(Object.keys(data).length === 0 ? {} : {
      configMap: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        // The label by which the operator finds and deletes it after the driver's end.
        metadata: { name: configMapName, namespace: metadata.namespace, labels: { [LABEL_CREATED_BY]: 'true' } },
        data,
        immutable: true,
      },
    }),
    metrics: { driver: pod(spec.monitoring!.exposeDriverMetrics), executor: pod(spec.monitoring!.exposeExecutorMetrics) },
  };
}

/**
 * Sets the Spark properties for the metrics, and the annotations by which Prometheus finds them.
 * They take precedence over `sparkConf` and `annotations`. The Java agent is appended to the
 * options of the JVM, whatever their source.
 *
 * Must be called after the properties of all other fields are set.
 *
 * @throws SubmissionError if the path of a file cannot be an option of the JVM
 */
export function setMonitoringProperties(properties: SparkProperties, { metadata, spec }: MonitoredApplication): void {
  const { prometheus, metricsPropertiesFile, exposeDriverMetrics, exposeExecutorMetrics } = spec.monitoring ?? {};
  if (!prometheus) {
    setServletProperties(properties, spec.monitoring, true);
    return;
  }
  // The exporter's rules need a name that does not change with each run, unlike `spark.app.id`.
  properties.set('spark.metrics.namespace', `${metadata.namespace}.${metadata.name}`, FIELD);
  properties.set('spark.metrics.conf', metricsPropertiesFile || `${METRICS_DIRECTORY}/${METRICS_FILE}`, metricsPropertiesFile
    ? 'spec.monitoring.metricsPropertiesFile'
    : FIELD);
  const agent = javaAgent(prometheus);
  if (exposeDriverMetrics) {
    expose(properties, 'driver', prometheus, agent);
  }
  if (exposeExecutorMetrics) {
    expose(properties, 'executor', prometheus, agent);
  }
  setServletProperties(properties, spec.monitoring, !exposeDriverMetrics);
}

/** Returns warnings about fields of `monitoring` without effect. */
export function monitoringWarnings({ spec }: MonitoredApplication): Problem[] {
  const { monitoring: wanted } = spec;
  if (!wanted) {
    return [];
  }
  const { prometheus, prometheusServlet, exposeDriverMetrics, exposeExecutorMetrics, metricsProperties, metricsPropertiesFile } = wanted;
  const noMetrics = ': metrics of neither driver nor executors are exposed';
  const servlet = prometheusServlet ? servletWarnings(spec, exposeDriverMetrics || exposeExecutorMetrics ? undefined : noMetrics) : [];
  if (!prometheus) {
    const unused = (['metricsProperties', 'metricsPropertiesFile'] as const).filter(name => wanted[name]);
    return prometheusServlet
      ? [...servlet, ...unused.map(name => withoutEffect(`spec.monitoring.${name}`, ` without ${FIELD}`))]
      : [withoutEffect('spec.monitoring', ` without ${FIELD} or ${SERVLET_FIELD}`)];
  }
  return [
    ...servlet,
    ...(exposeDriverMetrics || exposeExecutorMetrics ? [] : [withoutEffect(FIELD, noMetrics)]),
    ...(metricsProperties && metricsPropertiesFile
      ? [overridden('spec.monitoring.metricsProperties', 'spec.monitoring.metricsPropertiesFile')]
      : []),
    ...(prometheus.configuration && prometheus.configFile ? [overridden(`${FIELD}.configuration`, `${FIELD}.configFile`)] : []),
  ];
}

/** Feature step of Spark's own NetworkPolicy, since 4.2. */
const NETWORK_POLICY_STEP = 'org.apache.spark.deploy.k8s.features.NetworkPolicyFeatureStep';
const EXCLUDED_STEPS = 'spark.kubernetes.driver.pod.excludedFeatureSteps';

/**
 * Whether Spark's NetworkPolicy blocks Prometheus (NetworkPolicyFeatureStep): only pods of the
 * application can connect to executors.
 */
export function executorMetricsWarnings(
  wanted: MonitoringSpec | undefined, properties: ReadonlySparkProperties, { features }: SparkVersion,
): Problem[] {
  const isCutOff = wanted?.prometheus && wanted.exposeExecutorMetrics && features.networkPolicy
    && !sparkList(properties.get(EXCLUDED_STEPS) ?? '').includes(NETWORK_POLICY_STEP);
  return isCutOff ? [{
    path: 'spec.monitoring.exposeExecutorMetrics',
    reason: "has no effect where NetworkPolicies are enforced: that of Spark 4.2 and later only allows the application's own pods to connect to executors; "
      + `add a NetworkPolicy that lets Prometheus in, or leave Spark's out by spec.sparkConf[${EXCLUDED_STEPS}]: ${NETWORK_POLICY_STEP}`,
    severity: 'warning',
  }] : [];
}

function configuration(
  { namespace, name }: MonitoredApplication['metadata'], { metricsProperties, metricsPropertiesFile }: MonitoringSpec,
  prometheus: PrometheusSpec,
): { [file: string]: string } {
  return {
    ...(metricsPropertiesFile ? {} : { [METRICS_FILE]: metricsProperties || METRICS_PROPERTIES }),
    ...(prometheus.configFile ? {} : { [EXPORTER_FILE]: prometheus.configuration || exporterConfiguration(namespace, name) }),
  };
}

function javaAgent(prometheus: PrometheusSpec): string {
  const configFile = prometheus.configFile || `${METRICS_DIRECTORY}/${EXPORTER_FILE}`;
  refuseSpecialCharacters(prometheus.jmxExporterJar, 'jmxExporterJar', /[\s"'\\=]/);
  refuseSpecialCharacters(configFile, 'configFile', /[\s"'\\]/);
  return `-javaagent:${prometheus.jmxExporterJar}=${portOf(prometheus)}:${configFile}`;
}

function expose(properties: SparkProperties, role: Role, prometheus: PrometheusSpec, agent: string): void {
  const options = `spark.${role}.extraJavaOptions`;
  const before = properties.get(options);
  properties.set(options, before ? `${before} ${agent}` : agent, before ? properties.fieldOf(options) : `${FIELD}.jmxExporterJar`);
  const annotations = { scrape: 'true', port: String(portOf(prometheus)), path: '/metrics' };
  for (const [name, value] of Object.entries(annotations)) {
    properties.set(`spark.kubernetes.${role}.annotation.prometheus.io/${name}`, value, FIELD);
  }
}

function portOf({ port }: PrometheusSpec): number {
  return port ?? DEFAULT_PORT;
}

/**
 * Checks that a path can be an option. Spark splits options of a JVM as a shell does
 * (Utils.splitCommandString), and the agent splits its own at the first `=`.
 */
function refuseSpecialCharacters(path: string, field: keyof PrometheusSpec, special: RegExp): void {
  if (special.test(path)) {
    throw new SubmissionError({
      field: `${FIELD}.${field}`, value: path,
      reason: 'has spaces, quotes or other characters that an option of the JVM cannot contain', remedy: 'rename the file',
    });
  }
}
