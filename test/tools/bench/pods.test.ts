import type { Answer, ApiClient } from '../../../tools/bench/api-client.ts';
import { nodesFor } from '../../../tools/bench/population/nodes.ts';
import { Drivers, executorOf, successOf } from '../../../tools/bench/population/pods.ts';
import { outcomeOf } from '../../../tools/bench/scenarios/neighbours.ts';

const driver: any = {
  metadata: {
    name: 'bench-000001-driver', namespace: 'bench-life', uid: '99999999-2222-3333-4444-555555555555',
    labels: { 'spark-app-selector': 'spark-1', 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'bench-000001' },
  },
  spec: { serviceAccountName: 'spark', containers: [{ name: 'spark-kubernetes-driver', image: 'spark', imagePullPolicy: 'IfNotPresent' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{
      name: 'spark-kubernetes-driver', image: 'spark', imageID: '', ready: true, started: true, restartCount: 0,
      state: { running: { startedAt: '2026-03-01T10:00:00Z' } },
    }],
  },
};

test("an executor has its driver's labels, and the driver for its owner", () => {
  const { metadata } = executorOf(driver, 2, 'simulated-001');
  expect(metadata.name).toBe('bench-000001-99999999-exec-2');
  expect(metadata.labels).toEqual({
    ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': '2', 'spark-exec-resourceprofile-id': '0',
  });
  expect(metadata.ownerReferences).toEqual([
    { apiVersion: 'v1', kind: 'Pod', name: 'bench-000001-driver', uid: driver.metadata.uid, controller: true },
  ]);
});

test('a driver that has ended keeps the rest of its container status', () => {
  const { phase, containerStatuses } = successOf(driver.status, new Date('2026-03-01T10:00:10.500Z')) as any;
  expect(phase).toBe('Succeeded');
  expect(containerStatuses).toEqual([{
    name: 'spark-kubernetes-driver', image: 'spark', imageID: '', ready: false, started: false, restartCount: 0,
    state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: '2026-03-01T10:00:00Z', finishedAt: '2026-03-01T10:00:10Z' } },
  }]);
});

/** Drivers with an API server that answers all calls alike. */
function play(status = 200) {
  const calls: string[] = [];
  const bodies: any[] = [];
  const phases: string[] = [];
  const executors: string[] = [];
  const problems: Error[] = [];
  const answer = (method: string, path: string, body?: any): Promise<Answer> => {
    calls.push(`${method} ${path.split('/').slice(5).join('/')}`);
    bodies.push(typeof body === 'string' ? JSON.parse(body) : body);
    return Promise.resolve({ status, text: 'refused' });
  };
  const drivers = new Drivers({
    client: { call: answer, json: answer } as unknown as ApiClient, nextNode: () => 'simulated-001', random: () => 0.5,
    onPhase: (application, phase) => phases.push(`${application} ${phase}`), onExecutor: (_, name) => executors.push(name),
    onProblem: (error) => problems.push(error),
  });
  return { calls, bodies, phases, executors, problems, drivers };
}

/** Lets promises and immediate timers run until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

describe('played drivers', () => {
  // The delays of kubelets are simulated; those of drivers are 0.
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T10:00:00.250Z'), doNotFake: ['setImmediate', 'performance'] }));
  afterEach(() => jest.useRealTimers());

  test('a driver that is seen runs a second later; once, however often it is seen', async () => {
    const { calls, bodies, phases, drivers } = play();
    const pending = { ...driver, status: { phase: 'Pending' } };
    drivers.see(pending);
    drivers.see(pending);
    await jest.advanceTimersByTimeAsync(999);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect([calls, phases]).toEqual([['PATCH pods/bench-000001-driver/status'], ['bench-000001 Running']]);
    const { status } = bodies[0];
    expect(status).toMatchObject({
      phase: 'Running', startTime: '2026-03-01T10:00:01Z', podIP: '10.0.0.1', containerStatuses: [{ ready: true }],
    });
    expect(status.conditions.map(({ type }: any) => type)).toEqual(['PodScheduled', 'Initialized', 'ContainersReady', 'Ready']);
  });

  test('a driver that has ended before it is seen is left alone', async () => {
    const { calls, drivers } = play();
    drivers.see({ ...driver, metadata: { ...driver.metadata, labels: { ...driver.metadata.labels, 'bench.example.org/ended': 'true' } } });
    await jest.advanceTimersByTimeAsync(10_000);
    expect([calls, drivers.running.size]).toEqual([[], 0]);
  });

  test('a running driver creates its executors once, deletes them, and succeeds', async () => {
    const { calls, phases, problems, drivers } = play();
    drivers.pace = { executors: 2, driverSeconds: 0 };
    drivers.see(driver);
    drivers.see(driver);
    await until(() => drivers.ended > 0);
    expect(calls).toEqual([
      'POST pods', 'POST pods', ...[1, 2].map((id) => `DELETE pods/bench-000001-99999999-exec-${id}?gracePeriodSeconds=0`),
      'PATCH pods/bench-000001-driver/status',
    ]);
    expect([phases, problems, drivers.running.size]).toEqual([['bench-000001 Succeeded'], [], 0]);
  });

  test('a driver without an end runs on, and its executors, which run a second later, come and go', async () => {
    const { calls, executors, drivers } = play();
    drivers.pace = { executors: 1 };
    drivers.see(driver);
    await until(() => calls.length > 0);
    await jest.advanceTimersByTimeAsync(999);
    expect(executors).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(executors).toEqual(['bench-000001-99999999-exec-1']);
    const running = drivers.running.get('bench-000001')!;
    await drivers.loseExecutor(running, 'bench-000001-99999999-exec-1');
    await drivers.addExecutor(running);
    expect([...running.executors]).toEqual(['bench-000001-99999999-exec-2']);
    await drivers.end(running);
    expect(drivers.running.size).toBe(0);
    const deletions = calls.filter((call) => call.startsWith('DELETE'));
    expect(deletions).toEqual([1, 2].map((id) => `DELETE pods/bench-000001-99999999-exec-${id}?gracePeriodSeconds=0`));
  });

  test.each([[404, 0], [500, 1]])('pods that cannot be deleted: %d makes %d problems', async (status, count) => {
    const { problems, drivers } = play(status);
    drivers.pace = { executors: 1, driverSeconds: 0 };
    drivers.see(driver);
    await until(() => problems.length > 0 || drivers.ended > 0);
    expect(problems).toHaveLength(count);
  });
});

test('nodes have more room than is needed', () => {
  expect([nodesFor(300), nodesFor(60_000)]).toEqual([4, 78]);
});

test('huge applications are spread evenly over a flood, and every second one can run', () => {
  const outcomes = Array.from({ length: 1_000 }, (_, index) => outcomeOf(index, 15 / 1_000));
  expect([outcomes.filter((one) => one === 'run').length, outcomes.filter((one) => one === 'rejected').length]).toEqual([7, 8]);
  expect(outcomes.slice(0, 500).filter(Boolean)).toHaveLength(7);
});
