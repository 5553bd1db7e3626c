import { NotLeaderError } from '../../src/kube/leader-election';
import { silentLogger } from '../../src/kube/logger';
import { leadership, type Term } from '../../src/operator/leadership';
import { ManualClock, settle } from '../kube/helpers/manual-clock';
import { FakeLeaseServer } from './shards/helpers/fake-lease-server';

const CONFIGURATION = { enabled: true, lockName: 'lock', lockNamespace: 'ops', leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };
const CALL = { verb: 'create', resource: 'pods' };
const KEYS = Array.from({ length: 100 }, (_, index) => `jobs/application-${index}`);

let isReady: boolean;
beforeEach(() => { isReady = true; });

function start(configuration: typeof CONFIGURATION & { shards?: number }, leases = new FakeLeaseServer(), identity = 'a', clock = new ManualClock()) {
  const log: string[] = [];
  const terms = new Set<Term>();
  const lead = async (term: Term) => {
    log.push(`begin ${term.shard ?? 'all'}`);
    terms.add(term);
    await new Promise<void>((resolve) => term.signal.addEventListener('abort', () => resolve()));
    terms.delete(term);
    log.push(`end ${term.shard ?? 'all'}`);
  };
  const finish = async () => { log.push(`finish${leases.all.get('lock')?.spec?.holderIdentity ? '' : ' without a Lease'}`); };
  const made = leadership({ configuration, client: leases.client(identity), identity, lead, finish, isReady: () => isReady, logger: silentLogger, clock });
  return { log, terms, leases, made };
}

const holderOf = (leases: FakeLeaseServer, name = 'lock') => leases.all.get(name)?.spec?.holderIdentity;

test('with an election the work begins with the Lease, and ends before it is given back', async () => {
  const { log, leases, made } = start(CONFIGURATION);
  expect(() => made.guard(CALL)).toThrow('does not lead');
  made.start();
  await settle();
  expect([made.leads(), made.leads('jobs/pi'), log, made.health()?.line]).toEqual([true, true, ['begin all'], 'leading']);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([made.leads(), log, holderOf(leases)]).toEqual([false, ['begin all', 'end all', 'finish'], '']);
});

test('one that stands by tells who leads', async () => {
  const { leases, made } = start(CONFIGURATION);
  made.start();
  await settle();
  const other = start(CONFIGURATION, leases, 'b');
  expect(other.made.health()?.line).toBe('standing by, nobody leads');
  other.made.start();
  await settle();
  expect(other.made.health()?.line).toBe('standing by, a leads');
  await Promise.all([made.stop(), other.made.stop()]);
});

test('without one this process works until it stops, and asks nobody', async () => {
  const { log, leases, made } = start({ ...CONFIGURATION, enabled: false });
  made.start();
  expect([made.leads(), made.health()]).toEqual([true, undefined]);
  expect(() => made.guard(CALL)).not.toThrow();
  await made.stop();
  expect([log, leases.all.size]).toEqual([['begin all', 'end all', 'finish without a Lease'], 0]);
});

test('with shards the work begins for each that this replica gets: every object is the concern of one term, whose guard lets its writes through', async () => {
  const clock = new ManualClock();
  const { log, terms, made } = start({ ...CONFIGURATION, shards: 3 }, undefined, 'a', clock);
  expect([made.leads(), made.health()?.line]).toEqual([false, 'standing by, nobody has the Lease']);
  expect(() => made.guard(CALL)).toThrow(NotLeaderError);
  made.start();
  await clock.advanceAsync(5_000);
  expect(log.sort()).toEqual(['begin 0', 'begin 1', 'begin 2']);
  for (const key of KEYS) {
    expect([...terms].filter(({ concerns }) => concerns(key))).toHaveLength(1);
    expect(made.leads(key)).toBe(true);
  }
  for (const { guard } of terms) expect(() => guard(CALL)).not.toThrow();
  expect(() => made.guard(CALL)).not.toThrow();
  expect(made.health()?.line).toBe('working on shards 0, 1, 2 of 3, 1 replicas');
  const [term] = terms;
  await made.stop();
  expect([made.leads(), terms.size, log.slice(3)]).toEqual([false, 0, ['end 0', 'end 1', 'end 2', 'finish']]);
  expect(() => term!.guard(CALL)).toThrow(NotLeaderError);
});

test('with shards a process works on none before it is ready; what belongs to no shard it may write all the same', async () => {
  const clock = new ManualClock();
  isReady = false;
  const { log, made } = start({ ...CONFIGURATION, shards: 3 }, undefined, 'a', clock);
  made.start();
  await clock.advanceAsync(20_000);
  expect([log, made.leads()]).toEqual([[], false]);
  expect(() => made.guard(CALL)).not.toThrow();
  isReady = true;
  await clock.advanceAsync(6_000);
  expect([log.sort(), made.leads()]).toEqual([['begin 0', 'begin 1', 'begin 2'], true]);
  await made.stop();
});

test('a single leader does not wait: nobody else works', async () => {
  isReady = false;
  const { log, made } = start(CONFIGURATION);
  made.start();
  await settle();
  expect(log).toEqual(['begin all']);
  await made.stop();
});
