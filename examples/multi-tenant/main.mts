/* One operator for two teams, each in a namespace of its own with its own quota, limits, network and people. */
import { App, Chart, Duration, Size } from 'cdk8s';
import {
  AccessSubject, NetworkPeer, NetworkPort, PodSecurityLevel, SparkApplication, SparkApplicationType, SparkJobNamespace, SparkOperator, SparkProfile,
} from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/multi-tenant' });

const image = process.env.SPARK_IMAGE ?? 'apache/spark:4.1.1';

// Manifests of the cluster's administrators.
const platform = new Chart(app, 'platform');
const operator = new SparkOperator(platform, 'operator', {
  namespaceSelector: { 'spark.example.org/tenant': 'true' }, // a further team needs no change of the operator
  replicas: 2,
  defaultsConfigMapName: 'spark-defaults',
  webhook: { resourceQuotas: true }, // rejects mistakes, and applications beyond the quota, at kubectl apply
  timeToLive: Duration.days(7),
  networkPolicy: { metricsFrom: [NetworkPeer.namespace('monitoring')] },
  image: process.env.OPERATOR_IMAGE,
});

// Drivers reach the API server. Without its addresses, they reach any host on its ports, 443 and 6443, whatever `egress` is (with Cilium there is no other way).
const apiServer = process.env.API_SERVER ? { peers: [NetworkPeer.addresses(process.env.API_SERVER)], ports: [NetworkPort.tcp(443), NetworkPort.tcp(6443)] } : undefined;

const https = { peers: [NetworkPeer.addresses('0.0.0.0/0', ['10.0.0.0/8'])], ports: [NetworkPort.tcp(443)] };

const finance = new SparkJobNamespace(platform, 'finance', {
  name: 'finance',
  operator,
  podSecurity: PodSecurityLevel.RESTRICTED,
  quota: { cpu: 16, memory: Size.gibibytes(64), pods: 40 },
  limits: { maxExecutors: 10, executor: { maxCores: 4, maxMemory: Size.gibibytes(16) }, allowedImages: [image, 'registry.example.org/finance/*'] },
  users: [AccessSubject.group('finance-engineers'), AccessSubject.serviceAccount('airflow', 'airflow-worker')],
  viewers: [AccessSubject.group('on-call')],
  // Its data warehouse, and nothing else but the API server.
  network: { apiServer, egress: [{ peers: [NetworkPeer.addresses('10.20.0.0/24')], ports: [NetworkPort.tcp(5432)] }], metricsFrom: [NetworkPeer.namespace('monitoring')] },
  enforced: SparkProfile.of({ pods: { labels: { 'cost-center': '4711' } } }),
});

const science = new SparkJobNamespace(platform, 'science', {
  name: 'science',
  operator,
  quota: { cpu: 64, memory: Size.gibibytes(256), pods: 100, gpus: 4 },
  limits: { maxExecutors: 50, maxTimeToLive: Duration.days(3), maxRetries: 3 },
  users: [AccessSubject.group('science')],
  viewers: [AccessSubject.group('on-call')],
  network: { apiServer, egress: [https], metricsFrom: [NetworkPeer.namespace('monitoring')] },
  defaults: SparkProfile.of({ sparkConf: { 'spark.sql.adaptive.enabled': 'true' } }),
});

// Manifests of each team, each from a repository of its own.
const profile = SparkProfile.of({ sparkVersion: '4.1.1', image, pods: { coreRequest: '200m', memory: Size.mebibytes(512) }, executor: { instances: 2 } });
for (const jobNamespace of [finance, science]) {
  const jobs = new Chart(app, jobNamespace.name, { namespace: jobNamespace.name });
  jobs.addDependency(platform);
  new SparkApplication(jobs, 'pi', {
    profile,
    jobNamespace, // its limits hold here already
    metadata: { name: 'pi' },
    type: SparkApplicationType.PYTHON,
    mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  });
}

app.synth();
