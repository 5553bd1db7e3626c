import { FairSemaphore } from '../../src/kube/fair-semaphore';
import { ManualClock } from './helpers/manual-clock';

let clock: ManualClock;
beforeEach(() => { clock = new ManualClock(); });

const queue = (more: Partial<ConstructorParameters<typeof FairSemaphore>[0]> = {}) => new FairSemaphore({ limit: 2, limitPerKey: 1, waiting: 3, maxWait: 5_000, clock, refusal: (key) => new Error(`${key} is refused`), ...more });

/** Enters and records the order. */
function visit(into: FairSemaphore, key: string, order: string[], name = key, signal?: AbortSignal) {
  const entered = into.enter(key, signal).then((leave) => {
    order.push(name);
    return leave;
  });
  entered.catch(() => {});
  return entered;
}

test('keys take turns, however many callers of one wait', async () => {
  const [order, turns]: [string[], FairSemaphore] = [[], queue({ limit: 1 })];
  const all = ['flood', 'flood', 'flood', 'ann', 'bob'].map((key, index) => visit(turns, key, order, `${key}-${index}`));
  for (const entered of [0, 1, 3, 4, 2].map((index) => all[index]!)) (await entered)();
  expect(order).toEqual(['flood-0', 'flood-1', 'ann-3', 'bob-4', 'flood-2']);
});

test('keeps the limit of a key, even with free places', async () => {
  const [order, turns]: [string[], FairSemaphore] = [[], queue()];
  const [first, second] = ['flood', 'flood'].map((key) => visit(turns, key, order));
  (await visit(turns, 'ann', order))();
  expect(order).toEqual(['flood', 'ann']);
  (await first!)();
  await second;
  expect(order).toEqual(['flood', 'ann', 'flood']);
});

test('rejects too many callers of one key at once, and others after the maximum wait', async () => {
  const turns = queue();
  const leave = await turns.enter('flood');
  const waiting = [1, 2, 3].map(() => turns.enter('flood').catch((error: unknown) => error));
  await expect(turns.enter('flood')).rejects.toThrow('flood is refused');
  await clock.advanceAsync(5_000);
  expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => new Error('flood is refused')));
  leave();
  (await turns.enter('flood'))();
});

test('removes callers that have left', async () => {
  const [order, turns]: [string[], FairSemaphore] = [[], queue({ limit: 1 })];
  const leave = await turns.enter('ann');
  const gone = new AbortController();
  const left = visit(turns, 'bob', order, 'bob', gone.signal);
  const last = visit(turns, 'eve', order);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  leave();
  await last;
  expect(order).toEqual(['eve']);
});

test('without limits callers wait as long as they must, in order, and a caller that comes later takes no place', async () => {
  const [order, turns]: [string[], FairSemaphore] = [[], new FairSemaphore({ limit: 1, clock })];
  const leave = await turns.enter('ann');
  const waiting = Array.from({ length: 1_000 }, (_, index) => visit(turns, 'ann', order, `ann-${index}`));
  await clock.advanceAsync(24 * 3_600_000);
  expect([order, clock.pending]).toEqual([[], 0]);
  leave();
  leave();
  const late = visit(turns, 'ann', order, 'late');
  for (const entered of [...waiting, late]) (await entered)();
  expect(order).toEqual([...waiting.map((_, index) => `ann-${index}`), 'late']);
});

test('work releases its place, also if it fails', async () => {
  const turns = new FairSemaphore({ limit: 1 });
  await expect(turns.during('ann', undefined, async () => { throw new Error('failed'); })).rejects.toThrow('failed');
  expect(await turns.during('bob', undefined, async () => 'done')).toBe('done');
});
