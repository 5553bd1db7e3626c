import { Calls } from './calls';
import { Inventory } from '../../../src/operator/owned/inventory';
import { CONFIG_MAPS, SERVICES } from '../../../src/model/resources';
import { cpuTime } from '../../helpers/cpu-time';
import { ManualClock } from '../../kube/helpers/manual-clock';

const service = (name: string, uid = `uid-${name}`) => ({
  metadata: {
    name, uid, labels: { 'sparkoperator.k8s.io/created-by-spark-operator': 'true' },
    ownerReferences: [{ kind: 'SparkApplication', name: 'pi', uid: 'pi', controller: true }],
  },
  spec: {},
});

/** A server that reads lists at once, but delays their answers until they are released. */
class SlowLists extends Calls {
  public letThrough: () => void = () => undefined;

  override async* list(...args: Parameters<Calls['list']>): AsyncGenerator<any> {
    const found: any[] = [];
    for await (const object of super.list(...args)) found.push(object);
    await new Promise<void>((resolve) => { this.letThrough = resolve; });
    yield* found;
  }
}

test('writes during a list take precedence, as the list can be older', async () => {
  const [calls, clock] = [new SlowLists(), new ManualClock()];
  const inventory = new Inventory(calls as never, clock, [SERVICES]);
  const load = async (whileListing: () => void) => {
    const loaded = inventory.load('jobs', 0);
    await new Promise((resolve) => setImmediate(resolve));
    whileListing();
    calls.letThrough();
    await loaded;
  };
  calls.put(SERVICES, service('deleted'));
  calls.put(SERVICES, service('stays'));
  await load(() => undefined);
  const known = inventory.of('jobs', 'pi');
  expect(known.list().map(({ name }) => name)).toEqual(['deleted', 'stays']);

  await load(() => {
    known.delete('Service/deleted');
    known.set({ kind: 'Service', name: 'made', uid: 'uid-made', satisfies: 'hash' });
  });
  expect(known.list().map(({ name, satisfies }) => [name, satisfies])).toEqual([['stays', undefined], ['made', 'hash']]);
});

test('compared objects are only compared again after a change', async () => {
  const [calls, clock] = [new Calls(), new ManualClock()];
  const inventory = new Inventory(calls as never, clock, [SERVICES]);
  const [same, other] = [calls.put(SERVICES, service('same')), calls.put(SERVICES, service('other'))];
  await inventory.load('jobs', 0);
  const known = inventory.of('jobs', 'pi');
  for (const { metadata: { name, uid, resourceVersion } } of [same, other]) {
    known.set({ kind: 'Service', name, uid, resourceVersion, satisfies: 'hash' });
  }
  calls.put(SERVICES, service('other'));
  await inventory.load('jobs', 0);

  expect(known.get('Service/same')).toMatchObject({ satisfies: 'hash' });
  expect(known.get('Service/other')).toMatchObject({ live: { metadata: { name: 'other' } } });
  expect(known.get('Service/other')).not.toHaveProperty('satisfies');
});

test('concurrent callers share one list', async () => {
  const [calls, clock] = [new Calls(), new ManualClock()];
  const inventory = new Inventory(calls as never, clock, [SERVICES]);
  await Promise.all([...Array(5)].map(() => inventory.load('jobs', 1_000)));

  expect(calls.made).toHaveLength(1);
});

test('objects without an application are not kept', async () => {
  const calls = new Calls();
  calls.put(SERVICES, {
    ...service('s'), metadata: { ...service('s').metadata, ownerReferences: [{ kind: 'Deployment', uid: 'pi', controller: true }] },
  });
  const inventory = new Inventory(calls as never, new ManualClock(), [SERVICES]);
  await inventory.load('jobs', 0);

  expect(inventory.of('jobs', 'pi').list()).toEqual([]);
});

test('10,000 namespaces are cached; further ones are listed again when they are needed', async () => {
  const lists: string[] = [];
  const client = {
    async* list(_: unknown, { namespace }: { namespace: string }): AsyncGenerator<never> {
      lists.push(namespace);
    },
  };
  const inventory = new Inventory(client as never, new ManualClock(), [SERVICES]);
  const load = (number: number) => inventory.load(`jobs-${number}`, Infinity);
  for (let number = 0; number < 10_000; number++) await load(number);
  // It is used, so the second one is the oldest.
  await load(0);
  expect(lists).toHaveLength(10_000);
  const known = inventory.of('jobs-1', 'pi');
  await load(10_000);
  expect(lists).toHaveLength(10_001);

  known.set({ kind: 'Service', name: 'made', uid: 'uid-made' });
  expect(known.list()).toEqual([]);
  await load(0);
  await load(1);
  expect(lists.slice(10_001)).toEqual(['jobs-1']);
});

test('a list is newer than a moment if it started after it, whatever was listed in other namespaces', async () => {
  const inventory = new Inventory(new Calls() as never, new ManualClock(), [SERVICES]);
  await inventory.load('jobs', 0);
  const moment = inventory.moment();
  expect(inventory.isReadAfter('jobs', moment)).toBe(false);
  await inventory.load('others', 0);
  expect(inventory.isReadAfter('jobs', moment)).toBe(false);
  await inventory.load('jobs', 0);
  expect(inventory.isReadAfter('jobs', moment)).toBe(true);
});

/** A server with these objects of one kind. */
function serverWith(kind: string, count: number, objectOf: (index: number) => object) {
  return {
    async* list(resource: { kind: string }): AsyncGenerator<any> {
      for (let index = 0; resource.kind === kind && index < count; index++) yield objectOf(index);
    },
  } as never;
}

/** An object with any content that users can write. */
const labelled = (index: number, { owner = 'pi', ...fields }: { owner?: string; [field: string]: unknown } = {}) => ({
  ...service(`o-${index}`), ...fields, metadata: {
    ...service(`o-${index}`).metadata, ownerReferences: [{ kind: 'SparkApplication', name: 'pi', uid: owner, controller: true }],
  },
});

/**
 * More than ten times the usual time; a search of all objects for each one takes 100 times as long.
 */
const CPU_OF_15000 = 3_000;

test.each([[
  'one application', () => 'pi', 50,
], ['applications of their own', (index: number) => `pi-${index}`, 1], ['300 applications', (index: number) => `pi-${index % 300}`, 50]])(
  '15,000 objects of %s are listed in linear time, and 50 of an application are kept', async (_, ownerOf, kept) => {
    const inventory = new Inventory(
      serverWith('Service', 15_000, (index) => labelled(index, { owner: ownerOf(index) })), new ManualClock(),
      [SERVICES, CONFIG_MAPS],
    );
    const taken = cpuTime();
    await inventory.load('jobs', 0);
    await inventory.load('jobs', 0);
    expect(taken()).toBeLessThan(CPU_OF_15000);
    expect(inventory.of('jobs', ownerOf(0)).list()).toHaveLength(kept);
    expect(inventory.isCut('jobs', ownerOf(0))).toBe(ownerOf(300) === ownerOf(0) && ownerOf(1) === ownerOf(0));
  },
);

test.each([
  ['ConfigMap', 'small', (index: number) => labelled(index, { data: { a: 'x' } }), 250],
  ['ConfigMap', 'large', (index: number) => labelled(index, { data: { a: 'x'.repeat(100_000) } }), 250],
  ['Service', 'small', (index: number) => labelled(index, { spec: { a: 'x'.repeat(1_000) } }), 2_300],
  ['Service', 'large', (index: number) => labelled(index, { spec: { a: 'x'.repeat(100_000) } }), 250],
])('a %s that is %s takes little memory', async (kind, _, objectOf, most) => {
  const inventory = new Inventory(serverWith(kind, 50, objectOf), new ManualClock(), [SERVICES, CONFIG_MAPS]);
  await inventory.load('jobs', 0);
  const kept = inventory.of('jobs', 'pi').list();
  expect(kept).toHaveLength(50);
  expect(Math.max(...kept.map((known) => JSON.stringify(known).length))).toBeLessThan(most);
});

test('objects of a kind that the operator only deletes are not kept', async () => {
  const inventory = new Inventory(serverWith('Service', 1, (index) => labelled(index)), new ManualClock(), [], [SERVICES]);
  await inventory.load('jobs', 0);
  expect(inventory.of('jobs', 'pi').list()).toEqual([{ kind: 'Service', name: 'o-0', uid: 'uid-o-0' }]);
});

test('an owner with a too long uid is ignored', async () => {
  const uid = 'u'.repeat(100_000);
  const inventory = new Inventory(serverWith('Service', 1, (index) => labelled(index, { owner: uid })), new ManualClock(), [SERVICES]);
  await inventory.load('jobs', 0);
  expect(inventory.of('jobs', uid).list()).toEqual([]);
});
