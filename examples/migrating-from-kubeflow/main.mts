// Written by `sparkctl migrate` from values.yaml of kubeflow's chart.
import { App, Chart, Duration, Size } from 'cdk8s';
import { LogLevel, PrometheusMonitor, SparkOperator, WebUI } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/migrating-from-kubeflow' });
const chart = new Chart(app, 'operator');

new SparkOperator(chart, 'operator', {
  namespace: 'spark-system',
  jobNamespaces: [
    'team-a',
    'team-b',
  ],
  imagePullSecrets: [
    'registry-credentials',
  ],
  leaderElection: {
    leaseDuration: Duration.seconds(30),
    renewDeadline: Duration.seconds(20),
    retryPeriod: Duration.seconds(4),
  },
  workers: 20,
  logLevel: LogLevel.DEBUG,
  maxTrackedExecutors: 500,
  timeToLive: Duration.days(7),
  driverDisruptionBudgets: true,
  flags: [
    '--workqueue-ratelimiter-max-delay=30s',
  ],
  webUI: WebUI.byIngress({
    urlFormat: '{{$appName}}.spark.example.org',
    ingressClassName: 'nginx',
    tls: [
      {
        hosts: [
          '*.spark.example.org',
        ],
        secretName: 'spark-certificate',
      },
    ],
    annotations: {
      'nginx.ingress.kubernetes.io/auth-url': 'https://login.example.org/auth',
    },
  }),
  replicas: 2,
  serviceAccountAnnotations: {
    'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/spark-operator',
  },
  podLabels: {
    team: 'platform',
  },
  nodeSelector: {
    pool: 'system',
  },
  tolerations: [
    {
      key: 'pool',
      operator: 'Exists',
    },
  ],
  priorityClassName: 'system-cluster-critical',
  resources: {
    cpuRequest: 0.2,
    memoryRequest: Size.mebibytes(512),
    memoryLimit: Size.gibibytes(1),
  },
  disruptionBudget: {
    minAvailable: 1,
  },
  webhook: {
    deployment: {
      replicas: 1,
      podLabels: {},
      nodeSelector: {},
      tolerations: [],
      disruptionBudget: {},
    },
  },
  driverServiceAccount: {
    name: 'spark-operator-spark',
    annotations: {
      'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/spark-jobs',
    },
  },
  podAnnotations: {
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': '8080',
    'prometheus.io/path': '/metrics',
  },
  metrics: {
    prefix: 'data_',
    applicationLabels: [
      'team',
    ],
    monitor: PrometheusMonitor.podMonitor({
      labels: {
        release: 'prometheus',
      },
      interval: Duration.seconds(15),
    }),
  },
});

app.synth();
