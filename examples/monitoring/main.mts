/* Monitoring of the operator and of applications, with objects of the Prometheus operator. */
import { ApiObject, App, Chart, Duration, Size } from 'cdk8s';
import { Monitoring, PrometheusMonitor, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/monitoring' });

/** By which labels a Prometheus of yours selects PodMonitors and ServiceMonitors: `kubectl get prometheus -A -o yaml | grep -A3 MonitorSelector`. */
const labels = { release: 'prometheus' };

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', {
  jobNamespaces: ['spark-jobs'],
  createJobNamespaces: true,
  metrics: {
    applicationLabels: ['team'], // metrics about applications, by the label `team` of these
    monitor: PrometheusMonitor.serviceMonitor({ interval: Duration.seconds(15), labels }),
  },
  image: process.env.OPERATOR_IMAGE,
});

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };
const pi = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: ['1000'],
};

// Spark serves its metrics itself, at the port of the web UI: nothing has to be in the image.
const SERVLET = { 'example.org/metrics': 'servlet' };
new SparkApplication(jobs, 'servlet', {
  ...pi,
  metadata: { name: 'servlet', labels: { team: 'science' } },
  image: process.env.SPARK_IMAGE,
  monitoring: Monitoring.prometheusServlet(),
  driver: { ...pods, labels: SERVLET },
  executor: { ...pods, instances: 2 },
});

// The JMX exporter serves those of each JVM. Its jar is in the image.
new SparkApplication(jobs, 'exporter', {
  ...pi,
  metadata: { name: 'exporter', labels: { team: 'finance' } },
  image: process.env.SPARK_JMX_IMAGE ?? 'registry.example.org/spark-with-jmx-exporter:4.1.1',
  monitoring: Monitoring.jmxExporter({ jar: '/opt/jmx-exporter/jmx_prometheus_javaagent.jar' }),
  driver: pods,
  executor: { ...pods, instances: 2 },
});

// One PodMonitor for each way. The labels of pods name the application of the metrics.
const podMonitor = (name: string, matchLabels: Record<string, string>, podMetricsEndpoints: object[]) => new ApiObject(jobs, name, {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name, labels },
  spec: { selector: { matchLabels }, podTargetLabels: ['sparkoperator.k8s.io/app-name', 'spark-role'], podMetricsEndpoints },
});
podMonitor('spark-servlet', { 'spark-role': 'driver', ...SERVLET }, [
  { port: 'spark-ui', path: '/metrics/prometheus/' }, // the driver's
  { port: 'spark-ui', path: '/metrics/executors/prometheus' }, // those of all executors, which the driver knows
]);
podMonitor('spark-jmx-exporter', { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' }, [{ port: 'jmx-exporter' }]);

app.synth();
