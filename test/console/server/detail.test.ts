/*
 * Details of an application with large objects: the console reads them in pages of at most 8 MiB.
 */
import { readDetail } from '../../../src/console/server/detail';
import { HttpError } from '../../../src/console/server/http';
import { NodeReader } from '../../../src/console/server/node-reader';
import type { Viewer } from '../../../src/console/server/viewer';
import { SPARK_APPLICATIONS } from '../../../src/model/resources';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { application, FakeCluster } from '../helpers/fake-cluster';

const EVERYTHING: Viewer = {
  session: { readOnly: true }, may: async () => true, require: async () => undefined, isStillValid: async () => true,
};
const LABELS = { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'executor' };
const LARGE = 'x'.repeat(400_000);

let cluster: FakeCluster;

beforeEach(async () => {
  cluster = await FakeCluster.start({ maxResponseBytes: 8 * 1024 * 1024 });
  cluster.put('sparkapplications', application('pi'));
});

afterEach(() => cluster.stop());

const detailOf = () => readDetail(cluster.client, EVERYTHING, { namespace: 'default', name: 'pi' }, {
  now: 0, signal: AbortSignal.timeout(60_000), nodes: new NodeReader(cluster.client, new ManualClock()), historyServer: 'https://history.example.org',
});
const metadataOf = (index: number) => ({ name: `object-${100 + index}`, namespace: 'default', labels: LABELS });
const names = Array.from({ length: 40 }, (_, index) => metadataOf(index).name);

test.each([
  ['configmaps', 'ConfigMap', { data: { key: LARGE } }],
  ['services', 'Service', { spec: { externalName: LARGE } }],
])('the details list all %s, only with their names', async (plural, kind, body) => {
  for (const index of names.keys()) cluster.put(plural, { metadata: metadataOf(index), ...body });
  const { owned } = await detailOf();
  expect(owned).toEqual(names.map((name) => ({ kind, name, created: Date.parse('2026-03-01T10:00:00Z') })));
});

test('the details list at most 200 objects of a kind', async () => {
  for (let index = 0; index < 250; index++) {
    cluster.put('configmaps', { metadata: metadataOf(index), data: { key: LARGE.slice(0, 50_000) } });
  }
  const { owned } = await detailOf();
  expect([owned.length, owned[0]!.name, owned.at(-1)!.name]).toEqual([200, 'object-100', 'object-299']);
});

test('the details list all pods', async () => {
  for (const index of names.keys()) {
    cluster.put('pods', { metadata: { ...metadataOf(index), annotations: { key: LARGE } }, status: { phase: 'Running' } });
  }
  const { pods } = await detailOf();
  expect(pods.map(({ name }) => name)).toEqual(names);
});

test('a pod whose container has ended does not run, although its phase is still Running', async () => {
  const put = (name: string, role: string, exitCode: number) => cluster.put('pods', {
    metadata: { name, namespace: 'default', labels: { ...LABELS, 'spark-role': role } }, spec: { containers: [{ name: `spark-kubernetes-${role}` }] },
    status: { phase: 'Running', containerStatuses: [{ name: `spark-kubernetes-${role}`, state: { terminated: { exitCode, reason: 'OOMKilled' } } }] },
  });
  put('pi-driver', 'driver', 137);
  put('pi-exec-1', 'executor', 0);
  expect((await detailOf()).pods.map(({ name, state }) => [name, state])).toEqual([['pi-driver', 'FAILED'], ['pi-exec-1', 'COMPLETED']]);
});

test('pods are ordered by the ids of their executors, whatever their second of creation', async () => {
  const put = (name: string, second: number, labels: Record<string, string>) => cluster.put('pods', {
    metadata: { name, namespace: 'default', creationTimestamp: `2026-03-01T10:00:0${second}Z`, labels: { ...LABELS, ...labels } }, status: { phase: 'Running' },
  });
  for (const [id, second] of [[10, 3], [4, 2], [2, 3]] as const) put(`pi-exec-${id}`, second, { 'spark-role': 'executor', 'spark-exec-id': `${id}` });
  put('pi-driver', 1, { 'spark-role': 'driver' });
  expect((await detailOf()).pods.map(({ name }) => name)).toEqual(['pi-driver', 'pi-exec-2', 'pi-exec-4', 'pi-exec-10']);
});

test('the details list all events, with a truncated long message', async () => {
  const involvedObject = { kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi' };
  for (const index of names.keys()) {
    cluster.put('events', { metadata: metadataOf(index), involvedObject, type: 'Normal', reason: 'Large', message: LARGE });
  }
  const { events } = await detailOf();
  expect(events).toHaveLength(names.length);
  expect(new Set(events.map(({ message }) => message))).toEqual(new Set([`${LARGE.slice(0, 1_023)}…`]));
});

test('events about the driver of an earlier application with the same name are left out', async () => {
  const stored = application('pi');
  cluster.put('sparkapplications', { ...stored, status: { ...stored.status, driverInfo: { podName: 'pi-driver' } } });
  const put = (name: string, creationTimestamp: string) => cluster.put('events', {
    metadata: { name, namespace: 'default', creationTimestamp }, involvedObject: { kind: 'Pod', name: 'pi-driver', namespace: 'default' }, type: 'Normal', reason: name,
  });
  put('earlier', '2026-03-01T09:59:59Z');
  put('own', '2026-03-01T10:00:00Z');
  expect((await detailOf()).events.map(({ reason }) => reason)).toEqual(['own']);
});

test('events of one second are in the order in which the API server stored them', async () => {
  // By name and uid they have another order; a repeated event is stored again.
  for (const [reason, count] of [['Submitted', 1], ['Pulled', 2], ['Created', 1], ['Pulled', 3], ['Running', 1]] as const) {
    cluster.put('events', {
      metadata: { name: `pi.${reason}`, namespace: 'default', uid: reason }, involvedObject: { kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi' }, type: 'Normal', reason, message: '',
      count, firstTimestamp: '2026-03-01T10:00:00Z', lastTimestamp: '2026-03-01T10:00:00Z',
    });
  }
  expect((await detailOf()).events.map(({ reason, count }) => `${reason} ${count}`)).toEqual(['Submitted 1', 'Created 1', 'Pulled 3', 'Running 1']);
});

test('events of one second are in the order in which their recorders named them', async () => {
  const involvedObject = { kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi' };
  const nameAt = (milliseconds: string) => `pi.${(BigInt(Date.parse(`2026-03-01T10:00:00.${milliseconds}Z`)) * 1_000_000n).toString(16)}`;
  cluster.put('events', { metadata: { name: nameAt('222'), namespace: 'default' }, involvedObject, reason: 'Scheduled', eventTime: '2026-03-01T10:00:00.222000Z', firstTimestamp: null, lastTimestamp: null });
  cluster.put('events', { metadata: { name: nameAt('734'), namespace: 'default' }, involvedObject, reason: 'Created', firstTimestamp: '2026-03-01T10:00:00Z', lastTimestamp: '2026-03-01T10:00:00Z' });
  expect((await detailOf()).events.map(({ reason }) => reason)).toEqual(['Scheduled', 'Created']);
});

test('the details have the image, the main file and the resources of the specification', async () => {
  cluster.put('sparkapplications', application('pi', {
    spec: {
      type: 'Scala', sparkVersion: '4.1.1', image: 'spark:1', mainClass: 'Main', mainApplicationFile: 'local:///a.jar',
      driver: { coreRequest: '500m', memory: '2g' }, executor: { cores: 2, memory: '4g', memoryOverhead: '1g' },
      dynamicAllocation: { enabled: true, maxExecutors: 10 },
    },
  }));
  expect((await detailOf()).facts).toEqual({
    image: 'spark:1', mainFile: 'local:///a.jar', mainClass: 'Main', driver: { cores: '1', cpu: 'request 500m', memory: '2g' },
    executor: { cores: '2', memory: '4g + 1g overhead', instances: 'dynamic, 0 to 10' },
  });
});

test('the details link to the History Server once the application has an ID, unless it writes no event log', async () => {
  const linkOf = async (sparkConf: object, status: object) => {
    const stored = application('pi');
    cluster.put('sparkapplications', { ...stored, spec: { ...stored.spec, sparkConf }, status: { ...stored.status, ...status } });
    return (await detailOf()).historyServer;
  };
  const id = { sparkApplicationId: 'spark-1/../?a' };
  expect([await linkOf({}, {}), await linkOf({ 'spark.eventLog.enabled': 'false' }, id), await linkOf({}, id)]).toEqual([
    undefined, undefined, 'https://history.example.org/history/spark-1%2F..%2F%3Fa/',
  ]);
});

test('a driver that fits on no node is explained with amounts, and with the nodes if the viewer can list them', async () => {
  cluster.put('sparkapplications', application('pi', { state: 'SUBMITTED' }));
  cluster.put('pods', {
    metadata: { name: 'pi-driver', namespace: 'default', labels: { ...LABELS, 'spark-role': 'driver' } },
    spec: { nodeSelector: { pool: 'spark' }, containers: [{ name: 'spark-kubernetes-driver', resources: { requests: { cpu: '8', memory: '1Gi' } } }] },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] },
  });
  cluster.put('nodes', { metadata: { name: 'node-1', labels: { pool: 'spark' } }, status: { allocatable: { cpu: '4', memory: '16Gi' }, conditions: [{ type: 'Ready', status: 'True' }] } });
  const withNodes = await detailOf();
  const { remedy } = await readDetail(cluster.client, { ...EVERYTHING, may: async ({ resource }) => resource !== 'nodes' }, { namespace: 'default', name: 'pi' }, {
    now: 0, signal: AbortSignal.timeout(60_000), nodes: new NodeReader(cluster.client, new ManualClock()),
  });
  expect([withNodes.remedy, withNodes.hidden]).toEqual([
    'ask for less in spec.driver, or give the cluster larger nodes: the driver asks for 8 CPUs and 1Gi; the largest node offers 4 CPUs and 16Gi', [],
  ]);
  expect(remedy).toMatch(/^ask for less in spec.driver, or give the cluster more nodes: the driver asks for 8 CPUs and 1Gi$/);
});

test('the row has the reason of executors that wait, which only their pods know', async () => {
  cluster.put('sparkapplications', application('pi', { state: 'RUNNING' }));
  cluster.put('pods', {
    metadata: { name: 'pi-exec-1', namespace: 'default', labels: LABELS }, spec: { containers: [] },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] },
  });
  cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { ...LABELS, 'spark-role': 'driver' } }, status: { phase: 'Running' } });
  const { row, headline } = await detailOf();
  expect([row.shortReason, row.attention, headline]).toEqual(['1 executor unschedulable', true, 'waits for executors']);
});

test('a driver that does not start has the time when its operator gives up', async () => {
  const stored = application('pi', { state: 'SUBMITTED' });
  const applicationState = { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: no such image' };
  cluster.put('sparkapplications', { ...stored, status: { ...stored.status, applicationState, startDeadlineTime: '2100-01-01T00:00:00Z' } });
  cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { ...LABELS, 'spark-role': 'driver' } }, status: { phase: 'Pending' } });
  expect((await detailOf()).clauses.at(-1)).toMatch(/^the operator gives up in \d+d/);
});

test('a failed driver has a log as long as its pod exists', async () => {
  cluster.put('sparkapplications', application('pi', { state: 'FAILED' }));
  cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { ...LABELS, 'spark-role': 'driver' } }, status: { phase: 'Failed' } });
  expect((await detailOf()).hasLog).toBe(true);
  cluster.remove('pods', 'default', 'pi-driver');
  expect(await detailOf()).toMatchObject({ hasLog: false, noDriver: 'the driver of pi does not exist any more' });
});

describe('without the permission to read the log', () => {
  const mayNot: Viewer = {
    ...EVERYTHING, may: async ({ subresource }) => subresource !== 'log',
    require: async ({ subresource }) => { if (subresource === 'log') throw new HttpError(403, 'no'); },
  };
  const detailFor = async (viewer: Viewer, cause: string) => {
    const status = { applicationState: { state: 'FAILED', errorMessage: `driver container failed with ${cause}` }, driverInfo: { podName: 'pi-driver' } };
    cluster.put('sparkapplications', { ...application('pi', { state: 'FAILED' }), status });
    return readDetail(cluster.client, viewer, { namespace: 'default', name: 'pi' }, { now: 0, signal: AbortSignal.timeout(60_000) });
  };

  test.each([
    ['ExitCode: 1, Reason: Error', /^ask for the permission to read the driver's log \(get pods and pods\/log in default\)/],
    ['ExitCode: 137, Reason: OOMKilled', /^raise spec\.driver\.memoryOverhead/],
  ])('none is offered (%s)', async (cause, remedy) => {
    cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { ...LABELS, 'spark-role': 'driver' } }, status: { phase: 'Failed' } });
    expect(await detailFor(EVERYTHING, cause)).toMatchObject({ hasLog: true });
    expect(await detailFor(mayNot, cause)).toMatchObject({ hasLog: false, remedy: expect.stringMatching(remedy) });
  });

  test('none is asked for after the pod was deleted with it', async () => {
    expect(await detailFor(mayNot, 'ExitCode: 1, Reason: Error')).toMatchObject({ hasLog: false, remedy: 'sparkctl event pi -n default' });
  });

  test('none is offered to a user who cannot list pods', async () => {
    const hidden: Viewer = { ...EVERYTHING, require: async ({ verb, resource }) => { if (verb === 'list' && resource === 'pods') throw new HttpError(403, 'no'); } };
    expect(await detailFor(hidden, 'ExitCode: 1, Reason: Error')).toMatchObject({ hasLog: false });
  });
});

const STOPPED = { number: 1, submissionID: 's', result: 'Stopped', driverPodName: 'pi-driver' };

test.each<[string, string, object]>([
  ['pi never had a driver', 'FAILED', { attemptHistory: [{ number: 1, submissionID: 's', result: 'SubmissionFailed' }] }],
  ['the driver of pi never started', 'FAILED', { attemptHistory: [{ number: 1, submissionID: 's', result: 'Failed', driverPodName: 'pi-driver' }] }],
  ['attempt 2 of pi never had a driver', 'FAILED', {
    attemptHistory: [{ number: 1, submissionID: 'r', result: 'Failed', exitCode: 1 }, { number: 2, submissionID: 's', result: 'SubmissionFailed' }],
  }],
  ['the driver of pi has not been created yet', '', {}],
  // A suspended application has no submission id.
  ['the driver of pi does not exist any more', 'SUSPENDED', { submissionID: undefined, attemptHistory: [{ ...STOPPED, driverStartTime: '2026-03-01T10:00:09Z' }] }],
  ['the driver of pi does not exist any more', 'SUSPENDED', { submissionID: undefined, attemptHistory: [{ ...STOPPED, exitCode: 0 }, { ...STOPPED, number: 2 }] }],
  ['the driver of pi never started', 'SUSPENDED', { submissionID: undefined, attemptHistory: [STOPPED] }],
  ['attempt 2 of pi never had a driver', 'SUSPENDED', { submissionID: undefined, attemptHistory: [STOPPED, { number: 2, submissionID: 't', result: 'Stopped' }] }],
  ['the driver of pi has not been created yet', 'SUSPENDED', { submissionID: undefined }],
])('without pods: %s (%s)', async (clause, state, status) => {
  const stored = application('pi', { state });
  cluster.put('sparkapplications', { ...stored, status: { applicationState: { state }, submissionID: 's', ...status } });
  expect((await detailOf()).noDriver).toBe(clause);
});

test.each([
  ['executor', 'RUNNING', { phase: 'Running' }, { phase: 'Pending', startTime: '2026-03-01T10:00:00Z' }],
  ['driver', 'SUBMITTED', { phase: 'Pending', startTime: '2026-03-01T10:00:00Z' }, undefined],
])('the cause of %s pods that wait for a missing Secret, which only events have, is shown', async (role, state, ofDriver, ofExecutor) => {
  const stored = application('pi', { state });
  const reason = 'FailedMount: secret "key" not found';
  const errorMessage = ofExecutor ? undefined : `the driver does not start: ${reason}`;
  cluster.put('sparkapplications', { ...stored, status: { ...stored.status, applicationState: { state, errorMessage } } });
  const put = (name: string, ofRole: string, status: object) => cluster.put('pods', {
    metadata: { name, namespace: 'default', uid: name, labels: { ...LABELS, 'spark-role': ofRole } }, spec: { containers: [{ name: 'main' }] }, status,
  });
  put('pi-driver', 'driver', ofDriver);
  if (ofExecutor) put('pi-executor', 'executor', ofExecutor);
  const uid = `pi-${role}`;
  cluster.put('events', {
    metadata: { name: `${uid}.1`, namespace: 'default' }, involvedObject: { kind: 'Pod', name: uid, namespace: 'default', uid },
    type: 'Warning', reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "key" : secret "key" not found',
  });
  const later = { now: Date.parse('2026-03-01T10:00:05Z'), signal: AbortSignal.timeout(60_000) };
  const { pods, sentence, remedy } = await readDetail(cluster.client, EVERYTHING, { namespace: 'default', name: 'pi' }, later);
  expect([sentence, remedy]).toEqual([expect.stringMatching(/FailedMount: secret "key" not found$/), expect.stringMatching(/^create the Secret key/)]);
  expect(pods.filter((pod) => pod.reason).map((pod) => [pod.name, pod.reason])).toEqual([[uid, reason]]);
});

test('a driver whose pod is gone is not reported as running', async () => {
  expect(await detailOf()).toMatchObject({ headline: 'lost its driver', isDriverGone: true });
  const hidden: Viewer = { ...EVERYTHING, require: async ({ resource }) => { if (resource === 'pods') throw new HttpError(403, 'no'); } };
  const { headline } = await readDetail(cluster.client, hidden, { namespace: 'default', name: 'pi' }, { now: 0, signal: AbortSignal.timeout(60_000) });
  expect(headline).toBe('runs');
});

test('a driver that has ended while no operator runs ends the times, and has no Spark UI', async () => {
  const put = (name: string, role: string, state: object) => cluster.put('pods', {
    metadata: { name, namespace: 'default', labels: { ...LABELS, 'spark-role': role } }, spec: { containers: [{ name: 'spark-kubernetes-driver' }] },
    status: { phase: 'terminated' in state ? 'Succeeded' : 'Running', containerStatuses: [{ name: 'spark-kubernetes-driver', state }] },
  });
  const stored = application('pi');
  cluster.put('sparkapplications', { ...stored, status: { ...stored.status, executorState: { 'exec-1': 'RUNNING' } } });
  put('exec-1', 'executor', { terminated: { exitCode: 0, startedAt: '2026-03-01T10:01:00Z', finishedAt: '2026-03-01T10:02:59Z' } });
  put('pi-driver', 'driver', { running: { startedAt: '2026-03-01T10:00:09Z' } });
  expect(await detailOf()).toMatchObject({ row: { executors: { running: 1 } }, attempts: [expect.not.objectContaining({ to: expect.anything() })] });
  put('pi-driver', 'driver', { terminated: { exitCode: 0, startedAt: '2026-03-01T10:00:09Z', finishedAt: '2026-03-01T10:03:00Z' } });
  const end = Date.parse('2026-03-01T10:03:00Z');
  const { row, attempts, states, hasDriverEnded, executorSteps } = await detailOf();
  expect([row.ended, attempts.at(-1)!.to, states.at(-1), row.executors, hasDriverEnded]).toEqual([
    end, end, { state: 'RUNNING', from: Date.parse('2026-03-01T10:00:09Z'), to: end }, { pending: 0, running: 0, completed: 1, failed: 0 }, true,
  ]);
  expect(executorSteps.at(-1)!.running).toBe(0);
});

test('lists run one after another, because each can have pages of 8 MiB', async () => {
  let [underWay, most] = [0, 0];
  const list = cluster.client.openPage.bind(cluster.client);
  jest.spyOn(cluster.client, 'openPage').mockImplementation(async (...call) => {
    most = Math.max(most, ++underWay);
    try {
      return await list(...call);
    } finally {
      underWay--;
    }
  });
  await detailOf();
  expect(most).toBe(1);
});

describe('the cause of a failure', () => {
  const message = 'driver container failed with ExitCode: 1, Reason: Error; last output: row 7';

  beforeEach(() => {
    const failed = application('pi');
    cluster.put('sparkapplications', {
      ...failed, status: { applicationState: { state: 'FAILED', errorMessage: message }, submissionID: 's1', driverInfo: { podName: 'pi-driver' } },
    });
    cluster.put('pods', {
      metadata: { name: 'pi-driver', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'sparkoperator.k8s.io/submission-id': 's1', 'spark-role': 'driver' } },
      spec: { containers: [{ name: 'spark-kubernetes-driver' }] }, status: { phase: 'Failed' },
    });
    cluster.logs.set('default/pi-driver', 'Traceback (most recent call last):\n  File "/opt/job.py", line 3, in <module>\nValueError: no rows\n');
  });

  test('is in the log of the driver', async () => {
    expect((await detailOf()).sentence).toMatch(/: ValueError: no rows \(job\.py:3\)/);
  });

  test('is not in the log of a driver that was killed for its memory', async () => {
    const stored = await cluster.client.get(SPARK_APPLICATIONS, { namespace: 'default', name: 'pi' });
    const killed = 'driver container failed with ExitCode: 137, Reason: OOMKilled';
    cluster.put('sparkapplications', { ...stored, status: { ...stored.status, applicationState: { state: 'FAILED', errorMessage: killed } } });
    expect(await detailOf()).toMatchObject({ hasLog: true, hasNoLoggedCause: true });
  });

  test('is not in a log without an error', async () => {
    expect(await detailOf()).not.toHaveProperty('hasNoLoggedCause');
    cluster.logs.set('default/pi-driver', '26/03/01 10:00:00 INFO SparkContext: Running Spark version 4.1.1\nrow 7\n');
    expect(await detailOf()).toMatchObject({ hasLog: true, hasNoLoggedCause: true });
  });

  test('is the same in the table of attempts', async () => {
    const cause = 'the driver ended with exit code 1; last output: row 7';
    const stored = await cluster.client.get(SPARK_APPLICATIONS, { namespace: 'default', name: 'pi' });
    const attempt = { number: 1, submissionID: 's0', submissionTime: '2026-03-01T10:00:00Z', result: 'Failed', exitCode: 1, cause };
    cluster.put('sparkapplications', { ...stored, status: { ...stored.status, attemptHistory: [attempt, { ...attempt, number: 2, submissionID: 's1' }] } });
    expect((await detailOf()).attempts.map((each) => each.cause)).toEqual([cause, 'ValueError: no rows (job.py:3)']);
  });

  test('is in the status, for a viewer who cannot read logs', async () => {
    const viewer: Viewer = {
      ...EVERYTHING, require: async ({ subresource }) => { if (subresource === 'log') throw new HttpError(403, 'no'); },
    };
    const { sentence } = await readDetail(cluster.client, viewer, { namespace: 'default', name: 'pi' }, { now: 0, signal: AbortSignal.timeout(60_000) });
    expect(sentence).toMatch(/: the driver ended with exit code 1; last output: row 7/);
  });
});
