/*
 * Two installations side by side, each with namespaces of its own by labels, on a real API server and
 * with the rights that SparkOperator gives them. There is no node: the tests play the kubelet.
 */
import { ApiServer } from '../helpers/api-server';
import { pathOf, setPodStatus } from './helpers/kubeflow-cluster';
import { Lane } from './helpers/lane';
import { running, succeeded } from './helpers/onlooker';
import { waitForConnect } from '../helpers/connects';
import { FaultProxy } from '../helpers/fault-proxy';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, waitForState, watchObject, SOON } from '../helpers/kubectl';
import type { OperatorProcess } from '../helpers/operator-process';
import { firstEventOf } from '../helpers/traces';

const LABEL = 'cdk8s-spark-operator.test/team';
/** The namespaces of the two teams. */
const NAMESPACES = { a: 'team-a-jobs', b: 'team-b-jobs' } as const;
/** Names under which the API server records the two installations. */
const WRITERS = { a: 'cdk8s-spark-operator.team-a-operator', b: 'cdk8s-spark-operator.team-b-operator' } as const;

type Team = keyof typeof NAMESPACES;

const TEAMS: readonly Team[] = ['a', 'b'];
const api = new ApiServer();
const installations = new Map<Team, Installation>();
const operators = new Map<Team, OperatorProcess>();
const lanes = new Map<Team, Lane>();

beforeAll(async () => {
  for (const team of TEAMS) {
    const installation = await install(`team-${team}`, { jobNamespaces: [], namespaceSelector: { [LABEL]: team } });
    installations.set(team, installation);
    lanes.set(team, Lane.over(installation));
    await createNamespace(NAMESPACES[team], team);
    await start(team);
  }
});

afterAll(async () => {
  for (const lane of lanes.values()) await lane.close();
  for (const installation of installations.values()) await installation.remove();
  await kubectl(['delete', 'namespace', ...Object.values(NAMESPACES), 'moving', '--ignore-not-found', '--wait=false']);
  api.close();
});

async function start(team: Team, options: Parameters<Lane['startAs']>[1] = {}): Promise<void> {
  const operator = lanes.get(team)!.startAs(installations.get(team)!, options);
  operators.set(team, operator);
  await operator.ready();
}

async function createNamespace(name: string, team: Team): Promise<void> {
  await apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [LABEL]: team } } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'spark', namespace: name } },
  ]);
}

const application = (namespace: string, name: string) => ({
  apiVersion: 'sparkoperator.k8s.io/v1beta2',
  kind: 'SparkApplication',
  metadata: { name, namespace },
  spec: {
    type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py',
    driver: { serviceAccount: 'spark' }, executor: {},
  },
});

const schedule = (namespace: string, name: string) => ({
  ...application(namespace, name),
  kind: 'ScheduledSparkApplication',
  spec: { schedule: '0 0 1 1 *', template: application(namespace, name).spec },
});

const connect = (namespace: string, name: string) => ({
  apiVersion: 'sparkoperator.k8s.io/v1alpha1',
  kind: 'SparkConnect',
  metadata: { name, namespace },
  spec: {
    sparkVersion: '4.1.1', image: 'example.org/spark:1', executor: { instances: 1 },
    server: { template: { spec: { containers: [], serviceAccountName: 'spark' } } },
  },
});

/** Brings an application that is submitted to RUNNING. Returns the uid of its driver. */
async function run(namespace: string, name: string): Promise<string> {
  await waitForState(namespace, name, 'SUBMITTED');
  const { metadata } = await setPodStatus(api, namespace, `${name}-driver`, running());
  await waitForState(namespace, name, 'RUNNING');
  return metadata.uid;
}

/** Waits for a field in the status of the schedule, and returns it. */
async function scheduleShows(namespace: string, field: string): Promise<string> {
  const value = await watchObject(namespace, 'scheduledsparkapp', 'nightly', ({ status }) => status?.[field] as string | undefined);
  if (!value) throw new Error(`the status of the schedule in ${namespace} has no ${field} after ${SOON} s`);
  return value;
}

/** Returns who has written to the status of an object. */
function writersIn({ metadata: { managedFields } }: any): string[] {
  return [...new Set<string>(managedFields.filter(({ subresource }: any) => subresource === 'status').map(({ manager }: any) => manager))].sort();
}

const readApplication = (namespace: string, name: string) => api.must('GET', pathOf(namespace, 'SparkApplication', name));

test('each installation works on the namespaces with its label, on all kinds, and writes under its own name', async () => {
  await Promise.all(TEAMS.map(async (team) => {
    const namespace = NAMESPACES[team];
    await apply([application(namespace, 'pi'), schedule(namespace, 'nightly'), connect(namespace, 'notebook')]);
    await waitForConnect(namespace, 'notebook', ({ server }) => server?.podName !== undefined);
    await scheduleShows(namespace, 'observedGeneration');
    await kubectl(['annotate', 'scheduledsparkapp', 'nightly', '-n', namespace, 'sparkoperator.k8s.io/run-now=1']);
    for (const name of ['pi', await scheduleShows(namespace, 'lastRunName')]) {
      await run(namespace, name);
      await setPodStatus(api, namespace, `${name}-driver`, succeeded());
      await waitForState(namespace, name, 'COMPLETED');
    }
  }));
  for (const team of TEAMS) {
    const namespace = NAMESPACES[team];
    const group = (version: string, plural: string) => api.must('GET', `/apis/sparkoperator.k8s.io/${version}/namespaces/${namespace}/${plural}`);
    const { items: applications } = await group('v1beta2', 'sparkapplications');
    const { items: others } = await group('v1beta2', 'scheduledsparkapplications');
    const { items: connects } = await group('v1alpha1', 'sparkconnects');
    expect([applications.length, others.length, connects.length]).toEqual([2, 1, 1]);
    expect(new Set([...applications, ...others, ...connects].flatMap(writersIn))).toEqual(new Set([WRITERS[team]]));
  }
});

test('a namespace that gets the label of the other installation takes its running driver along', async () => {
  await createNamespace('moving', 'a');
  await apply(application('moving', 'pi'));
  const driver = await run('moving', 'pi');
  await kubectl(['label', 'namespace', 'moving', '--overwrite', `${LABEL}=b`]);
  await operators.get('a')!.logged((line) => line.namespace === 'moving' && /no longer selected by its labels/.test(line.msg));
  await operators.get('b')!.logged((line) => line.namespace === 'moving' && line.msg === 'the namespace is selected by its labels');
  await setPodStatus(api, 'moving', 'pi-driver', succeeded());
  await waitForState('moving', 'pi', 'COMPLETED');
  expect((await list('moving', 'pods', 'spark-role=driver')).map(({ metadata }) => metadata.uid)).toEqual([driver]);
  expect(writersIn(await readApplication('moving', 'pi'))).toContain(WRITERS.b);
});

test('the end of one installation does not touch the other one', async () => {
  await operators.get('a')!.stop('SIGKILL');
  await apply(TEAMS.map((team) => application(NAMESPACES[team], 'lonely')));
  await run(NAMESPACES.b, 'lonely');
  expect((await get(NAMESPACES.a, 'sparkapp', 'lonely')).status).toBeUndefined();
  await start('a');
  await run(NAMESPACES.a, 'lonely');
  for (const team of TEAMS) expect(writersIn(await readApplication(NAMESPACES[team], 'lonely'))).toEqual([WRITERS[team]]);
});

test('two installations that select one namespace notice each other: one steps back, the application has one driver and completes', async () => {
  const namespace = NAMESPACES.a;
  for (const operator of operators.values()) await operator.stop();
  // It decides whose write comes first: otherwise it is left to chance who writes what.
  const proxy = await FaultProxy.start(installations.get('a')!.kubeconfig);
  try {
    const [a, b] = [lanes.get('a')!, lanes.get('b')!];
    const first = a.startAs(installations.get('a')!, { proxy });
    await first.ready();
    await apply(application(namespace, 'contended'));
    await waitForState(namespace, 'contended', 'SUBMITTED');
    const { metadata: { uid } } = await get(namespace, 'pod', 'contended-driver');
    // The other one is quicker from now on.
    proxy.rule = (exchange) => (exchange.call.resource === 'sparkapplications/status' ? exchange.fail(409, 'Conflict') : exchange.pass());
    const second = await b.startAs(installations.get('b')!, { flags: [`--namespace-selector=${LABEL} in (a,b)`] }).ready();
    await setPodStatus(api, namespace, 'contended-driver', running());
    await waitForState(namespace, 'contended', 'RUNNING');
    const { message } = await firstEventOf(namespace, 'SparkApplicationContended', 'contended');
    expect(message).toContain(`Another operator also manages SparkApplication contended: ${WRITERS.b} has written the status after this operator`);
    expect(first.log.some(({ msg }) => msg?.startsWith('Another operator also manages SparkApplication contended'))).toBe(true);

    proxy.rule = (exchange) => exchange.pass();
    await setPodStatus(api, namespace, 'contended-driver', succeeded());
    await waitForState(namespace, 'contended', 'COMPLETED');
    expect((await list(namespace, 'pods', 'sparkoperator.k8s.io/app-name=contended')).map(({ metadata }) => metadata.uid)).toEqual([uid]);
    expect((await readApplication(namespace, 'contended')).status).toMatchObject({ submissionAttempts: 1, executionAttempts: 1 });
    await Promise.all([first.stop(), second.stop()]);
  } finally {
    await lanes.get('a')!.reset();
    await proxy.close();
  }
});
