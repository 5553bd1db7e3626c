import { NotLeaderError } from '../../src/kube/leader-election';
import type { Term } from '../../src/operator/leadership';
import { graceWhenLost, Terms } from '../../src/operator/terms';
import { ManualClock, settle } from '../kube/helpers/manual-clock';

/** A kind whose work ends when the test says so. */
class Work {
  public readonly log: string[] = [];
  private readonly ends = new Map<string, (inTime: boolean) => void>();

  beginTerm({ shard }: Term): void {
    this.log.push(`begin ${shard}`);
  }

  endTerm({ shard }: Term, grace: number): Promise<boolean> {
    this.log.push(`end ${shard} within ${grace}`);
    return new Promise((resolve) => this.ends.set(`end ${shard}`, resolve));
  }

  abandonTerm({ shard }: Term): Promise<void> {
    this.log.push(`abandon ${shard}`);
    return new Promise((resolve) => this.ends.set(`abandon ${shard}`, () => resolve()));
  }

  has(what: string, inTime = true): Promise<void> {
    this.ends.get(what)!(inTime);
    return settle();
  }
}

function start(shard?: number) {
  const [clock, work, told, ends, loss] = [new ManualClock(), new Work(), [] as string[], new AbortController(), new AbortController()];
  const terms = new Terms({ kinds: [work], grace: 15_000, lostGrace: 4_000, clock, onStuck: () => told.push('stuck') });
  terms.work({ signal: ends.signal, lost: loss.signal, shard, concerns: () => true, guard: () => undefined }).then(() => told.push('ended in order'), (error) => told.push(error.name));
  const end = () => { ends.abort(new Error('the process is stopping')); return settle(); };
  const lose = () => {
    for (const each of [ends, loss]) each.abort(new NotLeaderError());
    return settle();
  };
  return { clock, work, terms, told, end, lose };
}

test('an end in order: the work has its time', async () => {
  const { work, terms, told, end } = start();
  expect([terms.isAtWork, terms.shards]).toEqual([true, 0]);
  await end();
  expect([terms.isAtWork, work.log, told]).toEqual([false, ['begin undefined', 'end undefined within 15000'], []]);
  await work.has('end undefined');
  expect(told).toEqual(['ended in order']);
});

test('an end that takes longer than its time is broken off, and not in order: a write may be on its way', async () => {
  const { clock, work, told, end } = start(0);
  await end();
  await work.has('end 0', false);
  expect([work.log.at(-1), told]).toEqual(['abandon 0', []]);
  await clock.advanceAsync(3_999);
  await work.has('abandon 0');
  await clock.advanceAsync(10_000);
  expect(told).toEqual(['NotLeaderError']);
});

test('where the Lease is lost the work is broken off', async () => {
  const { clock, work, terms, told, lose } = start(0);
  expect(terms.shards).toBe(1);
  await lose();
  expect(terms.shards).toBe(0);
  await work.has('abandon 0');
  await clock.advanceAsync(10_000);
  expect([work.log, told]).toEqual([['begin 0', 'abandon 0'], ['NotLeaderError']]);
});

test('it is also broken off where the Lease is lost during an end in order', async () => {
  const { work, told, end, lose } = start(0);
  await end();
  await lose();
  await work.has('abandon 0');
  expect([work.log, told]).toEqual([['begin 0', 'end 0 within 15000', 'abandon 0'], ['NotLeaderError']]);
});

test.each(['an end in order takes too long', 'the Lease is lost'])('work that does not end although it was broken off is told: %s', async (reason) => {
  const { clock, work, told, end, lose } = start(0);
  if (reason === 'the Lease is lost') {
    await lose();
  } else {
    await end();
    await work.has('end 0', false);
  }
  await clock.advanceAsync(4_000);
  expect(told).toEqual(['stuck']);
});

test.each([[15_000, 10_000, 4_000], [3_000, 2_400, 480], [1_000, 999, 0.8]])('a Lease of %d ms that is lost after %d ms: the work ends before another process has it', (leaseDuration, renewDeadline, expected) => {
  const grace = graceWhenLost({ leaseDuration, renewDeadline });
  expect(grace).toBeCloseTo(expected);
  expect(grace).toBeLessThan(leaseDuration - renewDeadline);
});
