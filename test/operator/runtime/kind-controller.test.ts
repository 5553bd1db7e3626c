/* The watches of a kind, and the reconciles of a term. */
import { KindController, type RuntimeDependencies } from '../../../src/operator/runtime/kind-controller';
import type { Reconcile } from '../../../src/kube/controller';
import { Store } from '../../../src/kube/store';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';
import { MemoryLogger } from '../../kube/helpers/memory-logger';
import { viewOf, type PodView } from '../../../src/model/pod-view';
import { applicationKeyOf } from '../../../src/operator/kinds/spark-application/observe';

const THINGS = { group: '', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const WORKERS = 2;

/** Passes end when a test says so, or when they are aborted, unless they are stubborn. */
async function start({ isStubborn = false, isSelected = (_: string): boolean => true } = {}) {
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
    namespaces: 'all', isSelected, syncTimeout: 30_000, workers: WORKERS, maxRetryDelay: 60_000, logger, clock,
    metrics: { add: () => ({ hooks: {}, onReconcile: () => undefined }) },
  } as unknown as RuntimeDependencies;
  const pods = new Store<PodView>();
  const wakers = [(enqueue: (key: string) => void) => pods.subscribe(({ object }) => {
    const key = applicationKeyOf(object);
    if (key) enqueue(key);
  })];
  const kind = new KindController({
    name: 'thing', watched: [{ resource: THINGS, store: objects, transform: (object: any) => object }], isUrgent: (key) => key.includes('urgent'),
    startWork: () => ({ reconcile, wakers }),
  }, dependencies);
  kind.start();
  await settle();
  kind.beginTerm();
  const addIn = async (namespace: string, ...names: string[]) => {
    for (const name of names) objects.upsert({ metadata: { name, namespace, uid: name, resourceVersion: '2' } });
    await settle();
  };
  const add = (...names: string[]) => addIn('jobs', ...names);
  const end = async (...names: string[]) => {
    for (const name of names) underWay.get(`jobs/${name}`)!();
    await settle();
  };
  /** Ends all reconciles, and returns their keys. */
  const taken = async () => {
    for (; underWay.size > 0; await settle()) for (const finish of underWay.values()) finish();
    return begun.splice(0);
  };
  return { kind, objects, pods, clock, logger, addIn, add, end, taken, begun, underWay };
}

test('a kind has as many workers as its settings ask for: what cannot be worked on stays in the queues, and counts as waiting', async () => {
  const { kind, clock, add, end, begun } = await start();
  await add('0-a', '0-b', '0-c', '1-a', '1-b');
  expect([begun, kind.depth]).toEqual([['jobs/0-a', 'jobs/0-b'], 3]);
  await clock.advanceAsync(2_000);
  expect(kind.load()).toEqual({ name: 'thing', workers: WORKERS, depth: 3, running: 2, unfinishedSeconds: 4, longestSeconds: 2 });
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
  const { kind, logger, add, end, begun } = await start();
  await add('1-a', '1-b', '0-a', '0-b');
  const ended = kind.endTerm(15_000);
  await end('1-a', '1-b');
  expect(await ended).toBe(true);
  expect(begun).toEqual(['jobs/1-a', 'jobs/1-b']);
  await add('1-c');
  expect(begun).toHaveLength(2);
  expect(logger.lines.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
});

test('an end that takes longer than its time says so, and has come when nothing is under way any more', async () => {
  const { kind, clock, add, end } = await start({ isStubborn: true });
  await add('0-a');
  const inTime = kind.endTerm(15_000);
  await clock.advanceAsync(15_000);
  expect(await inTime).toBe(false);
  let hasEnded = false;
  const abandoned = kind.abandonTerm().then(() => { hasEnded = true; });
  await clock.advanceAsync(60_000);
  expect(hasEnded).toBe(false);
  await end('0-a');
  await abandoned;
});

test('an end in order can be broken off', async () => {
  const { kind, clock, add, underWay } = await start();
  await add('0-a');
  const ended = kind.endTerm(15_000);
  await settle();
  expect(underWay.size).toBe(1);
  const abandoned = kind.abandonTerm();
  await clock.advanceAsync(0);
  await abandoned;
  expect(underWay.size).toBe(0);
  expect(await ended).toBe(true);
});

test('a second term reconciles all objects again, and has nothing of the first one', async () => {
  const { kind, add, begun, taken } = await start();
  await add('a', 'b');
  expect(await taken()).toEqual(['jobs/a', 'jobs/b']);
  expect(await kind.endTerm(15_000)).toBe(true);
  expect(kind.isWorking).toBe(false);
  await add('c');
  expect([begun, kind.enqueueAll('*')]).toEqual([[], 0]);
  kind.beginTerm();
  await settle();
  expect(kind.isWorking).toBe(true);
  expect(await taken()).toEqual(['jobs/a', 'jobs/b', 'jobs/c']);
});

function driver(resourceVersion: string, state: object) {
  return viewOf({
    metadata: { name: 'pi-driver', namespace: 'jobs', uid: 'pod', resourceVersion, labels: { 'sparkoperator.k8s.io/app-name': 'pi' } },
    status: { phase: 'Running', containerStatuses: [{ name: 'proxy', state: { running: {} } }, { name: 'spark-kubernetes-driver', state }] },
  } as Parameters<typeof viewOf>[0]);
}

test('known failure 6: the end of a container enqueues the application, also while its pod stays in the same phase', async () => {
  const { pods, taken } = await start();
  pods.upsert(driver('1', { running: {} }));
  await settle();
  expect(await taken()).toEqual(['jobs/pi']);
  pods.upsert(driver('2', { terminated: { exitCode: 137 } }));
  await settle();
  expect(await taken()).toEqual(['jobs/pi']);
});

test('known failure 18: objects that exist when their namespace is selected are reconciled, and no others', async () => {
  const { kind, addIn, taken } = await start({ isSelected: (namespace) => namespace !== 'not-selected' });
  for (const namespace of ['jobs', 'others', 'not-selected']) await addIn(namespace, 'pi');
  expect(await taken()).toEqual(['jobs/pi', 'others/pi']);
  expect(kind.enqueueAll('jobs')).toBe(1);
  await settle();
  expect(await taken()).toEqual(['jobs/pi']);
  expect(kind.enqueueAll('*')).toBe(2);
  await settle();
  expect(await taken()).toEqual(['jobs/pi', 'others/pi']);
});

test('objects that are gone are reconciled, to be forgotten, wherever they were', async () => {
  const { objects, addIn, taken } = await start({ isSelected: (namespace) => namespace === 'selected' });
  for (const namespace of ['selected', 'deselected']) await addIn(namespace, 'pi');
  expect(await taken()).toEqual(['selected/pi']);
  for (const namespace of ['selected', 'deselected']) objects.apply('DELETED', { metadata: { name: 'pi', namespace, uid: 'pi', resourceVersion: '3' } });
  await settle();
  expect(await taken()).toEqual(['selected/pi', 'deselected/pi']);
});

test('pods without an application enqueue nothing, and after the end of a term nothing is enqueued', async () => {
  const { kind, pods, add, begun } = await start();
  pods.upsert(viewOf({ metadata: { name: 'p', namespace: 'jobs', uid: 'p', resourceVersion: '1' } }));
  await settle();
  expect(begun).toEqual([]);
  await kind.endTerm(0);
  await add('pi');
  pods.upsert(driver('1', { running: {} }));
  await settle();
  expect(begun).toEqual([]);
});
