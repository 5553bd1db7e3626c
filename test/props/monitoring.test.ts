import { Monitoring } from '../../src';

const JAR = '/opt/jmx.jar';

test('the JMX exporter, of driver and executors or of one of them', () => {
  expect(Monitoring.jmxExporter({ jar: JAR })._toMonitoring()).toMatchObject({
    exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: JAR },
  });
  expect(Monitoring.jmxExporter({
    jar: JAR, port: 9090, portName: 'metrics', configFile: '/etc/jmx.yaml', executors: false,
  })._toMonitoring()).toMatchObject({
    exposeDriverMetrics: true, exposeExecutorMetrics: false,
    prometheus: { jmxExporterJar: JAR, port: 9090, portName: 'metrics', configFile: '/etc/jmx.yaml' },
  });
});

test("Spark's own servlet, and both", () => {
  expect(Monitoring.prometheusServlet({ driver: false })._toMonitoring()).toMatchObject({
    exposeDriverMetrics: false, exposeExecutorMetrics: true, prometheusServlet: true,
  });
  expect(Monitoring.of({ jmxExporter: { jar: JAR }, prometheusServlet: true, metricsProperties: '*.sink.x=1' })._toMonitoring()).toMatchObject({
    exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheusServlet: true, prometheus: { jmxExporterJar: JAR },
    metricsProperties: '*.sink.x=1',
  });
});

test.each<[() => unknown, string]>([
  [
    () => Monitoring.jmxExporter({ jar: '/opt/my jar' }),
    'Monitoring.jmxExporter: jar = "/opt/my jar" contains blanks, quotes or other characters',
  ],
  [
    () => Monitoring.jmxExporter({ jar: 'local:///opt/jmx.jar' }),
    'jar = "local:///opt/jmx.jar" must be a path in the image, without local:// before it: /opt/jmx.jar',
  ],
  [
    () => Monitoring.jmxExporter({ jar: JAR, configFile: 'jmx.yaml' }),
    'configFile = "jmx.yaml" must be a path in the image, which begins with a slash',
  ],
  [
    () => Monitoring.prometheusServlet({ metricsPropertiesFile: 'm.properties' }),
    'metricsPropertiesFile = "m.properties" must be a path in the image',
  ],
  [() => Monitoring.jmxExporter({ jar: JAR, port: 80 }), 'Monitoring.jmxExporter: port = 80 must be a whole number from 1024 to 49151'],
  [
    () => Monitoring.of({ jmxExporter: { jar: JAR, portName: 'JMX' } }),
    'Monitoring.of: jmxExporter.portName = "JMX" must be at most 15 lower-case letters',
  ],
  [
    () => Monitoring.jmxExporter({ jar: JAR, configFile: '/a', configuration: 'b' }),
    'configuration has no effect with configFile: remove one of them',
  ],
  [
    () => Monitoring.prometheusServlet({ driver: false, executors: false }),
    'Monitoring.prometheusServlet: driver and executors = false must not both be false',
  ],
])('%s is rejected', (make, message) => {
  expect(make).toThrow(message);
});
