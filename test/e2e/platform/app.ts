/* What a platform team keeps in its repository: an operator, two tenants, and the jobs of both. */
import { App, Chart, Duration, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { ImagePullPolicy, PodSecurityLevel, RestartPolicy, SparkApplication, SparkApplicationType, SparkJobNamespace, SparkOperator, type SparkApplicationProps } from 'cdk8s-spark-operator';

const app = new App();

const install = new Chart(app, 'install');
const operator = new SparkOperator(install, 'operator', {
  namespace: 'platform-operator',
  jobNamespaces: [], // only those of the tenants
  image: process.env.OPERATOR_IMAGE,
  imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
  defaultsConfigMap: 'spark-defaults',
});
const finance = new SparkJobNamespace(install, 'finance', {
  name: 'platform-finance', operator, quota: { cpu: 4, memory: Size.gibibytes(8) }, defaults: { sparkConf: { 'spark.ui.showConsoleProgress': 'false' } },
});
const science = new SparkJobNamespace(install, 'science', { name: 'platform-science', operator, podSecurity: PodSecurityLevel.RESTRICTED });

const small = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' };
const common = {
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  arguments: ['4'],
  driver: small,
  executor: { ...small, instances: 1 },
  timeToLive: Duration.hours(1),
} satisfies Partial<SparkApplicationProps>;
const python = { ...common, type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///opt/spark/applications/pi.py' };

const jobs = new Chart(app, 'jobs');
jobs.addDependency(install);
const token = new kplus.Secret(jobs, 'token', { metadata: { namespace: finance.name }, stringData: { token: 'of the warehouse' } });
const report = new SparkApplication(jobs, 'report', { ...python, metadata: { name: 'report', namespace: finance.name }, restartPolicy: RestartPolicy.onFailure({ retries: 1 }) });
report.mountSecret(token.name, '/mnt/token');
report.node.addDependency(token);
new SparkApplication(jobs, 'settlement', {
  ...common,
  metadata: { name: 'settlement', namespace: finance.name },
  type: SparkApplicationType.JAVA,
  mainClass: 'JavaPi',
  mainApplicationFile: 'local:///opt/spark/applications/java-pi.jar',
});
new SparkApplication(jobs, 'simulation', { ...python, metadata: { name: 'simulation', namespace: science.name } });

app.synth();
