/* An operator and an application, in TypeScript; app.py, App.java and main.go beside it synthesize the same manifests. */
import { App, Chart, Duration, Size } from 'cdk8s';
import { DynamicAllocation, RestartPolicy, SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App();
new SparkOperator(new Chart(app, 'operator'), 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, replicas: 2 });

const report = new SparkApplication(new Chart(app, 'jobs', { namespace: 'spark-jobs' }), 'report', {
  metadata: { name: 'report' },
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 's3a://jobs/report.py',
  arguments: ['--day', 'yesterday'],
  sparkConf: { 'spark.sql.shuffle.partitions': '64' },
  driver: { cores: 1, memory: Size.gibibytes(2) },
  executor: { cores: 2, memory: Size.gibibytes(4), env: { TZ: 'UTC' } },
  dynamicAllocation: DynamicAllocation.between(1, 4),
  restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.seconds(30) }),
  timeToLive: Duration.days(1),
});
report.mountSecret('warehouse', '/mnt/warehouse');

app.synth();
