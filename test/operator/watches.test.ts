import { viewOf, type PodView } from '../../src/model/pod-view';
import type { ListWatcher } from '../../src/kube/reflector';
import { ApiError } from '../../src/kube/errors';
import { Store } from '../../src/kube/store';
import { PODS, SPARK_APPLICATIONS } from '../../src/model/resources';
import type { SparkApplication } from '../../src/model/spark-application';
import { transform } from '../../src/operator/kinds/spark-application/transform';
import { Watches } from '../../src/operator/watches';
import { ManualClock, settle } from '../kube/helpers/manual-clock';
import { MemoryLogger } from '../kube/helpers/memory-logger';

const POD = { metadata: { name: 'pi-driver', namespace: 'a', uid: '1', resourceVersion: '1' }, spec: { containers: [] }, status: { phase: 'Running' } };

/** Watches of a server that refuses us in some namespaces. */
async function start(namespaces: readonly string[] | 'all', refused: (namespace: string | undefined) => boolean = () => false) {
  const asked: string[] = [];
  const client = {
    openPage: async ({ plural }: { plural: string }, { namespace }: { namespace?: string }) => {
      asked.push(`${plural} of ${namespace ?? 'all'}`);
      if (refused(namespace)) throw new ApiError({ verb: 'list', resource: plural, namespace }, 403);
      return { items: plural === 'pods' ? [POD] : [], metadata: { resourceVersion: '1' } };
    },
    watch: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  };
  const synced: string[] = [];
  const pods = new Store<PodView>();
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const watches = new Watches({
    client: client as unknown as ListWatcher,
    watched: [
      { resource: SPARK_APPLICATIONS, store: new Store<SparkApplication>(), transform },
      { resource: PODS, store: pods, transform: viewOf, labelSelector: 'a=b' },
    ],
    namespaces,
    logger,
    clock,
    syncTimeout: 30_000,
    onSynced: (namespace) => synced.push(namespace),
  });
  watches.start();
  await settle();
  return { watches, asked, synced, pods, clock, logger };
}

test('each namespace by itself: one that is refused does not keep the others waiting', async () => {
  const { watches, synced, clock, logger } = await start(['a', 'b'], (namespace) => namespace === 'b');
  expect([synced, watches.isSynced('a'), watches.isSynced('b')]).toEqual([['a'], true, false]);
  expect(watches.health()).toMatchObject([{ namespace: 'a', synced: true, refused: false }, { namespace: 'b', synced: false, refused: true }]);
  await clock.advanceAsync(30_000);
  expect(logger.lines.filter((line) => line.includes('could not be read so far'))).toHaveLength(1);
  await watches.stop();
});

test('all namespaces: one watch of each kind', async () => {
  const { watches, asked, synced } = await start('all');
  expect(asked).toEqual(['sparkapplications of all', 'pods of all']);
  expect([synced, watches.isSynced('any')]).toEqual([['*'], true]);
  expect(watches.health()).toMatchObject([{ namespace: '*', synced: true, isRequired: true }]);
  await watches.stop();
});

test('the store has each object as it was transformed', async () => {
  const { watches, pods } = await start(['a']);
  expect(pods.get('a/pi-driver')).toEqual(viewOf(POD));
  expect(pods.get('a/pi-driver')).toMatchObject({ phase: 'Running' });
  await watches.stop();
});
