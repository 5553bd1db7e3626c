/* The repository of a platform team: the operator, three teams, a history server, eight applications, two schedules and a Spark Connect server. */
import { App, Chart, Duration, Size } from 'cdk8s';
import {
  AccessSubject, ConcurrencyPolicy, DynamicAllocation, EventLogStorage, LocalDir, Monitoring, NetworkPeer, NetworkPort, PodSecurityLevel, PrometheusMonitor,
  RestartPolicy, Schedule, ScheduledSparkApplication, SparkApplication, SparkApplicationType, SparkConnect, SparkHistoryServer, SparkJobNamespace, SparkOperator,
  SparkProfile, WebhookCertificates, WebUI,
} from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/platform' });

const sparkVersion = '4.1.1';
const image = process.env.SPARK_IMAGE ?? 'registry.example.org/platform/spark:4.1.1-s3'; // with the S3 connector, hadoop-aws
const role = (name: string) => ({ 'eks.amazonaws.com/role-arn': `arn:aws:iam::111122223333:role/${name}` });

// The platform team applies this chart.
const prometheus = [NetworkPeer.namespace('monitoring')];
const platform = new Chart(app, 'platform');
const operator = new SparkOperator(platform, 'operator', {
  jobNamespaces: [], defaultsConfigMapName: 'spark-defaults',
  replicas: 2, timeToLive: Duration.days(7),
  webUI: WebUI.byIngress({ urlFormat: '{{$appName}}.{{$appNamespace}}.spark.example.org', ingressClassName: 'nginx' }),
  webhook: { deployment: { replicas: 2 }, certificates: WebhookCertificates.certManager(), resourceQuotas: true },
  console: { clusterName: 'production', hosts: ['spark.example.org'] },
  metrics: { monitor: PrometheusMonitor.podMonitor({ interval: Duration.seconds(30), labels: { release: 'prometheus' } }) },
  networkPolicy: { metricsFrom: prometheus, consoleFrom: [NetworkPeer.namespace('ingress-nginx')] },
  image: process.env.OPERATOR_IMAGE,
});

const internet = { peers: [NetworkPeer.addresses('0.0.0.0/0', ['10.0.0.0/8'])], ports: [NetworkPort.tcp(443)] };
const kafka = { peers: [NetworkPeer.namespace('kafka')], ports: [NetworkPort.tcp(9093)] };
const warehouse = { peers: [NetworkPeer.addresses('10.20.0.0/24')], ports: [NetworkPort.tcp(5432)] };
const lineage = { peers: [NetworkPeer.namespace('lineage')], ports: [NetworkPort.tcp(5000)] };
const notebooks = { peers: [NetworkPeer.namespace('notebooks')], ports: [NetworkPort.tcp(15002)] };

const ads = new SparkJobNamespace(platform, 'ads', {
  name: 'ads', operator,
  serviceAccountAnnotations: role('ads-jobs'),
  quota: { cpu: 400, memory: Size.gibibytes(1600), pods: 200, applications: 100 },
  limits: { maxExecutors: 40, executor: { maxCores: 8, maxMemory: Size.gibibytes(64) }, maxTimeToLive: Duration.days(7) },
  users: [AccessSubject.group('ads-engineers'), AccessSubject.serviceAccount('airflow', 'airflow-worker')],
  viewers: [AccessSubject.group('on-call')],
  network: { egress: [internet, kafka, lineage], metricsFrom: prometheus },
});
const payments = new SparkJobNamespace(platform, 'payments', {
  name: 'payments', operator,
  podSecurity: PodSecurityLevel.RESTRICTED,
  serviceAccountAnnotations: role('payments-jobs'),
  quota: { cpu: 100, memory: Size.gibibytes(400), pods: 60 },
  limits: { maxExecutors: 20, executor: { maxCores: 4, maxMemory: Size.gibibytes(16) }, allowedImages: [image], maxRetries: 5 },
  users: [AccessSubject.group('payments-engineers')],
  viewers: [AccessSubject.group('on-call'), AccessSubject.group('auditors')],
  network: { egress: [internet, warehouse, lineage], metricsFrom: prometheus },
  enforced: SparkProfile.of({ pods: { labels: { 'cost-center': '4711' } } }),
});
const research = new SparkJobNamespace(platform, 'research', {
  name: 'research', operator,
  serviceAccountAnnotations: role('research-jobs'),
  quota: { cpu: 200, memory: Size.gibibytes(1000), pods: 100, gpus: 8 },
  limits: { maxExecutors: 50 },
  users: [AccessSubject.group('research')],
  network: { egress: [internet, lineage], ingress: [notebooks], metricsFrom: prometheus },
});

const history = new SparkHistoryServer(platform, 'history', {
  namespace: operator.namespace,
  sparkVersion, image,
  eventLogs: EventLogStorage.s3('example-event-logs', { region: 'eu-central-1' }),
  memory: Size.gibibytes(4), retention: { maxAge: Duration.days(30) },
  ingress: { host: 'history.example.org', ingressClassName: 'nginx', tlsSecretName: 'history-certificate' },
  clients: [NetworkPeer.namespace('ingress-nginx')],
  serviceAccountAnnotations: role('history'),
});
for (const team of [ads, payments, research]) history.connectNamespace(team);

// Settings that the applications share.
const base = SparkProfile.of({
  sparkVersion, image,
  pods: { env: { STAGE: 'production' }, tolerations: [{ key: 'spark', operator: 'Exists', effect: 'NoSchedule' }] },
  driver: { memory: Size.gibibytes(2) }, executor: { cores: 2, memory: Size.gibibytes(4), instances: 2 },
  hadoopConf: { 'fs.s3a.endpoint.region': 'eu-central-1' },
  monitoring: Monitoring.prometheusServlet(),
  openLineage: { url: 'http://marquez.lineage:5000', namespace: 'production', listenerPackage: 'io.openlineage:openlineage-spark_2.13:1.53.0' },
});
const batch = base.extend({ restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.minutes(1) }), activeDeadline: Duration.hours(6) });
const shuffling = batch.extend({
  dynamicAllocation: DynamicAllocation.between(2, 20),
  executor: { cores: 4, memory: Size.gibibytes(16) },
  localDirs: [LocalDir.onDemandClaim({ storageClassName: 'ssd', size: Size.gibibytes(200) })],
});

// Each team applies its own chart. With `strict`, warnings are errors, too.
const { JAVA, PYTHON, SCALA } = SparkApplicationType;
const chartOf = ({ name }: SparkJobNamespace) => new Chart(app, `${name}-jobs`, { namespace: name });

const adsJobs = chartOf(ads);
const clicks = new SparkApplication(adsJobs, 'clicks', {
  metadata: { name: 'clicks' }, profile: base, jobNamespace: ads, strict: true,
  type: SCALA, mainClass: 'org.example.ads.Clicks', mainApplicationFile: 's3a://ads-artifacts/clicks-2026.3.jar', arguments: ['--topic', 'clicks'],
  deps: { packages: ['org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1'] },
  executor: { instances: 6 }, restartPolicy: RestartPolicy.always({ interval: Duration.seconds(30) }),
});
clicks.addSecretEnv('KAFKA_PASSWORD', 'kafka', 'password');
clicks.mountSecret('kafka-truststore', '/mnt/kafka');
new SparkApplication(adsJobs, 'sessions', {
  metadata: { name: 'sessions' }, profile: shuffling, jobNamespace: ads, strict: true,
  type: PYTHON, mainApplicationFile: 's3a://ads-artifacts/sessions.py', deps: { pyFiles: ['s3a://ads-artifacts/common.zip'] },
  sparkConf: { 'spark.sql.shuffle.partitions': '800' },
});
new SparkApplication(adsJobs, 'attribution', {
  metadata: { name: 'attribution' }, profile: shuffling, jobNamespace: ads, strict: true,
  type: JAVA, mainClass: 'org.example.ads.Attribution', mainApplicationFile: 's3a://ads-artifacts/attribution-1.9.jar',
  driver: { cores: 2, memory: Size.gibibytes(8), javaOptions: '-XX:+UseG1GC' },
});
new ScheduledSparkApplication(adsJobs, 'compaction', {
  metadata: { name: 'compaction' }, jobNamespace: ads,
  schedule: Schedule.every(Duration.hours(6)), concurrency: ConcurrencyPolicy.FORBID,
  template: { profile: batch, type: PYTHON, mainApplicationFile: 's3a://ads-artifacts/compaction.py' },
});

const paymentsJobs = chartOf(payments);
const ledger = new SparkApplication(paymentsJobs, 'ledger', {
  metadata: { name: 'ledger' }, profile: batch, jobNamespace: payments, strict: true,
  type: SCALA, mainClass: 'org.example.payments.Ledger', mainApplicationFile: 'local:///opt/app/ledger.jar',
  deps: { packages: ['org.postgresql:postgresql:42.7.7'] },
  driver: { secretEnv: { DATABASE_PASSWORD: { name: 'warehouse', key: 'password' } } },
});
ledger.mountConfigMap('ledger-rules', '/mnt/rules');
new SparkApplication(paymentsJobs, 'fraud-scores', {
  metadata: { name: 'fraud-scores' }, profile: batch, jobNamespace: payments, strict: true,
  type: PYTHON, mainApplicationFile: 'local:///opt/app/fraud_scores.py',
  executor: { instances: 8, memoryOverhead: Size.gibibytes(1), volumeMounts: [{ name: 'models', mountPath: '/models', readOnly: true }] },
  volumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'fraud-models', readOnly: true } }],
});
new SparkApplication(paymentsJobs, 'settlement', {
  metadata: { name: 'settlement' }, profile: batch, jobNamespace: payments, strict: true,
  type: JAVA, mainClass: 'org.example.payments.Settlement', mainApplicationFile: 'local:///opt/app/settlement.jar',
  driverPodDisruptionBudget: true,
});
new ScheduledSparkApplication(paymentsJobs, 'report', {
  metadata: { name: 'report' }, jobNamespace: payments,
  schedule: Schedule.at({ minute: '30', hour: '4', weekDay: 'mon-fri' }), timeZone: 'Europe/Berlin', startingDeadline: Duration.hours(3),
  template: { profile: batch, type: PYTHON, mainApplicationFile: 'local:///opt/app/report.py', activeDeadline: Duration.hours(2) },
});

const researchJobs = chartOf(research);
new SparkApplication(researchJobs, 'features', {
  metadata: { name: 'features' }, profile: shuffling, jobNamespace: research, strict: true,
  type: PYTHON, mainApplicationFile: 's3a://research-artifacts/features.py',
});
new SparkApplication(researchJobs, 'training', {
  metadata: { name: 'training' }, profile: batch, jobNamespace: research, strict: true,
  type: PYTHON, mainApplicationFile: 's3a://research-artifacts/training.py',
  executor: { instances: 4, gpu: { name: 'nvidia.com/gpu', quantity: 1 }, nodeSelector: { accelerator: 'a100' } },
});
const connect = new SparkConnect(researchJobs, 'notebooks', {
  metadata: { name: 'notebooks' }, profile: base, jobNamespace: research, strict: true,
  server: { memory: Size.gibibytes(4) },
  dynamicAllocation: DynamicAllocation.upTo(10),
  idleTimeToLive: Duration.hours(12),
});

console.log(connect.url);
app.synth();
