import { NotLeaderError } from '../../../src/kube/leader-election';
import { graceWhenLost, leadKinds } from '../../../src/operator/runtime/lead';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';

/** A kind whose work ends when the test says so. */
class Work {
  public readonly log: string[] = [];
  private readonly ends = new Map<string, (inTime: boolean) => void>();

  beginTerm(): void {
    this.log.push('begin');
  }

  endTerm(grace: number): Promise<boolean> {
    this.log.push(`end within ${grace}`);
    return new Promise((resolve) => this.ends.set('end', resolve));
  }

  abandonTerm(): Promise<void> {
    this.log.push('abandon');
    return new Promise((resolve) => this.ends.set('abandon', () => resolve()));
  }

  has(what: string, inTime = true): Promise<void> {
    this.ends.get(what)!(inTime);
    return settle();
  }
}

function start() {
  const [clock, work, reported, ends, loss] = [new ManualClock(), new Work(), [] as string[], new AbortController(), new AbortController()];
  const settings = { grace: 15_000, lostGrace: 4_000, clock, onStuck: () => reported.push('stuck') };
  leadKinds([work], { signal: ends.signal, lost: loss.signal }, settings).then(() => reported.push('ended in order'), (error) => reported.push(error.name));
  const end = () => { ends.abort(new Error('the process is stopping')); return settle(); };
  const lose = () => {
    for (const each of [ends, loss]) each.abort(new NotLeaderError());
    return settle();
  };
  return { clock, work, reported, end, lose };
}

test('an end in order: the work has its time', async () => {
  const { work, reported, end } = start();
  expect(work.log).toEqual(['begin']);
  await end();
  expect([work.log, reported]).toEqual([['begin', 'end within 15000'], []]);
  await work.has('end');
  expect(reported).toEqual(['ended in order']);
});

test('an end that takes longer than its time is broken off, and not in order: a write may be on its way', async () => {
  const { clock, work, reported, end } = start();
  await end();
  await work.has('end', false);
  expect([work.log.at(-1), reported]).toEqual(['abandon', []]);
  await clock.advanceAsync(3_999);
  await work.has('abandon');
  await clock.advanceAsync(10_000);
  expect(reported).toEqual(['NotLeaderError']);
});

test('where the Lease is lost the work is broken off', async () => {
  const { clock, work, reported, lose } = start();
  await lose();
  await work.has('abandon');
  await clock.advanceAsync(10_000);
  expect([work.log, reported]).toEqual([['begin', 'abandon'], ['NotLeaderError']]);
});

test('it is also broken off where the Lease is lost during an end in order', async () => {
  const { work, reported, end, lose } = start();
  await end();
  await lose();
  await work.has('abandon');
  expect([work.log, reported]).toEqual([['begin', 'end within 15000', 'abandon'], ['NotLeaderError']]);
});

test.each(['an end in order takes too long', 'the Lease is lost'])('work that does not end although it was broken off is reported: %s', async (reason) => {
  const { clock, work, reported, end, lose } = start();
  if (reason === 'the Lease is lost') {
    await lose();
  } else {
    await end();
    await work.has('end', false);
  }
  await clock.advanceAsync(4_000);
  expect(reported).toEqual(['stuck']);
});

test.each([[15_000, 10_000, 4_000], [3_000, 2_400, 480], [1_000, 999, 0.8]])('a Lease of %d ms that is lost after %d ms: the work ends before another process has it', (leaseDuration, renewDeadline, expected) => {
  const grace = graceWhenLost({ leaseDuration, renewDeadline });
  expect(grace).toBeCloseTo(expected);
  expect(grace).toBeLessThan(leaseDuration - renewDeadline);
});
