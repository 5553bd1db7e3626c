/* The setup of many users: Apache Airflow's own operator for SparkApplications, in the version of PyPI, with our operator in the cluster. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImagePullPolicy } from '../../src';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, waitFor, waitForState, watch } from '../helpers/kubectl';

let installation: Installation;
let jobs: string;
const folder = mkdtempSync(join(tmpdir(), 'airflow-'));

beforeAll(async () => {
  installation = await install('e2e-airflow', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await installation?.remove();
});

/** A manifest as Airflow's documentation has it. */
const application = (program: string) => ({
  apiVersion: 'sparkoperator.k8s.io/v1beta2',
  kind: 'SparkApplication',
  metadata: { name: 'spark' },
  spec: {
    type: 'Python',
    mode: 'cluster',
    image: process.env.SPARK_IMAGE,
    fastStart: FAST_START,
    sparkVersion: '4.1.1',
    mainApplicationFile: `local:///opt/spark/applications/${program}`,
    restartPolicy: { type: 'Never' },
    driver: { coreRequest: '100m', memory: '512m', serviceAccount: 'spark', javaOptions: QUICK_JVM },
    executor: { instances: 1, coreRequest: '100m', memory: '512m', javaOptions: QUICK_JVM },
  },
});

/** A template_spec, with settings that Airflow adds to both roles, many of them empty. */
const template = (program: string) => {
  const { spec, ...others } = application(program);
  return {
    spark: { ...others, spec: { ...spec, arguments: ['wait'] } },
    kubernetes: {
      env_vars: { ATTEMPT: '1' }, env_from: [], from_env_config_map: ['task-settings'], from_env_secret: [], config_map_mounts: { 'task-settings': '/mnt/settings' },
      volumes: [], volume_mounts: [], image_pull_secrets: '', node_selector: {}, tolerations: [],
      affinity: { nodeAffinity: {}, podAffinity: {}, podAntiAffinity: {} },
    },
  };
};

interface TaskEnd {
  readonly end: 'succeeded' | 'failed';
  readonly error?: string;
  /** Of the application that Airflow has made. */
  readonly name: string;
  /** Result of the sensor. */
  readonly sensor?: { readonly end: 'succeeded' | 'failed'; readonly result?: boolean; readonly error?: string };
  /** Of the task. */
  readonly log: string;
}

type Option = 'keep' | 'sensor' | 'again';

/** Runs a task to its end, or to that of its worker. */
function runTask(task: string, manifest: object, options: readonly Option[] = [], signal?: AbortSignal): Promise<TaskEnd> {
  const file = join(folder, `${task}.json`);
  writeFileSync(file, JSON.stringify(manifest));
  const environment = {
    ...process.env,
    PYTHONPATH: process.env.AIRFLOW,
    AIRFLOW_HOME: join(folder, 'home'),
    AIRFLOW_CONN_KUBERNETES_DEFAULT: JSON.stringify({ conn_type: 'kubernetes', extra: { kube_config_path: process.env.KUBECONFIG, cluster_context: process.env.TEST_CONTEXT } }),
  };
  return new Promise((resolve, reject) => {
    const argv = [join(__dirname, 'airflow-task.py'), task, file, jobs, ...options];
    execFile('python3', argv, { env: environment, maxBuffer: 16 * 1024 * 1024, signal, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      const last = stdout.trim().split('\n').at(-1)!;
      if (error || !last.startsWith('{')) reject(new Error(`the task has not ended: ${error?.message ?? ''}\n${stdout}\n${stderr.slice(-4_000)}`));
      else resolve({ ...JSON.parse(last), log: stdout });
    });
  });
}

test('a task that succeeds has the log of the driver, and takes its application along', async () => {
  const { end, error, name, log } = await runTask('pi', application('pi.py'));

  expect({ end, error }).toEqual({ end: 'succeeded' });
  expect(log).toMatch(/Pi is roughly 3\.\d+/);
  expect(log).toContain(`xcom pod_name=${name}-driver`);
  await waitFor(jobs, `sparkapp/${name}`, 'delete');
});

test('a task that fails says so, and what stays has the labels by which Airflow finds its driver again; so does the sensor', async () => {
  const { end, error, name, log, sensor } = await runTask('fail', application('fail.py'), ['keep', 'sensor']);

  // Airflow reports the failed pod or the application's error message, whichever it reads first.
  expect({ end, error }).toEqual({ end: 'failed', error: expect.stringMatching(new RegExp(`${name}-driver|the input table is missing`)) });
  expect(log).toContain('the input table is missing');
  const { status } = await get(jobs, 'sparkapp', name);
  expect(status.applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('ExitCode: 1') });
  const [driver] = await list(jobs, 'pods', 'dag_id=nightly,task_id=fail,spark_kubernetes_operator=True,spark-role=driver');
  expect(driver.metadata.name).toBe(`${name}-driver`);
  expect(sensor).toEqual({ end: 'failed', error: expect.stringContaining('Spark application failed with state: FAILED') });
  expect(log.split('--- sensor')[1]).toContain('the input table is missing');
});

test('the worker is killed in the middle of a task from a template_spec: the next try finds the driver, and follows it to its end', async () => {
  await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'task-settings', namespace: jobs }, data: { INPUT: 'orders' } });
  const worker = new AbortController();
  const first = runTask('again', template('attempts.py'), ['keep'], worker.signal).catch((error: unknown) => String(error));
  const selector = 'task_id=again,spark_kubernetes_operator=True,spark-role=driver';
  const early = first.then((outcome) => { throw new Error(`the task ended before its driver ran: ${JSON.stringify(outcome)}`); });
  early.catch(() => undefined);
  await Promise.race([waitForPod(selector, 'Running'), early]);
  const [driver] = await list(jobs, 'pods', selector);
  const name = driver.metadata.name.replace(/-driver$/, '');
  await waitForState(jobs, name, 'RUNNING', SPARK_TIME);
  worker.abort();
  expect(await first).toContain('the task has not ended');

  const second = runTask('again', template('attempts.py'), ['keep', 'sensor', 'again']);
  second.catch(() => undefined);
  const spark = driver.spec.containers.find((container: any) => container.name === 'spark-kubernetes-driver');
  expect(spark.envFrom).toEqual([{ configMapRef: { name: 'task-settings' } }]);
  expect(spark.env).toEqual(expect.arrayContaining([{ name: 'ATTEMPT', value: '1' }, { name: 'SPARK_APPLICATION_NAME', value: name }]));
  expect(spark.volumeMounts).toContainEqual({ name: 'task-settings', mountPath: '/mnt/settings' });
  await kubectl(['exec', '-n', jobs, driver.metadata.name, '-c', 'spark-kubernetes-driver', '--', 'touch', '/tmp/enough']);

  const { log, ...end } = await second;
  expect(end).toEqual({ end: 'succeeded', name, sensor: { end: 'succeeded', result: true } });
  // Airflow looks for the driver before it knows whether to submit.
  expect(log).toContain('Reattaching to it');
  expect(await list(jobs, 'pods', selector)).toMatchObject([{ metadata: { uid: driver.metadata.uid } }]);
});

/** Waits until a pod that a selector finds is in a phase. */
async function waitForPod(selector: string, phase: string): Promise<void> {
  const found = await watch(['pods', '-n', jobs, '-l', selector, '-o', 'jsonpath={.status.phase}{"\\n"}'], (line) => (line === phase ? line : undefined), SPARK_TIME);
  if (!found) throw new Error(`no pod with ${selector} became ${phase} in ${SPARK_TIME} s`);
}
