/* Python applications and what they need in addition to Spark: modules, files and jars, by HTTPS, from Maven and in the image. */
import { App, Chart, Duration, Size } from 'cdk8s';
import { RestartPolicy, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/python-dependencies' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);
const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };

// All by HTTPS, on Spark's own image: the driver loads it when it starts, and hands on to executors what they need.
const files = process.env.FILES_URL ?? 'https://files.example.org/spark';
new SparkApplication(jobs, 'words', {
  metadata: { name: 'words' },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: `${files}/words.py`,
  deps: {
    pyFiles: [`${files}/counting.py`, `${files}/shouting.zip`], // a module, and a package in a zip
    files: [`${files}/stopwords.txt`], // SparkFiles.get('stopwords.txt')
    archives: [`${files}/dictionary.zip#dictionary`], // unpacked, SparkFiles.get('dictionary/words.txt')
  },
  // The file server might be down for a moment.
  restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.seconds(30) }),
  driver: pods,
  executor: { ...pods, instances: 1 },
});

// The program and its modules in an image, the driver of a database from Maven, its password from a Secret.
const orders = new SparkApplication(jobs, 'orders', {
  metadata: { name: 'orders' },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: 'registry.example.org/orders:2026.3',
  mainApplicationFile: 'local:///opt/app/orders.py',
  arguments: ['--day', '2026-03-01', '--url', 'jdbc:postgresql://database.example.org/orders'],
  deps: {
    pyFiles: ['local:///opt/app/tables.zip'],
    packages: ['org.postgresql:postgresql:42.7.7'],
  },
  // Where the driver puts packages. The user of Spark's image has no home folder.
  sparkConf: { 'spark.jars.ivy': '/tmp/ivy' },
  driver: { ...pods, env: { PYTHONUNBUFFERED: '1' } },
  executor: { ...pods, instances: 2 },
});
orders.addSecretEnv('DATABASE_PASSWORD', 'database', 'password');

app.synth();
