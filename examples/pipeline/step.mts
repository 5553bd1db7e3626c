/* A step of a pipeline: runs a Spark application, shows its log as it is written, and ends as the application does. */
import { Duration, Size } from 'cdk8s';
import { SparkApplicationType } from 'cdk8s-spark-operator';
import { SparkClient } from 'cdk8s-spark-operator/client';

await using spark = await SparkClient.connect({ namespace: process.env.JOBS ?? 'spark-jobs' });

const application = await spark.submit({ generateName: 'step-' }, {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE, // apache/spark:4.1.1 by default
  mainApplicationFile: process.env.PROGRAM ?? 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: process.argv.slice(2),
  driver: { coreRequest: '200m', memory: Size.mebibytes(512) },
  executor: { instances: 1, coreRequest: '200m', memory: Size.mebibytes(512) },
  timeToLive: Duration.hours(1),
}, { requestId: process.env.RUN_ID });
for await (const line of spark.logs(application, { follow: true })) console.log(line);

const result = await spark.wait(application, { timeout: Duration.hours(1) });
console.error(`${application.metadata.name}: ${result.outcome}${result.outcome === 'failed' ? `: ${result.cause}` : ''}`);
process.exitCode = result.outcome === 'completed' ? 0 : result.outcome === 'failed' ? result.exitCode ?? 1 : 1;
