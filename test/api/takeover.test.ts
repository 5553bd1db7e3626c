/*
 * The operator begins where kubeflow's has ended: what that leaves in a cluster, on a real API server. There is no node: the tests play the kubelet. They play
 * kubeflow's operator, too, as far as it writes to the API server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '../helpers/api-server';
import { followDrivers, pathOf, place, setPodStatus, writeTheirStatus, type Situation } from './helpers/kubeflow-cluster';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SOON, waitFor, waitForDriver, waitForState, waitForStatus, watch } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';

const api = new ApiServer();
let installation: Installation;
let operator: OperatorProcess;
let jobs: string;
let drivers: ReturnType<typeof followDrivers>;
/** The uid of the driver that was there before. */
const before = new Map<string, string>();

interface Case extends Situation {
  /** The state that the operator brings it to. */
  readonly becomes: string;
  /** Fate of the existing driver, if there is one, and whether there is another one afterwards. */
  readonly driver: 'stays' | 'is new' | 'none';
  readonly attempts?: number;
}

const state = (value: string, more: object = {}) => (application: any) => Object.assign(application.status, { applicationState: { state: value } }, more);
const never = (application: any) => { application.spec.restartPolicy = { type: 'Never' }; };
const withoutPods = (objects: any[]) => objects.splice(1);

/** The table in docs/migrate/details.md, and more. */
const CASES: readonly Case[] = [
  { name: 'new', fixture: 'new-with-driver', change: (_, objects) => withoutPods(objects), becomes: 'SUBMITTED', driver: 'is new', attempts: 1 },
  { name: 'unwritten', fixture: 'new-with-driver', becomes: 'RUNNING', driver: 'stays', attempts: 1 },
  {
    name: 'submitted', fixture: 'running', becomes: 'SUBMITTED', driver: 'stays', attempts: 1,
    change: (application, objects) => {
      state('SUBMITTED')(application);
      for (const { kind, status } of objects) if (kind === 'Pod') Object.assign(status, { phase: 'Pending', containerStatuses: undefined });
    },
  },
  { name: 'runs', fixture: 'running', becomes: 'RUNNING', driver: 'stays', attempts: 1 },
  { name: 'runs-unowned', fixture: 'running-without-webhook', becomes: 'RUNNING', driver: 'stays', attempts: 1 },
  { name: 'runs-exposed', fixture: 'running-exposed', becomes: 'RUNNING', driver: 'stays', attempts: 2 },
  { name: 'lost', fixture: 'running', change: never, becomes: 'FAILED', driver: 'none', attempts: 1 },
  { name: 'unknown', fixture: 'running-without-webhook', change: state('UNKNOWN'), becomes: 'RUNNING', driver: 'stays', attempts: 1 },
  { name: 'succeeding', fixture: 'completed', change: state('SUCCEEDING'), becomes: 'COMPLETED', driver: 'stays', attempts: 1 },
  { name: 'failing', fixture: 'failing', becomes: 'SUBMITTED', driver: 'is new', attempts: 2 },
  { name: 'failing-finally', fixture: 'failing', change: never, becomes: 'FAILED', driver: 'stays', attempts: 1 },
  { name: 'unsubmitted', fixture: 'submission-failed', change: (_, objects) => withoutPods(objects), becomes: 'SUBMITTED', driver: 'is new', attempts: 3 },
  {
    name: 'unsubmitted-finally', fixture: 'submission-failed', becomes: 'FAILED', driver: 'none', attempts: 2,
    change: (application, objects) => { never(application); withoutPods(objects); },
  },
  { name: 'mistaken', fixture: 'submission-failed', change: never, becomes: 'RUNNING', driver: 'stays', attempts: 3 },
  { name: 'again', fixture: 'pending-rerun', becomes: 'SUBMITTED', driver: 'is new', attempts: 2 },
  {
    name: 'again-unwritten', fixture: 'submission-failed', becomes: 'RUNNING', driver: 'stays', attempts: 2,
    change: state('PENDING_RERUN', { submissionAttempts: 1, executionAttempts: 1, driverInfo: {} }),
  },
  { name: 'edited', fixture: 'running', change: state('INVALIDATING'), becomes: 'SUBMITTED', driver: 'is new', attempts: 1 },
  {
    name: 'suspending', fixture: 'running', becomes: 'SUSPENDED', driver: 'none',
    change: (application) => { state('SUSPENDING')(application); application.spec.suspend = true; },
  },
  { name: 'paused', fixture: 'suspended', becomes: 'SUSPENDED', driver: 'none', attempts: 1 },
  { name: 'resuming', fixture: 'suspended', becomes: 'SUBMITTED', driver: 'is new', attempts: 2, change: (application) => { state('RESUMING')(application); delete application.spec.suspend; } },
  { name: 'done', fixture: 'completed', becomes: 'COMPLETED', driver: 'stays', attempts: 1 },
  { name: 'failed', fixture: 'completed', change: state('FAILED'), becomes: 'FAILED', driver: 'stays', attempts: 1 },
];

beforeAll(async () => {
  installation = await install('takeover', { driverIngress: true, driverDisruptionBudgets: true });
  jobs = installation.jobs;
  for (const situation of CASES) {
    const driver = (await place(api, jobs, situation)).find(({ kind, metadata }) => kind === 'Pod' && metadata.labels['spark-role'] === 'driver');
    if (driver) before.set(situation.name, driver.metadata.uid);
  }
  await kubectl(['delete', 'pod', 'lost-driver', '-n', jobs, '--grace-period=0', '--force']);
  drivers = followDrivers(api, jobs);
  operator = await start();
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
  api.close();
});

function start(): Promise<OperatorProcess> {
  return new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`, '--enable-driver-pdb', '--ingress-url-format={{$appName}}.example.org/{{$appNamespace}}']).ready();
}

const now = () => new Date().toISOString();
const container = (value: object) => [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state: value }];
const running = () => ({ phase: 'Running', startTime: now(), containerStatuses: container({ running: { startedAt: now() } }) });
const succeeded = () => ({ phase: 'Succeeded', containerStatuses: container({ terminated: { exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now() } }) });
const driverOf = async (name: string) => (await list(jobs, 'pods', `spark-role=driver,sparkoperator.k8s.io/app-name=${name}`)).map(({ metadata }) => metadata);
const executorsOf = (name: string) => list(jobs, 'pods', `spark-role=executor,sparkoperator.k8s.io/app-name=${name}`);

test.each(CASES)('$name: becomes $becomes, and its driver $driver', async ({ name, becomes, driver, attempts }) => {
  const application = await waitForStatus(jobs, name, (current) => current.applicationState?.state === becomes && current.observedGeneration !== undefined);
  const { status } = application;
  // The status precedes the driver by milliseconds.
  if (becomes === 'SUBMITTED') await waitForDriver(jobs, application);

  expect(status.submissionAttempts).toBe(attempts);
  const found = await driverOf(name);
  expect(found).toHaveLength(driver === 'none' ? 0 : 1);
  if (driver === 'stays') expect(found[0].uid).toBe(before.get(name));
  if (driver === 'is new') expect(found[0]).toMatchObject({ labels: { 'sparkoperator.k8s.io/app-uid': expect.any(String), 'sparkoperator.k8s.io/submission-id': status.submissionID } });
  // The status describes the living driver.
  if (!['COMPLETED', 'FAILED', 'SUSPENDED'].includes(becomes)) {
    expect(status).toMatchObject({ submissionID: found[0].labels['sparkoperator.k8s.io/submission-id'], sparkApplicationId: found[0].labels['spark-app-selector'], driverInfo: { podName: found[0].name } });
  }
});

test('known failure 8: executors that would outlive their driver are deleted with it', async () => {
  for (const name of ['lost', 'suspending', 'edited']) expect(await executorsOf(name)).toEqual([]);
  expect(await executorsOf('runs')).toHaveLength(2);
});

test("what kubeflow's operator has made for a web UI and other ports is taken over while the driver runs, and goes with it", async () => {
  const kinds = 'services,ingresses,poddisruptionbudgets,configmaps';
  const names = async () => (await list(jobs, kinds)).map(({ kind, metadata }) => `${kind} ${metadata.name}`).filter((text) => text.includes(' runs-exposed')).sort();
  const objects = [
    'ConfigMap runs-exposed-prom-conf', 'Ingress runs-exposed-ing-8085', 'Ingress runs-exposed-ui-ingress', 'PodDisruptionBudget runs-exposed-driver',
    'Service runs-exposed-driver-8085', 'Service runs-exposed-ui-svc',
  ];
  expect(await names()).toEqual(objects);
  await setPodStatus(api, jobs, 'runs-exposed-driver', succeeded());
  await waitForState(jobs, 'runs-exposed', 'COMPLETED');
  for (const object of objects) await waitFor(jobs, object.replace(' ', '/'), 'delete');
  expect(await names()).toEqual([]);
});

test.each(CASES.filter(({ becomes, name }) => ['RUNNING', 'SUBMITTED'].includes(becomes) && name !== 'runs-exposed'))('$name is carried to its end', async ({ name, driver, attempts }) => {
  const [{ name: pod }] = await driverOf(name);
  if (driver === 'is new' || name === 'submitted') {
    await setPodStatus(api, jobs, pod, running());
    await waitForState(jobs, name, 'RUNNING');
  }
  await setPodStatus(api, jobs, pod, succeeded());
  const { status } = await waitForState(jobs, name, 'COMPLETED');

  expect(status.submissionAttempts).toBe(attempts);
  expect(status.terminationTime).toMatch(/Z$/);
  for (const executor of Object.values(status.executorState ?? {})) expect(executor).toBe('COMPLETED');
});

test('a suspended application continues when it is resumed', async () => {
  await kubectl(['patch', 'sparkapp', 'paused', '-n', jobs, '--type=merge', '-p', '{"spec":{"suspend":false}}']);
  const { status } = await waitForState(jobs, 'paused', 'SUBMITTED');
  expect(status).toMatchObject({ submissionAttempts: 2, executionAttempts: 2 });
});

test('the time to live of an application that had already completed continues', async () => {
  await kubectl(['patch', 'sparkapp', 'done', '-n', jobs, '--type=merge', '-p', '{"spec":{"timeToLiveSeconds":1}}']);
  await waitFor(jobs, 'sparkapp/done', 'delete');
});

test('a driver whose name is out of the status, and which is still being deleted, is waited for', async () => {
  await operator.stop();
  await place(api, jobs, {
    name: 'leaving', fixture: 'running-without-webhook', change: (application, [, driver]) => {
      state('PENDING_RERUN', { driverInfo: {} })(application);
      driver.metadata.ownerReferences = [{ apiVersion: application.apiVersion, kind: application.kind, name: 'leaving', uid: application.metadata.uid, controller: true }];
      // A pod on a node stays until its kubelet has stopped it.
      driver.spec.nodeName = 'ghost';
    },
  });
  await kubectl(['delete', 'pod', 'leaving-driver', '-n', jobs, '--wait=false']);
  operator = await start();
  await waitForStatus(jobs, 'leaving', (status) => status.observedGeneration !== undefined);
  expect((await get(jobs, 'sparkapp', 'leaving')).status).toMatchObject({ applicationState: { state: 'PENDING_RERUN' }, submissionAttempts: 1 });
  await kubectl(['delete', 'pod', 'leaving-driver', '-n', jobs, '--grace-period=0', '--force', '--ignore-not-found']);
  const { status } = await waitForState(jobs, 'leaving', 'SUBMITTED');
  expect(status.submissionAttempts).toBe(2);
});

test('no driver was stopped that was to continue, and no application had two at a time', async () => {
  const { drivers: all, stopped, doubled } = await drivers.end();
  expect([...doubled]).toEqual([]);
  for (const { name, driver } of CASES) {
    if (driver !== 'stays') continue;
    expect({ name, drivers: all.get(name) }).toEqual({ name, drivers: [before.get(name)] });
    expect(stopped).not.toContain(before.get(name));
  }
  // The documented ones.
  expect([...stopped].map((uid) => [...before].find(([, other]) => other === uid)?.[0]).filter(Boolean).sort()).toEqual(['edited', 'suspending']);
});

describe('another operator that is still at work', () => {
  const application = (name: string) => ({
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace: jobs },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {} },
  });
  const submitted = async (name: string) => {
    await apply(application(name));
    await waitForState(jobs, name, 'SUBMITTED');
    await setPodStatus(api, jobs, `${name}-driver`, running());
    return waitForState(jobs, name, 'RUNNING');
  };

  test('is noticed, reported, and not fought; when it is quiet this operator adopts the application again', async () => {
    const { status } = await submitted('contended');
    const theirs = await writeTheirStatus(api, await get(jobs, 'sparkapp', 'contended'), { ...status, executorState: { 'contended-exec-1': 'RUNNING' } });
    const event = await watch(['events', '-n', jobs, '--field-selector=involvedObject.name=contended', '-o', 'jsonpath={.reason}: {.message}{"\\n"}'], (line) => (
      line.startsWith('SparkApplicationContended') ? line : undefined
    ), SOON);
    expect(event).toMatch(/^SparkApplicationContended: Another operator also manages SparkApplication contended: \S+ has written the status after this operator\. This one leaves it alone for 30 s$/);

    await setPodStatus(api, jobs, 'contended-driver', succeeded());
    // By then the operator has reconciled everything that happened before this one.
    await submitted('later');
    expect((await get(jobs, 'sparkapp', 'contended')).metadata.resourceVersion).toBe(theirs.metadata.resourceVersion);
    await waitForState(jobs, 'contended', 'COMPLETED');
  });

  test('there and back again: what this operator has started is followed as before', async () => {
    const { metadata: { uid } } = await get(jobs, 'pod', 'later-driver');
    await operator.stop();
    const left = await get(jobs, 'sparkapp', 'later');
    const { status } = await writeTheirStatus(api, left, left.status);
    expect(status.conditions).toBeUndefined();
    operator = await start();
    const { status: again } = await waitForStatus(jobs, 'later', (current) => current.specHash !== undefined);
    // The other operator has dropped the fields that it does not know, so nothing says any more why the attempt began.
    const { trigger: _, ...attempt } = left.status.attemptHistory[0];
    expect(again).toEqual({ ...left.status, terminationTime: null, conditions: expect.any(Array), attemptHistory: [attempt] });
    expect((await get(jobs, 'pod', 'later-driver')).metadata.uid).toBe(uid);
    await setPodStatus(api, jobs, 'later-driver', succeeded());
    await waitForState(jobs, 'later', 'COMPLETED');
  });
});

test('the patch of docs/migrate/from-kubeflow.md keeps the webhook from our pods, and leaves it to theirs', async () => {
  const page = readFileSync(join(__dirname, '../../docs/migrate/from-kubeflow.md'), 'utf8');
  const patches = [...page.matchAll(/kubectl patch mutatingwebhookconfiguration spark-operator-webhook --type=strategic --patch '([^']*)'/g)];
  const [patch] = patches.map(([, text]) => text!).filter((text) => text.includes('objectSelector'));
  // As its chart makes it. No server answers, so the API server rejects a pod that it asks about.
  const webhook = {
    clientConfig: { url: 'https://127.0.0.1:1/' }, admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail',
    namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [jobs] }] },
  };
  const name = `${jobs}-webhook`;
  await apply({
    apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name },
    webhooks: [
      {
        ...webhook, name: 'mutate--v1-pod.sparkoperator.k8s.io', objectSelector: { matchLabels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
      },
      {
        ...webhook, name: 'mutate-sparkoperator-k8s-io-v1beta2-sparkconnect.sparkoperator.k8s.io',
        rules: [{ apiGroups: ['sparkoperator.k8s.io'], apiVersions: ['v1alpha1'], resources: ['sparkconnects'], operations: ['CREATE'] }],
      },
    ],
  });
  try {
    await apply({
      apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'spoilt', namespace: jobs },
      spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {} },
    });
    await waitForStatus(jobs, 'spoilt', ({ applicationState }) => /mutate--v1-pod\.sparkoperator\.k8s\.io.*docs\/migrate\/from-kubeflow\.md/.test(applicationState?.errorMessage));

    await kubectl(['patch', 'mutatingwebhookconfiguration', name, '--type=strategic', '--patch', patch!]);
    await waitForState(jobs, 'spoilt', 'SUBMITTED');
    const [theirs] = await executorsOf('runs');
    const { code, body } = await api.call('POST', pathOf(jobs, 'Pod'), { metadata: { name: 'runs-exec-3', labels: theirs.metadata.labels }, spec: { containers: [{ name: 'c', image: 'example.org/c:1' }] } });
    expect({ code, message: body.message }).toEqual({ code: 500, message: expect.stringContaining('mutate--v1-pod.sparkoperator.k8s.io') });
    const left = JSON.parse(await kubectl(['get', 'mutatingwebhookconfiguration', name, '-o', 'json'])).webhooks;
    expect(left.map((each: any) => each.name)).toEqual(['mutate--v1-pod.sparkoperator.k8s.io', 'mutate-sparkoperator-k8s-io-v1beta2-sparkconnect.sparkoperator.k8s.io']);
    expect(left[0].objectSelector.matchLabels).toEqual({ 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' });
  } finally {
    await kubectl(['delete', 'mutatingwebhookconfiguration', name]);
  }
});
