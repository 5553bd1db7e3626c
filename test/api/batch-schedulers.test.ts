/* Requests to batch schedulers, against a real API server with their real kinds and the rights of SparkOperator. There is no node: the tests play the kubelet. */
import { ApiServer } from '../helpers/api-server';
import { define, exclusively, undefine, WAIT_FOR_OTHERS } from './helpers/definition';
import { Lane } from './helpers/lane';
import { defineOnce, podGroupDefinition } from './helpers/pod-groups';
import { install, type Installation } from '../helpers/installation';
import type { OperatorProcess } from '../helpers/operator-process';

const MERGE = 'application/merge-patch+json';
const VOLCANO = podGroupDefinition('scheduling.volcano.sh');
const COSCHEDULING = podGroupDefinition('scheduling.x-k8s.io');

const api = new ApiServer();
let installation: Installation;
let lane: Lane;
let jobs: string;
let operator: OperatorProcess;

beforeAll(async () => {
  installation = await install('batch', { batchScheduling: { kubeSchedulers: ['gang'], defaultScheduler: 'volcano' } });
  jobs = installation.jobs;
  lane = Lane.over(installation);
  await defineOnce(api, VOLCANO);
  operator = await lane.startAs(installation).ready();
});

afterAll(async () => {
  await lane?.close();
  await installation?.remove();
  api.close();
});

const path = {
  application: (name: string) => `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${jobs}/sparkapplications/${name}`,
  applications: () => `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${jobs}/sparkapplications`,
  driver: (name: string) => `/api/v1/namespaces/${jobs}/pods/${name}-driver`,
  volcano: (name: string) => `/apis/scheduling.volcano.sh/v1beta1/namespaces/${jobs}/podgroups/${name}`,
  coscheduling: (name: string) => `/apis/scheduling.x-k8s.io/v1alpha1/namespaces/${jobs}/podgroups/${name}`,
};

function create(name: string, spec: object = {}): Promise<any> {
  return api.must('POST', path.applications(), {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: { instances: 2 }, ...spec },
  });
}

async function until<T>(look: () => Promise<T | undefined>, seconds = 90): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const read = (where: string) => async () => {
  const { code, body } = await api.call('GET', where);
  return code === 200 ? body : undefined;
};
/** Resolves with the application when it is in a state, and has a driver if it is SUBMITTED; fails at once when it has ended in another one. */
const inState = (name: string, state: string) => until(async () => {
  const application = await api.must('GET', path.application(name));
  const now = application.status?.applicationState?.state;
  if (now !== state && ['COMPLETED', 'FAILED'].includes(now)) throw new Error(`${name} is ${JSON.stringify(application.status)}`);
  if (now !== state) return undefined;
  return now !== 'SUBMITTED' || await read(path.driver(name))() ? application : undefined;
});
const gone = (where: string) => until(async () => ((await api.call('GET', where)).code === 404 ? true : undefined));
const setDriver = (name: string, phase: string) => api.must('PATCH', `${path.driver(name)}/status`, { status: { phase } }, MERGE);
const suspend = (name: string, is: boolean) => api.must('PATCH', path.application(name), { spec: { suspend: is } }, MERGE);

test('known failure 22: the group of pods is there before the driver, with what the pods ask for, and goes with the end of the application', async () => {
  const { metadata: { uid } } = await create('etl', { batchSchedulerOptions: { queue: 'nightly', priorityClassName: 'high' } });
  await inState('etl', 'SUBMITTED');
  const [group, driver] = [await api.must('GET', path.volcano('spark-etl-pg')), await api.must('GET', path.driver('etl'))];

  // Three pods of 1 core and 1024 + 409 MiB: Python's overhead is 40 %.
  expect(group.spec).toEqual({ minMember: 1, minResources: { cpu: '3', memory: '4299Mi' }, queue: 'nightly', priorityClassName: 'high' });
  expect(group.metadata.ownerReferences).toEqual([{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'etl', uid, controller: true }]);
  expect(BigInt(group.metadata.resourceVersion)).toBeLessThan(BigInt(driver.metadata.resourceVersion));
  expect(driver.spec.schedulerName).toBe('volcano');
  expect(driver.metadata.annotations).toMatchObject({ 'scheduling.k8s.io/group-name': 'spark-etl-pg' });

  await setDriver('etl', 'Running');
  await inState('etl', 'RUNNING');
  expect((await api.call('GET', path.volcano('spark-etl-pg'))).code).toBe(200);
  await setDriver('etl', 'Succeeded');
  await gone(path.volcano('spark-etl-pg'));
  await inState('etl', 'COMPLETED');
});

test('it goes with a suspension, and comes back as the specification is then', async () => {
  await create('held');
  await until(read(path.volcano('spark-held-pg')));
  await inState('held', 'SUBMITTED');
  await suspend('held', true);
  await inState('held', 'SUSPENDED');
  expect((await api.call('GET', path.volcano('spark-held-pg'))).code).toBe(404);

  await api.must('PATCH', path.application('held'), { spec: { suspend: false, executor: { instances: 5 } } }, MERGE);
  await inState('held', 'SUBMITTED');
  expect((await api.must('GET', path.volcano('spark-held-pg'))).spec.minResources).toMatchObject({ cpu: '6' });
});

test('an operator that takes over removes what another one made', async () => {
  await create('left');
  await inState('left', 'SUBMITTED');
  await operator.stop('SIGKILL');
  await setDriver('left', 'Failed');
  operator = await lane.startAs(installation).ready();

  await inState('left', 'FAILED');
  await gone(path.volcano('spark-left-pg'));
});

test('a PodGroup that another operator has left is replaced; one without this owner stays, and the application fails', async () => {
  const { metadata } = await create('taken', { suspend: true });
  await inState('taken', 'SUSPENDED');
  const group = (name: string, ownerReferences: object[]) => api.must('POST', path.volcano(''), {
    apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup', metadata: { name, ownerReferences }, spec: { minMember: 7 },
  });
  await group('spark-taken-pg', [{ apiVersion: metadata.apiVersion ?? 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'taken', uid: metadata.uid, controller: true }]);
  await group('spark-foreign-pg', []);
  await suspend('taken', false);
  await create('foreign');

  await inState('taken', 'SUBMITTED');
  expect((await api.must('GET', path.volcano('spark-taken-pg'))).spec).toMatchObject({ minMember: 1, minResources: { cpu: '3' } });
  const { status } = await inState('foreign', 'FAILED');
  expect(status.applicationState.errorMessage).toBe('a PodGroup spark-foreign-pg exists that this submission did not create; delete it');
  expect((await api.must('GET', path.volcano('spark-foreign-pg'))).spec.minMember).toBe(7);
});

test('known failure R9: a scheduler that is not installed: the status reports what is missing, and the application starts when it is there', async () => {
  await exclusively(api, COSCHEDULING.metadata.name, async () => {
    await create('early', { batchScheduler: 'gang' });
    await until(async () => /the cluster has no podgroups\.scheduling\.x-k8s\.io .*install the scheduler/.test((await api.must('GET', path.application('early'))).status?.applicationState?.errorMessage) || undefined);
    expect((await api.call('GET', path.driver('early'))).code).toBe(404);

    await define(api, COSCHEDULING);
    try {
      const driver = await until(read(path.driver('early')));
      expect(driver.spec.schedulerName).toBe('gang');
      expect(driver.metadata.labels).toMatchObject({ 'scheduling.x-k8s.io/pod-group': 'early-pg' });
      expect((await api.must('GET', path.coscheduling('early-pg'))).spec).toEqual({ minMember: 1, minResources: { cpu: '3', memory: '4299Mi' } });

      await setDriver('early', 'Succeeded');
      await gone(path.coscheduling('early-pg'));
    } finally {
      await undefine(api, COSCHEDULING);
    }
  });
}, 90_000 + WAIT_FOR_OTHERS);

test('YuniKorn: all is on the driver, and the API server takes it', async () => {
  await create('yuni', { batchScheduler: 'yunikorn', batchSchedulerOptions: { queue: 'root.etl' } });
  const driver = await until(read(path.driver('yuni')));

  expect(driver.spec.schedulerName).toBe('yunikorn');
  expect(driver.metadata.labels).toMatchObject({ queue: 'root.etl', applicationId: driver.metadata.labels['spark-app-selector'] });
  expect(JSON.parse(driver.metadata.annotations['yunikorn.apache.org/task-groups'])).toMatchObject([{ name: 'spark-driver', minMember: 1 }, { name: 'spark-executor', minMember: 2 }]);
});
