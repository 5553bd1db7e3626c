/* The settings of values.yaml, with which kubeflow's operator was installed, as props. README.md has the steps, and each setting beside its prop. */
import { App, Chart, Duration } from 'cdk8s';
import { LogLevel, PrometheusMonitor, SparkJobNamespace, SparkOperator, SparkProfile, WebUI } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/migrating-from-kubeflow' });
const chart = new Chart(app, 'operator');

const operator = new SparkOperator(chart, 'operator', {
  // In the same namespace, and so with the same Lease: the two cannot work at the same time.
  namespace: 'spark-operator',
  createNamespace: false,
  leaderElection: { leaseDuration: Duration.seconds(30), renewDeadline: Duration.seconds(20), retryPeriod: Duration.seconds(4) },
  jobNamespaces: [], // those below

  image: process.env.OPERATOR_IMAGE,
  imagePullSecrets: ['registry-credentials'],
  replicas: 2, // with them comes a PodDisruptionBudget
  priorityClassName: 'system-cluster-critical',
  nodeSelector: { pool: 'system' },
  tolerations: [{ key: 'pool', operator: 'Exists' }],
  podLabels: { team: 'platform' },
  serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/spark-operator' },
  resources: { cpuRequest: 0.2 }, // without the memory of JVMs

  workers: 20,
  logLevel: LogLevel.DEBUG,
  maxTrackedExecutors: 500,
  timeToLive: Duration.days(7),
  driverDisruptionBudgets: true,
  webUI: WebUI.byIngress({
    urlFormat: '{{$appName}}.spark.example.org',
    ingressClassName: 'nginx',
    tls: [{ hosts: ['*.spark.example.org'], secretName: 'spark-certificate' }],
    annotations: { 'nginx.ingress.kubernetes.io/auth-url': 'https://login.example.org/auth' },
  }),
  metrics: {
    prefix: 'data_',
    applicationLabels: ['team'],
    monitor: PrometheusMonitor.podMonitor({ interval: Duration.seconds(15), labels: { release: 'prometheus' } }),
  },
  flags: ['--workqueue-ratelimiter-max-delay=30s'],
  defaultsConfigMapName: 'spark-defaults',
});

for (const name of ['team-a', 'team-b']) {
  new SparkJobNamespace(chart, name, {
    name,
    operator,
    create: false, // it is there, with all that runs in it
    serviceAccountName: 'spark',
    serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/spark-jobs' },
    // Manifests name the chart's service account, `spark-operator-spark`, which goes with the chart. What is started from now on runs as `spark`, whatever they say.
    enforced: SparkProfile.of({ driver: { serviceAccount: 'spark' }, executor: { serviceAccount: 'spark' } }),
  });
}

app.synth();
