/* How commands show Spark Connect servers: status, describe, list, doctor. */
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';
import { bundledCrds } from './setup/crds';
import { examineConnects } from '../../src/sparkctl/doctor/connects';
import { examine } from '../../src/sparkctl/doctor/examine';
import type { Finding } from '../../src/sparkctl/doctor/finding';

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString().replace('.000Z', 'Z');

interface Given {
  readonly state?: string;
  /** Reason and message of the condition `ServerPodReady`. */
  readonly because?: readonly [reason: string, message: string];
  readonly age?: number;
  readonly spec?: object;
  readonly status?: object;
}

/** SparkConnect whose status the operator of the namespace `ops` wrote. */
function server(name: string, { state, because: [reason, message] = ['ServerPodReady', 'Server pod is ready'], age = 300, spec, status }: Given = {}): any {
  return {
    metadata: {
      name, namespace: 'jobs', uid: name, generation: 1, creationTimestamp: ago(age),
      managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: ago(age - 5) }],
    },
    spec: { sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', server: {}, executor: {}, ...spec },
    ...(state !== undefined && {
      status: {
        state, observedGeneration: 1, lastUpdateTime: ago(age - 5), server: { podName: `${name}-server`, serviceName: `${name}-server` },
        conditions: [{ type: 'ServerPodReady', status: reason === 'ServerPodReady' ? 'True' : 'False', reason, message, lastTransitionTime: ago(age - 5) }],
        ...status,
      },
    }),
  };
}

function pod(owner: string, role: 'connect-server' | 'executor', status: object, spec: object = {}, id = 1): any {
  const name = `${owner}-${role === 'executor' ? `exec-${id}` : 'server'}`;
  return {
    metadata: { name, namespace: 'jobs', creationTimestamp: ago(290), labels: { 'spark-role': role, 'sparkoperator.k8s.io/connect-name': owner, 'sparkoperator.k8s.io/app-name': `${owner}-server` } },
    spec: { nodeName: 'node-1', containers: [], ...spec }, status,
  };
}

const lease = (seconds: number): any => ({
  metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: ago(seconds) },
});

const PULL = 'Back-off pulling image "registry.example.org/teams/notebooks/spark-with-everything:4.1.1"';
const BROKEN = server('broken', { state: 'Provisioning', because: ['ServerNotStarted', `the server does not start: ImagePullBackOff: ${PULL}`] });
const PULLING = { phase: 'Pending', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ImagePullBackOff', message: PULL } } }] };
const NO_ROOM = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] };
const ENDED = ['ServerEnded', 'server container ended with ExitCode: 1, Reason: Error; IllegalStateException: no rows (Job.java:3); it is started again after 80 s'] as const;

/** Cluster with one server in each of several situations. */
const cluster = (leaseAge = 2) => new FakeCluster()
  .put('leases', lease(leaseAge))
  .put('sparkconnects', BROKEN).put('pods', pod('broken', 'connect-server', PULLING))
  .put('sparkconnects', server('ended', { state: 'NotReady', because: ENDED, age: 900, status: { restarts: 4, lastTerminationTime: ago(3), server: { serviceName: 'ended-server' } } }))
  .put('sparkconnects', server('fine', { state: 'Ready', age: 3_605, status: { executors: { running: 2 } } })).put('pods', pod('fine', 'connect-server', { phase: 'Running' }))
  .put('pods', pod('fine', 'executor', { phase: 'Running' })).put('pods', pod('fine', 'executor', { phase: 'Running' }, {}, 2))
  .put('sparkconnects', server('small', { state: 'Ready', age: 200, status: { executors: { running: 1, pending: 1 } } })).put('pods', pod('small', 'connect-server', { phase: 'Running' }))
  .put('pods', pod('small', 'executor', NO_ROOM))
  .put('sparkconnects', server('off', { state: 'Suspended', because: ['Suspended', 'nothing of it runs until spec.suspend is false'], age: 9_000, spec: { suspend: true }, status: { server: {} } }));

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\x1b\[\d+m/g, '');

/** Runs a command in a terminal with 80 columns, which no line exceeds. */
async function at80(args: readonly string[], fake: FakeCluster = cluster()): Promise<string> {
  const { code, stdout } = await sparkctl(args, { cluster: fake, isTerminal: true, columns: 80 });
  const text = plain(stdout);
  expect({ code, long: text.split('\n').filter((line) => line.length > 80) }).toEqual({ code: 0, long: [] });
  return text;
}

test('status: the state with its reason, the cause and the remedy, in 80 columns', async () => {
  expect(await at80(['status', 'connect/broken'])).toBe(`\
Name:      broken
Namespace: jobs
State:     Provisioning (ImagePullBackOff)
Why:       The server has waited for 4m50s: ImagePullBackOff: Back-off pulling
           image
           "registry.example.org/teams/notebooks/spark-with-everything:4.1.1".
To do:     check spec.image, or the image of its role, that the node can reach
           its registry, and imagePullSecrets in spec.server.template and
           spec.executor.template if it asks for a password
Server:    broken-server on node-1
Executors: 0/2 run
Address:   sc://broken-server.jobs:15002
Age:       5m
`);
});

test('status: the pod of a server that was given up does not exist', async () => {
  const failed = server('gone', { state: 'Failed', because: ['ServerFailed', `the server does not start: ImagePullBackOff: ${PULL} (the operator gave up after 5m)`], spec: { restartPolicy: { type: 'Never' } } });
  expect(await at80(['status', 'connect/gone'], cluster().put('sparkconnects', failed))).toContain('Server:    gone-server (does not exist)\n');
});

test('status: a ready server shows how to reach it', async () => {
  const text = await at80(['status', 'connect/fine']);
  expect(text).toContain('State:     Ready\nWhy:       The server has accepted connections for 1h; 2 of 2 executors run.\n');
  expect(text).toContain('Address:   sc://fine-server.jobs:15002;\n           `sparkctl forward connect/fine -n jobs --port=15002` opens it here\n');
  expect(text).not.toContain('To do:');
});

test('status: a server that has ended, with the number of restarts and the last end', async () => {
  const text = await at80(['status', 'connect/ended']);
  expect(text).toMatch(/^State: +NotReady \(IllegalStateException, retries in \w+\)$/m);
  expect(text).toContain('Restarts:  3\nLast end:  3s ago (2026-03-01T11:59:57Z)\n');
  expect(text).toContain('To do:     sparkctl event connect/ended -n jobs\n');
});

test('status: advice with numbers for an executor without room', async () => {
  const resources = { requests: { cpu: '4', memory: '16Gi' } };
  const fake = cluster().put('pods', pod('small', 'executor', NO_ROOM, { containers: [{ name: 'spark-kubernetes-executor', resources }] }))
    .put('nodes', { metadata: { name: 'n' }, status: { allocatable: { cpu: '2', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] } } as any);
  expect((await sparkctl(['status', 'connect/small'], { cluster: fake })).stdout).toContain('the executor asks for 4 CPUs and 16Gi; the largest node offers 2 CPUs and 8Gi\n');
});

test('status: without an operator it reports that, and since when the status has its state', async () => {
  const text = await at80(['status', 'connect/fine'], cluster(3_180));
  expect(text).toContain('State:     Ready (no operator)\n');
  expect(text.replace(/\s+/g, ' ')).toContain('Why: No operator handles the namespace jobs: the Lease ops/spark-operator-controller-lock was last renewed 53m ago. '
    + 'Its status has been Ready for 1h; its server runs. To do: sparkctl doctor -n jobs');
  expect(await at80(['status', 'connect/off'], cluster(3_180))).not.toContain('operator');
});

test('status: executors that the API server refuses, by the log of the server', async () => {
  const fake = new FakeCluster().put('leases', lease(2)).put('sparkconnects', server('few', { state: 'Ready' })).put('pods', pod('few', 'connect-server', { phase: 'Running' }));
  fake.logs.set('few-server', 'Failure executing: POST at: https://10.0.0.1/api/v1/namespaces/jobs/pods. Message: pods "few-exec-1" is forbidden: exceeded quota: tiny, '
    + 'requested: requests.cpu=1, used: requests.cpu=100m, limited: requests.cpu=150m. Received status: Status(code=403).\n');
  const text = (await at80(['status', 'connect/few'], fake)).replace(/\s+/g, ' ');
  expect(text).toContain('State: Ready (executors: quota tiny exceeded) Why: The server has accepted connections for 4m55s; 0 of 2 executors run; the API server rejects more: ');
  expect(text).toContain('To do: ask for less, or for a larger ResourceQuota');
});

test('status: an executor whose Secret is missing, by its events', async () => {
  const preparing = pod('few', 'executor', { phase: 'Pending', startTime: ago(60) });
  const fake = new FakeCluster().put('leases', lease(2)).put('sparkconnects', server('few', { state: 'Ready' }))
    .put('pods', pod('few', 'connect-server', { phase: 'Running' })).put('pods', { ...preparing, metadata: { ...preparing.metadata, uid: 'e1' } })
    .put('events', {
      metadata: { name: 'e1.1', namespace: 'jobs' }, involvedObject: { kind: 'Pod', name: preparing.metadata.name, uid: 'e1' },
      type: 'Warning', reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "key" : secret "key" not found',
    } as any);
  const text = (await at80(['status', 'connect/few'], fake)).replace(/\s+/g, ' ');
  expect(text).toMatch(/0 of 2 executors run, 1 waits: FailedMount: secret "key" not found\. To do: create the Secret key, .*; the kubelet checks it after two minutes at the latest/);
});

test('status: a server that is being stopped has not ended yet', async () => {
  const stopping = server('old', { state: 'NotReady', because: ['Suspending', 'it is stopped'], status: { lastTerminationTime: ago(3) } });
  const textWith = (status: object) => at80(
    ['status', 'connect/old'], new FakeCluster().put('sparkconnects', stopping).put('pods', pod('old', 'connect-server', status)),
  );
  expect(await textWith({ phase: 'Running' })).not.toContain('Last end:');
  expect(await textWith({ phase: 'Failed', containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1 } } }] })).toContain('Last end:  3s ago');
});

test('status: a server whose pod was deleted', async () => {
  const fake = cluster().put('sparkconnects', server('lost', { state: 'Ready', status: { executors: { running: 2 } } }));
  const text = await at80(['status', 'connect/lost'], fake);
  expect(text).toContain('State:     Ready (server is gone)\n');
  expect(text).toContain('Executors: unknown, as its server is gone\n');
});

test('status: a user who cannot read Pods sees the reason of the status', async () => {
  const closed = cluster();
  closed.forbidden.add('list pods');
  const text = await at80(['status', 'connect/broken'], closed);
  expect(text).toContain('State:     Provisioning (ImagePullBackOff)\n');
  expect(text).toContain('Pods:      you cannot read them: `kubectl auth can-i list pods -n jobs`\n');
});

test('describe: a condition has the cause in the words of the status', async () => {
  const pull = 'ErrImagePull: failed to pull image "r.test/x:1": Head "https://r.test/v2/": dial tcp: lookup r.test: read udp 10.0.0.1:5->10.0.0.2:53: i/o timeout';
  const fake = new FakeCluster().put('sparkconnects', server('x', { state: 'Provisioning', because: ['ServerNotStarted', `the server does not start: ${pull}`] }));
  expect((await sparkctl(['describe', 'connect/x'], { cluster: fake })).stdout)
    .toContain('ServerNotStarted: the server does not start: ErrImagePull: the registry r.test of the image r.test/x:1 cannot be resolved\n');
});

test('describe: begins as the status, and has the pods', async () => {
  const status = await at80(['status', 'connect/small']);
  const text = await at80(['describe', 'connect/small']);
  expect(text.startsWith(status)).toBe(true);
  expect(text).toMatch(/\nPods:\n {2}POD +STATE +NODE +SINCE +WHY\n {2}small-server +RUNNING +node-1 .*\n {2}small-exec-1 +PENDING /);
});

const statesIn = (text: string) => Object.fromEntries(text.trim().split('\n').slice(1).map((line) => {
  const [name, state] = line.split(/ {3,}/);
  return [name!, state!];
}));

test('list: the reason is next to the state; one call reads the Lease, and one the pending pods', async () => {
  const fake = cluster();
  const { stdout } = await sparkctl(['list', 'connects'], { cluster: fake });
  expect(statesIn(stdout)).toEqual({
    broken: 'Provisioning (ImagePullBackOff)', ended: expect.stringMatching(/^NotReady \(IllegalStateException, retries in \w+\)$/), fine: 'Ready',
    small: 'Ready (1 executor unschedulable)', off: 'Suspended',
  });
  expect(stdout).toMatch(/^fine +Ready +2\/2 +0 +fine-server +1h$/m);
  expect(fake.reads).toEqual(['list sparkconnects', 'get leases', 'list pods']);
});

test('list: a new server has the operator of the applications in its namespace', async () => {
  const application = { metadata: { name: 'pi', namespace: 'jobs', managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: ago(60) }] }, spec: {} };
  const { metadata: { managedFields: _, ...metadata }, ...others } = server('young', { age: 5 });
  const text = await at80(['list', 'connects'], new FakeCluster().put('sparkconnects', { ...others, metadata }).put('sparkapplications', application as any).put('leases', lease(3_180)));
  expect(text).toMatch(/^young +NEW \(no operator\)/m);
});

test('event: those of pods that are gone belong to a server', async () => {
  const event = (kind: string, name: string, message: string) => ({
    metadata: { name: `${name}-${message}`, namespace: 'jobs' }, lastTimestamp: ago(60), reason: 'Killing', type: 'Normal', involvedObject: { kind, name }, message,
  });
  const events = [
    event('Pod', 'nb-server', 'server-gone'), event('Pod', 'nb-954cf0a22ac5eb13-exec-1', 'executor-gone'), event('Pod', 'nb2-server', 'of-another'),
  ];
  const existing = events.reduce((known, each) => known.put('events', each as any), new FakeCluster().put('sparkconnects', server('nb', { state: 'Suspended' })));
  const text = await at80(['event', 'connect/nb'], existing);
  expect(text).toContain('server-gone');
  expect(text).toContain('executor-gone');
  expect(text).not.toContain('of-another');
});

test('list: without an operator, servers that need one have no other reason', async () => {
  expect(statesIn((await sparkctl(['list', 'connects'], { cluster: cluster(3_180) })).stdout)).toEqual({
    broken: 'Provisioning (no operator)', ended: 'NotReady (no operator)', fine: 'Ready (no operator)', small: 'Ready (no operator)', off: 'Suspended',
  });
});

test('list: --attention selects servers that need it', async () => {
  const { stdout } = await sparkctl(['list', 'connects', '--attention'], { cluster: cluster() });
  expect(Object.keys(statesIn(stdout)).sort()).toEqual(['broken', 'ended', 'small']);
});

test('list: what needs attention is yellow, and its whole reason is visible at 80 columns', async () => {
  const { stdout } = await sparkctl(['list', 'connects'], { cluster: cluster(), isTerminal: true, columns: 80 });
  expect(stdout).toContain('\x1b[33mReady (1 executor unschedulable)\x1b[39m');
  expect(stdout).toContain('\x1b[32mReady\x1b[39m');
  expect(await at80(['list', 'connects'])).toContain('Provisioning (ImagePullBackOff)');
  expect((await at80(['list', 'connects', '--wide'])).replace(/\s+/g, '')).toContain('Theserverhaswaited');
});

describe('doctor', () => {
  const doctor = async (fake: FakeCluster, causes: readonly Finding[] = []) => {
    const value: any[] = [];
    for await (const each of fake.client.list({ plural: 'sparkconnects' } as any, { namespace: 'jobs' })) value.push(each);
    return examineConnects({ client: fake.client, now: NOW, signal: new AbortController().signal } as any, { kind: 'found', value }, 'in jobs', causes);
  };

  test('reports servers that cannot start, have ended or lack executors, with the remedy', async () => {
    expect(await doctor(cluster())).toEqual([
      {
        check: 'Spark Connect', level: 'warning', object: { kind: 'SparkConnect', namespace: 'jobs', name: 'broken' },
        message: `SparkConnect jobs/broken Provisioning for 4m55s: The server has waited for 4m50s: ImagePullBackOff: ${PULL}`, remedy: expect.stringContaining('check spec.image'),
      },
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(/^SparkConnect jobs\/ended NotReady for 14m: The server has ended: IllegalStateException/) }),
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(/^SparkConnect jobs\/small Ready: .*1 waits: Unschedulable/) }),
    ]);
  });

  test('a failed server has failed since its last write, not since it was created', async () => {
    const failed = server('gone', { state: 'Failed', because: ['ServerFailed', 'the server cannot be created: no account'], age: 600, spec: { restartPolicy: { type: 'Never' } }, status: { lastUpdateTime: ago(20) } });
    expect((await doctor(new FakeCluster().put('leases', lease(2)).put('sparkconnects', failed)))[0]!.message).toMatch(/^SparkConnect jobs\/gone Failed for 20s: /);
  });

  test('a server whose pod has a finding of its own is not reported again', async () => {
    const cause: Finding = { check: 'Images', level: 'error', message: 'x cannot be pulled', connects: ['jobs/broken'] };
    expect((await doctor(cluster(), [cause])).map(({ object }) => object?.name)).toEqual(['ended', 'small']);
  });

  test('without an operator, one finding has all that need it', async () => {
    expect(await doctor(cluster(3_180))).toEqual([{
      check: 'Spark Connect', level: 'warning', remedy: expect.stringContaining('the findings about the operator'),
      message: expect.stringMatching(/^no operator handles 4 SparkConnects in jobs \(jobs\/broken, jobs\/ended, jobs\/fine, jobs\/small\): the Lease ops\/\S+ was last renewed 53m ago$/),
    }]);
  });

  test('is part of the whole examination', async () => {
    const { client } = cluster().put('namespaces', { metadata: { name: 'jobs' } });
    const request = async () => ({ gitVersion: 'v1.34.0' });
    const create = async () => ({ status: { allowed: true } });
    const found = await examine({
      client: Object.assign(client, { request, create }), server: 'https://cluster.example', namespaces: ['jobs'], current: 'jobs', version: '1.2.3',
      crds: await bundledCrds(), now: NOW, signal: new AbortController().signal,
    } as any);
    expect(found.filter(({ check }) => check === 'Spark Connect').map(({ object }) => object?.name)).toEqual(['ended', 'small']);
    expect(found.filter(({ check, level }) => check === 'Images' && level === 'error')).toMatchObject([{ object: { name: 'broken-server' } }]);
  });

  test('a server without progress, whatever its reason', async () => {
    const slow = server('slow', { state: 'Provisioning', age: 700, because: ['ServerPodNotReady', 'the server is starting'] });
    const fake = new FakeCluster().put('leases', lease(2)).put('sparkconnects', slow).put('pods', pod('slow', 'connect-server', { phase: 'Running' }));
    expect(await doctor(fake)).toEqual([expect.objectContaining({ message: 'SparkConnect jobs/slow Provisioning for 11m: The server is starting', remedy: 'sparkctl status connect/slow -n jobs' })]);
  });

  test('servers that run in one line; nothing if all are suspended', async () => {
    const fine = new FakeCluster().put('leases', lease(2)).put('sparkconnects', server('fine', { state: 'Ready', status: { executors: { running: 2 } } }));
    expect(await doctor(fine)).toEqual([{ check: 'Spark Connect', level: 'ok', message: 'none of the 1 SparkConnects in jobs needs attention' }]);
    const off = server('off', { state: 'Suspended', because: ['Suspended', ''], spec: { suspend: true } });
    expect(await doctor(new FakeCluster().put('sparkconnects', off))).toEqual([]);
    expect(await examineConnects({} as any, { kind: 'missing' }, 'in jobs')).toEqual([]);
  });
});
