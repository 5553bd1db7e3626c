/*
 * A rehearsal with kubeflow's real operator, installed by its Helm chart: the steps that `sparkctl migrate --check` prints are taken as they are printed, namespace by
 * namespace there and back, while jobs run that either operator has started.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { QUICK_JVM, QUICK_PROPERTIES } from '../helpers/fast-start';
import { apply, get, kubectl, list, SOON, SPARK_TIME, tryKubectl, waitFor, waitForState, waitForStatus, watch, whatIsThereOf } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { eventsOf } from '../helpers/traces';

const THEIRS = 'e2e-migration-kubeflow';
const OWN = 'e2e-migration-operator';
const [FIRST, SECOND] = ['e2e-migration-first', 'e2e-migration-second'] as const;
/** The release of kubeflow's documentation: its objects have the names that the documentation uses. */
const RELEASE = 'spark-operator';
const CONTROLLER = 'spark-operator-controller';

interface Step {
  readonly title: string;
  readonly commands: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'migration-'));
const bin = join(folder, 'bin');
let steps: Record<'there' | 'back', readonly Step[]>;
/** UIDs of drivers when they had started. */
const drivers = new Map<string, string>();
/** Their submission attempts by then. */
const attempts = new Map<string, number>();

/** Runs a line as a user does, with kubectl, helm and sparkctl in the PATH. */
function shell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile('bash', ['-euo', 'pipefail', '-c', line], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: folder }, cwd: folder, maxBuffer: 16 * 1024 * 1024,
    }, (error, stdout, stderr) => (error ? reject(new Error(`${line}\n${stdout}${stderr}`)) : resolve(stdout)));
    child.stdin!.end();
  });
}

async function take(taken: readonly Step[]): Promise<void> {
  if (taken.length === 0) throw new Error(`there is no such step: ${JSON.stringify(steps)}`);
  for (const line of taken.flatMap(({ commands }) => commands)) await (line.startsWith('sparkctl doctor') ? untilItPasses(line) : shell(line));
}

/** Runs a check as long as it fails: the API server calls a webhook some seconds after its pods were replaced. */
async function untilItPasses(line: string): Promise<void> {
  for (const end = Date.now() + SOON * 1000; ;) {
    const failure = await shell(line).then(() => undefined, (error: Error) => error);
    if (!failure) return;
    if (Date.now() > end) throw failure;
    await setTimeout(2000);
  }
}

/** Returns the steps before the one that moves a namespace. */
const before = (namespace: string) => steps.there.slice(0, steps.there.findIndex(({ title }) => title === `Move ${namespace}`));
const move = (namespace: string) => steps.there.filter(({ title }) => title === `Move ${namespace}`);

function application(namespace: string, name: string, deed: 'work' | 'done'): any {
  const small = { coreRequest: '100m', memory: '512m' };
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: {
      type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: process.env.SPARK_IMAGE, mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
      // On a busy machine a connection of spark-submit can break.
      arguments: [deed], restartPolicy: { type: 'OnFailure', onSubmissionFailureRetries: 5, onSubmissionFailureRetryInterval: 1 }, sparkConf: { ...PATIENT, ...QUICK_PROPERTIES },
      driver: { ...small, serviceAccount: 'spark-operator-spark', env: [{ name: 'ATTEMPT', value: '1' }] },
      // A webhook adds them to executors; two of them would add them twice.
      volumes: [{ name: 'scratch', emptyDir: {} }],
      executor: { ...small, instances: 1, volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] },
    },
  };
}

/** A schedule whose next run is months away. */
const yearly = {
  apiVersion: 'sparkoperator.k8s.io/v1beta2',
  kind: 'ScheduledSparkApplication',
  metadata: { name: 'yearly', namespace: FIRST },
  spec: { schedule: '0 3 1 7 *', timeZone: 'UTC', concurrencyPolicy: 'Forbid', template: application(FIRST, 'yearly', 'done').spec },
};

/** Waits until an application runs, and remembers its driver. */
async function runs(namespace: string, name: string): Promise<void> {
  await waitForState(namespace, name, 'RUNNING', SPARK_TIME);
  drivers.set(name, (await get(namespace, 'pod', `${name}-driver`)).metadata.uid);
  attempts.set(name, (await get(namespace, 'sparkapp', name)).status.submissionAttempts);
}

/** Lets an application end, and returns its status. */
async function finish(namespace: string, name: string): Promise<any> {
  await kubectl(['exec', '-n', namespace, `${name}-driver`, '-c', 'spark-kubernetes-driver', '--', 'touch', '/tmp/enough']);
  const { status } = await waitForState(namespace, name, 'COMPLETED', SPARK_TIME);
  // No operator replaced the driver.
  expect((await get(namespace, 'pod', `${name}-driver`)).metadata.uid).toBe(drivers.get(name));
  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: attempts.get(name) });
  return status;
}

/** Only this operator writes the field; kubeflow's drops it with its next write. */
const isOurs = ({ observedGeneration }: any) => observedGeneration !== undefined;
const nextRun = async () => Date.parse((await get(FIRST, 'scheduledsparkapp', 'yearly')).status.nextRun);

/** Waits until an executor of an application runs, and returns its name. */
async function executorOf(namespace: string, name: string, except = ''): Promise<string> {
  const columns = 'jsonpath={.metadata.name} {.metadata.labels.spark-role} {.status.phase}{"\\n"}';
  const found = await watch(['pods', '-n', namespace, '-l', `sparkoperator.k8s.io/app-name=${name}`, '-o', columns], (line) => {
    const [pod, role, phase] = line.split(' ');
    if (role === 'driver') return ['Succeeded', 'Failed'].includes(phase!) ? '' : undefined; // no executor follows
    return phase === 'Running' && pod !== except ? pod : undefined;
  }, SPARK_TIME);
  if (!found) throw new Error(`${name} has no running executor but ${except || 'none'}\n${await whatIsThereOf(namespace, name)}`);
  return found;
}

/** Spark replaces an executor that is gone: the pod needs what a webhook adds, and must not get it twice. */
async function replaceExecutor(namespace: string, name: string): Promise<void> {
  const executor = await executorOf(namespace, name);
  await kubectl(['delete', 'pod', executor, '-n', namespace, '--wait=false']);
  const next = await executorOf(namespace, name, executor);
  const { metadata, spec } = await get(namespace, 'pod', next);
  const names = spec.volumes.map((volume: any) => volume.name);
  expect(names).toEqual([...new Set(names)]);
  expect(metadata.ownerReferences.filter((owner: any) => owner.controller)).toHaveLength(1);
}

function script(name: string, ...lines: string[]): void {
  writeFileSync(join(bin, name), ['#!/bin/bash', ...lines, ''].join('\n'));
  chmodSync(join(bin, name), 0o755);
}

beforeAll(async () => {
  mkdirSync(bin);
  const quoted = (text: string) => `'${text}'`;
  // The steps name the chart as its repository has it.
  script('helm', 'args=()', `for arg in "$@"; do [ "$arg" != spark-operator/spark-operator ] || arg=${quoted(process.env.KUBEFLOW_CHART!)}; args+=("$arg"); done`,
    `exec ${quoted(process.env.HELM!)} "\${args[@]}"`);
  // Operators of other test files begin and end meanwhile.
  script('sparkctl', `[ "$1" != doctor ] || set -- "$@" --operator-namespace=${OWN}`, `exec ${quoted(process.execPath)} ${quoted(join(__dirname, '../../runtime/sparkctl.cjs'))} "$@"`);
  const [, registry, repository, tag] = /^(.*?)\/(.*):(.*)$/.exec(process.env.KUBEFLOW_IMAGE!)!;
  writeFileSync(join(folder, 'values.json'), JSON.stringify({
    image: { registry, repository, tag },
    spark: { jobNamespaces: [FIRST, SECOND] },
    controller: {
      workers: 4,
      // It does not release its Lease when it ends.
      leaderElection: { leaseDuration: '6s', renewDeadline: '4s', retryPeriod: '1s' },
      // Of its spark-submit.
      env: [{ name: 'JAVA_TOOL_OPTIONS', value: QUICK_JVM }],
    },
  }));
  for (const namespace of [THEIRS, FIRST, SECOND]) await kubectl(['create', 'namespace', namespace]);
  // The CRDs are ours already, as the documented first step leaves them: other test files need them.
  await shell(`helm install ${RELEASE} spark-operator/spark-operator -n ${THEIRS} -f ${folder}/values.json --skip-crds --wait --timeout 5m`);
});

afterAll(async () => {
  for (const line of [`helm uninstall ${RELEASE} -n ${THEIRS} --ignore-not-found`, `sparkctl uninstall -n ${OWN}`]) {
    await shell(line).catch((error: unknown) => console.error(String(error)));
  }
  await tryKubectl(['delete', 'namespace', THEIRS, OWN, FIRST, SECOND, '--ignore-not-found', '--wait=false']);
  rmSync(folder, { recursive: true });
});

/** Applies objects as soon as the webhooks answer: kubeflow's makes its certificate after it has become ready, and the API server notices new pods late. */
async function applyWhenServed(objects: readonly object[]): Promise<void> {
  const deadline = Date.now() + SOON * 1000;
  for (;;) {
    try {
      await apply(objects);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(500);
    }
  }
}

test("kubeflow's operator runs jobs in two namespaces", async () => {
  await applyWhenServed([application(FIRST, 'adopted', 'work'), application(SECOND, 'steady', 'work'), yearly]);
  await Promise.all([runs(FIRST, 'adopted'), runs(SECOND, 'steady')]);

  for (const [namespace, name] of [[FIRST, 'adopted'], [SECOND, 'steady']] as const) expect(isOurs((await get(namespace, 'sparkapp', name)).status)).toBe(false);
  expect(await eventsOf(FIRST, 'SparkApplicationSubmitted', 'adopted')).toMatchObject([{ source: { component: 'spark-application-controller' } }]);
  expect(await nextRun()).toBeGreaterThan(Date.now());
});

test('`sparkctl migrate --check` finds it, its release and both namespaces, and no obstacle', async () => {
  const { findings, counts, steps: there, back } = JSON.parse(await shell(`sparkctl migrate --check -o json -n ${OWN} --job-namespace ${FIRST},${SECOND} --image ${process.env.OPERATOR_IMAGE}`));

  expect(findings.filter(({ level }: any) => level === 'error')).toEqual([]);
  expect(counts.error).toBe(0);
  const messages: string[] = findings.map(({ message }: any) => message);
  expect(messages).toEqual(expect.arrayContaining([
    expect.stringMatching(new RegExp(`Deployment ${THEIRS}/${CONTROLLER}; release ${RELEASE}, chart \\S+\\) runs the applications of ${FIRST}, ${SECOND}$`)),
    expect.stringMatching(/^2 of 2: runs: driver and executors are not touched/),
    expect.stringContaining(`ServiceAccount ${FIRST}/spark-operator-spark, as which the drivers of`),
  ]));
  steps = { there, back };
  await take(before(FIRST));
  // Helm keeps what drivers need from now on.
  for (const kind of ['serviceaccount', 'role', 'rolebinding']) {
    expect((await get(FIRST, kind, 'spark-operator-spark')).metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
  }
});

test('the first namespace moves: its job is adopted and gets new executors, new ones are submitted here, and the other operator continues with the second', async () => {
  const planned = await nextRun();
  await take(move(FIRST));
  expect((await kubectl(['get', 'deployment', CONTROLLER, '-n', THEIRS, '-o', 'jsonpath={.spec.template.spec.containers[0].args}']))).toContain(`"--namespaces=${SECOND}"`);

  await waitForStatus(FIRST, 'adopted', (status) => isOurs(status) && status.applicationState.state === 'RUNNING');
  await applyWhenServed([application(FIRST, 'returning', 'work'), application(SECOND, 'later', 'done')]);
  await replaceExecutor(FIRST, 'adopted');
  expect(isOurs(await finish(FIRST, 'adopted'))).toBe(true);
  await runs(FIRST, 'returning');
  expect((await get(FIRST, 'pod', 'returning-driver')).metadata.labels).toMatchObject({ 'sparkoperator.k8s.io/app-uid': expect.any(String) });
  expect(await nextRun()).toBe(planned);

  const { status } = await waitForState(SECOND, 'later', 'COMPLETED', SPARK_TIME);
  expect(isOurs(status)).toBe(false);
  expect(isOurs((await get(SECOND, 'sparkapp', 'steady')).status)).toBe(false);
});

test('the second one follows: its job is adopted, and a new one is not changed by the other webhook', async () => {
  await take(move(SECOND));
  await waitForStatus(SECOND, 'steady', (status) => isOurs(status) && status.applicationState.state === 'RUNNING');
  await applyWhenServed([application(SECOND, 'fresh', 'done')]);
  // The webhook of the other operator still has the last namespace.
  await replaceExecutor(SECOND, 'steady');
  expect(isOurs(await finish(SECOND, 'steady'))).toBe(true);
  const { status } = await waitForState(SECOND, 'fresh', 'COMPLETED', SPARK_TIME);
  expect(isOurs(status)).toBe(true);
  expect(await list(THEIRS, 'pods', 'app.kubernetes.io/component=controller')).toEqual([]);
});

test("the way back: the other operator follows a job to its end that this one has started, and its webhook leaves the job's executors alone", async () => {
  await take(steps.back);
  await waitFor(THEIRS, `deployment/${CONTROLLER}`, 'condition=Available');
  await replaceExecutor(FIRST, 'returning');
  const status = await finish(FIRST, 'returning');

  expect(isOurs(status)).toBe(false);
  expect(await list(OWN, 'pods', 'app.kubernetes.io/name=spark-operator')).toEqual([]);
  await applyWhenServed([application(SECOND, 'last', 'done')]);
  expect(isOurs((await waitForState(SECOND, 'last', 'COMPLETED', SPARK_TIME)).status)).toBe(false);
});

test('the two never worked on the same application', async () => {
  for (const namespace of [FIRST, SECOND]) expect(await eventsOf(namespace, 'SparkApplicationContended')).toEqual([]);
  expect((await list(FIRST, 'sparkapp')).map(({ metadata }) => metadata.name).sort()).toEqual(['adopted', 'returning']);
});
