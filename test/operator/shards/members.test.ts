import { ANNOTATION_SHARD_AGREEMENT, LABEL_SHARD_GROUP } from '../../../src/api/labels';
import { LEASES } from '../../../src/kube/lease';
import { silentLogger } from '../../../src/kube/logger';
import { agreementOf, groupLabels, memberLeaseName, shardLeaseName } from '../../../src/model/member-lease';
import { Members } from '../../../src/operator/shards/members';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { FakeLeaseServer } from './helpers/fake-lease-server';

const LEASE = 15_000;
const { signal } = new AbortController();

let server: FakeLeaseServer;
beforeEach(() => { server = new FakeLeaseServer(); });

/** A replica; each has a clock of its own, a year apart from the next. */
class Replica {
  private static made = 0;
  readonly clock = new ManualClock(Date.UTC(2026 + Replica.made++));
  readonly members: Members;

  constructor(readonly identity: string, { shards = 8, lockName = 'lock' } = {}) {
    this.members = new Members({
      client: server.client(identity), group: { lock: { namespace: 'ops', name: lockName }, agreement: agreementOf(shards, LEASE) }, identity, shards, leaseDuration: LEASE, callTimeout: 5_000, logger: silentLogger, clock: this.clock,
    });
  }

  announce(...wants: number[]): Promise<void> {
    return this.members.announce(wants, signal);
  }

  async sees(): Promise<string[]> {
    return (await this.members.look(signal)).map(({ identity }) => identity);
  }
}

test('a replica announces itself by a Lease, with what it agrees on and asks for', async () => {
  const a = new Replica('a');
  await a.announce(1, 4);
  expect(await a.members.look(signal)).toEqual([{ identity: 'a', wants: [1, 4] }]);
  expect([...server.all.values()]).toMatchObject([{
    metadata: {
      namespace: 'ops',
      name: 'lock-member-ca978112ca1b',
      labels: { 'sparkoperator.k8s.io/shard-group': 'lock' },
      annotations: { 'sparkoperator.k8s.io/shard-agreement': 'shards=8,lease=15000ms,hash=v1', 'sparkoperator.k8s.io/shards-wanted': '1,4' },
    },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15 },
  }]);
});

test('a member whose Lease has not changed for its duration, by the clock of who looks, is gone', async () => {
  const [a, b] = [new Replica('a'), new Replica('b')];
  await a.announce();
  await b.announce();
  expect(await a.sees()).toEqual(['a', 'b']);
  a.clock.advance(LEASE - 1);
  await a.announce();
  expect(await a.sees()).toEqual(['a', 'b']);
  a.clock.advance(1);
  expect(await a.sees()).toEqual(['a']);
  await b.announce();
  expect(await a.sees()).toEqual(['a', 'b']);
});

test('a replica that has not looked for long does not take the others for gone', async () => {
  const [a, b] = [new Replica('a'), new Replica('b')];
  await a.announce();
  await b.announce();
  await a.sees();
  await a.announce();
  await b.announce();
  a.clock.advance(10 * LEASE);
  expect(await a.sees()).toEqual(['a', 'b']);
});

test('those who agree on something else, or belong to another Lease, are no members', async () => {
  const [a, other, stranger] = [new Replica('a'), new Replica('b', { shards: 12 }), new Replica('c', { lockName: 'x'.repeat(64) })];
  for (const each of [a, other, stranger]) await each.announce();
  expect([await a.sees(), await other.sees(), await stranger.sees()]).toEqual([['a'], ['b'], ['c']]);
});

test('a replica that leaves is gone at once', async () => {
  const [a, b] = [new Replica('a'), new Replica('b')];
  await a.announce();
  await b.announce();
  await b.members.leave();
  expect(await a.sees()).toEqual(['a']);
});

test('the first member deletes what has been abandoned, whoever it was of', async () => {
  const [a, b, dead, other] = [new Replica('a'), new Replica('b'), new Replica('dead'), new Replica('other', { shards: 12 })];
  for (const each of [a, b, dead, other]) await each.announce();
  const passed = async (ms: number) => {
    for (const each of [b, a]) {
      each.clock.advance(ms);
      await each.announce();
      await each.sees();
    }
  };
  await passed(0);
  await passed(3 * LEASE - 1);
  expect(server.all.size).toBe(4);
  await passed(1);
  expect([...server.all.keys()]).toEqual([memberLeaseName('lock', 'a'), memberLeaseName('lock', 'b')]);
  expect(server.calls.filter((call) => call.includes(' delete ')).map((call) => call[0])).toEqual(['a', 'a']);
});

test('the Lease of a shard that nobody has stays, unless there is no such shard any more', async () => {
  const a = new Replica('a', { shards: 2 });
  const spec = { holderIdentity: '', leaseDurationSeconds: 1 };
  for (const shard of [1, 2]) await server.client('before').create(LEASES, { metadata: { namespace: 'ops', name: shardLeaseName('lock', shard), labels: groupLabels('lock') }, spec });
  for (let look = 0; look < 3; look++) {
    await a.announce();
    await a.sees();
    a.clock.advance(2 * LEASE);
  }
  expect([...server.all.keys()].sort()).toEqual([memberLeaseName('lock', 'a'), shardLeaseName('lock', 1)]);
});

test('what is renewed at the last moment is not deleted', async () => {
  const [a, late] = [new Replica('a'), new Replica('late')];
  await a.announce();
  await late.announce();
  await a.sees();
  a.clock.advance(3 * LEASE);
  let arrive!: () => void;
  server.fail('delete', { arrives: new Promise((resolve) => { arrive = resolve; }) });
  await a.announce();
  const seen = a.sees();
  await new Promise((resolve) => setImmediate(resolve));
  await late.sees();
  await late.announce();
  arrive();
  await seen;
  expect(server.all.has(memberLeaseName('lock', 'late'))).toBe(true);
});

test('a replica whose announcement was lost or deleted announces itself again', async () => {
  const a = new Replica('a');
  server.fail('create', 'lost');
  await expect(a.announce()).rejects.toThrow('lost');
  await expect(a.announce()).resolves.toBeUndefined();
  await a.sees();
  server.fail('update', 'lost');
  await expect(a.announce(1)).rejects.toThrow('lost');
  await a.announce(1);
  await a.sees();
  await a.announce(2);
  expect(await a.members.look(signal)).toEqual([{ identity: 'a', wants: [2] }]);
  server.remove(memberLeaseName('lock', 'a'));
  await a.announce();
  expect(await a.sees()).toEqual([]);
  await a.announce();
  expect(await a.sees()).toEqual(['a']);
});

test('a Lease that somebody has made by hand says nothing wrong', async () => {
  const a = new Replica('a');
  await a.announce();
  await server.put({ metadata: { namespace: 'ops', name: 'x', labels: { [LABEL_SHARD_GROUP]: 'lock' } } });
  await server.put({ metadata: { namespace: 'ops', name: 'y', labels: { [LABEL_SHARD_GROUP]: 'lock' }, annotations: { [ANNOTATION_SHARD_AGREEMENT]: agreementOf(8, LEASE) } }, spec: { holderIdentity: 'y' } });
  expect(await a.members.look(signal)).toEqual([{ identity: 'a', wants: [] }, { identity: 'y', wants: [] }]);
});
