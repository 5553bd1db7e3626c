import { NotLeaderError } from '../../src/kube/leader-election';
import { Candidate, Candidates, LOCK } from './helpers/candidates';
import { FakeApiServer, isAny, json, type SeenRequest, status } from './helpers/fake-api-server';
import type { FakeLeases } from './helpers/fake-leases';
import { ManualClock, settle } from './helpers/manual-clock';

const WRITE = { verb: 'create', resource: 'pods' };
const isWrite = ({ method }: SeenRequest) => method !== 'GET';

let clock: ManualClock;
let leases: FakeLeases;
let candidate: Candidates['start'];
let pass: Candidates['pass'];
let candidates: Candidates;

beforeEach(() => {
  candidates = new Candidates();
  ({ clock, leases, start: candidate, pass } = candidates);
});
afterEach(() => candidates.end());

test('the first candidate creates the Lease and leads, the second stands by for as long as it is renewed', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  await pass(60_000);

  expect([a.leads, b.leads]).toEqual([true, false]);
  expect(leases.lease).toMatchObject({
    metadata: LOCK,
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, acquireTime: '2026-01-01T00:00:00.000000Z', renewTime: '2026-01-01T00:01:00.000000Z', leaseTransitions: 0 },
  });
  expect(b.election.health()).toEqual({ leading: false, hasTerm: false, overdueFor: undefined, leader: 'a' });
  // One renewal per retry period, and none of the standby.
  expect(leases.writes).toEqual(['a create a', ...Array.from({ length: 30 }, () => 'a update a')]);
});

test('a stopping leader ends its work and then releases the Lease; the next one leads at once', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  a.isSlow = true;
  const stopped = a.election.stop();
  await pass(12_000);
  // Its work takes longer than the renew deadline, so the Lease is still renewed.
  expect([a.terms, a.leads, b.leads]).toEqual([['began', 'asked to stop'], true, false]);

  a.finish();
  await stopped;
  await settle();
  expect([a.leads, b.leads]).toEqual([false, true]);
  expect(leases.writes.slice(-2)).toEqual(['a update -', 'b update b']);
  expect(leases.lease!.spec).toMatchObject({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 });
});

test('a disconnected leader stops leading after the renew deadline, before another takes over after the lease duration', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  await pass(4_000);
  leases.cut('a');
  await pass(9_500);
  expect([a.leads, b.leads, a.terms]).toEqual([true, false, ['began']]);
  await pass(500);
  expect([a.leads, b.leads, a.terms]).toEqual([false, false, ['began', 'lost']]);
  await pass(4_500);
  expect(b.leads).toBe(false);
  await pass(500);
  expect([a.leads, b.leads]).toEqual([false, true]);

  leases.cut('a', false);
  await pass(20_000);
  expect([a.leads, b.leads]).toEqual([false, true]);
  expect(a.election.health().leader).toBe('b');
});

test('a leader whose Lease no other process took leads again as soon as its work has ended', async () => {
  const a = await candidate('a');
  leases.cut('a');
  a.isSlow = true;
  await pass(11_000);
  leases.cut('a', false);
  await pass(5_000);
  expect([a.leads, a.terms]).toEqual([false, ['began', 'lost']]);
  a.finish();
  await pass(3_000);
  expect([a.leads, a.terms]).toEqual([true, ['began', 'lost', 'began']]);
});

test('a resumed leader does not lead from its first check on, although no timer has fired yet', async () => {
  const asleep = new ManualClock();
  const a = await candidate('a', {}, asleep);
  const b = await candidate('b');
  await pass(16_000);
  expect(b.leads).toBe(true);

  // Time has passed for the sleeper, too, but its event loop has not run.
  (asleep as unknown as { time: number }).time += 16_000;
  expect(a.leads).toBe(false);
  expect(() => a.election.guard(WRITE)).toThrow(NotLeaderError);
  expect(() => a.election.guard(WRITE)).toThrow('create pods was not sent: this process does not lead');

  await asleep.advanceAsync(2_000);
  expect(a.terms).toEqual(['began', 'lost']);
  expect(leases.lease!.spec!.holderIdentity).toBe('b');
});

test('a leader whose virtual machine was suspended does not lead from its first check on, although its monotonic clock did not advance', async () => {
  const suspended = new ManualClock();
  const a = await candidate('a', {}, suspended);
  const b = await candidate('b');
  await pass(16_000);
  expect(b.leads).toBe(true);

  suspended.jump(16_000);
  expect(a.leads).toBe(false);
  expect(() => a.election.guard(WRITE)).toThrow(NotLeaderError);
  expect(a.election.health()).toMatchObject({ leading: false, hasTerm: true, overdueFor: 0 });

  await pass(2_000, [suspended]);
  expect([a.terms, leases.lease!.spec!.holderIdentity]).toEqual([['began', 'lost'], 'b']);
});

test.each([
  ['by less than is left of the renew deadline', 7_000, ['began']],
  ['by more than that', 3_600_000, ['began', 'lost', 'began']],
  ['back', -3_600_000, ['began']],
])('setting the clock costs a leader at most a term, and only if it is set forward far enough: %s', async (_, ms, terms) => {
  const a = await candidate('a');
  await pass(500);
  clock.jump(ms);
  await pass(60_000);
  expect([a.leads, a.terms]).toEqual([true, terms]);
});

test('a clock that is set back does not lengthen a term', async () => {
  const a = await candidate('a');
  leases.cut('a');
  clock.jump(-3_600_000);
  await pass(9_500);
  expect(a.leads).toBe(true);
  await pass(500);
  expect([a.leads, a.terms]).toEqual([false, ['began', 'lost']]);
});

test('a machine suspended while it took the Lease ignores the answer, and takes the Lease again', async () => {
  let answer!: () => void;
  leases.fail('create', { isAnswered: new Promise((resolve) => { answer = resolve; }) });
  const a = await candidate('a');
  clock.jump(16_000);
  answer();
  await settle();
  expect([a.leads, a.terms, leases.writes]).toEqual([true, ['began'], ['a create a', 'a update a']]);
});

test('a renewal with a late answer: the work still ends in time, and a new term can start', async () => {
  let answer!: () => void;
  const a = await candidate('a');
  leases.fail('update', { arrives: new Promise((resolve) => { answer = resolve; }) });
  await pass(9_500);
  expect([a.leads, a.terms]).toEqual([true, ['began']]);
  await pass(500);
  expect([a.leads, a.terms]).toEqual([false, ['began', 'lost']]);
  answer();
  await settle();
  expect(a.terms).toEqual(['began', 'lost', 'began']);
});

test('a renewal with a Retry-After is retried after the retry period, and cannot delay the deadline', async () => {
  const server = await FakeApiServer.start();
  const lease = { kind: 'Lease', metadata: { ...LOCK, resourceVersion: '1' }, spec: { holderIdentity: 'a' } };
  const busy = status(429, 'TooManyRequests', 'busy', { 'retry-after': '9' });
  try {
    for (const answer of [status(404, 'NotFound'), json(lease, 201), busy]) server.fail(isAny, answer);
    const created = server.request(isWrite);
    const a = await candidate('a', { client: server.client({ clock, random: () => 0 }) });
    await created;
    while (!a.leads) await settle();

    const renewed = server.request(isWrite);
    await clock.advanceAsync(2_000);
    await renewed;
    await clock.timer((ms) => ms === 2_000);
    server.fail(isAny, busy);
    const renewedAgain = server.request(isWrite);
    await clock.advanceAsync(2_000);
    await renewedAgain;

    server.fail(isAny, busy);
    server.fail(isAny, json({ ...lease, spec: { holderIdentity: '' } }));
    const stopped = a.election.stop();
    await clock.timer((ms) => ms === 250);
    await clock.advanceAsync(250);
    await stopped;
    expect(server.requests.filter(isWrite).map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'PUT']);
  } finally {
    await server.stop();
  }
});

test.each([['create', 0], ['update', 2_000]] as const)('a Lease counts from when its %s was sent, as others count from when they saw it', async (verb, sentAt) => {
  let answer!: () => void;
  leases.fail(verb, { isAnswered: new Promise((resolve) => { answer = resolve; }) });
  const a = await candidate('a');
  await pass(sentAt + 7_500);
  leases.cut('a');
  answer();
  await pass(2_000);
  expect(a.leads).toBe(true);
  await pass(500);
  expect(a.leads).toBe(false);
});

test('a lost answer: the renewal has still succeeded', async () => {
  const a = await candidate('a');
  leases.fail('update', 'lost');
  await pass(30_000);
  expect([a.leads, a.terms]).toEqual([true, ['began']]);
});

test('the answer to the creation was lost: the candidate does not create the Lease again, and leads', async () => {
  leases.fail('create', 'lost');
  const a = await candidate('a');
  await pass(2_500);
  expect(a.leads).toBe(true);
  expect(leases.writes.filter((write) => write.includes('create'))).toHaveLength(1);
});

test('two candidates see an expired Lease: one takes it', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  const c = await candidate('c');
  leases.cut('a');
  await pass(20_000);
  expect([b.leads, c.leads].filter(Boolean)).toHaveLength(1);
  expect(a.leads).toBe(false);
});

test('another holder is in the Lease: the leader stops leading at once', async () => {
  const a = await candidate('a');
  leases.lease = { ...leases.lease!, metadata: { ...leases.lease!.metadata, resourceVersion: '999' }, spec: { ...leases.lease!.spec, holderIdentity: 'x' } };
  await pass(2_000);
  expect([a.leads, a.terms]).toEqual([false, ['began', 'lost']]);
});

test('clocks are not compared: a holder whose clock is a day off is judged by the changes of its Lease', async () => {
  const early = new ManualClock(Date.UTC(2025, 11, 31));
  const a = await candidate('a', {}, early);
  const b = await candidate('b');
  await pass(60_000, [clock, early]);
  expect([a.leads, b.leads]).toEqual([true, false]);
  leases.cut('a');
  await pass(14_500, [clock, early]);
  expect(b.leads).toBe(false);
  await pass(1_500, [clock, early]);
  expect(b.leads).toBe(true);
});

test('the duration in the Lease applies, not the candidate\'s own', async () => {
  await candidate('a', { leaseDuration: 60_000, renewDeadline: 40_000 });
  const b = await candidate('b');
  leases.cut('a');
  await pass(58_000);
  expect(b.leads).toBe(false);
  await pass(3_000);
  expect(b.leads).toBe(true);
});

test.each(['refused', 'lost'] as const)('a watch that cannot be had (%s): the Lease is read again and again', async (fault) => {
  const a = await candidate('a');
  for (let time = 0; time < 50; time++) leases.fail('watch', fault);
  const b = await candidate('b');
  await pass(20_000);
  expect([a.leads, b.leads]).toEqual([true, false]);
  leases.cut('a');
  await pass(13_000);
  expect(b.leads).toBe(false);
  await pass(4_500);
  expect(b.leads).toBe(true);
});

test('a silently dead watch is no reason to take the Lease', async () => {
  const a = await candidate('a');
  const b = await candidate('b');
  const deaf = leases as unknown as { watchers: Set<unknown> };
  for (let time = 0; time < 40; time++) {
    deaf.watchers.clear();
    await pass(1_000);
  }
  expect([a.leads, b.leads]).toEqual([true, false]);
});

test('a leader whose work ends by itself does not start again at full speed', async () => {
  let terms = 0;
  await candidate('a', { lead: async () => { terms++; throw new Error('broken'); } });
  await pass(20_000);
  expect(terms).toBeGreaterThan(5);
  expect(terms).toBeLessThan(12);
});

test('stopped while it takes the Lease: the candidate releases it without a term', async () => {
  let answer!: () => void;
  leases.fail('create', { isAnswered: new Promise((resolve) => { answer = resolve; }) });
  const a = await candidate('a');
  const stopped = a.election.stop();
  answer();
  await stopped;
  expect([a.terms, leases.writes]).toEqual([[], ['a create a', 'a update -']]);
});

test('a hanging renewal is retried before the deadline', async () => {
  const a = await candidate('a', { retryPeriod: 3_000 });
  leases.fail('update', 'hangs');
  await pass(7_500);
  expect(leases.writes).toEqual(['a create a']);
  await pass(2_500);
  expect([a.leads, a.terms, leases.writes]).toEqual([true, ['began'], ['a create a', 'a update a']]);
});

test('a Lease that is lost while the work ends: the work is notified, and the Lease is not released', async () => {
  const told: string[] = [];
  let end!: () => void;
  const a = await candidate('a', {
    lead: (term, lost) => new Promise((resolve) => {
      end = resolve;
      term.addEventListener('abort', () => told.push(term.reason.message));
      lost.addEventListener('abort', () => told.push(lost.reason.name));
    }),
  });
  void a.election.stop();
  await settle();
  leases.cut('a');
  await pass(9_500);
  expect(told).toEqual(['the process is stopping']);
  await pass(500);
  expect(told).toEqual(['the process is stopping', 'NotLeaderError']);
  leases.cut('a', false);
  end();
  await a.election.stop();
  expect([leases.writes, leases.lease!.spec!.holderIdentity]).toEqual([['a create a'], 'a']);
});

test('aborted work: its calls might still be processed, so the Lease is left to expire', async () => {
  const a = await candidate('a', { lead: (term) => new Promise((_, reject) => term.addEventListener('abort', () => reject(new NotLeaderError()))) });
  const b = await candidate('b');
  await a.election.stop();
  await pass(14_500);
  expect([b.leads, leases.writes]).toEqual([false, ['a create a']]);
  await pass(1_500);
  expect(b.leads).toBe(true);
});

test.each(['refused', 'lost', 'hangs', 'hangs when done'] as const)('the Lease is given back although the first attempt at it goes wrong (%s)', async (fault) => {
  const a = await candidate('a');
  const b = await candidate('b');
  leases.fail('update', fault);
  const stopped = a.election.stop();
  await pass(5_500);
  await stopped;
  expect([b.leads, leases.writes.includes('a update -')]).toEqual([true, true]);
});

test.each(['lost', 'hangs when done'] as const)('stopped while it takes the Lease, and the answer is lost (%s): it looks, and gives back what is its own', async (fault) => {
  leases.fail('create', fault);
  const a = await candidate('a');
  leases.fail('update', 'refused');
  const stopped = a.election.stop();
  await pass(8_000);
  await stopped;
  expect([a.terms, leases.writes]).toEqual([[], fault === 'lost' ? ['a create a'] : ['a create a', 'a update -']]);
});

test('stopped while it reads the Lease: the candidate does not start a watch', async () => {
  await candidate('a');
  let answer!: () => void;
  leases.fail('get', { isAnswered: new Promise((resolve) => { answer = resolve; }) });
  const b = await candidate('b');
  const stopped = b.election.stop();
  answer();
  await stopped;
  expect(leases.watching).toBe(0);
});

test('times in the wrong order are rejected', () => {
  expect(() => new Candidate('a', leases, clock, { leaseDuration: 10_000 })).toThrow(RangeError);
});
