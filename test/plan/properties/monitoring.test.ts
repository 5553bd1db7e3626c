import type { MonitoringSpec, PrometheusSpec } from '../../../src/api/monitoring';
import { monitoring, monitoringWarnings, setMonitoringProperties } from '../../../src/plan/properties/monitoring';
import { SubmissionError } from '../../../src/plan/errors';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { problemText } from '../../../src/model/problem';

const PROMETHEUS: PrometheusSpec = { jmxExporterJar: '/prometheus/jmx.jar' };
const BOTH: MonitoringSpec = { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: PROMETHEUS };

const SERVLET: MonitoringSpec = { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheusServlet: true };

function application(monitored?: MonitoringSpec, name = 'daily.report') {
  return { metadata: { name, namespace: 'jobs' }, spec: { monitoring: monitored } };
}

function propertiesOf(monitored: MonitoringSpec, before: { [key: string]: string } = {}) {
  const properties = SparkProperties.of(before);
  setMonitoringProperties(properties, application(monitored));
  return { properties: Object.fromEntries(properties.entries()), overridden: properties.overridden.map(problemText) };
}

describe('Spark properties', () => {
  test('set the path of Spark\'s configuration, the agent of the JVMs, and the port for Prometheus', () => {
    const agent = '-javaagent:/prometheus/jmx.jar=8090:/etc/metrics/conf/prometheus.yaml';

    expect(propertiesOf(BOTH).properties).toEqual({
      'spark.metrics.namespace': 'jobs.daily.report',
      'spark.metrics.conf': '/etc/metrics/conf/metrics.properties',
      'spark.driver.extraJavaOptions': agent,
      'spark.executor.extraJavaOptions': agent,
      ...Object.fromEntries(['driver', 'executor'].flatMap(role => [
        [`spark.kubernetes.${role}.annotation.prometheus.io/scrape`, 'true'],
        [`spark.kubernetes.${role}.annotation.prometheus.io/port`, '8090'],
        [`spark.kubernetes.${role}.annotation.prometheus.io/path`, '/metrics'],
      ])),
    });
  });

  test.each(['driver', 'executor'])('only exist for the %s if only its metrics are exposed', (role) => {
    const { properties } = propertiesOf({ ...BOTH, exposeDriverMetrics: role === 'driver', exposeExecutorMetrics: role === 'executor' });

    expect(Object.keys(properties).filter(key => !key.startsWith('spark.metrics.')).every(key => key.includes(role))).toBe(true);
    expect(Object.keys(properties)).toHaveLength(6);
  });

  test('name the files in the image, and the port', () => {
    const prometheus = { ...PROMETHEUS, port: 9404, configFile: '/conf/exporter.yaml' };
    const { properties } = propertiesOf({ ...BOTH, metricsPropertiesFile: '/conf/m.properties', prometheus });

    expect(properties).toMatchObject({
      'spark.metrics.conf': '/conf/m.properties',
      'spark.driver.extraJavaOptions': '-javaagent:/prometheus/jmx.jar=9404:/conf/exporter.yaml',
      'spark.kubernetes.driver.annotation.prometheus.io/port': '9404',
    });
  });

  test('append the agent to other options without a warning, and override others with a warning', () => {
    const { properties, overridden } = propertiesOf(BOTH, {
      'spark.driver.extraJavaOptions': '-Xss4m', 'spark.metrics.namespace': 'mine',
      'spark.kubernetes.driver.annotation.prometheus.io/port': '1',
    });

    expect(properties['spark.driver.extraJavaOptions']).toMatch(/^-Xss4m -javaagent:/);
    expect(overridden).toEqual([
      'spark.metrics.namespace is overridden by spec.monitoring.prometheus',
      'spark.kubernetes.driver.annotation.prometheus.io/port is overridden by spec.monitoring.prometheus',
    ]);
  });

  test('do not exist without prometheus', () => {
    expect(propertiesOf({ ...BOTH, prometheus: undefined }).properties).toEqual({});
  });

  test.each<[string, Partial<PrometheusSpec>]>([
    ['jmxExporterJar', { jmxExporterJar: '/my jars/jmx.jar' }],
    ['jmxExporterJar', { jmxExporterJar: '/jmx=1.jar' }],
    ['configFile', { configFile: '/a"b.yaml' }],
  ])('reject a %s that would end the option of the JVM', (field, changes) => {
    expect(() => propertiesOf({ ...BOTH, prometheus: { ...PROMETHEUS, ...changes } })).toThrow(expect.objectContaining({
      field: `spec.monitoring.prometheus.${field}`,
    }));
    expect(() => propertiesOf({ ...BOTH, prometheus: { ...PROMETHEUS, ...changes } })).toThrow(SubmissionError);
  });
});

describe("Spark's own servlet", () => {
  const ANNOTATION = 'spark.kubernetes.driver.annotation.prometheus.io';
  const SINK = 'spark.metrics.conf.driver.sink.prometheusServlet';

  test('serves the metrics of driver and executors on the port of the web UI, without agent or ConfigMap', () => {
    expect(propertiesOf(SERVLET, { 'spark.ui.port': '4041' }).properties).toEqual({
      'spark.ui.port': '4041',
      [`${SINK}.class`]: 'org.apache.spark.metrics.sink.PrometheusServlet',
      [`${SINK}.path`]: '/metrics/prometheus',
      'spark.metrics.conf.driver.source.jvm.class': 'org.apache.spark.metrics.source.JvmSource',
      'spark.metrics.namespace': 'spark',
      'spark.ui.prometheus.enabled': 'true',
      [`${ANNOTATION}/scrape`]: 'true',
      [`${ANNOTATION}/port`]: '4041',
      [`${ANNOTATION}/path`]: '/metrics/prometheus/',
    });
    expect(monitoring(application(SERVLET), 'm')).toBeUndefined();
  });

  test('sets the path of the executors\' metrics if the driver has none', () => {
    expect(propertiesOf({ ...SERVLET, exposeDriverMetrics: false }).properties).toEqual({
      'spark.ui.prometheus.enabled': 'true', [`${ANNOTATION}/scrape`]: 'true', [`${ANNOTATION}/port`]: '4040',
      [`${ANNOTATION}/path`]: '/metrics/executors/prometheus',
    });
  });

  test('keeps the user\'s name of the metrics, and the exporter\'s annotations', () => {
    expect(propertiesOf(SERVLET, { 'spark.metrics.namespace': 'mine' }).properties['spark.metrics.namespace']).toBe('mine');
    const { properties, overridden } = propertiesOf({ ...SERVLET, prometheus: PROMETHEUS });
    expect(properties).toMatchObject({
      [`${ANNOTATION}/port`]: '8090', [`${ANNOTATION}/path`]: '/metrics', 'spark.metrics.namespace': 'jobs.daily.report',
    });
    expect(properties).toHaveProperty([`${SINK}.class`]);
    expect(overridden).toEqual([]);
  });

  test.each<[string, { [key: string]: string }, string]>([
    ['without a web UI', { 'spark.ui.enabled': 'False' }, 'has no effect: the web UI serves the metrics, and spec.sparkConf[spark.ui.enabled] is false'],
    ['on a random port', { 'spark.ui.port': '0' }, 'is unreachable for Prometheus: spec.sparkConf[spark.ui.port] = 0 lets Spark choose the port'],
  ])('warns %s', (_, sparkConf, expected) => {
    const { metadata, spec } = application(SERVLET);
    expect(monitoringWarnings({ metadata, spec: { ...spec, sparkConf } }).map(problemText)).toEqual([`spec.monitoring.prometheusServlet ${expected}`]);
    expect(propertiesOf(SERVLET, sparkConf).properties).not.toHaveProperty([`${ANNOTATION}/port`], '0');
  });
});

describe('ConfigMap and pods', () => {
  test('nothing without prometheus', () => {
    expect(monitoring(application(), 'm')).toBeUndefined();
    expect(monitoring(application({ ...BOTH, prometheus: undefined }), 'm')).toBeUndefined();
  });

  test('the ConfigMap has both files, and each pod mounts it and has a port', () => {
    const { configMap, metrics } = monitoring(application(BOTH), 'm')!;

    expect(configMap).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'jobs' }, immutable: true });
    expect(Object.keys(configMap!.data)).toEqual(['metrics.properties', 'prometheus.yaml']);
    expect(metrics.driver).toEqual({ configMapName: 'm', port: { name: 'jmx-exporter', number: 8090 } });
    expect(metrics.executor).toEqual(metrics.driver);
  });

  test('the ConfigMap has the user\'s text unchanged', () => {
    const prometheus = { ...PROMETHEUS, configuration: 'rules: []', port: 9404, portName: 'metrics' };
    const { configMap, metrics } = monitoring(application({ ...BOTH, metricsProperties: 'a=b', prometheus }), 'm')!;

    expect(configMap!.data).toEqual({ 'metrics.properties': 'a=b', 'prometheus.yaml': 'rules: []' });
    expect(metrics.driver.port).toEqual({ name: 'metrics', number: 9404 });
  });

  test('a pod without exposed metrics still has metrics.properties, whose path Spark gets', () => {
    expect(monitoring(application({ ...BOTH, exposeExecutorMetrics: false }), 'm')!.metrics.executor).toEqual({ configMapName: 'm' });
  });

  test('files in the image are not mounted', () => {
    const prometheus = { ...PROMETHEUS, configFile: '/e.yaml' };

    expect(Object.keys(monitoring(application({ ...BOTH, prometheus }), 'm')!.configMap!.data)).toEqual(['metrics.properties']);
    expect(monitoring(application({ ...BOTH, metricsPropertiesFile: '/m', exposeExecutorMetrics: false }), 'm')!.metrics).toEqual({
      driver: { configMapName: 'm', port: { name: 'jmx-exporter', number: 8090 } }, executor: {},
    });
    const neither = monitoring(application({ ...BOTH, metricsPropertiesFile: '/m', prometheus }), 'm')!;
    expect(neither.configMap).toBeUndefined();
    expect(neither.metrics.driver).toEqual({ port: { name: 'jmx-exporter', number: 8090 } });
  });
});

test.each<[string, MonitoringSpec | undefined, string[]]>([
  ['nothing', undefined, []],
  ['all', BOTH, []],
  ['no exporter', {
    ...BOTH, prometheus: undefined,
  }, ['spec.monitoring has no effect without spec.monitoring.prometheus or spec.monitoring.prometheusServlet']],
  ['the servlet alone', SERVLET, []],
  ['files that only the exporter reads', {
    ...SERVLET, metricsProperties: 'a=b',
  }, ['spec.monitoring.metricsProperties has no effect without spec.monitoring.prometheus']],
  ['a servlet that has nothing to serve', { ...SERVLET, exposeDriverMetrics: false, exposeExecutorMetrics: false }, [
    'spec.monitoring.prometheusServlet has no effect: metrics of neither driver nor executors are exposed',
  ]],
  ['no pod', {
    ...BOTH, exposeDriverMetrics: false, exposeExecutorMetrics: false,
  }, ['spec.monitoring.prometheus has no effect: metrics of neither driver nor executors are exposed']],
  ['two places for each file', {
    ...BOTH, metricsProperties: 'a=b', metricsPropertiesFile: '/m', prometheus: { ...PROMETHEUS, configuration: 'rules: []', configFile: '/e' },
  }, ['spec.monitoring.metricsProperties is overridden by spec.monitoring.metricsPropertiesFile', 'spec.monitoring.prometheus.configuration is overridden by spec.monitoring.prometheus.configFile']],
])('a warning for what has no effect: %s', (_, monitored, expected) => {
  expect(monitoringWarnings(application(monitored)).map(problemText)).toEqual(expected);
});
