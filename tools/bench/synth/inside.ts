/* The program that is measured: `node inside.ts NUMBER FOLDER` synthesizes so many applications into a folder, and prints what it took as JSON. */
import { join } from 'node:path';
import type { Run } from './measurements.ts';

/** What the program tells by itself. */
export type Told = Omit<Run, 'whole' | 'size'>;

const [count, outdir] = process.argv.slice(2);

const started = performance.now();
const { App, Chart, Duration, Size } = await import('cdk8s');
const { DynamicAllocation, RestartPolicy, SparkApplication, SparkApplicationType } = await import(join(import.meta.dirname, '../../../lib/index.js')) as typeof import('../../../src/index.ts');

const loaded = performance.now();
const app = new App({ outdir });
const chart = new Chart(app, 'jobs', { namespace: 'spark-jobs' });
for (let index = 0; index < Number(count); index++) {
  // What a job of a data pipeline has.
  const application = new SparkApplication(chart, `job-${index}`, {
    metadata: { name: `job-${index}`, labels: { team: 'data', pipeline: `pipeline-${index % 20}` } },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: 'registry.example.com/data/jobs:1.0',
    mainApplicationFile: `local:///opt/jobs/job_${index}.py`,
    arguments: ['--day', 'yesterday', '--shard', String(index)],
    sparkConf: { 'spark.sql.shuffle.partitions': '64', 'spark.sql.adaptive.enabled': 'true', 'spark.hadoop.fs.s3a.endpoint': 'https://s3.example.com' },
    driver: { cores: 1, memory: Size.gibibytes(2), env: { TZ: 'UTC', STAGE: 'production' } },
    executor: { cores: 2, memory: Size.gibibytes(4), env: { TZ: 'UTC' }, tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }] },
    dynamicAllocation: DynamicAllocation.between(1, 8),
    restartPolicy: RestartPolicy.onFailure({ retries: 3, interval: Duration.minutes(1) }),
    timeToLive: Duration.days(1),
  });
  application.mountSecret('warehouse', '/mnt/warehouse');
}

const constructed = performance.now();
app.synth();
const told: Told = { load: loaded - started, construct: constructed - loaded, write: performance.now() - constructed, memory: process.resourceUsage().maxRSS * 1024 };
console.log(JSON.stringify(told));
