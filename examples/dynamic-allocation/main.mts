/* An application that Spark gives executors while it has work for them. Its program comes in a ConfigMap. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart, Size } from 'cdk8s';
import { DynamicAllocation, SparkApplication, SparkApplicationType, SparkOperator, SparkRole } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/dynamic-allocation' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

// Small programs need no image of their own.
const program = new ApiObject(jobs, 'program', {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'burst-program' },
  data: { 'burst.py': readFileSync(join(import.meta.dirname, 'burst.py'), 'utf8') },
});

const [least, most] = [1, 3];
const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };
const burst = new SparkApplication(jobs, 'burst', {
  metadata: { name: 'burst' },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: 'local:///opt/program/burst.py',
  arguments: [String(least), String(most)],
  // Executors that hold shuffle data are kept (shuffle tracking), so that no external shuffle service is needed.
  dynamicAllocation: DynamicAllocation.between(least, most, { initialExecutors: least }),
  // After so long without work an executor goes. Spark's default is a minute.
  sparkConf: { 'spark.dynamicAllocation.executorIdleTimeout': '5s' },
  driver: pods,
  executor: pods,
});
burst.mountConfigMap(program.name, '/opt/program', { roles: [SparkRole.DRIVER] });

app.synth();
