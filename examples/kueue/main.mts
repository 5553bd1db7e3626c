/* Applications that wait in a queue of Kueue until there is place for them, and a night's work that gives way to what is urgent. */
import { ApiObject, App, Chart, Size } from 'cdk8s';
import { Schedule, ScheduledSparkApplication, SparkApplication, SparkApplicationType, SparkOperator, type SparkApplicationTemplate } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/kueue' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

// Manifests of a platform team: the nodes, the part of them for Spark, and the namespace. Spark's pods ask for more memory than
// Kueue counts (see docs/guides/kueue.md), so that the quota is a third less than the nodes have.
const queues = new Chart(app, 'queues');
queues.addDependency(platform);
const kueue = (kind: string, name: string, fields: object, namespace?: string) => (
  new ApiObject(queues, `${kind}-${name}`, { apiVersion: 'kueue.x-k8s.io/v1beta2', kind, metadata: { name, namespace }, ...fields })
);
kueue('ResourceFlavor', 'spark', { spec: {} });
kueue('ClusterQueue', 'spark', {
  spec: {
    namespaceSelector: {},
    preemption: { withinClusterQueue: 'LowerPriority' },
    resourceGroups: [{
      coveredResources: ['cpu', 'memory'],
      flavors: [{ name: 'spark', resources: [{ name: 'cpu', nominalQuota: '2' }, { name: 'memory', nominalQuota: '4Gi' }] }],
    }],
  },
});
kueue('LocalQueue', 'team', { spec: { clusterQueue: 'spark' } }, 'spark-jobs');
kueue('WorkloadPriorityClass', 'urgent', { value: 1000 });

// Manifests of its users: the name of a queue, and the resources that Kueue counts.
const jobs = new Chart(app, 'applications', { namespace: 'spark-jobs' });
jobs.addDependency(queues);
const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
const pods = { coreRequest: '500m', memory: Size.mebibytes(512) };
const pi: SparkApplicationTemplate = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: ['100'],
  driver: pods,
  executor: { ...pods, instances: 2 },
};
new SparkApplication(jobs, 'first', { metadata: { name: 'first', labels }, ...pi });
// There is no place for it beside the first.
new SparkApplication(jobs, 'second', { metadata: { name: 'second', labels }, ...pi });
// It takes the place of one of them, which continues afterwards.
new SparkApplication(jobs, 'urgent', { metadata: { name: 'urgent', labels: { ...labels, 'kueue.x-k8s.io/priority-class': 'urgent' } }, ...pi });
// Its runs have its labels, so that they wait in the queue as well.
new ScheduledSparkApplication(jobs, 'nightly', { metadata: { name: 'nightly', labels }, schedule: Schedule.at({ minute: '30', hour: '4' }), template: pi });

app.synth();
