import { LeaderElection, type LeaderElectionOptions } from '../../src/kube/leader-election';
import { silentLogger } from '../../src/kube/logger';
import { FakeLeases } from './helpers/fake-leases';
import { ManualClock, settle } from './helpers/manual-clock';

let clock: ManualClock;
let leases: FakeLeases;
const elections: LeaderElection[] = [];

beforeEach(() => {
  clock = new ManualClock();
  leases = new FakeLeases();
});
afterEach(async () => {
  for (const election of elections.splice(0)) await ended(election);
});

async function candidate(name: string, identity: string, options: Partial<LeaderElectionOptions> = {}): Promise<LeaderElection> {
  const election = new LeaderElection({
    client: leases.client(name),
    lock: { namespace: 'ops', name: 'lock' },
    identity,
    lead: (term) => new Promise((resolve) => term.addEventListener('abort', () => resolve(), { once: true })),
    logger: silentLogger,
    clock,
    random: () => 0,
    ...options,
  });
  elections.push(election);
  election.start();
  await settle();
  return election;
}

async function ended(election: LeaderElection): Promise<void> {
  const stopped = election.stop();
  await pass(20_000);
  await stopped;
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await clock.advanceAsync(500);
    await settle();
  }
}

test('processes of one identity hold the Lease together, each for as long as it renews it', async () => {
  const [a, b] = [await candidate('a', 'we', { shared: true }), await candidate('b', 'we', { shared: true })];
  const stranger = await candidate('c', 'stranger');
  await pass(60_000);
  expect([a.leading(), b.leading(), stranger.leading()]).toEqual([true, true, false]);
  leases.cut('a');
  await pass(12_000);
  expect([a.leading(), b.leading()]).toEqual([false, true]);
});

test('a stopping process leaves the Lease to the others; another identity gets it after the duration since the last renewal', async () => {
  const [a, b] = [await candidate('a', 'we', { shared: true }), await candidate('b', 'we', { shared: true })];
  const stranger = await candidate('c', 'stranger');
  const stopped = a.stop();
  await pass(60_000);
  await stopped;
  expect([b.leading(), stranger.leading(), leases.lease!.spec!.holderIdentity]).toEqual([true, false, 'we']);
  void b.stop();
  await pass(12_000);
  expect(stranger.leading()).toBe(false);
  await pass(4_000);
  expect(stranger.leading()).toBe(true);
});

test('the time of a previous sighting is included, unless the Lease has changed since', async () => {
  await candidate('a', 'a');
  leases.cut('a');
  const seen = { lease: leases.lease!, changed: clock.monotonic() };
  await pass(14_500);
  const b = await candidate('b', 'b', { lastSighting: seen });
  expect(b.leading()).toBe(false);
  await pass(500);
  expect(b.leading()).toBe(true);
  const c = await candidate('c', 'c', { lastSighting: seen });
  await pass(1_000);
  expect([b.leading(), c.leading()]).toEqual([true, false]);
});

test('the Lease is created with its labels', async () => {
  await candidate('a', 'a', { labels: { app: 'x' } });
  expect(leases.lease!.metadata.labels).toEqual({ app: 'x' });
});
