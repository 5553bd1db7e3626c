/*
 * The bundled commands `sparkctl log` and `sparkctl forward`, with a real kubelet and real Spark.
 */
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, RestartPolicy, SparkApplication, SparkApplicationType } from '../../src';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, SPARK_TIME, waitFor, waitForStatus } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { startSparkctl, type RunningProgram } from '../helpers/running-program';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };

let installation: Installation;
let jobs: string;
const children: RunningProgram[] = [];

beforeAll(async () => {
  installation = await install('e2e-sparkctl-log', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
});

function sparkctl(...args: string[]): RunningProgram {
  const child = startSparkctl(...args, '-n', jobs);
  children.push(child);
  return child;
}

afterAll(async () => {
  for (const child of children) child.signal('SIGKILL');
  await installation?.remove();
});

test('follows from before the driver starts, across a failed attempt, to the end; forwards the Spark UI meanwhile', async () => {
  const chart = new Chart(Testing.app(), 'jobs', { namespace: jobs });
  new SparkApplication(chart, 'followed', {
    metadata: { name: 'followed' },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    fastStart: FAST_START,
    mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
    arguments: ['fail', 'work'],
    sparkConf: PATIENT,
    restartPolicy: RestartPolicy.onFailure({ retries: 1, interval: Duration.seconds(5) }),
    driver: { ...SMALL, extraEnv: [{ name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } }] },
    executor: { instances: 1, ...SMALL },
  });
  await apply(Testing.synth(chart));
  const log = sparkctl('log', 'followed', '--follow');
  await log.printed(/^Attempt 1: fail$/m);
  await log.printed(/^RuntimeError: the input table is not there yet$/m);
  await log.printed(/^Attempt 2: work$/m);

  const forward = sparkctl('forward', 'followed', '--local-port=0');
  const [url] = await forward.printed(/^http:\/\/127\.0\.0\.1:\d+(?=\n)/m);
  const { status } = await waitForStatus(jobs, 'followed', ({ executorState }) => Object.values(executorState ?? {}).includes('RUNNING'), SPARK_TIME);
  const [page, style, answer] = await Promise.all(['/jobs/', '/static/webui.css', '/api/v1/applications'].map((path) => fetch(`${url}${path}`)));
  expect(await page!.text()).toMatch(/<title>[^<]*Spark Jobs<\/title>/);
  expect((await style!.text()).length).toBeGreaterThan(1_000);
  expect(await answer!.json()).toMatchObject([{ id: status.sparkApplicationId }]);

  const executor = sparkctl('log', 'sparkapp/followed', '--executor=1', '--tail=3');
  expect(await executor.code()).toBe(0);
  expect(executor.stdout.trim().split('\n')).toHaveLength(3);

  await kubectl(['exec', 'followed-driver', '-n', jobs, '--', 'touch', '/tmp/enough']);
  expect(await log.code()).toBe(0);
  expect(await forward.code()).toBe(0);
  const whole = await kubectl(['logs', 'followed-driver', '-n', jobs]);
  expect(log.stdout.endsWith(whole)).toBe(true);
  expect(log.stdout.match(/^Attempt \d: \w+$/gm)).toEqual(['Attempt 1: fail', 'Attempt 2: work']);
  expect(log.stderr).toMatch(/waiting for the driver: .*\n(.*\n)*sparkctl log: another driver of SparkApplication .*\/followed has started \(attempt 2\); its log follows\n(.*\n)*sparkctl log: It completed after .*\n$/);

  const after = sparkctl('log', 'followed');
  expect(await after.code()).toBe(0);
  expect(after.stdout).toBe(whole);
});
