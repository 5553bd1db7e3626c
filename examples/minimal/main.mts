/* The operator, and two Spark applications: one in Python and one in Java. */
import { App, Chart, Size } from 'cdk8s';
import { RestartPolicy, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/minimal' });

// A chart of its own for the operator: applications can be applied once its custom resource definitions are there.
const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', {
  jobNamespaces: ['spark-jobs'],
  createJobNamespaces: true,
  image: process.env.OPERATOR_IMAGE, // the published image by default
});

// Spark's own image has programs to try it out. That of `npm run demo` has those of examples/applications.
const image = process.env.SPARK_IMAGE;
const programs = image === undefined
  ? { python: 'local:///opt/spark/examples/src/main/python/pi.py', jar: 'local:///opt/spark/examples/jars/spark-examples.jar', mainClass: 'org.apache.spark.examples.JavaSparkPi' }
  : { python: 'local:///opt/spark/applications/pi.py', jar: 'local:///opt/spark/applications/java-pi.jar', mainClass: 'JavaPi' };

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

new SparkApplication(jobs, 'python-pi', {
  metadata: { name: 'python-pi', labels: { 'app.kubernetes.io/name': 'python-pi' } },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image, // apache/spark:4.1.1 by default
  mainApplicationFile: programs.python,
  arguments: ['4'],
  restartPolicy: RestartPolicy.onFailure({ retries: 1 }),
  driver: { coreRequest: '200m', memory: Size.mebibytes(512) },
  executor: { instances: 1, coreRequest: '200m', memory: Size.mebibytes(512) },
});

new SparkApplication(jobs, 'java-pi', {
  metadata: { name: 'java-pi', labels: { 'app.kubernetes.io/name': 'java-pi' } },
  type: SparkApplicationType.JAVA,
  sparkVersion: '4.1.1',
  image,
  mainClass: programs.mainClass,
  mainApplicationFile: programs.jar,
  arguments: ['4'],
  driver: { coreRequest: '200m', memory: Size.mebibytes(512) },
  executor: { instances: 1, coreRequest: '200m', memory: Size.mebibytes(512) },
});

app.synth();
