import { getEventListeners } from 'node:events';
import { NotLeaderError } from '../../../src/kube/leader-election';
import { type Logger, silentLogger } from '../../../src/kube/logger';
import { Sharding } from '../../../src/operator/shards/sharding';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';
import { FakeLeaseServer } from './helpers/fake-lease-server';
import { KEYS, LOCK, type Replica, type ReplicaOptions, Replicas } from './helpers/replicas';

const WRITE = { verb: 'create', resource: 'pods' };

let world: Replicas;
beforeEach(() => { world = new Replicas(); });
afterEach(() => world.end());

/** Starts replicas, and waits until they have agreed. */
async function replicas(...options: ReplicaOptions[]): Promise<Replica[]> {
  const made = options.map((each) => world.start(each));
  await settle();
  await world.pass(12_000);
  return made;
}

const loads = () => world.running.map(({ held }) => held.length);
const ownerless = () => KEYS.filter((key) => world.ownersOf(key).length === 0);
const moved = (replica: Replica) => replica.log.filter((entry) => !entry.endsWith('began'));

test('one replica takes all shards after a moment, and announces itself', async () => {
  const a = world.start({ shards: 4 });
  await settle();
  await world.pass(2_500);
  expect(a.held).toEqual([0, 1, 2, 3]);
  expect(ownerless()).toEqual([]);
  expect([...world.server.all.keys()].sort()).toEqual(['lock', expect.stringMatching(/^lock-member-/), 'lock-shard-0', 'lock-shard-1', 'lock-shard-2', 'lock-shard-3']);
  expect(world.server.all.get(LOCK)!.spec!.holderIdentity).toBe('shards=4,lease=15000ms,hash=v1');
  expect(a.sharding!.health()).toMatchObject({ group: { leading: true }, members: ['r0'], shards: [{ leading: true }, { leading: true }, { leading: true }, { leading: true }] });
});

test('replicas that start together share the work evenly, and nothing moves', async () => {
  const made = await replicas({ shards: 12 }, { shards: 12 }, { shards: 12 });
  expect([loads(), ownerless()]).toEqual([[4, 4, 4], []]);
  expect(made.flatMap(moved)).toEqual([]);
});

test('a replica that joins is given its share, each shard after the work for it has ended', async () => {
  const [a] = await replicas({ shards: 4, slowness: 5_000 });
  const [b] = await replicas({ shards: 4 });
  expect([a!.held.length, b!.held.length, ownerless()]).toEqual([2, 2, []]);
  expect(moved(a!)).toEqual(b!.held.map((shard) => `${shard} asked to end`));
  expect(b!.log.map((entry) => entry.split(' ')[1])).toEqual(['began', 'began']);
});

test('a replica that joins has its share after six seconds, and a shard that moves is without an owner for less than one', async () => {
  await replicas({ shards: 12 });
  world.start({ shards: 12 });
  await settle();
  let worst = 0;
  let without = 0;
  for (let passed = 0; passed < 6_000; passed += 500) {
    await world.pass(500);
    without = ownerless().length > 0 ? without + 1 : 0;
    worst = Math.max(worst, without);
  }
  expect(loads()).toEqual([6, 6]);
  expect(worst).toBeLessThanOrEqual(1);
});

test('a replica that ends in order works on until the others ask for its shards, so that none is without an owner for longer than its work takes to end', async () => {
  const [a, b, c] = await replicas({ shards: 12 }, { shards: 12 }, { shards: 12 });
  world.stop(c!);
  let worst = 0;
  let without = 0;
  for (let passed = 0; passed < 7_000; passed += 500) {
    await world.pass(500);
    without = ownerless().length > 0 ? without + 1 : 0;
    worst = Math.max(worst, without);
    if (world.running.includes(c!)) expect(c!.finished).toBe(0);
  }
  expect(worst).toBeLessThanOrEqual(1);
  expect([a!.held.length, b!.held.length, ownerless(), c!.finished]).toEqual([6, 6, [], 1]);
  expect([world.running, moved(c!).length]).toEqual([[a, b], 4]);
  expect([...world.server.all.keys()].filter((name) => name.includes('member'))).toHaveLength(2);
});

test('a replica that had lost the common Lease for a while leaves in the same order', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  world.server.cut(b!.name);
  await world.pass(12_000);
  expect(b!.held).toEqual([]);
  world.server.cut(b!.name, false);
  await world.pass(40_000);
  expect([loads(), ownerless()]).toEqual([[2, 2], []]);
  world.stop(b!);
  await world.pass(1_000);
  expect([b!.held.length, ownerless()]).toEqual([2, []]);
  await world.pass(6_000);
  expect([world.running, a!.held, ownerless()]).toEqual([[a], [0, 1, 2, 3], []]);
});

test('the last replica ends at once, and so does one whose others end, too', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  world.stop(a!);
  world.stop(b!);
  await world.pass(1_000);
  expect(world.running).toEqual([]);
  expect([0, 1, 2, 3].map((shard) => world.server.all.get(`lock-shard-${shard}`)!.spec!.holderIdentity)).toEqual(['', '', '', '']);
});

test('a replica that nobody hears waits for the others as long as they could take to ask, and then gives its shards back all the same', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  world.server.cut(b!.name);
  world.stop(a!);
  await world.pass(7_500);
  expect(a!.held).toHaveLength(2);
  await world.pass(1_000);
  expect([world.running, a!.finished]).toEqual([[b], 1]);
});

test.each(['create', 'delete'] as const)('an announcement is taken back although the answer to its %s is lost', async (verb) => {
  await replicas({ shards: 4 });
  const b = world.start({ shards: 4 });
  world.server.fail(verb, 'lost', (name) => name.includes('member'));
  await settle();
  if (verb === 'delete') await world.pass(12_000);
  else for (let time = 0; time < 2; time++) world.server.fail('delete', 'refused');
  world.stop(b);
  await world.pass(8_000);
  expect(world.running).not.toContain(b);
  expect([...world.server.all.keys()].filter((name) => name.includes('member'))).toHaveLength(1);
});

test('an announcement that could not be taken back is tried again', async () => {
  const [, b] = await replicas({ shards: 4 }, { shards: 4 });
  for (let time = 0; time < 3; time++) world.server.fail('delete', 'refused');
  world.stop(b!);
  await world.pass(8_000);
  expect([world.running.includes(b!), ownerless(), moved(b!).length]).toEqual([false, [], 2]);
  expect([...world.server.all.keys()].filter((name) => name.includes('member'))).toHaveLength(1);
});

test('a replica that does not know enough yet gets nothing, and the others go on with all; then it is given its share', async () => {
  const [a] = await replicas({ shards: 4 });
  const b = world.start({ shards: 4, readyAfter: 30_000 });
  await settle();
  await world.pass(29_000);
  expect([a!.held, b.log, a!.sharding!.health().members]).toEqual([[0, 1, 2, 3], [], ['r0']]);
  await world.pass(10_000);
  expect([loads(), ownerless()]).toEqual([[2, 2], []]);
});

test('no look leaves a listener behind', async () => {
  const [a] = await replicas({ shards: 4 });
  const listeners = () => {
    const { leaving, term } = a!.sharding as unknown as { leaving: AbortController; term: { signal: AbortSignal } };
    return [leaving.signal, term.signal].map((signal) => getEventListeners(signal, 'abort').length);
  };
  const before = listeners();
  await world.pass(60_000);
  expect(listeners()).toEqual(before);
});

test('what a replica knew once is not asked for again', async () => {
  const [a] = await replicas({ shards: 4 });
  (a!.options as { readyAfter: number }).readyAfter = Infinity;
  await world.pass(40_000);
  expect([a!.held, a!.sharding!.health().members]).toEqual([[0, 1, 2, 3], ['r0']]);
});

test('a common Lease that is lost while shards are given up in order: their work is broken off, and their Leases run out', async () => {
  const [a] = await replicas({ shards: 2, slowness: 60_000 });
  const holders = () => [0, 1].map((shard) => world.server.all.get(`lock-shard-${shard}`)!.spec!.holderIdentity);
  const before = holders();
  world.stop(a!);
  await world.pass(2_000);
  for (let calls = 0; calls < 100; calls++) world.server.fail('get', 'refused', (name) => name === LOCK);
  await world.pass(12_000);
  expect([moved(a!), a!.works.size, holders(), world.running, a!.finished]).toEqual([['0 asked to end', '1 asked to end', '0 lost', '1 lost'], 0, before, [], 0]);
});

test('a shard whose Lease somebody deletes is not taken by another while its owner may count on it', async () => {
  const [a] = await replicas({ shards: 4, slowness: 20_000 });
  world.start({ shards: 4 });
  await settle();
  // It has seen them, and is about to ask for its share.
  await world.pass(1_500);
  for (const shard of [0, 1, 2, 3]) {
    for (let calls = 0; calls < 40; calls++) world.server.fail('update', 'refused', (name) => name === `lock-shard-${shard}`);
    world.server.remove(`lock-shard-${shard}`);
  }
  await world.pass(6_000);
  expect(a!.works.size).toBe(4);
  world.server.noMoreFaults();
  await world.pass(30_000);
  expect(ownerless()).toEqual([]);
});

test('a replica that stands by knows for how long the shards have had no owner', async () => {
  const [a] = await replicas({ shards: 4 });
  const b = world.start({ shards: 6 });
  await world.pass(10_000);
  world.crash(a!);
  // 15 s for the common Lease, which runs out no later than those of the shards, and 2 s for the members to stay the same.
  await world.pass(19_000);
  expect(b.held).toEqual([0, 1, 2, 3, 4, 5]);
});

test('the shards of a replica that vanishes are the others\' when its Leases have run out', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  world.crash(b!);
  await world.pass(11_000);
  expect(a!.held).toHaveLength(2);
  await world.pass(14_000);
  expect(a!.held).toEqual([0, 1, 2, 3]);
  expect(moved(a!)).toEqual([]);
});

test('a replica that is only there for a moment, or away for one, moves nothing', async () => {
  const [a, b] = await replicas({ shards: 12 }, { shards: 12 });
  const c = world.start({ shards: 12 });
  await settle();
  await world.pass(1_500);
  world.stop(c);
  world.server.cut(b!.name);
  await world.pass(5_500);
  world.server.cut(b!.name, false);
  await world.pass(20_000);
  expect([loads(), [a!, b!].flatMap(moved)]).toEqual([[6, 6], []]);
});

test('shards of a replica that has lost the common Lease are not given back: what it has sent may still be under way', async () => {
  const [a] = await replicas({ shards: 2 });
  const holders = () => [0, 1].map((shard) => world.server.all.get(`lock-shard-${shard}`)!.spec!.holderIdentity);
  const before = holders();
  // All but that goes well.
  for (let calls = 0; calls < 100; calls++) world.server.fail('get', 'refused', (name) => name === 'lock');
  await world.pass(14_000);
  expect([a!.held, moved(a!), holders()]).toEqual([[], ['0 lost', '1 lost'], before]);
  world.server.noMoreFaults();
  await world.pass(6_000);
  expect([a!.held, holders()]).toEqual([[], before]);
  await world.pass(20_000);
  expect(a!.held).toEqual([0, 1]);
});

test('a replica that was paused for too long has nothing from the first look, and ends its work as lost', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  const [shard] = b!.held;
  const [work] = b!.works;
  b!.clock.isPaused = true;
  await world.pass(10_000);
  expect([b!.held, b!.sharding!.leads(shard!), KEYS.some((key) => b!.owns(key))]).toEqual([[], false, false]);
  expect(() => work!.guard(WRITE)).toThrow(NotLeaderError);
  await world.pass(20_000);
  expect(a!.held).toEqual([0, 1, 2, 3]);
  b!.clock.isPaused = false;
  await world.pass(1_000);
  expect(moved(b!).sort()).toEqual([expect.stringContaining(' lost'), expect.stringContaining(' lost')]);
  await world.pass(15_000);
  expect([loads(), ownerless()]).toEqual([[2, 2], []]);
});

test('the work for all shards is lost with the common Lease, even if those of the shards could be renewed', async () => {
  const [a] = await replicas({ shards: 4 });
  const [work] = a!.works;
  const renewals = () => { for (let i = 0; i < 40; i++) world.server.fail('get', 'refused', (name) => name === LOCK); };
  renewals();
  await world.pass(9_000);
  expect(() => work!.guard(WRITE)).not.toThrow();
  await world.pass(3_500);
  expect(() => work!.guard(WRITE)).toThrow(NotLeaderError);
  expect([a!.held, moved(a!)]).toEqual([[], ['0 lost', '1 lost', '2 lost', '3 lost']]);
});

test.each([
  ['the common Lease', 'get' as const, (name: string) => name === LOCK],
  ['those of the shards', 'update' as const, (name: string) => name.includes('shard')],
])('the end of %s alone counts, also for a replica that is paused by then', async (_, verb, isMeant) => {
  const [a] = await replicas({ shards: 4 });
  const [work] = a!.works;
  for (let i = 0; i < 40; i++) world.server.fail(verb, 'refused', isMeant);
  await world.pass(8_000);
  expect(a!.held).toEqual([0, 1, 2, 3]);
  a!.clock.isPaused = true;
  await world.pass(4_000);
  expect(a!.sharding!.health().shards.map(({ hasTerm }) => hasTerm)).toEqual([true, true, true, true]);
  expect([a!.held, a!.sharding!.leads(0), KEYS.some((key) => a!.owns(key))]).toEqual([[], false, false]);
  expect(() => work!.guard(WRITE)).toThrow(NotLeaderError);
});

test('a replica that cannot announce itself any more hands over what others ask for, in order', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  const own = [...world.server.all.values()].find(({ spec, metadata }) => spec!.holderIdentity === b!.name && metadata.name.includes('member'))!.metadata.name;
  for (let i = 0; i < 40; i++) world.server.fail('update', 'refused', (name) => name === own);
  await world.pass(40_000);
  expect([a!.held, b!.held]).toEqual([[0, 1, 2, 3], []]);
  expect(moved(b!)).toEqual([expect.stringContaining('asked to end'), expect.stringContaining('asked to end')]);
});

test('a shard is only given up to one who asks for it', async () => {
  const [a] = await replicas({ shards: 4 });
  const lease = [...world.server.all.values()].find(({ metadata }) => metadata.name.includes('member'))!;
  const silent = { ...lease, metadata: { ...lease.metadata, name: 'lock-member-silent' }, spec: { ...lease.spec, holderIdentity: 'silent', leaseDurationSeconds: 600 } };
  silent.metadata.annotations = { ...silent.metadata.annotations, 'sparkoperator.k8s.io/shards-wanted': '' };
  await world.server.put(silent);
  await world.pass(60_000);
  expect([a!.sharding!.health().members, a!.held]).toEqual([['r0', 'silent'], [0, 1, 2, 3]]);
});

test('while replicas of one number of shards work, those of another wait until the last of them has gone', async () => {
  const [a, b] = await replicas({ shards: 4 }, { shards: 4 });
  const c = world.start({ shards: 6 });
  await world.pass(60_000);
  expect([a!.held.length, b!.held.length, c.held, c.log]).toEqual([2, 2, [], []]);
  expect(c.sharding!.health().group).toMatchObject({ leading: false, leader: 'shards=4,lease=15000ms,hash=v1' });
  world.stop(a!);
  await world.pass(30_000);
  expect([b!.held, c.held]).toEqual([[0, 1, 2, 3], []]);
  world.stop(b!);
  await world.pass(14_000);
  expect(c.held).toEqual([]);
  await world.pass(6_000);
  expect(c.held).toEqual([0, 1, 2, 3, 4, 5]);
});

test('the Leases of shards that there are no more are deleted, and those that are held are not', async () => {
  const [a] = await replicas({ shards: 6 });
  world.stop(a!);
  await world.pass(16_000);
  await replicas({ shards: 4 });
  await world.pass(50_000);
  expect([...world.server.all.keys()].filter((name) => name.includes('shard')).sort()).toEqual([0, 1, 2, 3].map((shard) => `lock-shard-${shard}`));
});

test('replicas whose Leases last for another time do not work at the same time', async () => {
  await replicas({ shards: 4 });
  const b = world.start({ shards: 4, leaseDuration: 30_000 });
  await world.pass(60_000);
  expect(b.held).toEqual([]);
});

test('a leader without shards and replicas with shards never work at the same time, whoever comes first', async () => {
  const [plain] = await replicas({ shards: 0 });
  const [sharded] = await replicas({ shards: 4 });
  expect([plain!.held, sharded!.held]).toEqual([[0], []]);
  world.stop(plain!);
  // That one gives the Lease back; what is shared runs out.
  await world.pass(3_000);
  expect(sharded!.held).toEqual([0, 1, 2, 3]);
  const [next] = await replicas({ shards: 0 });
  expect(next!.held).toEqual([]);
  world.stop(sharded!);
  await world.pass(16_000);
  expect(next!.held).toEqual([0]);
});

test('a replica that gets no answers asks again after a while, and goes on with what it has', async () => {
  const [a] = await replicas({ shards: 4 });
  world.start({ shards: 4 });
  await settle();
  await world.pass(1_000);
  world.server.calls.splice(0);
  for (let i = 0; i < 100; i++) world.server.fail('list', 'refused');
  await world.pass(30_000);
  expect(a!.held).toEqual([0, 1, 2, 3]);
  expect(world.server.calls.filter((call) => call.startsWith('r0 list')).length).toBeLessThanOrEqual(11);
});

test('n replicas with S shards make 4 n + S calls in a fifth of the duration of a Lease', async () => {
  await replicas({ shards: 12 }, { shards: 12 }, { shards: 12 });
  world.server.calls.splice(0);
  await world.pass(60_000);
  const byVerb: Record<string, number> = {};
  for (const call of world.server.calls) byVerb[call.split(' ')[1]!] = (byVerb[call.split(' ')[1]!] ?? 0) + 1;
  expect(byVerb).toEqual({ get: 60, list: 60, update: 360 });
});

test('replicas that cannot be looked for are told of as a mishap twice, and then as a fault', async () => {
  const server = new FakeLeaseServer();
  const clock = new ManualClock();
  const told: string[] = [];
  const tell = (level: string) => (_: object, message: string) => { if (message.includes('looked for')) told.push(level); };
  const logger = { ...silentLogger, info: tell('info'), warn: tell('warn'), child: () => logger } as Logger;
  // It stands by at first, and that look is overtaken.
  for (let time = 0; time < 5; time++) server.fail('list', 'refused');
  const sharding = new Sharding({ shards: 4, lockName: LOCK, lockNamespace: 'ops', identity: 'a', client: server.client('a'), lead: async () => {}, logger, clock });
  sharding.start();
  await clock.advanceAsync(30_000);
  expect(told).toEqual(['info', 'info', 'warn', 'warn']);
  server.fail('list', 'refused');
  await clock.advanceAsync(6_000);
  expect(told.slice(4)).toEqual(['info']);
  await sharding.stop();
});

test('settings that make no sense are refused', () => {
  const make = (options: object) => new Sharding({
    shards: 4, lockName: LOCK, lockNamespace: 'ops', identity: 'a', client: new FakeLeaseServer().client('a'), lead: async () => {}, logger: silentLogger, clock: new ManualClock(), ...options,
  });
  for (const shards of [0, -1, 1.5, 257, NaN]) expect(() => make({ shards })).toThrow(RangeError);
  expect(() => make({ leaseDuration: 5_000 })).toThrow(RangeError);
});
