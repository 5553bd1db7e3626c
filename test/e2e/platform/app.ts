/* The repository of a platform team: an operator, two tenants, and the jobs of both. */
import { App, Chart, Duration, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { ImagePullPolicy, PodSecurityLevel, RestartPolicy, SparkApplication, SparkApplicationType, SparkJobNamespace, SparkOperator, SparkProfile } from 'cdk8s-spark-operator';

const app = new App();

const install = new Chart(app, 'install');
const operator = new SparkOperator(install, 'operator', {
  namespace: 'platform-operator',
  jobNamespaces: [], // only those of the tenants
  image: process.env.OPERATOR_IMAGE,
  imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
  defaultsConfigMapName: 'spark-defaults',
});
const finance = new SparkJobNamespace(install, 'finance', {
  name: 'platform-finance', operator, quota: { cpu: 4, memory: Size.gibibytes(8) },
  defaults: SparkProfile.of({ sparkConf: { 'spark.ui.showConsoleProgress': 'false' } }),
});
const science = new SparkJobNamespace(install, 'science', { name: 'platform-science', operator, podSecurity: PodSecurityLevel.RESTRICTED });

const profile = SparkProfile.of({
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  pods: { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' },
  executor: { instances: 1 },
  timeToLive: Duration.hours(1),
  sparkConf: { 'spark.kubernetes.driver.connectionTimeout': '60000', 'spark.kubernetes.driver.requestTimeout': '60000' }, // for a machine that others use, too
});
const pi = { profile, arguments: ['4'], type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///opt/spark/applications/pi.py' };

const jobs = new Chart(app, 'jobs');
jobs.addDependency(install);
const token = new kplus.Secret(jobs, 'token', { metadata: { namespace: finance.name }, stringData: { token: 'of the warehouse' } });
const report = new SparkApplication(jobs, 'report', { ...pi, jobNamespace: finance, metadata: { name: 'report' }, restartPolicy: RestartPolicy.onFailure({ retries: 1 }) });
report.mountSecret(token.name, '/mnt/token');
report.node.addDependency(token);
new SparkApplication(jobs, 'settlement', {
  profile,
  jobNamespace: finance,
  metadata: { name: 'settlement' },
  type: SparkApplicationType.JAVA,
  mainClass: 'JavaPi',
  mainApplicationFile: 'local:///opt/spark/applications/java-pi.jar',
  arguments: ['4'],
});
new SparkApplication(jobs, 'simulation', { ...pi, jobNamespace: science, metadata: { name: 'simulation' } });

app.synth();
