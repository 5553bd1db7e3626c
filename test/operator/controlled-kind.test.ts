/* The work on a kind in a term. */
import { ControlledKind, type KindDependencies } from '../../src/operator/controlled-kind';
import type { Reconcile } from '../../src/kube/controller';
import { Store } from '../../src/kube/store';
import type { Term } from '../../src/operator/leadership';
import { ManualClock, settle } from '../kube/helpers/manual-clock';
import { MemoryLogger } from '../kube/helpers/memory-logger';

const THINGS = { group: '', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const WORKERS = 2;

/** Passes end when a test says so, or when they are aborted, unless they are stubborn. */
async function start({ isStubborn = false } = {}) {
  const [clock, logger] = [new ManualClock(), new MemoryLogger()];
  const objects = new Store<any>();
  const begun: string[] = [];
  const underWay = new Map<string, () => void>();
  const reconcile: Reconcile = (key, { signal }) => new Promise((resolve, reject) => {
    begun.push(key);
    underWay.set(key, () => { underWay.delete(key); resolve(undefined); });
    if (!isStubborn) signal.addEventListener('abort', () => { underWay.delete(key); reject(signal.reason as Error); });
  });
  const dependencies = {
    client: {
      openPage: async () => ({ items: [], metadata: { resourceVersion: '1' } }),
      watch: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    },
    namespaces: ['jobs'], isSelected: () => true, syncTimeout: 30_000, workers: WORKERS, maxRetryDelay: 60_000, logger, clock,
    metrics: { addController: () => undefined, onReconcile: () => undefined, onQueueWait: () => undefined },
  } as unknown as KindDependencies;
  const kind = new ControlledKind({ name: 'thing', watched: [{ resource: THINGS, store: objects, project: (object: any) => object }], isUrgent: (key) => key.includes('urgent'), startWork: () => ({ reconcile }) }, dependencies);
  kind.start();
  await settle();
  const term: Term = { signal: new AbortController().signal, lost: new AbortController().signal };
  kind.beginTerm(term);
  const add = async (...names: string[]) => {
    for (const name of names) objects.upsert({ metadata: { name, namespace: 'jobs', uid: name, resourceVersion: '2' } });
    await settle();
  };
  const end = async (...names: string[]) => {
    for (const name of names) underWay.get(`jobs/${name}`)!();
    await settle();
  };
  return { kind, term, clock, logger, add, end, begun, underWay };
}

test('a kind has as many workers as its settings ask for: what cannot be worked on stays in the queues, and counts as waiting', async () => {
  const { kind, add, end, begun } = await start();
  await add('0-a', '0-b', '0-c', '1-a', '1-b');
  expect([begun, kind.depth]).toEqual([['jobs/0-a', 'jobs/0-b'], 3]);
  await end('0-a');
  expect([begun.slice(2), kind.depth]).toEqual([['jobs/0-c'], 2]);
});

test('what is urgent goes before what is not', async () => {
  const { add, end, begun } = await start();
  await add('0-a', '0-b', '0-c', '0-d', '1-urgent');
  await end('0-a');
  expect(begun.at(-1)).toBe('jobs/1-urgent');
});

test('when a term is to end nothing is begun any more, although it could be by now', async () => {
  const { kind, term, logger, add, end, begun } = await start();
  await add('1-a', '1-b', '0-a', '0-b');
  const ended = kind.endTerm(term, 15_000);
  await end('1-a', '1-b');
  expect(await ended).toBe(true);
  expect(begun).toEqual(['jobs/1-a', 'jobs/1-b']);
  await add('1-c');
  expect(begun).toHaveLength(2);
  expect(logger.lines.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
});

test('an end that takes longer than its time says so, and has come when nothing is under way any more', async () => {
  const { kind, term, clock, add, end } = await start({ isStubborn: true });
  await add('0-a');
  const inTime = kind.endTerm(term, 15_000);
  await clock.advanceAsync(15_000);
  expect(await inTime).toBe(false);
  let hasEnded = false;
  const abandoned = kind.abandonTerm(term).then(() => { hasEnded = true; });
  await clock.advanceAsync(60_000);
  expect(hasEnded).toBe(false);
  await end('0-a');
  await abandoned;
});

test('an end in order can be broken off', async () => {
  const { kind, term, clock, add, underWay } = await start();
  await add('0-a');
  const ended = kind.endTerm(term, 15_000);
  await settle();
  expect(underWay.size).toBe(1);
  const abandoned = kind.abandonTerm(term);
  await clock.advanceAsync(0);
  await abandoned;
  expect(underWay.size).toBe(0);
  expect(await ended).toBe(true);
});
