/* Events that trigger a reconcile of SparkConnects. */
import { KindController, type RuntimeDependencies } from '../../../../src/operator/runtime/kind-controller';
import type { CurrentDefaults } from '../../../../src/plan/defaults/layer';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import { PODS } from '../../../../src/model/resources';
import { sparkConnects } from '../../../../src/operator/kinds/spark-connect/kind';
import { BY_CONNECT, connectKeyOf, type SparkConnect } from '../../../../src/model/spark-connect';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { cluster } from '../../../plan/defaults/layers';
import { World } from './operator';

const limitsOf = (limits: string): CurrentDefaults => ({ kind: 'ready', layers: { cluster: cluster({ limits }) } });

test('a change of limits enqueues the refused SparkConnects, and a change of a pod enqueues its owner', async () => {
  let limits = 'driver: { maxCores: 1 }';
  const world = new World({ server: { cores: 2 } });
  const [connects, pods, clock] = [
    new Store<SparkConnect>(), new Store<PodView>({ indexes: { [BY_CONNECT]: connectKeyOf } }), new ManualClock(),
  ];
  const reconciled: string[] = [];
  const dependencies = {
    client: Object.assign(world.api, {
      openPage: async () => ({ items: [], metadata: { resourceVersion: '1' } }),
      watch: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => signal.addEventListener(
        'abort', () => reject(signal.reason), { once: true },
      )),
    }),
    namespaces: ['jobs'], isSelected: () => true, syncTimeout: 30_000, workers: 1, maxRetryDelay: 1_000, logger: silentLogger, clock,
    metrics: { add: () => ({ hooks: {}, onReconcile: () => reconciled.push(limits) }) },
  } as unknown as RuntimeDependencies;
  const podsOf = new KindController({
    name: 'pods', watched: [
      { resource: PODS, store: pods, transform: viewOf },
    ], startWork: () => ({ reconcile: async () => undefined }),
  }, dependencies);
  const kind = sparkConnects({
    connects, pods, podsOf, owned: { uiService: true, driverPodDisruptionBudget: false, ingress: {} },
    reconcilerOptions: () => ({
      events: { record: () => undefined }, writer: 'this-operator', submission: { mode: 'auto', sparkUser: 'spark' }, startTimeout: 300_000,
      defaults: { current: (): CurrentDefaults => limitsOf(limits) },
    }),
  }, dependencies);
  podsOf.start();
  kind.start();
  await settle();
  kind.beginTerm();
  connects.upsert(world.connect);
  await settle();
  await settle();
  expect(world.status).toMatchObject({ state: 'Failed' });

  limits = 'driver: { maxCores: 4 }';
  // As the operator does when the ConfigMap with the limits has changed.
  kind.enqueueAll('jobs');
  await clock.advanceAsync(100);
  expect(world.pod).toBeDefined();

  const before = reconciled.length;
  pods.upsert({
    metadata: {
      name: 'e', namespace: 'jobs', uid: 'e', resourceVersion: '999', labels: { 'sparkoperator.k8s.io/connect-name': 'nb' },
    }, phase: 'Running',
  });
  pods.upsert({ metadata: { name: 'f', namespace: 'jobs', uid: 'f', resourceVersion: '999', labels: {} }, phase: 'Running' });
  await clock.advanceAsync(100);
  expect(reconciled.length).toBe(before + 1);
  await kind.endTerm(0);
  await Promise.all([kind.stop(), podsOf.stop()]);
});
