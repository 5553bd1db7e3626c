/* What many users have: Apache Airflow's own operator for SparkApplications, in the version of PyPI, with our operator in the cluster. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImagePullPolicy } from '../../src';
import { install, type Installation } from '../helpers/installation';
import { get, list, waitFor } from '../helpers/kubectl';

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
const manifest = (program: string) => JSON.stringify({
  apiVersion: 'sparkoperator.k8s.io/v1beta2',
  kind: 'SparkApplication',
  metadata: { name: 'spark' },
  spec: {
    type: 'Python',
    mode: 'cluster',
    image: process.env.SPARK_IMAGE,
    sparkVersion: '4.1.1',
    mainApplicationFile: `local:///opt/spark/applications/${program}`,
    restartPolicy: { type: 'Never' },
    driver: { coreRequest: '100m', memory: '512m', serviceAccount: 'spark', javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' },
    executor: { instances: 1, coreRequest: '100m', memory: '512m', javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' },
  },
});

interface TaskEnd {
  readonly end: 'succeeded' | 'failed';
  readonly error?: string;
  /** Of the application that Airflow has made. */
  readonly name: string;
  /** Of the task. */
  readonly log: string;
}

/** Runs a task to its end. */
function runTask(task: string, program: string, ...options: readonly 'keep'[]): Promise<TaskEnd> {
  const file = join(folder, `${task}.json`);
  writeFileSync(file, manifest(program));
  const environment = {
    ...process.env,
    PYTHONPATH: process.env.AIRFLOW,
    AIRFLOW_HOME: join(folder, 'home'),
    AIRFLOW_CONN_KUBERNETES_DEFAULT: JSON.stringify({ conn_type: 'kubernetes', extra: { kube_config_path: process.env.KUBECONFIG, cluster_context: process.env.TEST_CONTEXT } }),
  };
  return new Promise((resolve, reject) => {
    execFile('python3', [join(__dirname, 'airflow-task.py'), task, file, jobs, ...options], { env: environment, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const last = stdout.trim().split('\n').at(-1)!;
      if (error || !last.startsWith('{')) reject(new Error(`the task has not ended: ${error?.message ?? ''}\n${stdout}\n${stderr.slice(-4_000)}`));
      else resolve({ ...JSON.parse(last), log: stdout });
    });
  });
}

test('a task that succeeds has the log of the driver, and takes its application along', async () => {
  const { end, error, name, log } = await runTask('pi', 'pi.py');

  expect({ end, error }).toEqual({ end: 'succeeded' });
  expect(log).toMatch(/Pi is roughly 3\.\d+/);
  expect(log).toContain(`xcom pod_name=${name}-driver`);
  await waitFor(jobs, `sparkapp/${name}`, 'delete');
});

test('a task that fails says so, and what stays has the labels by which Airflow finds its driver again', async () => {
  const { end, error, name, log } = await runTask('fail', 'fail.py', 'keep');

  // Airflow reports the failed pod or the application's error message, whichever it reads first.
  expect({ end, error }).toEqual({ end: 'failed', error: expect.stringMatching(new RegExp(`${name}-driver|the input table is missing`)) });
  expect(log).toContain('the input table is missing');
  const { status } = await get(jobs, 'sparkapp', name);
  expect(status.applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('ExitCode: 1') });
  const [driver] = await list(jobs, 'pods', 'dag_id=nightly,task_id=fail,spark_kubernetes_operator=True,spark-role=driver');
  expect(driver.metadata.name).toBe(`${name}-driver`);
});
