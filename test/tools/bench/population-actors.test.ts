import type { Answer, ApiClient } from '../../../tools/bench/api-client.ts';
import { countsBetween, readMetrics } from '../../../tools/bench/operator-metrics.ts';
import { Drivers, executorOf, successOf } from '../../../tools/bench/population/drivers.ts';
import { Kubelets } from '../../../tools/bench/population/kubelets.ts';
import { node, nodesFor } from '../../../tools/bench/population/nodes.ts';
import { loadByProgram } from '../../../tools/bench/population/processors.ts';
import { ExecutorLag } from '../../../tools/bench/population/executor-lag.ts';
import { Scheduler } from '../../../tools/bench/population/scheduler.ts';
import { LineReader } from '../../../tools/bench/population/watch.ts';
import { addWrites, writesOf } from '../../../tools/bench/population/writes.ts';

const driver: any = {
  metadata: {
    name: 'bench-000001-driver', namespace: 'bench-life', uid: '99999999-2222-3333-4444-555555555555',
    labels: { 'spark-app-selector': 'spark-1', 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'bench-000001', 'sparkoperator.k8s.io/submission-id': 'id' },
  },
  spec: { serviceAccountName: 'spark', containers: [{ name: 'spark-kubernetes-driver', image: 'spark', imagePullPolicy: 'IfNotPresent' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'spark', imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T10:00:00Z' } } }],
  },
};

test("an executor has its driver's labels, and the driver for its owner", () => {
  const { metadata } = executorOf(driver, 2, 'simulated-001') as any;
  expect(metadata.name).toBe('bench-000001-99999999-exec-2');
  expect(metadata.labels).toEqual({ ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': '2', 'spark-exec-resourceprofile-id': '0' });
  expect(metadata.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Pod', name: 'bench-000001-driver', uid: driver.metadata.uid, controller: true }]);
});

test('a driver that has ended keeps what is known of its containers', () => {
  const { phase, containerStatuses } = successOf(driver.status, new Date('2026-03-01T10:00:10.500Z')) as any;
  expect(phase).toBe('Succeeded');
  expect(containerStatuses).toEqual([{
    name: 'spark-kubernetes-driver', image: 'spark', imageID: '', ready: false, started: false, restartCount: 0,
    state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: '2026-03-01T10:00:00Z', finishedAt: '2026-03-01T10:00:10Z' } },
  }]);
});

/** A stand-in for the API server that answers all calls alike. */
function played(status: number) {
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const answer = (method: string, path: string, body?: unknown): Promise<Answer> => {
    bodies.push(body);
    calls.push(`${method} ${path.split('/').slice(5).join('/')}`);
    return Promise.resolve({ status, text: 'refused' });
  };
  return { calls, bodies, client: { call: answer, json: answer } as unknown as ApiClient };
}

/** What kubelets were told. */
const told: string[] = [];
const kubelets = { run: ({ metadata: { name } }: { metadata: { name: string } }) => void told.push(`run ${name}`), remove: async ({ name }: { name: string }) => void told.push(`remove ${name}`) };
beforeEach(() => void told.splice(0));

test('a driver that runs makes its executors once, deletes them, and ends', async () => {
  const { calls, client } = played(200);
  const problems: Error[] = [];
  const drivers = new Drivers({ client, nodes: 2, kubelets, onProblem: (error) => problems.push(error) });
  drivers.pace = { executors: 2, driverSeconds: 0, startSeconds: 0 };
  drivers.see({ ...driver, status: { phase: 'Pending' } });
  expect(calls).toEqual([]);
  drivers.see(driver);
  drivers.see(driver);
  while (drivers.ended === 0) await new Promise(setImmediate);
  expect(calls).toEqual([
    'POST pods', 'POST pods', 'DELETE pods/bench-000001-99999999-exec-1', 'DELETE pods/bench-000001-99999999-exec-2', 'PATCH pods/bench-000001-driver/status',
  ]);
  const executors = [1, 2].map((id) => `bench-000001-99999999-exec-${id}`);
  expect(told).toEqual([...executors.map((name) => `run ${name}`), ...executors.map((name) => `remove ${name}`)]);
  expect(problems).toEqual([]);
});

test('a driver of a population runs until it is told to end, and its executors come and go', async () => {
  const { calls, client } = played(200);
  const drivers = new Drivers({ client, nodes: 2, kubelets, onProblem: () => undefined });
  drivers.pace = { executors: 1, startSeconds: 0 };
  drivers.see(driver);
  while (calls.length === 0) await new Promise(setImmediate);
  const running = drivers.running.get('bench-000001')!;
  await drivers.loseExecutor(running, 'bench-000001-99999999-exec-1');
  await drivers.addExecutor(running, true);
  expect([...running.executors]).toEqual(['bench-000001-99999999-exec-2']);
  await drivers.end(running);
  expect(calls.slice(1)).toEqual([
    'DELETE pods/bench-000001-99999999-exec-1?gracePeriodSeconds=0', 'POST pods', 'DELETE pods/bench-000001-99999999-exec-2', 'PATCH pods/bench-000001-driver/status',
  ]);
  expect(drivers.running.size).toBe(0);
});

test('a driver whose executors end at once: nobody has to delete them again', async () => {
  const { calls, client } = played(200);
  const drivers = new Drivers({ client, nodes: 2, kubelets, onProblem: () => undefined });
  drivers.pace = { executors: 1, driverSeconds: 0, startSeconds: 0, atOnce: true };
  drivers.see(driver);
  while (drivers.ended === 0) await new Promise(setImmediate);
  expect(calls).toEqual(['POST pods', 'DELETE pods/bench-000001-99999999-exec-1?gracePeriodSeconds=0', 'PATCH pods/bench-000001-driver/status']);
  expect(told).toEqual(['run bench-000001-99999999-exec-1']);
});

test.each([[404, 0], [500, 1]])('pods that cannot be deleted: %d makes %d problems', async (status, count) => {
  const { client } = played(status);
  const problems: Error[] = [];
  const drivers = new Drivers({ client, nodes: 2, kubelets, onProblem: (error) => problems.push(error) });
  drivers.pace = { executors: 1, driverSeconds: 0, startSeconds: 0 };
  drivers.see(driver);
  while (problems.length === 0 && drivers.ended === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(problems).toHaveLength(count);
});

test('a kubelet lets a pod run after a moment, and deletes for good what was deleted', async () => {
  const calls: (readonly unknown[])[] = [];
  const call = (...one: unknown[]): Promise<Answer> => {
    calls.push(one);
    return Promise.resolve({ status: 200, text: '' });
  };
  const client = { call };
  jest.useFakeTimers({ now: new Date('2026-03-01T10:00:00.250Z') });
  try {
    const own = new Kubelets({ client, onProblem: () => undefined, random: () => 0.5 });
    own.run(driver);
    jest.advanceTimersByTime(999);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(1);
  } finally {
    jest.useRealTimers();
  }
  const [[method, path, body, type]] = calls as [[string, string, string, string]];
  expect([method, path, type]).toEqual(['PATCH', '/api/v1/namespaces/bench-life/pods/bench-000001-driver/status', 'application/merge-patch+json']);
  const { status } = JSON.parse(body);
  expect(status).toMatchObject({ phase: 'Running', startTime: '2026-03-01T10:00:01Z', podIP: '10.0.0.1', containerStatuses: [{ ready: true }] });
  expect(status.conditions.map(({ type: name }: any) => name)).toEqual(['PodScheduled', 'Initialized', 'ContainersReady', 'Ready']);
  await new Kubelets({ client, onProblem: () => undefined }).remove({ namespace: 'bench-life', name: 'one-exec-1' });
  expect(calls[1]!.slice(0, 2)).toEqual(['DELETE', '/api/v1/namespaces/bench-life/pods/one-exec-1?gracePeriodSeconds=0']);
});

test('nodes have more place than is needed, and wait for kwok to make them ready', () => {
  expect([nodesFor(300), nodesFor(60_000)]).toEqual([4, 78]);
  const { status } = node(3) as any;
  expect(status.allocatable).toMatchObject({ pods: '1000' });
  expect(status.conditions).toBeUndefined();
});

test('lines come in pieces that end in the middle of a character', () => {
  const text = Buffer.from('{"a":"é"}\n{"b":1}\n{"c"');
  const reader = new LineReader();
  const middle = text.indexOf(0xa9);
  expect(reader.take(text.subarray(0, middle))).toEqual([]);
  expect(reader.take(text.subarray(middle))).toEqual(['{"a":"é"}', '{"b":1}']);
  expect(reader.take(Buffer.from(':2}\n'))).toEqual(['{"c":2}']);
});

test('what the operator tells Prometheus', () => {
  const text = [
    '# TYPE spark_operator_queue_depth gauge',
    'spark_operator_queue_depth{controller="spark-application"} 12',
    'spark_operator_queue_depth{controller="spark-connect"} 3',
    'spark_operator_kubernetes_requests_total{verb="update",resource="sparkapplications/status",status="200"} 7',
    'spark_operator_kubernetes_requests_total{verb="update",resource="sparkapplications/status",status="409"} 1',
    'spark_operator_kubernetes_requests_total{verb="update",resource="leases",status="200"} 99',
    'spark_operator_kubernetes_requests_total{verb="watch",resource="pods",status="200"} 2',
    'spark_operator_kubernetes_received_bytes_total{verb="watch",resource="pods"} 1.5e+6',
    'spark_operator_cached_objects{resource="pods"} 40',
    // From one look to the next, which are 10 ms apart.
    'nodejs_eventloop_lag_p99_seconds 0.0225',
    'nodejs_eventloop_lag_max_seconds 0.05',
  ].join('\n');
  const { calls, received, ...rest } = readMetrics(text);
  expect(Object.fromEntries(calls)).toEqual({ 'PUT sparkapplications/status': 8 });
  expect(Object.fromEntries(received)).toEqual({ 'watch pods': 1_500_000 });
  expect(rest).toEqual({ queue: 15, cached: 40, eventLoopDelay: 12.5, eventLoopBlocked: 40 });
  expect(countsBetween(new Map([['PUT sparkapplications/status', 6], ['GET pods', 1]]), new Map([...calls, ['GET pods', 1]]))).toEqual({ 'PUT sparkapplications/status': 2 });
});

test('from what happens to executors to the status that says so', () => {
  const lag = new ExecutorLag();
  lag.runs('a', 'exec-1', 100);
  lag.runs('a', 'exec-1', 150); // told once more
  lag.seeStatus('a', {}, 200);
  lag.seeStatus('a', { 'exec-1': 'RUNNING' }, 400);
  lag.runs('a', 'exec-1', 450);
  lag.gone('a', 'exec-1', 500);
  lag.seeStatus('a', { 'exec-1': 'RUNNING' }, 600);
  lag.seeStatus('a', { 'exec-1': 'COMPLETED' }, 1000);
  expect(lag.spread).toEqual({ p50: 300, p99: 500, max: 500 });
});

test('writes by what they are for', () => {
  const calls = { 'PUT sparkapplications/status': 8, 'POST pods': 2, 'POST services': 4, 'POST events': 6, 'PATCH configmaps': 2, 'GET pods': 9, 'LIST pods': 1, 'DELETE services': 2 };
  const begun = writesOf([{ calls }, { calls: { 'POST events': 2 } }], 2);
  expect(begun).toEqual({ handOver: 1, status: 3, created: 3, deleted: 1, others: 1, events: 4 });
  const ended = writesOf([{ calls: { 'PUT sparkapplications/status': 4, 'DELETE services': 4 } }], 4);
  expect(ended).toEqual({ handOver: 0, status: 1, created: 0, deleted: 1, others: 0, events: 0 });
  expect(addWrites(begun, ended)).toEqual({ handOver: 1, status: 4, created: 3, deleted: 2, others: 1, events: 4 });
});

test('processors and memory by program, also of one that began meanwhile, or is gone', () => {
  const before = { at: 0, busy: 0, stolen: 0, ours: new Map([['1', 100], ['2', 0]]) };
  const after = { at: 1000, busy: 0, stolen: 0, ours: new Map([['1', 600], ['2', 250], ['3', 200], ['4', 1]]) };
  const names: Record<string, string> = { 1: 'etcd', 3: 'kwok', 4: 'sh' };
  expect(loadByProgram(before, after, { 2: 'operator' }, (pid) => names[pid], (pid) => (pid === 3 ? undefined : 10 * pid))).toEqual([
    { program: 'etcd', cpu: 500, busy: 0.5, memory: 10 }, { program: 'operator', cpu: 250, busy: 0.25, memory: 20 }, { program: 'kwok', cpu: 200, busy: 0.2, memory: 0 },
  ]);
});

test('a driver without a node is bound once, to the next node', async () => {
  const { calls, bodies, client } = played(201);
  const problems: Error[] = [];
  const scheduler = new Scheduler({ client, nodes: 2, onProblem: (error) => problems.push(error) });
  scheduler.see(driver);
  scheduler.see(driver);
  scheduler.see({ metadata: { ...driver.metadata, uid: 'another' }, spec: { nodeName: 'simulated-001' } });
  expect(calls).toEqual(['POST pods/bench-000001-driver/binding']);
  expect(bodies.map((body) => JSON.parse(String(body)))).toMatchObject([{ target: { kind: 'Node', name: 'simulated-002' } }]);

  new Scheduler({ client: played(500).client, nodes: 2, onProblem: (error) => problems.push(error) }).see(driver);
  new Scheduler({ client: played(404).client, nodes: 2, onProblem: (error) => problems.push(error) }).see(driver);
  await new Promise(setImmediate);
  expect(problems.map(({ message }) => message)).toEqual(['POST /api/v1/namespaces/bench-life/pods/bench-000001-driver/binding: 500 refused']);
});
