/* An operator that ends at any call, and the next one that continues its work. */
import { CONFIG_MAPS } from '../../../../src/model/resources';
import { kindsIn, World } from './operator';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const propertiesIn = (world: World): string[] => (
  world.api.all(CONFIG_MAPS).flatMap(({ data }) => data['spark.properties']?.split('\n') ?? [])
);
const STARTED = ['configmaps', 'pods', 'services', 'services', 'sparkconnects'];

describe.each(['before', 'after'] as const)('a crash %s call', (when) => {
  test.each(upTo(12))('%i of the first start: the next operator continues, with one server', async (crash) => {
    const world = new World();
    const fail = (_: string, number: number) => {
      if (number === crash) throw world.api.lost();
    };
    Object.assign(world.api, when === 'before' ? { refuse: fail } : { lose: fail });
    await world.settle().catch(() => undefined);
    Object.assign(world.api, { refuse: () => undefined, lose: () => undefined });
    world.newOperator();
    await world.ready();
    expect(kindsIn(world.api)).toEqual(STARTED);
    expect(world.status).toMatchObject({ state: 'Ready', server: { podName: 'nb-server' } });
    expect(world.status.restarts ?? 0).toBe(0);
    expect(world.api.made.filter((call) => call === 'create pods').length).toBeLessThanOrEqual(2);
  });

  test.each(upTo(24))('%i of a restart: the next operator continues, and removes the objects of the previous start', async (crash) => {
    const world = new World();
    await world.ready();
    const before = world.pod.metadata.uid;
    world.ends(1, 'boom');
    const begin = world.api.made.length;
    const fail = (_: string, number: number) => {
      if (number === begin + crash) throw world.api.lost();
    };
    Object.assign(world.api, when === 'before' ? { refuse: fail } : { lose: fail });
    await world.settle().catch(() => undefined);
    await world.after(10_000).catch(() => undefined);
    Object.assign(world.api, { refuse: () => undefined, lose: () => undefined });
    world.newOperator();
    await world.after(10_000);
    await world.ready();
    expect(kindsIn(world.api)).toEqual(STARTED);
    expect(world.pod.metadata.uid).not.toBe(before);
    expect(world.status).toMatchObject({ state: 'Ready', restarts: 1 });
  });

  test.each(upTo(20))('%i of a suspension and a resumption: the next operator continues', async (crash) => {
    const world = new World();
    await world.ready();
    const begin = world.api.made.length;
    const fail = (_: string, number: number) => {
      if (number === begin + crash) throw world.api.lost();
    };
    Object.assign(world.api, when === 'before' ? { refuse: fail } : { lose: fail });
    world.edit({ suspend: true });
    for (let operators = 0; operators < 2; operators++) {
      await world.settle().catch(() => undefined);
      world.newOperator();
    }
    expect(world.status.state).toBe('Suspended');
    expect(kindsIn(world.api)).toEqual(['services', 'sparkconnects']);
    world.edit({ suspend: false });
    await world.settle().catch(() => undefined);
    world.newOperator();
    await world.ready();
    expect(world.status).toMatchObject({ state: 'Ready' });
    expect(kindsIn(world.api)).toEqual(STARTED);
  });
});

test('a lost answer to a status write does not change events and metrics', async () => {
  const story = async (lost?: number) => {
    const world = new World();
    let writes = 0;
    world.api.lose = (call) => {
      if (call === 'update sparkconnects/status' && ++writes === lost) throw world.api.lost();
    };
    const settle = () => world.settle().catch(() => world.settle());
    await settle();
    world.takesConnections();
    await settle();
    world.ends(1, 'boom');
    await settle();
    return { reported: world.reasons, metrics: world.written, state: world.status.state, writes };
  };
  const { writes, ...undisturbed } = await story();
  expect(undisturbed).toEqual({
    state: 'NotReady', reported: ['SparkConnectServerStarted', 'SparkConnectServerReady', 'SparkConnectServerFailed'],
    metrics: ['new to Provisioning', 'Provisioning to Provisioning', 'Provisioning to Ready', 'Ready to NotReady'],
  });
  expect(writes).toBe(4);
  for (let lost = 1; lost <= writes; lost++) expect({ lost, ...await story(lost) }).toMatchObject({ lost, ...undisturbed });
});

describe.each(['before', 'after'] as const)('a crash %s call, with an edit after it', (when) => {
  const crashAt = (world: World, crash: number) => {
    const begin = world.api.made.length;
    const fail = (_: string, number: number) => {
      if (number === begin + crash) throw world.api.lost();
    };
    Object.assign(world.api, when === 'before' ? { refuse: fail } : { lose: fail });
  };

  const survive = (world: World) => {
    Object.assign(world.api, { refuse: () => undefined, lose: () => undefined });
    world.newOperator();
  };

  /** The operator returns, and the server finally has the current specification. */
  const editAfterCrash = async (world: World) => {
    survive(world);
    world.edit({ sparkConf: { 'spark.x': 'new' } });
    await world.settle();
    await world.after(10_000);
    await world.ready();
    expect(kindsIn(world.api)).toEqual(STARTED);
    expect(propertiesIn(world).filter((line) => line.startsWith('spark.x='))).toEqual(['spark.x=new']);
  };

  test.each(upTo(12))('%i of the first start, and an edit then: the server has the current specification', async (crash) => {
    const world = new World({ sparkConf: { 'spark.x': 'old' } });
    crashAt(world, crash);
    await world.settle().catch(() => undefined);
    await editAfterCrash(world);
    expect(world.status.state).toBe('Ready');
  });

  test.each(upTo(24))('%i of a restart, and an edit then: the same', async (crash) => {
    const world = new World({ sparkConf: { 'spark.x': 'old' } });
    await world.ready();
    world.ends(1);
    crashAt(world, crash);
    await world.settle().catch(() => undefined);
    await world.after(10_000).catch(() => undefined);
    await editAfterCrash(world);
  });
});
