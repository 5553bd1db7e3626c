/* Applications that start as a whole or not at all: with Volcano, YuniKorn and the coscheduling plugin of Kubernetes' own scheduler. */
import { App, Chart, Size } from 'cdk8s';
import { BatchScheduler, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/batch-schedulers' });

/** The name by which Kubernetes' scheduler runs with the plugin: that of its chart. */
const schedulerName = 'scheduler-plugins-scheduler';

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', {
  jobNamespaces: ['spark-jobs'],
  createJobNamespaces: true,
  batchScheduling: { kubeSchedulers: [schedulerName] },
  image: process.env.OPERATOR_IMAGE,
});

const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };
const pi = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: ['1000'],
  driver: pods,
  executor: { ...pods, instances: 3 },
};

// A queue and a priority; the driver waits until all four pods have room.
new SparkApplication(jobs, 'volcano', { ...pi, metadata: { name: 'volcano' }, batchScheduler: BatchScheduler.volcano({ queue: 'default', priorityClassName: 'system-cluster-critical' }) });

// YuniKorn keeps room for the executors with placeholders.
new SparkApplication(jobs, 'yunikorn', { ...pi, metadata: { name: 'yunikorn' }, batchScheduler: BatchScheduler.yunikorn({ queue: 'root.spark' }) });

// More than the pods ask for: no other application gets what this one will need later.
new SparkApplication(jobs, 'coscheduling', { ...pi, metadata: { name: 'coscheduling' }, batchScheduler: BatchScheduler.kubeScheduler({ schedulerName, resources: { cpu: '2', memory: '8Gi' } }) });

app.synth();
