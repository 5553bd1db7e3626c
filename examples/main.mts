/*
 * The operator and two Spark applications, as a platform team would keep them in a repository.
 * `node examples/main.mts` writes the manifests to examples/dist; apply them in the order of their names.
 */
import { App, Chart } from 'cdk8s';
import { ImagePullPolicy, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const sparkImage = process.env.SPARK_IMAGE ?? 'apache/spark:4.1.1';
const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist' });

// One chart for the operator: applications can be applied once its custom resource definitions are there.
const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', {
  jobNamespaces: ['spark-jobs'],
  createJobNamespaces: true,
  image: process.env.OPERATOR_IMAGE, // the published image by default
});

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

new SparkApplication(jobs, 'python-pi', {
  metadata: { name: 'python-pi', labels: { 'app.kubernetes.io/name': 'python-pi' } },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: sparkImage,
  imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
  mainApplicationFile: 'local:///opt/spark/applications/pi.py',
  arguments: ['4'],
  driver: { coreRequest: '200m', memory: '512m' },
  executor: { instances: 1, coreRequest: '200m', memory: '512m' },
});

new SparkApplication(jobs, 'java-pi', {
  metadata: { name: 'java-pi', labels: { 'app.kubernetes.io/name': 'java-pi' } },
  type: SparkApplicationType.JAVA,
  sparkVersion: '4.1.1',
  image: sparkImage,
  mainClass: 'JavaPi',
  mainApplicationFile: 'local:///opt/spark/applications/java-pi.jar',
  arguments: ['4'],
  driver: { coreRequest: '200m', memory: '512m' },
  executor: { instances: 1, coreRequest: '200m', memory: '512m' },
});

app.synth();
