/*
 * Limits of what one namespace or one object gets, by the operator's bundle against a real API
 * server: namespaces take turns, the status of an application is bounded, and schedules have a
 * minimum interval. There is no node.
 */
import { Duration } from 'cdk8s';
import { ApiServer } from '../helpers/api-server';
import { Lane } from './helpers/lane';
import { ServiceAddress } from './helpers/service-address';
import { until } from './helpers/until';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SOON, tryKubectl, waitForState, waitForStatus } from '../helpers/kubectl';
import type { OperatorProcess } from '../helpers/operator-process';

const [JOBS, QUIET] = ['fairness-jobs', 'fairness-quiet'];
const APPLICATIONS = '/apis/sparkoperator.k8s.io/v1beta2/namespaces';
const MOST_EXECUTORS = 5;

const api = new ApiServer();
let installation: Installation;
let lane: Lane;
let operator: OperatorProcess;

beforeAll(async () => {
  installation = await install('fairness', {
    jobNamespaces: [JOBS, QUIET], workers: 1, maxTrackedExecutors: MOST_EXECUTORS, minScheduleInterval: Duration.minutes(15), defaultsConfigMapName: 'limits', webhook: {},
  });
  lane = Lane.over(installation);
  operator = lane.startAs(installation);
  for (const namespace of [JOBS, QUIET]) {
    await operator.logged(({ msg, controller, namespace: synced }) => (
      msg === 'caches are filled, at work' && controller === 'scheduled-spark-application' && synced === namespace
    ));
  }
});

afterAll(async () => {
  await lane?.close();
  await installation?.remove();
  api.close();
});

const TEMPLATE = {
  type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {},
};

function createApplication(namespace: string, name: string): Promise<any> {
  const application = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace }, spec: TEMPLATE };
  return api.must('POST', `${APPLICATIONS}/${namespace}/sparkapplications`, application);
}

function schedule(name: string, text: string): object {
  return { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', metadata: { name, namespace: JOBS }, spec: { schedule: text, template: TEMPLATE } };
}

/** Waits until a schedule is in a state, and returns its status. */
async function scheduleIs(name: string, state: string): Promise<any> {
  let status: any;
  await until(async () => {
    ({ status = {} } = await get(JOBS, 'scheduledsparkapp', name));
    return status.scheduleState === state;
  });
  return status;
}

test('a namespace with one application does not wait for those of another one', async () => {
  operator.pause();
  await Promise.all(Array.from({ length: 40 }, (_, index) => createApplication(JOBS, `many-${index}`)));
  await createApplication(QUIET, 'one');
  operator.resume();
  await waitForState(QUIET, 'one', 'SUBMITTED', 3 * SOON);
  await operator.logged(({ state, key }) => state === 'SUBMITTED' && key === `${QUIET}/one`);
  const submitted = operator.log.filter(({ state }) => state === 'SUBMITTED').map(({ key }) => key as string);
  // The watches of two namespaces are not ordered: the first can have some turns alone.
  expect(submitted.indexOf(`${QUIET}/one`)).toBeLessThan(20);
  await kubectl(['delete', 'sparkapp', '--all', '-n', JOBS, '--wait=false']);
});

test('a status has as many executors as it can, whatever their labels', async () => {
  const driver = await get(QUIET, 'pod', 'one-driver');
  await Promise.all(Array.from({ length: 30 }, async (_, index) => api.must('POST', `/api/v1/namespaces/${QUIET}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `one-exec-${String(index).padStart(2, '0')}`,
      namespace: QUIET,
      labels: { ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': '1' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'one-driver', uid: driver.metadata.uid, controller: true }],
    },
    spec: { containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:1' }] },
  })));
  const { status } = await waitForStatus(QUIET, 'one', ({ executorState = {} }) => Object.keys(executorState).length >= MOST_EXECUTORS);
  expect(Object.keys(status.executorState)).toHaveLength(MOST_EXECUTORS);
  // All pods are seen by the time that changes of another one are in the status.
  const [recorded] = Object.keys(status.executorState);
  await kubectl(['patch', 'pod', recorded!, '-n', QUIET, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { phase: 'Running' } })]);
  const later = await waitForStatus(QUIET, 'one', ({ executorState }) => executorState[recorded!] === 'RUNNING');
  expect(Object.keys(later.status.executorState)).toHaveLength(MOST_EXECUTORS);
});

test('a stored schedule that runs too often has no runs and says why, until the limit or the schedule changes', async () => {
  // No Service leads to the webhook yet.
  await apply([schedule('too-often', '@every 2s'), schedule('enough', '*/30 * * * *')]);
  expect((await scheduleIs('too-often', 'FailedValidation')).reason).toBe(
    'spec.schedule = "@every 2s" has runs 2s apart, which is less than the operator allows (--min-schedule-interval=15m); '
    + 'write a schedule with at least 15m between two runs, or ask the administrator of the operator',
  );
  expect((await scheduleIs('enough', 'Scheduled')).nextRun).toBeDefined();

  await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits', namespace: JOBS }, data: { 'limits.yaml': 'minScheduleInterval: 1h' } });
  expect((await scheduleIs('enough', 'FailedValidation')).reason).toMatch(/has runs 30m apart, which is less than ConfigMap fairness-jobs\/limits allows \(limits.yaml: minScheduleInterval: 1h\)/);
  await kubectl(['delete', 'configmap', 'limits', '-n', JOBS]);
  await scheduleIs('enough', 'Scheduled');
  expect(await list(JOBS, 'sparkapp', 'sparkoperator.k8s.io/scheduled-app-name')).toEqual([]);
});

test('the webhook rejects a schedule that runs too often, and names the field, the limit and the remedy', async () => {
  const service = await ServiceAddress.of(installation.namespace, 'spark-operator-webhook-svc');
  try {
    service.targets = [await operator.webhookPort()];
    const rejected = JSON.stringify(schedule('rejected', '*/5 * * * *'));
    let answer = '';
    await until(async () => {
      answer = (await tryKubectl(['apply', '--dry-run=server', '-f', '-'], rejected)).stderr;
      return answer !== '';
    });
    expect(answer).toContain('spec.schedule = "*/5 * * * *" has runs 5m apart, which is less than the operator allows (--min-schedule-interval=15m); write a schedule with at least 15m between two runs');
    await apply(schedule('accepted', '*/15 * * * *'));
    await scheduleIs('accepted', 'Scheduled');
  } finally {
    await service.close();
  }
});
