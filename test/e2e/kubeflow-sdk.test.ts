/* kubeflow's Python SDK, in the version of PyPI, with our operator in the cluster: what its samples do, with the image and the service account that it hard-codes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { ImagePullPolicy, SparkJobNamespace } from '../../src';
import { QUICK_PROPERTIES } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, waitFor, waitForDriver, waitForStatus } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { firstEventOf } from '../helpers/traces';

type Step = 'file' | 'function' | 'failed' | 'session';

/** The account of kubeflow's chart, which the SDK writes into every job. */
const ACCOUNT = 'spark-operator-spark';

let installation: Installation;
let jobs: string;
const steps = new Map<Step, Promise<any>>();
/** Ends the processes of a step. */
const ends = new Set<() => void>();

const SPARK_CONF = { ...QUICK_PROPERTIES, ...PATIENT, 'spark.kubernetes.driver.request.cores': '100m', 'spark.kubernetes.executor.request.cores': '100m' };

/** Runs a step of the program, and returns what the SDK answered. */
function run(step: Step): Promise<any> {
  return new Promise((resolve, reject) => {
    // A group of its own: the SDK starts kubectl to forward a port, and leaves it behind.
    const child = spawn('python3', [join(__dirname, 'kubeflow-sdk.py'), step, jobs], {
      env: { ...process.env, SPARK_CONF: JSON.stringify(SPARK_CONF), PYTHONPATH: process.env.KUBEFLOW_SDK, PYTHONDONTWRITEBYTECODE: '1' }, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = () => {
      ends.delete(end);
      try {
        process.kill(-child.pid!);
      } catch { /* the group has ended */ }
    };
    ends.add(end);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => { output[name] += text; });
    child.once('error', reject);
    child.once('close', (code) => {
      end();
      const last = output.stdout.trim().split('\n').at(-1)!;
      if (code === 0 && last.startsWith('{')) resolve(JSON.parse(last));
      else reject(new Error(`the step ${step} ended with ${code}:\n${output.stdout}\n${output.stderr.slice(-4_000)}`));
    });
  });
}

/** Starts a step, whose result a later test expects. */
function start(step: Step): void {
  const result = run(step);
  result.catch(() => undefined);
  steps.set(step, result);
}

beforeAll(async () => {
  installation = await install('e2e-kubeflow-sdk', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
});

afterAll(async () => {
  for (const end of ends) end();
  await installation?.remove();
});

test('a job whose hard-coded service account does not exist: the status and an event report it at once, and it starts when the account is there', async () => {
  start('file');
  await waitFor(jobs, 'sparkapp/sdk-file', 'create');
  const missing = new RegExp(`serviceaccount "${ACCOUNT}" not found`);
  const { metadata, spec } = await waitForStatus(jobs, 'sdk-file', ({ applicationState }) => missing.test(applicationState?.errorMessage));
  expect(spec.driver.serviceAccount).toBe(ACCOUNT);
  const { message, firstTimestamp, eventTime } = await firstEventOf(jobs, 'SparkDriverPending', 'sdk-file') as any;
  expect(message).toContain(`ServiceAccount ${jobs}/${ACCOUNT} not found`);
  // Kubernetes' times have no fractions; on a busy machine it takes longer than the second that it takes otherwise. The wait for a driver ends after five minutes.
  expect(Date.parse(eventTime ?? firstTimestamp) - Date.parse(metadata.creationTimestamp)).toBeLessThanOrEqual(60_000);

  const chart = new Chart(Testing.app(), 'account');
  new SparkJobNamespace(chart, 'jobs', { name: jobs, create: false, serviceAccountName: ACCOUNT, operatorNamespace: installation.namespace });
  await apply(Testing.synth(chart));
  for (const step of ['function', 'failed'] as const) start(step);
});

test('a job from a file: submitted with options, followed to its end, listed, its log read, and deleted', async () => {
  await waitForDriver(jobs, await waitForStatus(jobs, 'sdk-file', ({ applicationState }) => applicationState?.state === 'SUBMITTED' || applicationState?.state === 'RUNNING'));
  const [driver] = await list(jobs, 'pods', 'spark-role=driver,sparkoperator.k8s.io/app-name=sdk-file');
  expect(driver.spec).toMatchObject({ serviceAccountName: ACCOUNT, nodeSelector: { 'kubernetes.io/os': 'linux' } });
  expect(driver.spec.tolerations).toContainEqual({ key: 'dedicated', operator: 'Equal', value: 'spark', effect: 'NoSchedule' });
  expect((await get(jobs, 'sparkapp', 'sdk-file')).metadata).toMatchObject({ labels: { team: 'ml' }, annotations: { owner: 'kubeflow' } });

  expect(await steps.get('file')).toEqual({
    first: 'Created', status: 'Completed', driver: 'sdk-file-driver', executors: 1, listed: true, log: [expect.stringMatching(/^Pi is roughly 3\.\d+/)],
    deleted: expect.stringContaining(`Spark job not found: ${jobs}/sdk-file`),
  });
});

test('a job from a function, which an init container of the hard-coded image writes for the driver', async () => {
  expect(await steps.get('function')).toEqual({ status: 'Completed', log: ['total 499500'] });
});

test('a job that fails: the SDK raises it, and has the log of its driver', async () => {
  expect(await steps.get('failed')).toEqual({
    error: expect.stringContaining(`Spark job reached failed state: ${jobs}/sdk-failed`), status: 'Failed', log: ['RuntimeError: the input table is missing'],
  });
});

test('a session of Spark Connect: created, queried through its pod, listed, its log read, and deleted', async () => {
  expect(await run('session')).toEqual({
    rows: [166833, 166167, 166500], state: 'Ready', driver: 'sdk-session-server', service: 'sdk-session-server', listed: ['sdk-session'], log: true,
    deleted: expect.stringContaining(`SparkConnect not found: ${jobs}/sdk-session`),
  });
  await kubectl(['wait', '--for=delete', 'pods', '-n', jobs, '-l', 'sparkoperator.k8s.io/connect-name=sdk-session', '--timeout=180s']);
});
