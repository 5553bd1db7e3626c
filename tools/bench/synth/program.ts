/*
 * The measured program: `node program.ts NUMBER FOLDER CHECKOUT` synthesizes so many applications into a folder with
 * the constructs of a checkout, and prints its peak memory in bytes.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as constructs from '../../../src/index.ts';

const [count, outdir, checkout] = process.argv.slice(2);

const load = createRequire(join(checkout!, 'package.json'));
const { App, Chart, Duration, Size } = load('cdk8s') as typeof import('cdk8s');
const { DynamicAllocation, RestartPolicy, SparkApplication, SparkApplicationType } = load('./lib/index.js') as typeof constructs;

const app = new App({ outdir });
const chart = new Chart(app, 'jobs', { namespace: 'spark-jobs' });
for (let index = 0; index < Number(count); index++) {
  // A job of a data pipeline.
  const application = new SparkApplication(chart, `job-${index}`, {
    metadata: { name: `job-${index}`, labels: { team: 'data', pipeline: `pipeline-${index % 20}` } },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: 'registry.example.com/data/jobs:1.0',
    mainApplicationFile: `local:///opt/jobs/job_${index}.py`,
    arguments: ['--day', 'yesterday', '--shard', String(index)],
    sparkConf: {
      'spark.sql.shuffle.partitions': '64', 'spark.sql.adaptive.enabled': 'true', 'spark.hadoop.fs.s3a.endpoint': 'https://s3.example.com',
    },
    driver: { cores: 1, memory: Size.gibibytes(2), env: { TZ: 'UTC', STAGE: 'production' } },
    executor: {
      cores: 2, memory: Size.gibibytes(4), env: { TZ: 'UTC' }, tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
    },
    dynamicAllocation: DynamicAllocation.between(1, 8),
    restartPolicy: RestartPolicy.onFailure({ retries: 3, interval: Duration.minutes(1) }),
    timeToLive: Duration.days(1),
  });
  application.mountSecret('warehouse', '/mnt/warehouse');
}
app.synth();
console.log(process.resourceUsage().maxRSS * 1024);
