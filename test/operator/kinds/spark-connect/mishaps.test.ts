/* Problems around a SparkConnect: different clocks, stale caches, taken names. */
import { PODS, SERVICES, SPARK_CONNECTS } from '../../../../src/model/resources';
import type { CurrentDefaults } from '../../../../src/plan/defaults/layer';
import { cluster } from '../../../plan/defaults/layers';
import { kindsIn, World } from './operator';

const service = (world: World, name: string) => world.api.find(SERVICES, { namespace: 'jobs', name });

test('a Service whose new name is taken keeps the old one until the name is free, and the status reports it', async () => {
  const world = new World();
  await world.ready();
  world.api.put(SERVICES, { metadata: { name: 'taken', namespace: 'jobs', uid: 'theirs' }, spec: {} });
  world.edit({ server: { service: { metadata: { name: 'taken' } } } });
  await world.settle();
  expect(service(world, 'nb-server')).toBeDefined();
  expect(world.status).toMatchObject({ state: 'Ready', server: { serviceName: 'nb-server' } });
  expect(world.condition('ServiceReady')).toMatchObject({
    status: 'False',
    message: expect.stringMatching(/^Service taken cannot be created: .*does not belong to the SparkConnect.*tried again every 30 s$/),
  });

  world.api.remove(SERVICES, { namespace: 'jobs', name: 'taken' });
  await world.after(30_000);
  expect(world.status.server.serviceName).toBe('taken');
  expect(service(world, 'nb-server')).toBeUndefined();
  expect(world.condition('ServiceReady')).toBeUndefined();
});

test('a Service replaces the previous one that has its node port', async () => {
  const world = new World();
  await world.ready();
  world.api.refuse = (call) => {
    if (call === 'create services' && service(world, 'nb-server')) {
      throw world.api.error(
        'create', SERVICES, { name: 'other' }, 422, 'Invalid',
        'spec.ports[0].nodePort: Invalid value: 30002: provided port is already allocated',
      );
    }
  };
  world.edit({ server: { service: { metadata: { name: 'other' } } } });
  await world.settle();
  expect(world.status.server.serviceName).toBe('other');
  expect(service(world, 'nb-server')).toBeUndefined();
});

test('a server without a Service for its clients is not started, and starts within half a minute once the name is free', async () => {
  const world = new World({ sparkUIOptions: { servicePort: 80 } });
  world.api.put(SERVICES, { metadata: { name: 'nb-server', namespace: 'jobs', uid: 'theirs' }, spec: {} });
  await world.settle();
  await world.after(600_000);
  expect(world.pod).toBeUndefined();
  expect(service(world, 'nb-connect-ui-svc')).toBeDefined();
  world.api.remove(SERVICES, { namespace: 'jobs', name: 'nb-server' });
  await world.goesOn(31_000);
  expect(world.pod).toBeDefined();
});

test('the Service of the server can have the usual name of the Service for the web UI', async () => {
  const world = new World({ server: { service: { metadata: { name: 'nb-connect-ui-svc' } } }, sparkUIOptions: { servicePort: 80 } });
  await world.ready();
  const calls = world.api.made.length;
  await world.pass();
  expect(world.api.made.length).toBe(calls);
  expect(service(world, 'nb-connect-ui-svc').spec.ports).toHaveLength(4);
  expect(service(world, 'nb-connect-web-ui-svc').spec.ports).toEqual([expect.objectContaining({ port: 80 })]);
});

describe('a server whose creation succeeds late, after an apparent failure', () => {
  /**
   * Loses the answer to the creation, and delays the creation.
   * @returns a function that completes it
   */
  const delayed = async (world: World): Promise<() => Promise<unknown>> => {
    const { create } = world.api;
    let comes: (() => Promise<unknown>) | undefined;
    world.api.create = async (kind, object) => {
      if (kind.plural !== 'pods') return create.call(world.api, kind, object);
      comes = () => create.call(world.api, kind, object);
      throw world.api.lost();
    };
    await world.settle().catch(() => undefined);
    world.api.create = create;
    return comes!;
  };

  test('ends if its specification was refused meanwhile', async () => {
    const world = new World();
    const comes = await delayed(world);
    world.edit({ server: { cores: -1 } });
    await world.settle();
    expect(world.condition()).toMatchObject({ reason: 'SpecRefused' });
    await comes();
    await world.settle();
    expect(world.pod).toBeUndefined();
    expect(world.status.state).toBe('Failed');
    world.edit({ server: {} });
    await world.ready();
    expect(world.status.state).toBe('Ready');
  });

  test('ends, and the status reports that another specification is refused, if both are observed together', async () => {
    const limits: CurrentDefaults = { kind: 'ready', layers: { cluster: cluster({ limits: 'driver: { maxCores: 1 }' }) } };
    const world = new World({ restartPolicy: { type: 'Never' } }, { defaults: () => limits });
    await world.ready();
    world.ends(1);
    await world.settle();
    const { metadata, ...pod } = world.pod;
    world.edit({ server: { cores: 2 } });
    world.api.put(PODS, { ...pod, metadata: { ...metadata, uid: 'late' }, status: { phase: 'Running' } });
    await world.settle();
    expect(world.pod).toBeUndefined();
    expect(world.condition()).toMatchObject({ reason: 'SpecRefused' });
  });
});

describe('an operator whose cache of SparkConnects is older than that of pods', () => {
  /** Runs a pass with this SparkConnect in the cache, and the current pods. */
  const isBehind = async (world: World, seen: object) => {
    world.newOperator();
    const { connect } = world;
    world.api.objects.set('sparkconnects jobs/nb', seen);
    world.see();
    world.api.objects.set('sparkconnects jobs/nb', connect);
    const { see } = world;
    world.see = () => undefined;
    await expect(world.pass()).rejects.toThrow('Conflict');
    world.see = see;
  };

  test.each([
    ['has failed', { restartPolicy: { type: 'Never' } }, async (world: World) => {
      world.ends(1);
      await world.settle();
      const seen = world.connect;
      world.edit({ image: 'other' });
      return seen;
    }],
    ['waits for its restart', {}, async (world: World) => {
      world.ends(1);
      await world.pass();
      const seen = world.connect;
      await world.after(10_000);
      world.ends(1);
      await world.after(5_000);
      await world.after(30_000);
      return seen;
    }],
  ])('does not end a server that was started after it %s', async (_, spec, happens) => {
    const world = new World(spec);
    await world.ready();
    const seen = await happens(world);
    await world.ready();
    const { uid } = world.pod.metadata;
    const made = kindsIn(world.api);
    await isBehind(world, seen);
    expect(world.pod.metadata.uid).toBe(uid);
    expect(kindsIn(world.api)).toEqual(made);
    await world.settle();
    expect(world.pod.metadata.uid).toBe(uid);
  });

  test('does not delete the ended pod of the current server before it has observed the reason', async () => {
    const world = new World();
    await world.ready();
    world.ends(1);
    await world.pass();
    const seen = world.connect;
    for (const message of ['once', 'no more memory']) {
      await world.after(30_000);
      await world.ready();
      world.ends(1, message);
      if (message === 'once') await world.settle();
    }
    await isBehind(world, seen);
    await world.settle();
    expect(world.events.at(-1)!.note).toContain('no more memory');
  });
});

describe('the wait before a restart', () => {
  /** Returns the seconds from the end of the server until it is created again. */
  const waitOf = async (world: World): Promise<number> => {
    const begin = world.clock.now();
    for (const { uid } = world.pod.metadata; world.pod?.metadata.uid === uid && world.clock.now() < begin + 400_000;) {
      await world.after(1_000);
    }
    return Math.round((world.clock.now() - begin) / 1000);
  };
  const crash = (world: World, startedAt: number, finishedAt: number) => world.node({
    phase: 'Failed', conditions: [], containerStatuses: [{
      name: 'spark-kubernetes-driver', state: {
        terminated: { exitCode: 1, startedAt: new Date(startedAt).toISOString(), finishedAt: new Date(finishedAt).toISOString() },
      },
    }],
  });

  test.each([-3_600_000, -600_000, 3_600_000])('grows with any clock difference of the node: %i ms', async (skew) => {
    const world = new World();
    await world.ready();
    for (const least of [4, 8, 16]) {
      world.takesConnections();
      await world.settle();
      const begin = world.clock.now();
      await world.after(2_000);
      crash(world, begin + skew, world.clock.now() + skew);
      expect(await waitOf(world)).toBeGreaterThanOrEqual(least);
    }
    expect(world.status.restarts).toBe(3);
  });

  test('grows again after a time from a clock that was ahead', async () => {
    const world = new World();
    await world.ready();
    world.ends(1);
    await world.settle();
    world.api.put(SPARK_CONNECTS, { ...world.connect, status: { ...world.status, lastTerminationTime: '2026-03-02T10:00:00Z' } });
    await world.ready();
    for (const least of [8, 16]) {
      world.ends(1);
      expect(await waitOf(world)).toBeGreaterThanOrEqual(least);
      await world.ready();
    }
  });

  test('grows even if the pull of the image takes long', async () => {
    const world = new World();
    await world.settle();
    for (const restarts of [1, 2, 3]) {
      world.node({
        phase: 'Pending', startTime: new Date(world.clock.now()).toISOString(), containerStatuses: [
          { name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ContainerCreating' } } },
        ],
      });
      await world.after(660_000);
      crash(world, world.clock.now() - 1_000, world.clock.now());
      await world.settle();
      expect(world.status.restarts).toBe(restarts);
      await waitOf(world);
    }
  });
});

describe('an edit of a server that kubeflow\'s operator has started', () => {
  const theirs = async (parts: { defaults?: () => CurrentDefaults } = {}) => {
    const world = new World({}, parts);
    world.api.put(PODS, {
      metadata: {
        name: 'nb-server', namespace: 'jobs', uid: 'theirs', labels: {
          'sparkoperator.k8s.io/connect-name': 'nb', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
          'spark-role': 'connect-server',
        },
        ownerReferences: [
          { apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', name: 'nb', uid: 'connect', controller: true },
        ],
      },
      spec: { containers: [{ name: 'spark-kubernetes-driver' }] },
      status: { phase: 'Running', podIP: '10.0.0.9', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await world.settle();
    return world;
  };

  test('is reported as long as it is invalid, and applies once it is corrected', async () => {
    const world = await theirs();
    world.edit({ image: 'other', sparkConf: { 'spark.master': 'local' } });
    await world.settle();
    await world.after(60_000);
    expect(world.pod.metadata.uid).toBe('theirs');
    expect(world.condition('SpecAccepted')).toMatchObject({ status: 'False' });
    expect(world.reasons.filter((reason) => reason === 'SparkConnectRefused')).toHaveLength(1);
    world.edit({ sparkConf: {} });
    await world.ready();
    expect(world.pod.metadata.uid).not.toBe('theirs');
  });

  test('during unreadable limits applies once they can be read', async () => {
    let current: CurrentDefaults = { kind: 'ready', layers: {} };
    const world = await theirs({ defaults: () => current });
    current = { kind: 'unusable', reason: 'wrong' };
    world.edit({ image: 'other' });
    await world.settle();
    expect(world.pod.metadata.uid).toBe('theirs');
    current = { kind: 'ready', layers: {} };
    await world.ready();
    expect(world.pod.metadata.uid).not.toBe('theirs');
    expect(world.status).toMatchObject({ state: 'Ready', observedGeneration: 2 });
  });
});

describe('a server that no longer accepts connections', () => {
  const silent = async (spec: object) => {
    const world = new World(spec);
    await world.ready();
    await world.after(3_600_000);
    world.node({ conditions: [{ type: 'Ready', status: 'False' }] });
    await world.settle();
    return world;
  };

  test('is restarted after ten minutes', async () => {
    const world = await silent({});
    const { uid } = world.pod.metadata;
    await world.goesOn(590_000, 10_000);
    expect(world.status.state).toBe('NotReady');
    expect(world.pod.metadata.uid).toBe(uid);
    await world.after(10_000);
    expect(world.status.restarts).toBe(1);
    expect(world.condition().message).toContain('the server does not take connections (the operator gave up after 10m)');
    await world.after(10_000);
    await world.ready();
    expect(world.pod.metadata.uid).not.toBe(uid);
    expect(world.reasons.slice(2)).toEqual([
      'SparkConnectServerNotReady', 'SparkConnectServerFailed', 'SparkConnectServerStarted', 'SparkConnectServerReady',
    ]);
  });

  test('stays with the policy Never, or if it accepts them again', async () => {
    const never = await silent({ restartPolicy: { type: 'Never' } });
    await never.goesOn(1_200_000, 60_000);
    expect(never.status).toMatchObject({ state: 'NotReady' });
    const world = await silent({});
    await world.goesOn(300_000, 60_000);
    world.node({ conditions: [{ type: 'Ready', status: 'True' }] });
    await world.settle();
    world.node({ conditions: [{ type: 'Ready', status: 'False' }] });
    await world.goesOn(540_000, 60_000);
    expect(world.status.restarts ?? 0).toBe(0);
  });

  test('gets its time to start after a restart', async () => {
    const world = await silent({});
    world.ends(1);
    await world.settle();
    await world.after(10_000);
    world.runs();
    await world.goesOn(900_000, 60_000);
    expect(world.status.restarts).toBe(1);
  });
});

test('a SparkConnect refused by the limits stays refused while they cannot be read', async () => {
  const limits: CurrentDefaults = { kind: 'ready', layers: { cluster: cluster({ limits: 'driver: { maxCores: 1 }' }) } };
  let current: CurrentDefaults = limits;
  const world = new World({ server: { cores: 2 } }, { defaults: () => current });
  await world.settle();
  const { status, events } = world;
  for (let time = 0; time < 3; time++) {
    for (current of [{ kind: 'unusable', reason: 'wrong' } as CurrentDefaults, limits]) await world.after(60_000);
  }
  expect(world.status).toEqual(status);
  expect(world.events).toEqual(events.slice(0, 1));
});

test('the pod of a previous SparkConnect on an unreachable node is force-deleted; a foreign pod is not', async () => {
  const stuck = (owner: object) => ({
    metadata: {
      name: 'nb-server', namespace: 'jobs', uid: 'theirs', labels: {}, deletionTimestamp: '2026-03-01T10:00:00Z',
      ownerReferences: [{ apiVersion: 'v1', controller: true, uid: 'before', name: 'nb', ...owner }],
    },
    spec: {}, status: { phase: 'Running' },
  });
  const [world, other] = [new World(), new World()];
  world.api.graceful = other.api.graceful = true;
  world.api.put(PODS, stuck({ kind: 'SparkConnect' }));
  other.api.put(PODS, stuck({ kind: 'StatefulSet' }));
  for (const each of [world, other]) await each.goesOn(110_000, 10_000);
  expect(world.pod.metadata.uid).toBe('theirs');
  for (const each of [world, other]) await each.goesOn(60_000, 10_000);
  expect(world.pod.metadata.uid).not.toBe('theirs');
  expect(other.pod.metadata.uid).toBe('theirs');
});

test('under kubeflow\'s CRD, which drops unknown fields of the status, it is reported, and not written repeatedly', async () => {
  const world = new World();
  const { updateStatus } = world.api;
  let writes = 0;
  world.api.updateStatus = async (kind, object) => {
    writes++;
    const { restarts: _, lastTerminationTime: __, observedGeneration: ___, idleSince: ____, ...status } = object.status;
    return updateStatus.call(world.api, kind, { ...object, status });
  };
  for (let pass = 0; pass < 10; pass++) await world.after(1_000);
  expect(writes).toBe(1);
  expect(world.events.at(-1)).toMatchObject({ reason: 'SparkConnectNotHandled' });

  // After five minutes, a write shows that the CRD is another one now.
  world.api.updateStatus = updateStatus;
  await world.clock.advance(300_000);
  world.api.remove(SERVICES, { namespace: 'jobs', name: 'nb-server' });
  const { spec, apiVersion, kind, metadata } = world.connect;
  world.api.put(SPARK_CONNECTS, { apiVersion, kind, metadata: { ...metadata, uid: 'another' }, spec });
  await world.ready();
  expect(world.status.state).toBe('Ready');
});

test('objects of earlier starts are listed once for each start, however often that is retried', async () => {
  const world = new World();
  await world.ready();
  world.ends(1);
  await world.settle();
  world.api.refuse = (call) => {
    if (call === 'create pods') {
      throw world.api.error(
        'create', PODS, { name: 'nb-server' }, 403, 'Forbidden', 'pods "nb-server" is forbidden: exceeded quota: compute',
      );
    }
  };
  const begin = world.api.made.length;
  await world.goesOn(300_000, 10_000);
  const calls = world.api.made.slice(begin);
  expect(calls.filter((call) => call === 'create pods').length).toBeGreaterThan(5);
  expect(calls.filter((call) => call === 'list configmaps')).toHaveLength(1);
});
