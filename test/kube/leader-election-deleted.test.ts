/* Behaviour after a user deletes the Lease. */
import type { LeaderElectionOptions } from '../../src/kube/leader-election';
import { type Candidate, Candidates } from './helpers/candidates';
import type { FakeLeases } from './helpers/fake-leases';

let leases: FakeLeases;
let candidate: Candidates['start'];
let pass: Candidates['pass'];
let candidates: Candidates;

beforeEach(() => {
  candidates = new Candidates();
  ({ leases, start: candidate, pass } = candidates);
});
afterEach(() => candidates.end());

test('a deleted Lease: its holder creates it again, and the others wait for that', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  leases.delete();
  await pass(30_000);
  expect([a.leads, a.terms, b.leads]).toEqual([true, ['began'], false]);
});

test('a Lease with an unseen renewal before its deletion is left to its holder for its whole duration', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  (leases as unknown as { watchers: Set<unknown> }).watchers.clear();
  await pass(13_500);
  // Its last renewal was at 12 s, and it relies on it until 22 s.
  leases.cut('a');
  leases.delete();
  await pass(8_000);
  expect([a.leads, b.leads]).toEqual([true, false]);
  await pass(10_000);
  expect(b.leads).toBe(true);
});

test.each(['nobody\'s', 'its own'])('a Lease last seen as %s, then taken unseen and deleted, is left to its holder for its whole duration', async (whose) => {
  const a = await candidate('a');
  if (whose === 'its own') leases.cut('a');
  else await a.election.stop();
  await pass(40_000);
  const late = whose === 'its own' ? a : await cutOff('late');
  const c = await candidate('c');
  await pass(18_000);
  expect([late.leads, c.leads]).toEqual([false, true]);
  leases.cut('c');
  leases.delete();
  leases.cut(late.name, false);
  await pass(7_500);
  expect([late.leads, c.leads]).toEqual([false, true]);
  await pass(12_500);
  expect([late.leads, c.leads]).toEqual([true, false]);
});

test.each<[hung: number, times: Partial<LeaderElectionOptions>]>([
  [3, {}],
  [0, { renewDeadline: 14_500, retryPeriod: 14_000, random: () => 0.5 }],
])('a missing Lease is taken at last: %i consecutive reads hang, %j', async (hung, times) => {
  await candidate('a');
  const b = await candidate('b', times);
  leases.cut('a');
  leases.delete();
  for (let look = 0; look < 100; look++) leases.fail('get', look % (hung + 1) < hung ? 'hangs' : { isAnswered: Promise.resolve() });
  await pass(60_000);
  expect(b.leads).toBe(true);
});

/** Returns a candidate that has read the Lease, which is free, and is then disconnected. */
async function cutOff(name: string): Promise<Candidate> {
  leases.fail('update', 'refused');
  const made = await candidate(name);
  leases.cut(name);
  return made;
}
