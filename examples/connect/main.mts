/* A Spark Connect server for the notebooks of a team. The program prints its URL. */
import { App, Chart, Duration, Size } from 'cdk8s';
import { DynamicAllocation, SparkConnect, SparkConnectRestartPolicy, SparkOperator } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/connect' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

const servers = new Chart(app, 'servers', { namespace: 'spark-jobs' });
servers.addDependency(platform);

const notebooks = new SparkConnect(servers, 'notebooks', {
  metadata: { name: 'notebooks' },
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  server: { cores: 1, memory: Size.gibibytes(2) },
  executor: { cores: 1, memory: Size.gibibytes(1) },
  // None at night, and one for each that is needed at day.
  dynamicAllocation: DynamicAllocation.upTo(5),
  sparkConf: { 'spark.dynamicAllocation.executorIdleTimeout': '5m' },
  restartPolicy: SparkConnectRestartPolicy.always(),
  // Deleted after a week without a session.
  idleTimeToLive: Duration.days(7),
});

console.log(notebooks.url);
app.synth();
