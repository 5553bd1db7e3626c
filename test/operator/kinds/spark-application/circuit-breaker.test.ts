import { CircuitBreaker } from '../../../../src/operator/kinds/spark-application/circuit-breaker';
import { ManualClock } from '../../../kube/helpers/manual-clock';

const FAILURE = 'it does not answer';
const SLOW = 'it takes long';
const GO = { kind: 'go' };
const AWAY = { kind: 'away', failure: FAILURE };

function gate(workers = 10) {
  const clock = new ManualClock();
  return { clock, gate: new CircuitBreaker(clock, workers) };
}

/** Returns work that ends when the test decides. */
function hanging() {
  let end!: () => void;
  const until = new Promise<void>((resolve) => { end = resolve; });
  return { end, work: () => until };
}

test('without any result all submissions can call the webhook', () => {
  const { gate: open } = gate();
  expect(Array.from({ length: 20 }, () => open.ask())).toEqual(Array(20).fill(GO));
});

test('while the webhook is away one submission probes at a time, and the others get the reason without a call', () => {
  const { clock, gate: closed } = gate();
  closed.failed(FAILURE);
  expect(closed.ask()).toEqual(AWAY);
  clock.advance(1_000);
  expect([closed.ask(), closed.ask(), closed.ask()]).toEqual([GO, AWAY, AWAY]);
  closed.failed(FAILURE);
  expect(closed.ask()).toEqual(AWAY);
  clock.advance(1_000);
  expect(closed.ask()).toEqual(GO);
});

test('a probe without a report, because its application was deleted, delays the others for ten seconds', () => {
  const { clock, gate: closed } = gate();
  closed.failed(FAILURE);
  clock.advance(1_000);
  closed.ask();
  clock.advance(9_999);
  expect(closed.ask()).toEqual(AWAY);
  clock.advance(1);
  expect(closed.ask()).toEqual(GO);
});

test('the first success admits all', () => {
  const { gate: closed } = gate();
  closed.failed(FAILURE);
  closed.worked();
  expect([closed.ask(), closed.ask()]).toEqual([GO, GO]);
});

test.each([[10, 5], [3, 1], [1, 1]])('with %i workers at most %i wait for the webhook', async (workers, most) => {
  const { gate: open } = gate(workers);
  const { end, work } = hanging();
  const under = Array.from({ length: most }, () => open.during(work, SLOW));
  expect(await open.during(work, SLOW)).toEqual({ kind: 'later', after: 1_000 });
  open.failed(FAILURE);
  expect(await open.during(work, SLOW)).toEqual(AWAY);

  end();
  await Promise.all(under);
  open.worked();
  expect(await open.during(async () => 'done', SLOW)).toBe('done');
});

test('failed work also frees its place', async () => {
  const { gate: open } = gate(1);
  await expect(open.during(async () => { throw new Error('quota'); }, SLOW)).rejects.toThrow('quota');
  expect(await open.during(async () => 'done', SLOW)).toBe('done');
});

test('a call without an answer for nine seconds continues, and the others do not wait for it; its answer admits them', async () => {
  const { clock, gate: open } = gate();
  const { end, work } = hanging();
  const call = open.during(async () => {
    await work();
    open.worked();
    return 'done';
  }, SLOW);
  clock.advance(8_999);
  expect(open.admittance()).toEqual(GO);
  clock.advance(1);
  expect(open.admittance()).toEqual({ kind: 'away', failure: SLOW });
  end();
  expect(await call).toBe('done');
  expect(open.admittance()).toEqual(GO);
  // Calls that have ended report nothing more.
  clock.advance(60_000);
  expect(open.admittance()).toEqual(GO);
});

test('a query of the admittance does not use up a probe, and considers free places', async () => {
  const { clock, gate: closed } = gate(2);
  closed.failed(FAILURE);
  clock.advance(1_000);
  expect([closed.admittance(), closed.admittance(), closed.ask(), closed.admittance()]).toEqual([GO, GO, GO, AWAY]);
  closed.worked();
  const { end, work } = hanging();
  const call = closed.during(work, SLOW);
  expect(closed.admittance()).toEqual({ kind: 'later', after: 1_000 });
  end();
  await call;
});

test('after an inconclusive probe the next one comes a second later, but not while another is under way', async () => {
  const { clock, gate: closed } = gate();
  closed.failed(FAILURE);
  clock.advance(1_000);
  await expect(closed.during(async () => { throw new Error('another webhook'); }, SLOW)).rejects.toThrow('another webhook');
  expect(closed.ask()).toEqual(AWAY);
  clock.advance(1_000);
  const { end, work } = hanging();
  const late = closed.during(work, SLOW);
  clock.advance(10_000);
  expect(closed.ask()).toEqual(GO);
  end();
  await late;
  clock.advance(1_000);
  expect(closed.ask()).toEqual({ kind: 'away', failure: SLOW });
});
