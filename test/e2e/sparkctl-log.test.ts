/* `sparkctl log` and `sparkctl forward` as they ship, beside a real kubelet and real Spark. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, RestartPolicy, SparkApplication, SparkApplicationType } from '../../src';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, waitFor, waitForStatus } from '../helpers/kubectl';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' };
const CONTEXT = process.env.TEST_CONTEXT ? [`--context=${process.env.TEST_CONTEXT}`] : [];

let installation: Installation;
let jobs: string;
const children: Sparkctl[] = [];

/** The program, as a process that goes on until it is ended or has done its work. */
class Sparkctl {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<number | null>;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [join(__dirname, '../../runtime/sparkctl.cjs'), ...args, '-n', jobs, ...CONTEXT]);
    this.child.stdout.on('data', (text) => { this.stdout += text; });
    this.child.stderr.on('data', (text) => { this.stderr += text; });
    this.ended = once(this.child, 'close').then(([code]) => code);
    children.push(this);
  }

  /** The exit code. */
  code(): Promise<number | null> {
    return this.ended;
  }

  signal(name: 'SIGINT' | 'SIGKILL'): void {
    this.child.kill(name);
  }

  /** Resolves when it has printed what fits. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.ended.then((code) => { throw new Error(`it has ended with ${code} without ${pattern}: ${this.stdout.slice(-2_000)}${this.stderr}`); });
    ended.catch(() => {});
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      await Promise.race([once(this.child.stdout, 'data'), ended]);
    }
  }
}

beforeAll(async () => {
  installation = await install('e2e-sparkctl-log', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available', 90);
}, 180_000);

afterAll(async () => {
  for (const child of children) child.signal('SIGKILL');
  await installation?.remove();
});

test('from before the driver starts, over a failed attempt, to the end; meanwhile the Spark UI', async () => {
  const chart = new Chart(Testing.app(), 'jobs', { namespace: jobs });
  new SparkApplication(chart, 'followed', {
    metadata: { name: 'followed' },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
    arguments: ['fail', 'work'],
    restartPolicy: RestartPolicy.onFailure({ retries: 1, interval: Duration.seconds(5) }),
    driver: { ...SMALL, extraEnv: [{ name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } }] },
    executor: { instances: 1, ...SMALL },
  });
  await apply(Testing.synth(chart));
  const log = new Sparkctl('log', 'followed', '--follow');
  await log.printed(/^Attempt 1: fail$/m);
  await log.printed(/^RuntimeError: the input table is not there yet$/m);
  await log.printed(/^Attempt 2: work$/m);

  const forward = new Sparkctl('forward', 'followed', '--local-port=0');
  const [url] = await forward.printed(/^http:\/\/127\.0\.0\.1:\d+(?=\n)/m);
  const { status } = await waitForStatus(jobs, 'followed', ({ executorState }) => Object.values(executorState ?? {}).includes('RUNNING'), 120);
  const [page, style, answer] = await Promise.all(['/jobs/', '/static/webui.css', '/api/v1/applications'].map((path) => fetch(`${url}${path}`)));
  expect(await page!.text()).toMatch(/<title>[^<]*Spark Jobs<\/title>/);
  expect((await style!.text()).length).toBeGreaterThan(1_000);
  expect(await answer!.json()).toMatchObject([{ id: status.sparkApplicationId }]);

  const executor = new Sparkctl('log', 'sparkapp/followed', '--executor=1', '--tail=3');
  expect(await executor.code()).toBe(0);
  expect(executor.stdout.trim().split('\n')).toHaveLength(3);

  await kubectl(['exec', 'followed-driver', '-n', jobs, '--', 'touch', '/tmp/enough']);
  expect(await log.code()).toBe(0);
  expect(await forward.code()).toBe(0);
  const whole = await kubectl(['logs', 'followed-driver', '-n', jobs]);
  expect(log.stdout.endsWith(whole)).toBe(true);
  expect(log.stdout.match(/^Attempt \d: \w+$/gm)).toEqual(['Attempt 1: fail', 'Attempt 2: work']);
  expect(log.stderr).toMatch(/waiting for the driver: .*\n(.*\n)*sparkctl log: another driver of followed has started \(attempt 2\); its log follows\n(.*\n)*sparkctl log: It completed after .*\n$/);

  const after = new Sparkctl('log', 'followed');
  expect(await after.code()).toBe(0);
  expect(after.stdout).toBe(whole);
}, 400_000);
