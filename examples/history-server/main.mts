/* A history server, and an application that leaves its event log for it, on a volume that both mount. */
import { App, Chart, Duration, Size } from 'cdk8s';
import { EventLogStorage, NetworkPeer, SparkApplication, SparkApplicationType, SparkHistoryServer, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/history-server' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

const namespace = 'spark-jobs'; // of the volume, and so of both
const history = new Chart(app, 'history', { namespace });
const server = new SparkHistoryServer(history, 'server', {
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  // A StorageClass whose volumes can be mounted on several nodes. Or EventLogStorage.s3('spark-logs', { region: 'eu-central-1' }), with images that have the connector.
  eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(20), storageClassName: process.env.STORAGE_CLASS ?? 'nfs' }),
  retention: { maxAge: Duration.days(30) },
  ingress: { host: 'history.example.org', ingressClassName: 'nginx', tlsSecretName: 'history-certificate' },
  clients: [NetworkPeer.namespace('ingress-nginx')],
});

const jobs = new Chart(app, 'applications', { namespace });
jobs.addDependency(platform, history);

const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };
const pi = new SparkApplication(jobs, 'pi', {
  metadata: { name: 'pi' },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: ['100'],
  driver: pods,
  executor: { ...pods, instances: 2 },
});
server.connect(pi);

app.synth();
