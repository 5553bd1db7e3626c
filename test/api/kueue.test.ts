/*
 * The real Kueue admits applications, and the operator's bundle runs them, both on a real API server. There is no node: the tests play the kubelet.
 */
import { ApiServer } from '../helpers/api-server';
import { followDrivers, setPodStatus } from './helpers/kubeflow-cluster';
import { Kueue } from './helpers/kueue';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SOON, tryKubectl, waitForDriver, waitForState } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';

const QUEUE = 'kueue.x-k8s.io/queue-name';
const PRIORITY = 'kueue.x-k8s.io/priority-class';
const api = new ApiServer();
let installation: Installation;
let jobs: string;
let kueue: Kueue;
let operator: OperatorProcess;
let history: ReturnType<typeof followDrivers>;

/** One application with a driver and an executor has place in it. */
const quota = (flavor: string) => ({
  name: flavor, resources: [{ name: 'cpu', nominalQuota: '1' }, { name: 'memory', nominalQuota: '2Gi' }],
});

beforeAll(async () => {
  installation = await install('kueue');
  ({ jobs } = installation);
  history = followDrivers(api, jobs);
  const release = process.env.KUEUE;
  if (!release) throw new Error('there is no Kueue: run `npm run test:api`');
  [kueue, operator] = await Promise.all([
    Kueue.start(release, jobs),
    new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`]).ready(),
  ]);
  const apiVersion = 'kueue.x-k8s.io/v1beta2';
  await apply([
    ...['first', 'second'].map((name) => ({
      apiVersion, kind: 'ResourceFlavor', metadata: { name },
      spec: { nodeLabels: { pool: name }, tolerations: [{ key: `only-${name}`, operator: 'Exists', effect: 'NoSchedule' }] },
    })),
    { apiVersion, kind: 'WorkloadPriorityClass', metadata: { name: 'urgent' }, value: 1000 },
    {
      apiVersion, kind: 'ClusterQueue', metadata: { name: 'spark' },
      spec: {
        namespaceSelector: {}, preemption: { withinClusterQueue: 'LowerPriority' },
        resourceGroups: [{ coveredResources: ['cpu', 'memory'], flavors: [quota('first')] }],
      },
    },
    { apiVersion, kind: 'LocalQueue', metadata: { name: 'team', namespace: jobs }, spec: { clusterQueue: 'spark' } },
  ]);
});

afterAll(async () => {
  await operator?.stop();
  // Kueue takes back its finalizers.
  await installation?.remove();
  await tryKubectl(['wait', '--for=delete', `namespace/${jobs}`, '--timeout=180s']);
  await tryKubectl(['delete', 'clusterqueues.kueue.x-k8s.io,resourceflavors.kueue.x-k8s.io,workloadpriorityclasses.kueue.x-k8s.io', '--all', `--timeout=${SOON}s`]);
  await kueue?.stop();
  const left = [`mutatingwebhookconfiguration/kueue-${jobs}`, `validatingwebhookconfiguration/kueue-${jobs}`];
  await kubectl(['delete', ...left, '--ignore-not-found', '--wait=false']);
  api.close();
});

/** Asks for all that there is, and has fields that Kueue's copy of the kind does not know. */
function application(name: string, labels: Record<string, string> = {}, spec: Record<string, unknown> = {}) {
  const pod = { coreRequest: '500m', memory: '512m' };
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace: jobs, labels: { [QUEUE]: 'team', team: 'a', ...labels } },
    spec: {
      type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py',
      activeDeadlineSeconds: 86_400,
      restartPolicy: { type: 'OnFailure', onFailureRetries: 1, backoff: { type: 'Exponential', maxInterval: 60 } },
      driver: { ...pod, serviceAccount: 'spark' }, executor: { ...pod, instances: 1 }, ...spec,
    },
  };
}

const container = (state: object) => [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state }];
const now = () => new Date().toISOString();
const run = async (name: string) => {
  await setPodStatus(api, jobs, `${name}-driver`, { phase: 'Running', startTime: now(), containerStatuses: container({ running: { startedAt: now() } }) });
  await waitForState(jobs, name, 'RUNNING');
};
const complete = async (name: string) => {
  await setPodStatus(api, jobs, `${name}-driver`, { phase: 'Succeeded', containerStatuses: container({ terminated: { exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now() } }) });
  return waitForState(jobs, name, 'COMPLETED');
};
const isThere = async (kind: string, name: string) => (await tryKubectl(['get', kind, name, '-n', jobs])).code === 0;

/** Waits until the workload of an application fits. */
async function waitForWorkload(name: string, fits: (workload: any) => boolean): Promise<any> {
  for await (const { type, object } of api.watch(`/apis/kueue.x-k8s.io/v1beta2/namespaces/${jobs}/workloads?watch=true&timeoutSeconds=${SOON}`)) {
    if (type !== 'DELETED' && object.metadata.ownerReferences?.some((owner: any) => owner.name === name || owner.name.startsWith(`${name}-`)) && fits(object)) return object;
  }
  throw new Error(`the workload of ${name} did not get there in ${SOON} s: ${JSON.stringify(await list(jobs, 'workloads.kueue.x-k8s.io'))}\n${kueue.tail()}`);
}
/** Waits until an application fits. */
async function waitForApplication(name: string, fits: (application: any) => boolean): Promise<void> {
  const path = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${jobs}/sparkapplications?watch=true&timeoutSeconds=${SOON}&fieldSelector=metadata.name%3D${name}`;
  for await (const { object } of api.watch(path)) if (fits(object)) return;
  throw new Error(`${name} did not get there in ${SOON} s: ${JSON.stringify(await get(jobs, 'sparkapp', name))}\n${kueue.tail()}`);
}
const has = (type: string, status: string) => (workload: any) => (
  (workload.status?.conditions ?? []).some((condition: any) => condition.type === type && condition.status === status)
);

test('known failure 22: of two applications one has place: it is run where Kueue says, the other waits, and is run when the first has completed', async () => {
  await apply(application('one'));
  await waitForState(jobs, 'one', 'SUBMITTED');
  await apply(application('two'));
  const { spec, status } = await waitForState(jobs, 'two', 'SUSPENDED');
  const waiting = await waitForWorkload('two', has('QuotaReserved', 'False'));

  // Nothing of it was made.
  expect(status).toMatchObject({ applicationState: { state: 'SUSPENDED' } });
  expect(status.submissionID).toBeUndefined();
  expect(await list(jobs, 'pods,configmaps,services', 'sparkoperator.k8s.io/app-name=two')).toEqual([]);
  expect(waiting.status.conditions.find(({ type }: any) => type === 'QuotaReserved').message).toMatch(/insufficient unused quota for cpu in flavor first/);
  expect(waiting.spec.podSets.map(({ name, count, template }: any) => [name, count, template.spec.containers[0].resources.requests])).toEqual([
    ['driver', 1, { cpu: '500m', memory: '512Mi' }], ['executor', 1, { cpu: '500m', memory: '512Mi' }],
  ]);
  // Kueue keeps the fields of our kind that it does not know.
  expect(spec).toMatchObject({ suspend: true, activeDeadlineSeconds: 86_400, restartPolicy: { backoff: { type: 'Exponential', maxInterval: 60 } } });
  expect((await get(jobs, 'sparkapp', 'one')).spec).toMatchObject({ suspend: false, activeDeadlineSeconds: 86_400, restartPolicy: { backoff: { type: 'Exponential', maxInterval: 60 } } });

  const driver = await get(jobs, 'pod', 'one-driver');
  expect(driver.spec.nodeSelector).toEqual({ pool: 'first' });
  expect(driver.spec.tolerations).toContainEqual({ key: 'only-first', operator: 'Exists', effect: 'NoSchedule' });
  expect(driver.metadata.labels).toMatchObject({ 'team': 'a', 'kueue.x-k8s.io/podset': 'driver' });
  // With it Kueue would queue the pod as well.
  expect(driver.metadata.labels).not.toHaveProperty([QUEUE]);

  await run('one');
  await complete('one');
  await waitForWorkload('one', has('Finished', 'True'));
  await waitForState(jobs, 'two', 'SUBMITTED');
});

test('an application with a higher priority preempts a running one, which continues elsewhere', async () => {
  await run('two');
  await apply(application('three', { [PRIORITY]: 'urgent' }));
  const stopped = await waitForState(jobs, 'two', 'SUSPENDED');
  await waitForState(jobs, 'three', 'SUBMITTED');
  // Kueue's additions are gone.
  expect(stopped.spec.driver.nodeSelector).toBeUndefined();
  expect(await isThere('pod', 'two-driver')).toBe(false);

  await kubectl(['patch', 'clusterqueue', 'spark', '--type=merge', '-p', JSON.stringify({
    spec: { resourceGroups: [{ coveredResources: ['cpu', 'memory'], flavors: [quota('first'), quota('second')] }] },
  })]);
  const { status } = await waitForState(jobs, 'two', 'SUBMITTED');
  expect((await get(jobs, 'pod', 'two-driver')).spec.nodeSelector).toEqual({ pool: 'second' });
  // To be held is no failure.
  expect(status).toMatchObject({ submissionAttempts: 1, executionAttempts: 1 });
  await run('two');
  await run('three');
  await complete('two');
  await complete('three');
  await waitForWorkload('two', has('Finished', 'True'));
});

test('an edit that asks for more is admitted anew', async () => {
  await apply(application('four'));
  await waitForState(jobs, 'four', 'SUBMITTED');
  await run('four');
  await apply(application('four', {}, { executor: { coreRequest: '500m', memory: '1g', instances: 1 } }));
  await waitForWorkload('four', (workload) => has('Admitted', 'True')(workload) && workload.spec.podSets[1].template.spec.containers[0].resources.requests.memory === '1Gi');
  await waitForApplication('four', ({ metadata, spec, status }) => !spec.suspend && status.observedGeneration === metadata.generation && status.applicationState?.state === 'SUBMITTED');
  await waitForDriver(jobs, await get(jobs, 'sparkapp', 'four'));
  await run('four');
  await complete('four');
  await waitForWorkload('four', has('Finished', 'True'));
});

test('the runs of a schedule wait in its queue', async () => {
  const { spec: template } = application('nightly');
  await apply({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name: 'nightly', namespace: jobs, labels: { [QUEUE]: 'team' } },
    spec: { schedule: '0 0 1 1 *', template },
  });
  await kubectl(['wait', 'scheduledsparkapp/nightly', '-n', jobs, '--for=jsonpath={.status.observedGeneration}=1', `--timeout=${SOON}s`]);
  await kubectl(['annotate', 'scheduledsparkapp', 'nightly', '-n', jobs, 'sparkoperator.k8s.io/run-now=a']);
  const workload = await waitForWorkload('nightly', has('Admitted', 'True'));
  const { name } = workload.metadata.ownerReferences[0];
  await waitForState(jobs, name, 'SUBMITTED');
  expect((await get(jobs, 'pod', `${name}-driver`)).metadata.labels).toMatchObject({ 'kueue.x-k8s.io/podset': 'driver' });
});

test('no application had more drivers than Kueue admitted, or two at a time', async () => {
  const { drivers, doubled } = await history.end();
  expect(['one', 'two', 'three', 'four'].map((name) => drivers.get(name)!.length)).toEqual([1, 2, 1, 2]);
  expect([...doubled]).toEqual([]);
});

test.each([
  ['a mode that is not written', { mode: undefined }, /spec\.mode: Invalid value: .*only Cluster mode is supported/],
  ['dynamic allocation', { dynamicAllocation: { enabled: true } }, /spec\.dynamicAllocation\.enabled: Invalid value: true/],
])('Kueue refuses %s', async (_, spec, reason) => {
  const { code, stderr } = await tryKubectl(['create', '-f', '-'], JSON.stringify(application('refused', {}, spec)));
  expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
});
