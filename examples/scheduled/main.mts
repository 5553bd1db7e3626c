/* Applications that are run at the times of a schedule. The program prints when. */
import { App, Chart, Duration, Size } from 'cdk8s';
import { CatchUpPolicy, ConcurrencyPolicy, RestartPolicy, Schedule, ScheduledSparkApplication, SparkApplicationType, SparkOperator, type SparkApplicationTemplate } from 'cdk8s-spark-operator';

const app = new App({ outdir: process.env.OUTDIR ?? 'examples/dist/scheduled' });

const platform = new Chart(app, 'operator');
new SparkOperator(platform, 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true, image: process.env.OPERATOR_IMAGE });

const jobs = new Chart(app, 'schedules', { namespace: 'spark-jobs' });
jobs.addDependency(platform);

const pods = { coreRequest: '200m', memory: Size.mebibytes(512) };
const template: SparkApplicationTemplate = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  arguments: ['100'],
  driver: pods,
  executor: { ...pods, instances: 2 },
};

// On working days at half past four by the clocks of Berlin; never two at a time, and not after the start of business.
const nightly = new ScheduledSparkApplication(jobs, 'nightly', {
  metadata: { name: 'nightly' },
  schedule: Schedule.at({ minute: '30', hour: '4', weekDay: 'mon-fri' }),
  timeZone: 'Europe/Berlin',
  concurrency: ConcurrencyPolicy.FORBID,
  startingDeadline: Duration.hours(3),
  successfulRunHistoryLimit: 5,
  failedRunHistoryLimit: 5,
  template: { ...template, restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.minutes(5) }), activeDeadline: Duration.hours(2) },
});

// Every quarter of an hour; a newer run takes the place of an older one, and runs that were missed are not made up for.
const refresh = new ScheduledSparkApplication(jobs, 'refresh', {
  metadata: { name: 'refresh' },
  schedule: Schedule.every(Duration.minutes(15)),
  concurrency: ConcurrencyPolicy.REPLACE,
  catchUp: CatchUpPolicy.NONE,
  template,
});

for (const scheduled of [nightly, refresh]) console.log(`${scheduled.name}: ${scheduled.nextRuns(3).join(', ')}`);
app.synth();
