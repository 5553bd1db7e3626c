import { viewOf, type PodView } from '../../src/model/pod-view';
import type { Controller } from '../../src/kube/controller';
import { silentLogger } from '../../src/kube/logger';
import { Store } from '../../src/kube/store';
import type { WorkQueue } from '../../src/kube/work-queue';
import type { SparkApplication } from '../../src/model/spark-application';
import { applicationKeyOf } from '../../src/operator/spark-application/observe';
import { Work } from '../../src/operator/work';

/** The work with stores that are filled by hand, and a queue that only notes what is added. */
function start(isSelected = (_: string) => true) {
  const [applications, pods, added] = [new Store<SparkApplication>(), new Store<PodView>(), [] as string[]];
  const queue = { add: (key: string) => void added.push(key) } as unknown as WorkQueue;
  const controller = { start: () => undefined, stop: async () => undefined } as unknown as Controller;
  const wakers = [(add: (key: string) => void) => pods.subscribe(({ object }) => {
    const key = applicationKeyOf(object);
    if (key) add(key);
  })];
  const work = new Work({ objects: applications, name: 'spark-application', isSelected, logger: silentLogger }, { queue, controller, wakers });
  return { applications, pods, work, added, taken: () => added.splice(0) };
}

const application = (name: string, namespace = 'jobs') => ({ metadata: { name, namespace, uid: name, resourceVersion: '1' }, spec: {} }) as unknown as SparkApplication;

function driver(resourceVersion: string, state: object) {
  return viewOf({
    metadata: { name: 'pi-driver', namespace: 'jobs', uid: 'pod', resourceVersion, labels: { 'sparkoperator.k8s.io/app-name': 'pi' } },
    status: { phase: 'Running', containerStatuses: [{ name: 'proxy', state: { running: {} } }, { name: 'spark-kubernetes-driver', state }] },
  } as Parameters<typeof viewOf>[0]);
}

test('known failure 6: the end of a container wakes the application, also while its pod stays in the same phase', () => {
  const { pods, taken } = start();
  pods.upsert(driver('1', { running: {} }));
  expect(taken()).toEqual(['jobs/pi']);
  pods.upsert(driver('2', { terminated: { exitCode: 137 } }));
  expect(taken()).toEqual(['jobs/pi']);
});

test('known failure 18: applications that are there when their namespace is selected are looked at, and no others', () => {
  const { applications, work, taken } = start((namespace) => namespace !== 'not-selected');
  for (const namespace of ['jobs', 'others', 'not-selected']) applications.upsert(application('pi', namespace));
  taken();
  work.enqueueAll('jobs');
  expect(taken()).toEqual(['jobs/pi']);
  work.begin('*');
  expect(taken()).toEqual(['jobs/pi', 'others/pi']);
});

test('pods of nobody wake nobody, and after its end it is woken by nothing', async () => {
  const { applications, pods, work, added } = start();
  pods.upsert(viewOf({ metadata: { name: 'p', namespace: 'jobs', uid: 'p', resourceVersion: '1' } }));
  await work.stop(0);
  applications.upsert(application('pi'));
  expect(added).toEqual([]);
});
