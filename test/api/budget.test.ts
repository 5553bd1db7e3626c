/*
 * The cost of applications for the API server. A proxy between the operator and a real API server counts calls and bytes. Nothing is timed, so a regression shows
 * on any machine. budget.json has the numbers. There is no node: the tests play drivers, executors and kubelets.
 *
 * The proxy counts calls exactly, as the tests control everything that depends on time. Each step waits for the previous one. The operator receives simultaneous
 * changes of executors in a few portions, within the time for which it coalesces them. Bytes differ a little, as resource versions get longer.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import budget from './budget.json';
import { ApiServer } from '../helpers/api-server';
import { Cast } from './helpers/cast';
import { CountingProxy } from './helpers/counting-proxy';
import { takingConnections } from './helpers/connect-page';
import { Onlooker, stateOf, type Sight } from './helpers/onlooker';
import { pathOf } from './helpers/retry-run';
import { overrunOf, type Cost } from '../helpers/budget';
import { install, type Installation } from '../helpers/installation';
import { OperatorProcess } from '../helpers/operator-process';

/** One for each scenario, so that their costs are counted separately; all names have one length. */
const NAMESPACES = { one: 'budget-ones', many: 'budget-many', retry: 'budget-fail', schedule: 'budget-runs', connect: 'budget-conn' } as const;
const KINDS = ['spark-application', 'spark-connect', 'scheduled-spark-application'];
/** Without coalescing, each portion would cause a write. Together they take much less than the seconds for which the operator coalesces changes. */
const PORTIONS = { count: 3, pause: 100 };
const SECONDS = 60;
const MANY = 20;

let installation: Installation;
let api: ApiServer;
let onlooker: Onlooker;
let proxy: CountingProxy;
let operator: OperatorProcess;
const folder = mkdtempSync(join(tmpdir(), 'budget-'));

beforeAll(async () => {
  installation = await install('budget', { jobNamespaces: Object.values(NAMESPACES) });
  api = new ApiServer();
  onlooker = new Onlooker();
  proxy = await CountingProxy.start(installation.kubeconfig);
  writeFileSync(join(folder, 'kubeconfig'), proxy.kubeconfig(), { mode: 0o600 });
  operator = await start();
});

afterAll(async () => {
  await operator?.stop('SIGKILL');
  await proxy?.close();
  onlooker?.close();
  await Promise.all(Object.values(NAMESPACES).map((namespace) => api?.call('DELETE', `/api/v1/namespaces/${namespace}`)));
  api?.close();
  await installation?.remove();
  rmSync(folder, { recursive: true });
});

/** Starts the operator as its Deployment does, behind the proxy. */
async function start(): Promise<OperatorProcess> {
  const args = installation.args.filter((arg) => !/^--(metrics-bind|health-probe|webhook-port)/.test(arg));
  const started = new OperatorProcess([...args, `--kubeconfig=${join(folder, 'kubeconfig')}`], { POD_NAME: 'operator-0', POD_NAMESPACE: installation.namespace });
  await Promise.all(Object.values(NAMESPACES).flatMap((name) => KINDS.map((kind) => (
    started.logged(({ msg, namespace, controller }) => msg === 'caches are filled, at work' && namespace === name && controller === kind)
  ))));
  return started;
}

function application(namespace: string, name: string, { executors = 1, ...spec }: { readonly executors?: number; readonly [field: string]: unknown } = {}) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: {
      type: 'Python',
      sparkVersion: '4.1.1',
      image: 'example.org/spark:4.1.1',
      mainApplicationFile: 'local:///opt/spark/applications/etl.py',
      arguments: ['--day', '2026-03-01', '--output', 's3a://clean/events'],
      sparkConf: { 'spark.sql.shuffle.partitions': '200', 'spark.eventLog.enabled': 'true', 'spark.eventLog.dir': 's3a://history/logs' },
      // Kubernetes' own scheduler would tell at any moment that there is no node.
      driver: { cores: 1, memory: '2g', serviceAccount: 'spark', schedulerName: 'none' },
      executor: { instances: executors, cores: 2, memory: '4g' },
      ...spec,
    },
  };
}

const until = (namespace: string, name: string, fits: (sight: Sight) => boolean) => onlooker.until(namespace, name, fits, SECONDS);
const untilState = (namespace: string, name: string, state: string) => until(namespace, name, (sight) => stateOf(sight) === state);
/** The driver of an application, or that of a later attempt, when it is in the status, too. */
const submitted = async (namespace: string, name: string, attempt = 1) => (
  (await until(namespace, name, (sight) => stateOf(sight) === 'SUBMITTED' && sight.drivers.length === attempt && sight.application.status.submissionAttempts === attempt)).drivers.at(-1)!.pod
);

/** Creates applications and starts their drivers and executors. @returns their pods, when the statuses show all of them */
async function run(namespace: string, names: readonly string[], executors: number): Promise<{ driver: any; executors: any[] }[]> {
  const cast = new Cast(api, namespace);
  await Promise.all(names.map((name) => api.must('POST', pathOf(namespace), application(namespace, name, { executors }))));
  const drivers = await Promise.all(names.map((name) => submitted(namespace, name)));
  await Promise.all(drivers.map((driver) => cast.runs(driver)));
  await Promise.all(names.map((name) => untilState(namespace, name, 'RUNNING')));
  const started = await proxy.inPortions('pods', namespace, PORTIONS, () => Promise.all(drivers.map((driver) => cast.startExecutors(driver, executors))));
  const areRunning = ({ application: { status } }: Sight) => Object.values(status.executorState ?? {}).filter((state) => state === 'RUNNING').length === executors;
  await Promise.all(names.map((name) => until(namespace, name, areRunning)));
  return drivers.map((driver, index) => ({ driver, executors: started[index]! }));
}

/** The drivers of applications end, well. */
async function complete(namespace: string, names: readonly string[], pods: Awaited<ReturnType<typeof run>>): Promise<void> {
  const cast = new Cast(api, namespace);
  await proxy.inPortions('pods', namespace, PORTIONS, () => Promise.all(pods.map(({ driver, executors }) => cast.complete(driver, executors))));
  await Promise.all(names.map((name) => untilState(namespace, name, 'COMPLETED')));
}

/** Returns the operator's cost in a namespace since the last call, once it has seen all objects and is idle. */
async function costOf(namespace: string): Promise<Cost> {
  await Promise.all([pathOf(namespace), `/api/v1/namespaces/${namespace}/pods`].map(async (path) => {
    const { items } = await api.must('GET', path);
    const newest = Math.max(0, ...items.map(({ metadata }: any) => Number(metadata.resourceVersion)));
    await proxy.hasTold(path.split('/').at(-1)!, namespace, String(newest));
  }));
  await settled();
  return proxy.take(namespace);
}

/** Resolves when the operator is idle: no call is under way, and it has begun none after it processed all events that it has received. */
async function settled(): Promise<void> {
  const { health } = await operator.ports();
  for (let before = -1; before !== proxy.calls;) {
    await proxy.isQuiet();
    before = proxy.calls;
    for (let turn = 0; turn < 3; turn++) await (await fetch(`http://127.0.0.1:${health}/healthz`)).text();
  }
}

function expectBudget(name: keyof typeof budget.scenarios, cost: Cost): void {
  // On a busy machine an object can be deleted again before its watch reports that it is gone.
  const counted = Object.fromEntries(Object.entries(cost).filter(([what]) => !/^delete \S+ \(404\)$/.test(what)));
  const overrun = overrunOf(name, budget.scenarios[name], counted, budget.bytes, 'test/api/budget.json');
  if (overrun) throw new Error(overrun);
}

const namesOf = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

test('one application with 5 executors, from its creation to its end', async () => {
  const namespace = NAMESPACES.one;
  proxy.take(namespace);
  const names = namesOf('one', 1);
  await complete(namespace, names, await run(namespace, names, 5));
  const cost = await costOf(namespace);

  expectBudget('one application with 5 executors', cost);
  // The goal is independent of the budget, and excludes events, as `npm run bench` does. The first status write of an attempt records the intent
  // (docs/explain/decisions/0004-intent-first.md), four more follow its progress, and each object is created once. The goal excludes the deletion
  // of the web UI's Service after the end.
  const sum = (of: RegExp) => Object.entries(cost).filter(([what]) => of.test(what)).reduce((total, [, { calls = 0 }]) => total + calls, 0);
  const attempts = sum(/^create pods$/);
  expect(attempts).toBe(1);
  expect(sum(/^update sparkapplications\/status$/) - attempts).toBeLessThanOrEqual(4);
  expect(sum(/^(update|patch) (?!events|sparkapplications\/status)/)).toBe(0);
});

test('20 applications at once, with 2 executors each', async () => {
  const namespace = NAMESPACES.many;
  proxy.take(namespace);
  const names = namesOf('first', MANY);
  await complete(namespace, names, await run(namespace, names, 2));

  expectBudget('20 applications with 2 executors each', await costOf(namespace));
});

test('an application that is run again after its first driver has failed', async () => {
  const namespace = NAMESPACES.retry;
  const cast = new Cast(api, namespace);
  proxy.take(namespace);
  // Long enough that the wait is in the status in each run.
  const restartPolicy = { type: 'OnFailure', onFailureRetries: 1, onFailureRetryInterval: 3 };
  await api.must('POST', pathOf(namespace), application(namespace, 'again', { restartPolicy }));
  await cast.ends(await submitted(namespace, 'again'), 1);
  const driver = await submitted(namespace, 'again', 2);
  await cast.runs(driver);
  await untilState(namespace, 'again', 'RUNNING');
  await cast.ends(driver, 0);
  await untilState(namespace, 'again', 'COMPLETED');

  expectBudget('an application that is run again', await costOf(namespace));
});

test('a run of a schedule', async () => {
  const namespace = NAMESPACES.schedule;
  const cast = new Cast(api, namespace);
  const schedules = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/scheduledsparkapplications`;
  proxy.take(namespace);
  await api.must('POST', schedules, {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name: 'daily', namespace },
    spec: { schedule: '0 0 1 1 *', suspend: true, template: application(namespace, 'daily').spec },
  });
  await seen(schedules, 'daily', ({ status }) => status?.observedGeneration === 1);
  await settled();
  await api.must('PATCH', `${schedules}/daily`, { metadata: { annotations: { 'sparkoperator.k8s.io/run-now': 'one' } } }, 'application/merge-patch+json');
  const { status: { lastRunName: name } } = await seen(schedules, 'daily', ({ status }) => status?.lastRunName !== undefined);
  const driver = await submitted(namespace, name);
  await settled();
  await cast.runs(driver);
  await untilState(namespace, name, 'RUNNING');
  await settled();
  await cast.ends(driver, 0);
  await untilState(namespace, name, 'COMPLETED');
  const { metadata } = await seen(schedules, 'daily', ({ status }) => status.pastSuccessfulRunNames?.includes(name));
  await proxy.hasTold('scheduledsparkapplications', namespace, metadata.resourceVersion);

  expectBudget('a run of a schedule', await costOf(namespace));
});

test('a server of Spark Connect, until it takes connections', async () => {
  const namespace = NAMESPACES.connect;
  const connects = `/apis/sparkoperator.k8s.io/v1alpha1/namespaces/${namespace}/sparkconnects`;
  proxy.take(namespace);
  await api.must('POST', connects, {
    apiVersion: 'sparkoperator.k8s.io/v1alpha1',
    kind: 'SparkConnect',
    metadata: { name: 'shared', namespace },
    spec: {
      sparkVersion: '4.1.1', image: 'example.org/spark:4.1.1', executor: { instances: 1 },
      server: { template: { spec: { containers: [], serviceAccountName: 'spark', schedulerName: 'none' } } },
    },
  });
  await seen(connects, 'shared', ({ status }) => status?.server?.podName !== undefined);
  await settled();
  const pod = await api.must('GET', `/api/v1/namespaces/${namespace}/pods/shared-server`);
  await new Cast(api, namespace).setStatus(pod, takingConnections());
  const { metadata } = await seen(connects, 'shared', ({ status }) => status.state === 'Ready');
  await proxy.hasTold('sparkconnects', namespace, metadata.resourceVersion);

  expectBudget('a server of Spark Connect', await costOf(namespace));
});

test('20 running applications beside 20 finished ones: nothing when nothing happens, lists when all watches end, and lists after a restart', async () => {
  const namespace = NAMESPACES.many;
  await run(namespace, namesOf('other', MANY), 2);
  await costOf(namespace);

  await settled();
  expect(proxy.take(namespace)).toEqual({});

  await proxy.expire(namespace);
  expectBudget('20 running and 20 finished: all watches end', await costOf(namespace));

  await operator.stop();
  expect(proxy.take(namespace)).toEqual({});
  operator = await start();
  await allLookedAt();
  expectBudget('20 running and 20 finished: a restart', await costOf(namespace));
});

/** Resolves with an object when it fits. */
async function seen(collection: string, name: string, fits: (object: any) => boolean): Promise<any> {
  let last: any;
  for await (const { object } of api.watch(`${collection}?watch=true&timeoutSeconds=${SECONDS}&fieldSelector=metadata.name%3D${name}`)) {
    last = object;
    if (fits(object)) return object;
  }
  throw new Error(`${name} did not get there in ${SECONDS} s; its status is ${JSON.stringify(last?.status)}`);
}

/** Resolves when the operator has reconciled all applications. No event reports that. */
async function allLookedAt(): Promise<void> {
  const { metrics } = await operator.ports();
  const lists = await Promise.all(Object.values(NAMESPACES).map((namespace) => api.must('GET', pathOf(namespace))));
  const count = lists.flatMap(({ items }) => items).length;
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const results = text.matchAll(/^controller_runtime_reconcile_total\{result="(?:success|requeue_after)",controller="sparkapplication"\} (\d+)$/gm);
    if ([...results].reduce((sum, [, passes]) => sum + Number(passes), 0) >= count) return;
  }
  throw new Error(`the operator has not looked at ${count} applications in ${SECONDS} s`);
}
