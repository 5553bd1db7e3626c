/* The life of a SparkConnect in a cluster that the test controls. */
import { PODS, SERVICES, SPARK_CONNECTS } from '../../../../src/model/resources';
import { DefaultsError } from '../../../../src/plan/defaults/parse';
import { cluster } from '../../../plan/defaults/layers';
import { kindsIn, World } from './operator';

test('from a manifest to a server that accepts connections: each object once, and the status contains its address', async () => {
  const world = new World();
  await world.settle();
  expect(kindsIn(world.api)).toEqual(['configmaps', 'pods', 'services', 'services', 'sparkconnects']);
  expect(world.status).toMatchObject({
    state: 'Provisioning', server: {
      podName: 'nb-server', serviceName: 'nb-server',
    }, startTime: '2026-03-01T10:00:00Z', observedGeneration: 1,
  });

  world.runs();
  await world.settle();
  expect(world.status.state).toBe('Provisioning');
  world.takesConnections();
  await world.settle();
  expect(world.status).toMatchObject({ state: 'Ready', server: { podName: 'nb-server', podIp: '10.0.0.7', serviceName: 'nb-server' } });
  expect(world.condition()).toMatchObject({ status: 'True', reason: 'ServerPodReady', observedGeneration: 1 });
  expect(world.reasons).toEqual(['SparkConnectServerStarted', 'SparkConnectServerReady']);
});

test('nothing is written while nothing happens, and executors are counted by their phase', async () => {
  const world = new World();
  await world.ready();
  const calls = world.api.made.length;
  for (let pass = 0; pass < 5; pass++) await world.pass();
  expect(world.api.made.length).toBe(calls);

  const executor = (name: string, phase: string, labels: object = {}) => world.api.put(PODS, {
    metadata: {
      name, namespace: 'jobs', uid: name, labels: {
        'sparkoperator.k8s.io/connect-name': 'nb', 'sparkoperator.k8s.io/app-uid': 'connect', 'spark-role': 'executor', ...labels,
      },
    }, status: { phase },
  });
  executor('a', 'Running');
  executor('b', 'Running');
  executor('c', 'Pending');
  executor('of another', 'Running', { 'sparkoperator.k8s.io/app-uid': 'a previous one of the same name' });
  await world.pass();
  await world.after(1_000);
  expect(world.status.executors).toEqual({ pending: 1, running: 2 });
});

test('known failure 21: a crashed server is created again after a wait that doubles, and the reason is reported; a run of 600 s resets '
  + 'the wait', async () => {
  const world = new World();
  await world.ready();
  world.ends(137, 'java.lang.OutOfMemoryError: Java heap space');
  await world.settle();
  expect(world.status).toMatchObject({ state: 'NotReady', restarts: 1, lastTerminationTime: '2026-03-01T10:00:00Z' });
  expect(world.status.server).toEqual({ serviceName: 'nb-server' });
  expect(world.condition()).toMatchObject({
    status: 'False', reason: 'ServerEnded',
    message: expect.stringMatching(/ExitCode: 137.*OutOfMemoryError.*started again after [456] s/),
  });
  // Until then the user can read its log.
  expect(world.pod.status.phase).toBe('Failed');

  const waits: number[] = [];
  for (let crash = 1; crash <= 3; crash++) {
    const begin = world.clock.now();
    for (const uid = world.pod.metadata.uid; world.pod?.metadata.uid === uid;) await world.after(1_000);
    waits.push(Math.round((world.clock.now() - begin) / 1000));
    await world.ready();
    expect(world.status).toMatchObject({ state: 'Ready', restarts: crash });
    world.ends(1);
    await world.settle();
  }
  expect(waits[0]).toBeGreaterThanOrEqual(4);
  expect(waits[1]).toBeGreaterThanOrEqual(8);
  expect(waits[2]).toBeGreaterThanOrEqual(16);
  await world.after(60_000);
  await world.ready();
  await world.after(600_000);
  expect(world.status.restarts).toBe(0);
  expect(new Set(world.reasons)).toEqual(new Set(['SparkConnectServerStarted', 'SparkConnectServerReady', 'SparkConnectServerFailed']));
});

test('a server that was deleted, or whose node is gone, is created again', async () => {
  const world = new World();
  await world.ready();
  world.api.remove(PODS, { namespace: 'jobs', name: 'nb-server' });
  await world.settle();
  expect(world.condition().message).toContain('server pod not found: it was deleted, or its node is gone');
  await world.after(7_000);
  await world.ready();
  expect(world.status).toMatchObject({ state: 'Ready', restarts: 1 });
});

test('with the policy Never it stays as it ended, until its specification is edited', async () => {
  const world = new World({ restartPolicy: { type: 'Never' } });
  await world.ready();
  world.ends(2, 'no');
  await world.settle();
  expect(world.status).toMatchObject({ state: 'Failed', server: { podName: 'nb-server' } });
  expect(world.condition()).toMatchObject({ reason: 'ServerFailed', message: expect.stringContaining('ExitCode: 2') });
  const { uid } = world.pod.metadata;
  await world.after(3_600_000);
  expect(world.pod.metadata.uid).toBe(uid);

  world.edit({ executor: { instances: 3 } });
  await world.settle();
  await world.ready();
  expect(world.pod.metadata.uid).not.toBe(uid);
  expect(world.status).toMatchObject({ state: 'Ready' });
});

test('known failure 21: an edit that changes what runs replaces the server, gracefully; no other edit does, and no other '
  + 'operator', async () => {
  const world = new World();
  await world.ready();
  world.api.graceful = true;
  const { uid } = world.pod.metadata;
  world.edit({
    idleTimeToLiveSeconds: 3_600, restartPolicy: { type: 'Always', interval: 1 }, server: {
      service: { metadata: { labels: { team: 'a' } } },
    }, sparkUIOptions: { ingressAnnotations: { a: 'b' } },
  });
  await world.settle();
  world.newOperator();
  await world.settle();
  expect(world.pod.metadata).toMatchObject({ uid });
  expect(world.pod.metadata.deletionTimestamp).toBeUndefined();
  expect(world.api.find(SERVICES, { namespace: 'jobs', name: 'nb-server' }).metadata.labels).toMatchObject({ team: 'a' });

  world.edit({ sparkConf: { 'spark.sql.shuffle.partitions': '7' } });
  await world.settle();
  expect(world.pod.metadata).toMatchObject({ uid, deletionTimestamp: expect.any(String) });
  expect(world.status).toMatchObject({ state: 'Provisioning' });
  expect(world.condition()).toMatchObject({ reason: 'ServerReplaced' });
  world.api.remove(PODS, world.pod.metadata);
  await world.ready();
  expect(world.pod.metadata.uid).not.toBe(uid);
  expect(world.status).toMatchObject({ state: 'Ready' });
  expect(world.status.restarts ?? 0).toBe(0);
  expect(kindsIn(world.api)).toEqual(['configmaps', 'pods', 'services', 'services', 'sparkconnects']);
  expect(world.reasons).toEqual([
    'SparkConnectServerStarted', 'SparkConnectServerReady', 'SparkConnectServerReplaced', 'SparkConnectServerStarted',
    'SparkConnectServerReady',
  ]);
});

test('an invalid specification does not end the running server, and is reported', async () => {
  const world = new World();
  await world.ready();
  const { uid } = world.pod.metadata;
  world.edit({ sparkConf: { 'spark.master': 'local' } });
  await world.settle();
  expect(world.pod.metadata.uid).toBe(uid);
  expect(world.status.state).toBe('Ready');
  expect(world.condition('SpecAccepted')).toMatchObject({ status: 'False', message: expect.stringContaining('spark.master') });
  world.edit({ sparkConf: {} });
  await world.settle();
  expect(world.condition('SpecAccepted')).toMatchObject({ status: 'True' });
  expect(world.pod.metadata.uid).toBe(uid);
});

test('suspended: the server and its objects are removed, the Service stays; then it is resumed', async () => {
  const world = new World();
  await world.ready();
  world.edit({ suspend: true });
  await world.settle();
  expect(world.status).toMatchObject({ state: 'Suspended', server: { serviceName: 'nb-server' } });
  expect(kindsIn(world.api)).toEqual(['services', 'sparkconnects']);
  const calls = world.api.made.length;
  await world.pass();
  expect(world.api.made.length).toBe(calls);

  world.edit({ suspend: false });
  await world.ready();
  expect(world.status).toMatchObject({ state: 'Ready' });
  expect(world.reasons.slice(2)).toEqual([
    'SparkConnectSuspending', 'SparkConnectSuspended', 'SparkConnectResumed', 'SparkConnectServerStarted',
    'SparkConnectServerReady',
  ]);
});

test('one that is created suspended takes its Service and one write', async () => {
  const world = new World({ suspend: true });
  await world.settle();
  expect(world.status.state).toBe('Suspended');
  expect(kindsIn(world.api)).toEqual(['services', 'sparkconnects']);
});

test('resumed while its server is still ending: the next one has another identity', async () => {
  const world = new World();
  await world.ready();
  const before = world.pod;
  world.api.graceful = true;
  world.edit({ suspend: true });
  await world.settle();
  world.edit({ suspend: false });
  await world.settle();
  expect(world.pod.metadata).toMatchObject({ uid: before.metadata.uid, deletionTimestamp: expect.any(String) });
  world.api.remove(PODS, before.metadata);
  await world.ready();
  expect(world.pod.metadata.labels['spark-app-selector']).not.toBe(before.metadata.labels['spark-app-selector']);
});

test('a pod on an unreachable node is force-deleted two minutes after its grace period', async () => {
  const world = new World();
  await world.ready();
  world.api.graceful = true;
  const { uid } = world.pod.metadata;
  world.edit({ image: 'other' });
  await world.settle();
  await world.after(140_000);
  expect(world.pod.metadata.uid).toBe(uid);
  await world.after(20_000);
  await world.ready();
  expect(world.pod.metadata.uid).not.toBe(uid);
});

test('the limits of the cluster apply, and it starts once they allow it', async () => {
  let limits = 'driver: { maxCores: 1 }';
  const world = new World({ server: { cores: 2 } }, { defaults: () => ({ kind: 'ready', layers: { cluster: cluster({ limits }) } }) });
  await world.settle();
  expect(world.status).toMatchObject({ state: 'Failed' });
  expect(world.condition()).toMatchObject({
    reason: 'SpecRefused', message: expect.stringMatching(/^spec\.server\.cores = "2" is more than .*maxCores: 1/),
  });
  expect(world.reasons).toEqual(['SparkConnectRefused']);
  limits = 'driver: { maxCores: 4 }';
  await world.ready();
  expect(world.status.state).toBe('Ready');
});

test('limits that cannot be read keep it waiting', async () => {
  const world = new World({}, { defaults: () => ({ kind: 'unusable', reason: new DefaultsError('the ConfigMap is wrong').message }) });
  await world.settle();
  expect(world.status.state).toBe('Provisioning');
  expect(world.condition().message).toContain('the ConfigMap is wrong');
  expect(world.pod).toBeUndefined();
});

test('a foreign Service or Pod is not touched, and the reason is reported', async () => {
  const world = new World();
  world.api.put(SERVICES, { metadata: { name: 'nb-server', namespace: 'jobs', uid: 'theirs' }, spec: {} });
  await world.settle();
  expect(world.condition().message).toContain('one of this name exists that does not belong to the SparkConnect');
  expect(world.pod).toBeUndefined();

  const other = new World();
  other.api.put(PODS, {
    metadata: { name: 'nb-server', namespace: 'jobs', uid: 'theirs', labels: {} }, spec: {}, status: { phase: 'Running' },
  });
  await other.settle();
  expect(other.condition().message).toContain('a Pod nb-server exists that does not belong to this SparkConnect');
  expect(other.pod.metadata.uid).toBe('theirs');
});

test('one that is being deleted is left to Kubernetes, and forgotten', async () => {
  const world = new World();
  await world.ready();
  expect(world.objects.size).toBe(1);
  world.api.put(SPARK_CONNECTS, { ...world.connect, metadata: { ...world.connect.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } });
  const calls = world.api.made.length;
  await world.pass();
  expect(world.api.made.length).toBe(calls);
  expect(world.objects.size).toBe(0);
});

test('a transient failure is retried less and less often', async () => {
  const world = new World();
  let tries = 0;
  world.api.refuse = (call) => {
    if (call === 'create pods' && ++tries > 0) {
      throw world.api.error(
        'create', PODS, { name: 'nb-server' }, 403, 'Forbidden', 'pods "nb-server" is forbidden: exceeded quota: compute',
      );
    }
  };
  for (let waited = 0; waited < 600_000;) {
    const { requeueAfter } = await world.pass() as { requeueAfter: number };
    await world.clock.advance(requeueAfter);
    waited += requeueAfter;
  }
  expect(tries).toBeLessThan(50);
  expect(world.reasons).toEqual(['SparkConnectServerPending']);
});

test('an exhausted quota is retried with pauses', async () => {
  const world = new World();
  let tries = 0;
  world.api.refuse = (call) => {
    if (call === 'create pods' && ++tries > 0) {
      throw world.api.error(
        'create', PODS, { name: 'nb-server' }, 403, 'Forbidden', 'pods "nb-server" is forbidden: exceeded quota: compute',
      );
    }
  };
  await world.pass();
  for (let wake = 0; wake < 10; wake++) await world.pass();
  expect(tries).toBe(1);
  expect(world.condition().message).toContain('exceeded quota');
  expect(world.reasons).toEqual(['SparkConnectServerPending']);
  world.api.refuse = () => undefined;
  await world.after(30_000);
  expect(world.pod).toBeDefined();
});

test('an image that cannot be pulled is reported at once, and after a while the server is created again', async () => {
  const world = new World();
  await world.settle();
  const { uid } = world.pod.metadata;
  world.node({
    startTime: '2026-03-01T10:00:00Z', containerStatuses: [
      { name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } },
    ],
  });
  await world.settle();
  expect(world.condition()).toMatchObject({
    reason: 'ServerNotStarted', message: 'the server does not start: ImagePullBackOff: no such image',
  });
  expect(world.reasons.at(-1)).toBe('SparkConnectServerPending');
  await world.after(299_000);
  expect(world.pod.metadata.uid).toBe(uid);
  await world.after(2_000);
  expect(world.status).toMatchObject({ state: 'NotReady', restarts: 1 });
  await world.after(10_000);
  expect(world.pod.metadata.uid).not.toBe(uid);
});

test('a pull that fails again and again has one event, with the cause in a few words', async () => {
  const world = new World();
  await world.settle();
  const answer = (port: number) => `failed to pull image "r.test/x:1": dial tcp: lookup r.test: read udp 10.0.0.1:${port}->10.0.0.2:53: i/o timeout`;
  for (const [index, reason] of ['ErrImagePull', 'ImagePullBackOff', 'ErrImagePull', 'ImagePullBackOff'].entries()) {
    const message = reason === 'ErrImagePull' ? answer(index) : `Back-off pulling image "r.test/x:1": ErrImagePull: ${answer(index)}`;
    world.node({
      startTime: '2026-03-01T10:00:00Z', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason, message } } }],
    });
    await world.settle();
  }
  expect(world.reasons.filter((reason) => reason === 'SparkConnectServerPending')).toHaveLength(1);
});

test('a server that kubeflow\'s operator has started is adopted, until its specification changes', async () => {
  const world = new World();
  world.api.put(PODS, {
    metadata: {
      name: 'nb-server', namespace: 'jobs', uid: 'theirs', labels: {
        'sparkoperator.k8s.io/connect-name': 'nb', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
        'spark-role': 'connect-server', 'spark-version': '4.1.1',
      },
      ownerReferences: [
        { apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', name: 'nb', uid: 'connect', controller: true },
      ],
    },
    spec: { containers: [{ name: 'spark-kubernetes-driver' }] },
    status: { phase: 'Running', podIP: '10.0.0.9', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await world.settle();
  expect(world.status).toMatchObject({ state: 'Ready', server: { podName: 'nb-server', podIp: '10.0.0.9', serviceName: 'nb-server' } });
  expect(world.pod.metadata.uid).toBe('theirs');
  expect(world.api.find(SERVICES, { namespace: 'jobs', name: 'nb-server' }).spec.selector).toEqual({
    'sparkoperator.k8s.io/connect-name': 'nb', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true', 'spark-role': 'connect-server',
  });
  world.edit({ image: 'other' });
  await world.ready();
  expect(world.pod.metadata.uid).not.toBe('theirs');
  expect(world.status.state).toBe('Ready');
});

test('back from kubeflow\'s operator, which drops unknown fields of the status, the server continues', async () => {
  const world = new World();
  await world.ready();
  world.ends(1);
  await world.settle();
  await world.after(10_000);
  await world.ready();
  const { uid } = world.pod.metadata;
  const { restarts: _, lastTerminationTime: __, observedGeneration: ___, ...status } = world.status;
  world.api.put(SPARK_CONNECTS, { ...world.connect, status });
  world.newOperator();
  await world.settle();
  expect(world.pod.metadata.uid).toBe(uid);
  expect(world.status).toMatchObject({ state: 'Ready' });
});

test('under a CRD that does not keep the status nothing is done repeatedly', async () => {
  const world = new World();
  await world.ready();
  world.ends(1);
  const { updateStatus } = world.api;
  world.api.updateStatus = async (kind, object) => {
    const { restarts: _, lastTerminationTime: __, ...status } = object.status;
    return updateStatus.call(world.api, kind, { ...object, status });
  };
  expect(await world.pass()).toEqual({ requeueAfter: 300_000 });
  const calls = world.api.made.length;
  expect(await world.pass()).toEqual({ requeueAfter: 300_000 });
  expect(world.api.made.length).toBe(calls);
  expect(world.events.at(-1)).toMatchObject({
    reason: 'SparkConnectNotHandled', note: expect.stringContaining('apply the CRD of this version'),
  });
});

test.each(['Never', 'Always'])('under a CRD that drops the deadline of a start, it ends after the timeout, and is not written at each reconcile: %s', async (type) => {
  const world = new World({ restartPolicy: { type } });
  const { updateStatus } = world.api;
  let writes = 0;
  world.api.updateStatus = async (kind, object) => {
    writes++;
    const { startDeadlineTime: _, ...status } = object.status;
    return updateStatus.call(world.api, kind, { ...object, status });
  };
  await world.settle();
  world.node({ phase: 'Pending', startTime: new Date(world.clock.now()).toISOString(), containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ImagePullBackOff' } } }] });
  const before = writes;
  for (let passed = 0; passed < 280; passed += 20) await world.after(20_000);
  expect(writes - before).toBeLessThanOrEqual(2);
  await world.after(21_000);
  expect(world.condition()).toMatchObject({ reason: type === 'Never' ? 'ServerFailed' : 'ServerEnded', message: expect.stringContaining('gave up after 5m') });
});

test('a state of a later version is not changed', async () => {
  const world = new World();
  world.api.put(SPARK_CONNECTS, { ...world.connect, status: { state: 'Hibernating' } });
  await world.pass();
  expect(world.status).toEqual({ state: 'Hibernating' });
  expect(world.pod).toBeUndefined();
});

test('a SparkConnect whose status another operator writes is left alone for a while', async () => {
  const world = new World();
  await world.ready();
  world.writeAs('cdk8s-spark-operator.another');
  world.edit({ suspend: true });
  expect(await world.pass()).toEqual({ requeueAfter: 30_000 });
  expect(world.events.at(-1)).toEqual({
    reason: 'SparkConnectContended',
    note: 'Another operator also manages SparkConnect nb: cdk8s-spark-operator.another has written the status after this operator. '
      + 'This one leaves it alone for 30 s',
  });
  expect(world.status.state).toBe('Ready');
  await world.after(30_000);
  expect(world.status.state).not.toBe('Ready');
});
