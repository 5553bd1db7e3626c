import { SharedStrings } from '../../src/kube/shared-strings';
import { driverState, viewOf } from '../../src/model/pod-view';

function endedWith(terminated: object, limits?: object) {
  const name = 'spark-kubernetes-driver';
  return viewOf({
    metadata: { name: 'pi-driver' },
    spec: { containers: [{ name: 'proxy', resources: { limits: { memory: '1Gi' } } }, { name, resources: { limits } }] },
    status: { phase: 'Failed', containerStatuses: [{ name, state: { terminated: { exitCode: 1, reason: 'Error', ...terminated } } }] },
  } as Parameters<typeof viewOf>[0]).terminated;
}

const terminatedWith = (message: string | undefined) => endedWith({ message })?.message;

test('the message is the cause of the end, not what Spark logs while it shuts down', () => {
  expect(terminatedWith([
    'Traceback (most recent call last):',
    '  File "/opt/job.py", line 3, in <module>',
    'RuntimeError: the input table is missing',
    '26/03/01 10:00:00 INFO SparkContext: Invoking stop() from shutdown hook',
    '26/03/01 10:00:01 WARN ExecutorPodsWatchSnapshotSource: Kubernetes client has been closed.',
    '26/03/01 10:00:01 INFO ShutdownHookManager: Deleting directory /tmp/spark-1',
    '',
  ].join('\n'))).toBe('RuntimeError: the input table is missing (job.py:3)');
});

test('a program that was out of memory has its limit, and none of its output', () => {
  const message = '-driver-svc.jobs.svc, 7079, None)\n26/03/01 10:00:00 INFO BlockManager: x\nPi is roughly 3.14\n';
  expect(endedWith({ exitCode: 137, reason: 'OOMKilled', message }, { memory: '1408Mi' })).toEqual({
    exitCode: 137, reason: 'OOMKilled', memoryLimit: '1408Mi',
  });
});

test('the last output of a program that reports no exception', () => {
  expect(terminatedWith('26/03/01 10:00:00 INFO A: x\nno rows for 2026-03-01\n26/03/01 10:00:00 INFO A: y\n')).toBe('last output: no rows for 2026-03-01');
  const start = "Using Spark's default log4j profile: org/apache/spark/log4j2-defaults.properties\nSetting default log level to \"WARN\".\n";
  expect(terminatedWith(start)).toBeUndefined();
  expect(terminatedWith('26/03/01 10:00:00 INFO A: x\n26/03/01 10:00:00 INFO A: y\n')).toBeUndefined();
});

test('a container that did not start has the message of its runtime', () => {
  const message = 'failed to create containerd task: exec: "no": executable file not found in $PATH';
  expect(endedWith({ exitCode: 128, reason: 'StartError', message })?.message).toBe(message);
});

test('a message has at most 300 characters', () => {
  const message = terminatedWith(`RuntimeError: ${'word '.repeat(300)}`)!;
  expect(message.length).toBeLessThanOrEqual(300);
  expect(message).toMatch(/^RuntimeError: (word )+word…$/);
});

describe('a Pod that runs spark-submit', () => {
  const submitter = (message: string) => viewOf({
    metadata: { name: 'pi-submit', labels: { 'spark-role': 'submitter' } },
    spec: { containers: [{ name: 'istio-proxy' }, { name: 'spark-submit', env: [] }] },
    status: {
      phase: 'Running', containerStatuses: [
        { name: 'istio-proxy', state: { running: {} } },
        { name: 'spark-submit', state: { terminated: { exitCode: 1, message } } },
      ],
    },
  } as Parameters<typeof viewOf>[0]).terminated;

  test('its own container decides, not a sidecar', () => expect(submitter('no')).toMatchObject({ exitCode: 1, message: 'no' }));

  test('more of its message is kept, without secrets', () => {
    const message = submitter(`${'y'.repeat(900)}x password=hunter2 ${'x'.repeat(3_000)}`)!.message!;
    expect(message).toContain(`${'y'.repeat(900)}x password=*** xxx`);
    expect(submitter('x'.repeat(5_000))!.message).toHaveLength(4_001);
  });
});

test.each([undefined, '', ' \n', 'WARNING: Using incubator modules: jdk.incubator.vector\n'])('no message: %j', (message) => expect(terminatedWith(message)).toBeUndefined());

test('known failure 17: only the fields of a pod that decisions need are kept in memory', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7', labels: {
        'spark-role': 'driver', 'team': 'a',
      }, annotations: { long: 'x' }, managedFields: [{}],
    },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    status: { phase: 'Running' },
  };
  expect(JSON.parse(JSON.stringify(viewOf(pod)))).toEqual({
    metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7', labels: { 'spark-role': 'driver' } }, phase: 'Running',
  });
});

test("the end of Spark's container applies if a template renamed it, even if the kubelet lists a sidecar first", () => {
  const view = viewOf({
    metadata: { name: 'pi-driver', namespace: 'jobs' },
    spec: { containers: [{ name: 'agent' }, { name: 'main', env: [{ name: 'SPARK_DRIVER_BIND_ADDRESS' }] }] },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'agent', state: { running: {} } }, { name: 'main', state: { terminated: { exitCode: 0 } } }],
    },
  } as unknown as Parameters<typeof viewOf>[0]);

  expect(driverState(view)).toBe('COMPLETED');
});

test('pods share one labels object if and only if their labels are equal, except for the executor ID', () => {
  const strings = new SharedStrings();
  const view = (labels: Record<string, string>) => viewOf(
    { metadata: { name: 'pi', labels: { 'spark-role': 'executor', ...labels } } }, strings,
  );
  const first = view({ 'sparkoperator.k8s.io/app-name': 'pi', 'spark-exec-id': '1', 'spark-version': '4.1.1' });
  expect([first.executorId, first.metadata.labels]).toEqual([1, { 'spark-role': 'executor', 'sparkoperator.k8s.io/app-name': 'pi' }]);
  expect(view({ 'sparkoperator.k8s.io/app-name': 'pi', 'spark-exec-id': '12' })).toMatchObject({ executorId: 12 });
  expect(view({ 'sparkoperator.k8s.io/app-name': 'pi', 'spark-exec-id': '12' }).metadata.labels).toBe(first.metadata.labels);
  const others: Record<string, string>[] = [
    {}, { 'sparkoperator.k8s.io/app-name': '' }, { 'sparkoperator.k8s.io/app-name': 'pie' },
    { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' }, { 'sparkoperator.k8s.io/submission-id': 'pi' },
  ];
  for (const other of others) expect(view(other).metadata.labels).toEqual({ 'spark-role': 'executor', ...other });
});

test('missing fields of a pod take no memory', () => {
  const running = viewOf({
    metadata: { name: 'pi', labels: {} }, status: { phase: 'Running', startTime: '2026-03-01T10:00:00Z' },
  } as Parameters<typeof viewOf>[0]);
  for (const absent of ['executorId', 'reason', 'terminated', 'isMainRunning', 'init', 'unseenBy', 'obstacle', 'isReady', 'podIP']) {
    expect(running).not.toHaveProperty(absent);
  }
  expect(running.metadata).not.toHaveProperty('deletionTimestamp');
});

/** Length of texts that the API server does not limit. */
const LONG = 100_000;

/**
 * Returns a pod with long texts wherever the API server accepts them; `state` is that of its
 * containers.
 */
function podOfLongTexts(role: string, phase: string, state: (text: string) => object): Parameters<typeof viewOf>[0] {
  let count = 0;
  // Each text is different.
  const text = () => `${++count}${'x'.repeat(LONG)}`;
  const status = (name: string) => ({ name, state: state(text()) });
  const keys = [
    'app-name', 'connect-name', 'app-uid', 'submission-id', 'revision', 'scheduled-app-name',
  ].map((key) => `sparkoperator.k8s.io/${key}`);
  return {
    metadata: {
      name: 'n'.repeat(253), namespace: 'n'.repeat(63), uid: 'u'.repeat(36), resourceVersion: '1234567890',
      creationTimestamp: '2026-03-01T10:00:00Z', deletionTimestamp: '2026-03-01T10:00:00Z',
      labels: {
        [text()]: text(), 'spark-role': role, 'spark-exec-id': '1',
        ...Object.fromEntries([...keys, 'spark-app-selector'].map((key) => [key, 'x'.repeat(63)])),
      },
      annotations: { a: text() },
      finalizers: [text()],
      ownerReferences: [true, true, false].map((controller) => ({
        apiVersion: text(), kind: text(), name: text(), uid: text(), controller,
      })),
    },
    spec: {
      schedulerName: text(), containers: [
        { name: 'main', env: [{ name: 'SPARK_EXECUTOR_ID' }] },
      ], ...(phase === 'Running' && { nodeName: text() }),
    },
    status: {
      phase: phase === 'Unknown' ? text() : phase, reason: text(), message: text(), podIP: text(),
      conditions: [
        ...(phase === 'Pending' ? [] : [{ type: 'PodScheduled', status: 'False', reason: text(), message: text() }]),
        { type: text(), status: text() },
      ],
      containerStatuses: [status('main')],
      initContainerStatuses: [status(text())],
    },
  } as unknown as Parameters<typeof viewOf>[0];
}

const STATES: Record<string, (text: string) => object> = {
  waiting: (text) => ({ waiting: { reason: 'ErrImagePull', message: text } }),
  terminated: (text) => ({
    terminated: { exitCode: 1, reason: text, message: text, startedAt: '2026-03-01T10:00:00Z', finishedAt: '2026-03-01T10:00:00Z' },
  }),
  absent: () => ({}),
};

const ROLES = ['driver', 'executor', 'connect-server'];

test.each(ROLES)('a %s with long texts in all fields takes less than 8 KiB of memory', (role) => {
  const filled = new Set<string>();
  for (const phase of ['Pending', 'Running', 'Failed', 'Unknown']) {
    for (const [name, state] of Object.entries(STATES)) {
      for (const strings of [undefined, new SharedStrings()]) {
        const view = viewOf(podOfLongTexts(role, phase, state), strings);
        expect(`${phase} ${name}: ${JSON.stringify(view).length < 8_192}`).toBe(`${phase} ${name}: true`);
        Object.entries(view).filter(([, value]) => value !== undefined).forEach(([field]) => filled.add(field));
      }
    }
  }
  expect([...filled]).toEqual(expect.arrayContaining(['executorId', 'phase', 'reason', 'nodeName', 'terminated', 'init', 'unseenBy']));
});

test('long texts of an obstacle are shortened, too', () => {
  const status = {
    phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'r'.repeat(LONG), message: 'm'.repeat(LONG) }],
  };
  expect(viewOf({ metadata: { name: 'pi-driver' }, status } as Parameters<typeof viewOf>[0]).obstacle).toEqual({
    reason: `${'r'.repeat(252)}…`, message: `${'m'.repeat(1_023)}…`, passes: true,
  });
  const waiting = viewOf(podOfLongTexts('driver', 'Pending', STATES.waiting!)).obstacle!;
  expect([waiting.reason, waiting.message!.length]).toEqual(['ErrImagePull', 1_024]);
});
