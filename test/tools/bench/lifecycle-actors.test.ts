import type { Answer, ApiClient } from '../../../tools/bench/api-client.ts';
import { Drivers, executorOf, successOf } from '../../../tools/bench/lifecycle/drivers.ts';
import { node, nodesFor } from '../../../tools/bench/lifecycle/nodes.ts';
import { loadByProgram } from '../../../tools/bench/lifecycle/processors.ts';
import { depthIn } from '../../../tools/bench/lifecycle/queue-depth.ts';
import { LineReader } from '../../../tools/bench/lifecycle/watch.ts';

const driver = {
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
  const { metadata } = executorOf(driver, 2) as any;
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
  const answer = (method: string, path: string): Promise<Answer> => {
    calls.push(`${method} ${path.split('/').slice(5).join('/')}`);
    return Promise.resolve({ status, text: 'refused' });
  };
  return { calls, admin: { call: answer, json: answer } as unknown as ApiClient };
}

test('a driver that runs makes its executors once, deletes them, and ends', async () => {
  const { calls, admin } = played(200);
  const problems: Error[] = [];
  const drivers = new Drivers({ admin, executors: 2, onProblem: (error) => problems.push(error) });
  drivers.pace = { driverSeconds: 0, startSeconds: 0 };
  drivers.see({ ...driver, status: { phase: 'Pending' } });
  expect(calls).toEqual([]);
  drivers.see(driver);
  drivers.see(driver);
  while (!calls.some((call) => call.startsWith('PATCH'))) await new Promise(setImmediate);
  expect(calls).toEqual([
    'POST pods', 'POST pods', 'DELETE pods/bench-000001-99999999-exec-1', 'DELETE pods/bench-000001-99999999-exec-2', 'PATCH pods/bench-000001-driver/status',
  ]);
  expect(problems).toEqual([]);
});

test.each([[404, 0], [500, 1]])('pods that cannot be deleted: %d makes %d problems', async (status, count) => {
  const { calls, admin } = played(status);
  const problems: Error[] = [];
  const drivers = new Drivers({ admin, executors: 1, onProblem: (error) => problems.push(error) });
  drivers.pace = { driverSeconds: 0, startSeconds: 0 };
  drivers.see(driver);
  while (problems.length === 0 && !calls.some((call) => call.startsWith('PATCH'))) await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(problems).toHaveLength(count);
});

test('nodes have twice the place that is needed, and wait for kwok to make them ready', () => {
  expect([nodesFor(30), nodesFor(3000)]).toEqual([2, 12]);
  const { status } = node(3) as any;
  expect(status.allocatable).toMatchObject({ pods: '500' });
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

test('the depth of the queue, of one or of several', () => {
  expect(depthIn('# TYPE spark_operator_queue_depth gauge\nspark_operator_queue_depth 12\n')).toEqual([12]);
  expect(depthIn('workqueue_depth{name="a"} 3\nworkqueue_depth{name="b"} 4\n')).toEqual([7]);
  expect(depthIn('spark_operator_queue_wait_seconds_sum 3\n')).toEqual([]);
});

test('processors by program, also of one that began meanwhile', () => {
  const before = { at: 0, busy: 0, ours: new Map([['1', 100], ['2', 0]]) };
  const after = { at: 1000, busy: 0, ours: new Map([['1', 600], ['2', 250], ['3', 200], ['4', 1]]) };
  const names: Record<string, string> = { 1: 'etcd', 3: 'kwok', 4: 'sh' };
  expect(loadByProgram(before, after, { 2: 'operator' }, (pid) => names[pid])).toEqual([
    { program: 'etcd', cpu: 500, busy: 0.5 }, { program: 'operator', cpu: 250, busy: 0.25 }, { program: 'kwok', cpu: 200, busy: 0.2 },
  ]);
});
