/* Explanations of Spark Connect servers, by the statuses that the operator writes. */
import { SPARK_CONNECT } from '../../../src/api/spark-connect';
import { explainConnect } from '../../../src/explain/connect/explain';
import type { ObservedConnect } from '../../../src/explain/connect/observed';
import { shortConnectReason } from '../../../src/explain/connect/short-reason';
import { REMEDIES } from '../../../src/explain/remedy';
import { reasonText } from '../../../src/explain/short-reason';
import { viewOf } from '../../../src/model/pod-view';
import { inWordsOfConnect } from '../../../src/plan/connect/as-application';
import { specSchema } from '../../../src/rules/schemas';
import { World } from '../../operator/kinds/spark-connect/operator';

const ACTIVE = { isActive: true, evidence: 'the Lease ops/lock was last renewed 2s ago' };
const STOPPED = { isActive: false, evidence: 'the Lease ops/lock was last renewed 53m ago' };

function observed(world: World, more: Partial<ObservedConnect> = {}): ObservedConnect {
  const server = world.pod && viewOf(world.pod);
  return { connect: world.connect, now: world.clock.now(), operator: ACTIVE, ...(server && { server }), ...more };
}

const explained = (world: World, more?: Partial<ObservedConnect>) => explainConnect(observed(world, more));

/** Returns the state as lists show it; with `!` if it needs attention. */
function shown(world: World, more?: Partial<ObservedConnect>): string {
  const seen = observed(world, more);
  const reason = shortConnectReason(seen);
  const words = reasonText(reason, seen.now);
  return `${world.status?.state ?? 'NEW'}${words === undefined ? '' : ` (${words})`}${reason.needsAttention ? ' !' : ''}`;
}

const waits = (reason: string, message: string) => ({ phase: 'Pending', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason, message } } }] });
const IMAGE = waits('ImagePullBackOff', 'Back-off pulling image "x"');

async function ready(spec: object = {}): Promise<World> {
  const world = new World(spec);
  await world.ready();
  return world;
}

test('a new server waits for an operator', async () => {
  const world = new World();
  expect(shown(world)).toBe('NEW');
  expect(explained(world).sentence).toBe('It is about to be started');
  expect(explained(world, { operator: undefined }).sentence).toBe('It waits for an operator of the namespace jobs to start it');
  await world.settle();
  expect(shown(world)).toBe('Provisioning');
});

test('an image that cannot be pulled is the reason from the first minute on, also after the operator starts the server again', async () => {
  const world = new World();
  await world.settle();
  world.node(IMAGE);
  await world.after(30_000);
  expect(shown(world)).toBe('Provisioning (ImagePullBackOff) !');
  expect(explained(world)).toMatchObject({
    sentence: 'The server has waited for 30s: ImagePullBackOff: Back-off pulling image "x"; the operator gives up in 5m (--driver-start-timeout), and starts it again',
    remedy: expect.stringMatching(/^check spec\.image, .* and imagePullSecrets in spec\.server\.template /),
  });
  expect(explained(world, { server: undefined }).sentence).toContain('ImagePullBackOff');

  await world.after(300_000);
  expect(shown(world)).toMatch(/^NotReady \(ImagePullBackOff, retries in \ds\) !$/);
  expect(explained(world).sentence).toMatch(/^The server did not start: ImagePullBackOff: .* \(the operator gave up after 5m\); it is started again in \ds$/);

  await world.after(10_000);
  expect(explained(world)).toEqual(expect.objectContaining({
    sentence: 'The server has waited for 0s, and has no node yet; it was restarted once', remedy: 'sparkctl log connect/nb -n jobs --follow',
  }));
  world.node(IMAGE);
  await world.after(1_000);
  expect(shown(world)).toBe('NotReady (ImagePullBackOff) !');
  // Without its pod, only the first start has a known time.
  expect(explained(world, { server: undefined }).sentence).toMatch(/^The server has waited: ImagePullBackOff: /);
});

test('a node without room is described with the fields of the server', async () => {
  const world = new World();
  await world.settle();
  world.node({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] });
  await world.after(30_000);
  const pod = { containers: [{ name: 'spark-kubernetes-driver', resources: { requests: { cpu: '64' } } }] };
  expect(shown(world)).toBe('Provisioning (no node has enough CPU) !');
  expect(explained(world).remedy).toContain('ask for less in spec.server and spec.executor');
  expect(explained(world, { room: { role: 'driver', pod } }).remedy).toBe('ask for less in spec.server, or give the cluster more nodes: the server asks for 64 CPUs');
});

test('a server that the API server refuses', async () => {
  const world = new World({ restartPolicy: { type: 'Never' } });
  world.api.refuse = (call) => {
    if (call === 'create pods') throw world.api.error('create', { kind: 'Pod', plural: 'pods' } as any, { name: 'nb-server' }, 403, 'Forbidden', 'pods "nb-server" is forbidden: exceeded quota: compute');
  };
  await world.settle();
  expect(shown(world)).toBe('Provisioning (quota compute exceeded) !');
  expect(explained(world)).toMatchObject({
    sentence: expect.stringMatching(/^The server cannot be created yet: .*exceeded quota: compute$/), remedy: expect.stringContaining('for a larger ResourceQuota'),
  });
});

test('a server that ended: the cause, the time of the next start, and its log', async () => {
  const world = await ready();
  world.ends(1, 'Exception in thread "main" java.lang.IllegalStateException: no rows\n\tat com.acme.Job.main(Job.java:3)');
  await world.after(1);
  expect(shown(world)).toMatch(/^NotReady \(IllegalStateException, retries in \ds\) !$/);
  expect(explained(world)).toMatchObject({
    sentence: expect.stringMatching(/^The server has ended: IllegalStateException: no rows \(Job\.java:3\); it is started again in \ds$/), remedy: 'sparkctl log connect/nb -n jobs',
  });
  await world.after(10_000);
  expect(shown(world)).toBe('NotReady (starts again, restart 1) !');
});

test('a server that was deleted', async () => {
  const world = await ready();
  world.api.remove({ kind: 'Pod', plural: 'pods' } as any, { namespace: 'jobs', name: 'nb-server' });
  const before = { isServerGone: true };
  expect(shown(world, before)).toBe('Ready (server is gone) !');
  expect(explained(world, before).sentence).toMatch(/^The pod nb-server of the server does not exist any more\. Its status is 0s old, and the operator has not recorded that yet$/);
  await world.settle();
  expect(shown(world)).toMatch(/^NotReady \(server lost, retries in \ds\) !$/);
});

test('memory: the remedy names the fields of the server', async () => {
  const world = await ready({ restartPolicy: { type: 'Never' } });
  world.ends(137);
  world.node({ containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }] });
  await world.after(1);
  expect(shown(world)).toBe('Failed (OOMKilled) !');
  expect(explained(world)).toMatchObject({
    sentence: "It failed, and is not started again until it is edited: the server's container exceeded its memory limit of 1408Mi",
    remedy: 'raise spec.sparkConf[spark.driver.memoryOverhead], which Python and native libraries use, or spec.server.memory',
  });
});

test('a server that its startup probe ended: the pod has only the signal', async () => {
  const end = async (world: World, finishedAt = '2026-03-01T10:05:00Z', exitCode = 143) => {
    const times = { startedAt: '2026-03-01T10:00:00Z', finishedAt };
    world.node({ phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode, reason: 'Error', ...times } } }] });
    await world.after(1);
    return explained(world);
  };
  const starting = async () => {
    const world = new World({ restartPolicy: { type: 'Never' } });
    await world.settle();
    return world;
  };
  expect(await end(await starting())).toMatchObject({
    sentence: 'It failed, and is not started again until it is edited: it accepted no connections for 5m: its startup probe failed',
    remedy: expect.stringMatching(/ a higher failureThreshold gives it more time$/),
  });
  expect((await end(await starting(), '2026-03-01T10:05:30Z', 137)).sentence).toContain('its startup probe failed');
  // Something else ended it.
  expect((await end(await starting(), '2026-03-01T10:01:00Z')).sentence).toContain('terminated by SIGTERM');
  expect((await end(await ready({ restartPolicy: { type: 'Never' } }))).sentence).toContain('exit code 143: terminated by SIGTERM');
});

test('a ready server: for how long, and its executors', async () => {
  const world = await ready();
  await world.after(60_000);
  expect(shown(world)).toBe('Ready');
  expect(explained(world)).toMatchObject({ headline: 'runs', sentence: 'The server has accepted connections for 1m; 0 of 2 executors run' });

  const executor = viewOf({
    metadata: { name: 'e' }, spec: { containers: [] },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] },
  } as never);
  expect(shown(world, { waiting: [executor] })).toBe('Ready (1 executor unschedulable) !');
  expect(explained(world, { executors: [executor] })).toMatchObject({
    sentence: expect.stringMatching(/; 0 of 2 executors run, 1 waits: Unschedulable: no node has enough CPU$/), remedy: expect.stringContaining('spec.executor'),
  });

  await world.after(300_000);
  expect(shown(world)).toBe('Ready (no executors) !');
});

test('a server that no longer answers', async () => {
  const world = await ready();
  world.runs();
  await world.after(1);
  await world.after(120_000);
  expect(shown(world)).toBe('NotReady (does not answer) !');
  expect(explained(world).sentence).toBe('The server has accepted no connections for 2m');
});

test('an edit without effect does not hide that the server runs', async () => {
  const world = await ready();
  world.edit({ executor: { instances: 0 } });
  await world.settle();
  expect(shown(world)).toBe('Ready (edit rejected) !');
  expect(explained(world)).toMatchObject({
    sentence: expect.stringMatching(/^The server has accepted connections for 0s; .*; its last edit has no effect: spec\.executor\.instances = "0" /),
    remedy: 'sparkctl edit connect/nb -n jobs',
  });
});

test('a specification that is rejected, and corrected', async () => {
  const world = new World({ executor: { instances: 0 } });
  await world.settle();
  expect(shown(world)).toBe('Failed (specification rejected) !');
  expect(explained(world)).toMatchObject({
    sentence: expect.stringMatching(/^Its specification is rejected: spec\.executor\.instances = "0" /), remedy: 'correct it: `sparkctl edit connect/nb -n jobs`',
  });
  world.edit({ executor: {} });
  expect(shown(world)).toBe('Failed (is about to start again)');
  expect(explained(world).sentence).toMatch(/; its specification has changed since, which no operator has reconciled yet$/);
});

test('a suspended server needs nothing, also without an operator', async () => {
  const world = await ready();
  world.edit({ suspend: true });
  expect(explained(world).sentence).toBe('It is being suspended');
  await world.settle();
  await world.settle();
  expect(shown(world, { operator: STOPPED })).toBe('Suspended');
  expect(explained(world, { operator: STOPPED })).toMatchObject({ sentence: 'It is suspended and has no pods', remedy: 'set spec.suspend to false: `sparkctl edit connect/nb -n jobs`' });
  world.edit({ suspend: false });
  expect(explained(world).sentence).toBe('It is about to be started again');
  expect(shown(world, { operator: STOPPED })).toBe('Suspended (no operator, resume requested) !');
});

test('without an operator: since when the status has its state, and what the pod shows', async () => {
  const world = await ready();
  await world.after(3_180_000);
  expect(shown(world, { operator: STOPPED })).toBe('Ready (no operator) !');
  expect(explained(world, { operator: STOPPED })).toMatchObject({
    headline: 'no operator handles it', remedy: 'sparkctl doctor -n jobs',
    sentence: 'No operator handles the namespace jobs: the Lease ops/lock was last renewed 53m ago. Its status has been Ready for 53m; its server runs',
  });
  expect(explained(world, { operator: STOPPED, isServerGone: true, server: undefined }).sentence).toMatch(/; the pod of its server does not exist any more$/);
  expect(shown(world, { operator: STOPPED, isServerGone: true })).toBe('Ready (no operator, server is gone) !');
});

test('a new server that no operator has reconciled for long', async () => {
  const world = new World();
  await world.clock.advance(120_000);
  expect(shown(world, { operator: undefined })).toBe('NEW (not reconciled) !');
  expect(explained(world, { operator: undefined }).sentence).toMatch(/^It is 2m old and not reconciled yet: no operator runs/);
  expect(explained(world, { operator: STOPPED }).sentence).toMatch(/\. It has waited to be started for 2m$/);
});

test('a state of a later version', async () => {
  const world = await ready();
  const connect = { ...world.connect, status: { ...world.status, state: 'Napping' } };
  expect(explainConnect({ ...observed(world), connect })).toMatchObject({ sentence: 'It is in state Napping, which a later version of the operator has written', remedy: 'use the sparkctl of that version' });
});

test('remedies of applications name only fields that a SparkConnect has', () => {
  const fields = Object.keys((specSchema(SPARK_CONNECT) as any).properties);
  // An attempt of an application has a deadline; a server has none.
  const remedies = REMEDIES.filter(([reason]) => !reason.source.includes('activeDeadlineSeconds'))
    .map(([, advice]) => inWordsOfConnect(typeof advice === 'string' ? advice : advice('', 'driver', 'b', 'c', 'd')));
  expect(remedies.length).toBeGreaterThan(20);
  const named = remedies.flatMap((text) => [...text.matchAll(/(?<!\.)\bspec\.(\w+)/g)].map(([, field]) => field!));
  expect(named.filter((field) => !fields.includes(field))).toEqual([]);
  expect(named).toContain('server');
});
