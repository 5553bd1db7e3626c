/* The client with real Spark: the unchanged example from its folder, one application that succeeds and one that fails. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { AccessSubject, ImagePullPolicy, SparkApplicationType, SparkJobNamespace, SparkOperator, SparkProfile, type SparkApplicationProps } from '../../src';
import type { SparkApplicationObject, SparkClient as Client } from '../../src/client';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { apply, get, kubectl, list, waitFor } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { kubeconfigOfAccount } from '../helpers/account';

const root = join(__dirname, '../..');
/** The bundle, as users have it: jest cannot load the sources of its connection. */
const { SparkClient } = createRequire(__filename)(join(root, 'runtime/client.cjs')) as typeof import('../../src/client');

const OPERATOR = 'e2e-client-operator';
const JOBS = 'e2e-client-jobs';
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512) };
const QUICK = { javaOptions: QUICK_JVM };

const props = (program: string, more: Partial<SparkApplicationProps> = {}): SparkApplicationProps => ({
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  image: process.env.SPARK_IMAGE,
  mainApplicationFile: `local:///opt/spark/applications/${program}`,
  sparkConf: PATIENT,
  driver: SMALL,
  executor: { ...SMALL, instances: 1 },
  ...more,
});

let account: Awaited<ReturnType<typeof kubeconfigOfAccount>>;
let client: Client;

beforeAll(async () => {
  const chart = new Chart(Testing.app(), 'client');
  const operator = new SparkOperator(chart, 'operator', {
    namespace: OPERATOR, jobNamespaces: [], defaultsConfigMapName: 'spark-defaults', image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
  });
  // The example has no settings for JVMs that start quickly.
  const defaults = SparkProfile.of({ fastStart: FAST_START, driver: QUICK, executor: QUICK });
  new SparkJobNamespace(chart, 'jobs', { name: JOBS, operator, defaults, users: [AccessSubject.serviceAccount(OPERATOR, 'pipeline')] });
  await apply(Testing.synth(chart));
  await kubectl(['create', 'serviceaccount', 'pipeline', '-n', OPERATOR]);
  account = await kubeconfigOfAccount(OPERATOR, 'pipeline');
  client = await SparkClient.connect({ kubeconfig: account.file, namespace: JOBS });
  await waitFor(OPERATOR, 'deployment/spark-operator', 'condition=Available');
});

afterAll(async () => {
  client?.close();
  account?.remove();
  await kubectl(['delete', 'namespace', OPERATOR, JOBS, '--ignore-not-found', '--wait=false']);
});

/** Runs the step of the example, with the rights of a pipeline's service account. */
function step(environment: NodeJS.ProcessEnv): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, KUBECONFIG: account.file, JOBS, ...environment };
    execFile(process.execPath, ['examples/pipeline/step.mts', '2'], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

test('the example: the log comes, then the end; and a step that is started again finds what it has begun', async () => {
  const environment = { PROGRAM: 'local:///opt/spark/applications/pi.py', RUN_ID: 'run-1' };
  const first = await step(environment);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Pi is roughly 3\.\d+$/m), stderr: expect.stringMatching(/^step-[0-9a-f]{10}: completed$/m) });

  const second = await step(environment);
  expect(second).toMatchObject({ code: 0, stderr: first.stderr, stdout: expect.stringMatching(/^Pi is roughly 3\.\d+$/m) });
  expect(await list(JOBS, 'sparkapp')).toHaveLength(1);
});

test('the example with a program that fails: its exit code, and why', async () => {
  const { code, stdout, stderr } = await step({ PROGRAM: 'local:///opt/spark/applications/fail.py' });

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^step-[0-9a-f]{10}: failed: RuntimeError: the input table is missing \(fail\.py:\d+\)$/m) });
  expect(stdout).toMatch(/^Looking for the input table$/m);
});

test('a typed result, and the same lines as kubectl gives', async () => {
  const application = await client.submit({ generateName: 'pi-', labels: { team: 'data' } }, props('pi.py'));
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of client.logs(application, { follow: true })) lines.push(line);
  })();
  const result = await client.wait(application, { timeout: Duration.minutes(4) });
  await reading;

  expect(result).toMatchObject({ outcome: 'completed', attempts: 1, submissions: 1, application: { status: { applicationState: { state: 'COMPLETED' } } } });
  if (result.outcome !== 'completed') throw new Error('unreachable');
  expect(result.seconds).toBeGreaterThan(0);
  expect(result.lastAttemptSeconds).toBeLessThanOrEqual(result.seconds!);
  expect(`${lines.join('\n')}\n`).toBe(await kubectl(['logs', `${application.metadata.name}-driver`, '-n', JOBS]));
  expect((await client.list({ labelSelector: 'team=data' })).map(({ metadata }) => metadata.uid)).toEqual([application.metadata.uid]);
});

test('suspended while it runs, resumed, and cancelled', async () => {
  const application = await client.submit('sleeper', props('sleep.py', { arguments: ['600'] }));
  expect(await client.wait(application, { until: 'running', timeout: Duration.minutes(2) })).toMatchObject({ outcome: 'reached' });
  await client.suspend(application);
  const isSuspended = ({ status }: SparkApplicationObject) => status?.applicationState?.state === 'SUSPENDED';
  expect(await client.wait(application, { until: isSuspended, timeout: Duration.minutes(2) })).toMatchObject({ outcome: 'reached' });
  await client.resume(application);
  expect(await client.wait(application, { until: 'running', timeout: Duration.minutes(2) })).toMatchObject({ outcome: 'reached' });
  const end = client.wait(application, { timeout: Duration.minutes(2) });
  await client.cancel(application);

  expect(await end).toMatchObject({ outcome: 'deleted' });
  await expect(get(JOBS, 'sparkapp', 'sleeper')).rejects.toThrow('not found');
});
