/* Pods read as protobuf equal those read as JSON, from a real API server. */
import { ApiServer } from '../helpers/api-server';
import { testConnection } from '../helpers/test-connection';
import { KubeClient, type WatchEvent } from '../../src/kube/client';
import type { KubeObject } from '../../src/kube/objects';
import { type RawPod, viewOf } from '../../src/model/pod-view';
import { PODS, VIEWED_PODS } from '../../src/model/resources';

const namespace = 'protobuf-pods';
const PATH = `/api/v1/namespaces/${namespace}/pods`;
const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}Z`;
const LABELS = { 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'pi', 'spark-app-selector': 'spark-1', 'team': 'unread' };

/** Each form that a pod takes in its life, and what only few have. */
const STATUSES: Readonly<Record<string, object>> = {
  new: {},
  unscheduled: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' }] },
  pulling: {
    phase: 'Pending', startTime: at(1), conditions: [{ type: 'PodScheduled', status: 'True' }],
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'x', imageID: '', ready: false, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x": „täglich“ ✗' } } }],
  },
  initializing: {
    phase: 'Pending', startTime: at(1),
    initContainerStatuses: [{ name: 'fetch', image: 'x', imageID: '', ready: false, restartCount: 3, started: false, state: { terminated: { exitCode: 3, reason: 'Error', message: 'cannot\nfetch', startedAt: at(2), finishedAt: at(3) } } }],
  },
  running: {
    phase: 'Running', startTime: at(1), podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      { name: 'agent', image: 'x', imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt: at(2) } } },
      { name: 'spark-kubernetes-driver', image: 'x', imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt: at(3) } } },
    ],
  },
  killed: {
    phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.', startTime: at(1),
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: at(1), finishedAt: at(9) } } }],
  },
  unknown: {
    phase: 'Succeeded', startTime: at(1),
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  },
  negative: {
    phase: 'Failed', startTime: at(1),
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode: -1, reason: 'ContainerStatusUnknown', message: 'gone' } } }],
  },
};

const api = new ApiServer();
const client = new KubeClient(testConnection());

beforeAll(async () => {
  await api.must('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
});

afterAll(async () => {
  await api.call('DELETE', `/api/v1/namespaces/${namespace}`);
  client.close();
  api.close();
});

function pod(name: string) {
  return {
    metadata: {
      name, labels: { ...LABELS, ...(name === 'running' && { 'spark-role': 'connect-server' }) }, annotations: { long: 'x'.repeat(2_000) },
      // The API server does not serve these kinds: the garbage collector deletes pods with owners that it finds missing.
      ownerReferences: [
        { apiVersion: 'example.org/v1', kind: 'Unserved', name: 'pi', uid: '3c5a4d0e-0000-4000-8000-000000000001', controller: true, blockOwnerDeletion: true },
        { apiVersion: 'example.org/v1', kind: 'Unserved', name: 'other', uid: '3c5a4d0e-0000-4000-8000-000000000002' },
      ],
    },
    spec: {
      // No scheduler has this name, so the statuses stay unchanged.
      schedulerName: 'nobody', serviceAccountName: 'default', automountServiceAccountToken: false,
      ...(name !== 'new' && name !== 'unscheduled' && { nodeName: 'a-node-that-is-not-there' }),
      containers: [{ name: 'agent', image: 'x' }, { name: 'spark-kubernetes-driver', image: 'x', env: [{ name: 'SPARK_DRIVER_BIND_ADDRESS', value: '' }] }],
    },
  };
}

const views = (pods: readonly KubeObject[]) => pods.map((each) => viewOf(each)).sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));

test('pods in all their forms, listed and watched', async () => {
  const { metadata: { resourceVersion } } = await client.listPage(VIEWED_PODS, { namespace });
  const stop = new AbortController();
  const events: Record<'json' | 'protobuf', Map<string, unknown>> = { json: new Map(), protobuf: new Map() };
  // The API server can merge events of one pod; their versions identify them.
  const note = (form: 'json' | 'protobuf') => ({ type, object }: WatchEvent<KubeObject>) => { if (type !== 'BOOKMARK') events[form].set(object.metadata.resourceVersion!, { type, view: viewOf(object) }); };
  const watches = Promise.allSettled([
    client.watch(PODS, { namespace, resourceVersion, signal: stop.signal }, note('json')),
    client.watch(VIEWED_PODS, { namespace, resourceVersion, signal: stop.signal }, note('protobuf')),
  ]);

  for (const [name, status] of Object.entries(STATUSES)) {
    await api.must('POST', PATH, pod(name));
    await api.must('PATCH', `${PATH}/${name}/status`, { status }, 'application/merge-patch+json');
  }
  await api.must('DELETE', `${PATH}/new?gracePeriodSeconds=0`);
  // With a grace period it stays, with the time of its deletion: there is no kubelet.
  await api.must('DELETE', `${PATH}/running?gracePeriodSeconds=600`);

  const json = views((await client.listPage(PODS, { namespace })).items);
  const protobuf = views((await client.listPage(VIEWED_PODS, { namespace })).items);
  expect(protobuf).toEqual(json);
  expect(json).toHaveLength(Object.keys(STATUSES).length - 1);
  // So that equal is not equally empty.
  expect(json.find(({ metadata }) => metadata.name === 'running')).toMatchObject({ phase: 'Running', podIP: '10.0.0.7', isReady: true, metadata: { deletionTimestamp: expect.any(String), ownerReferences: [{ kind: 'Unserved', controller: true }] } });
  expect(json.find(({ metadata }) => metadata.name === 'negative')).toMatchObject({ terminated: { exitCode: -1 } });
  expect(json.find(({ metadata }) => metadata.name === 'pulling')).toMatchObject({ obstacle: { message: expect.stringContaining('„täglich“ ✗') } });

  const last = json.find(({ metadata }) => metadata.name === 'running')!.metadata.resourceVersion!;
  while (!(events.json.has(last) && events.protobuf.has(last))) await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await watches;
  expect(events.protobuf.size).toBeGreaterThan(Object.keys(STATUSES).length);
  expect([...events.protobuf].sort()).toEqual([...events.json].sort());
});

test('page by page', async () => {
  const names: string[] = [];
  for await (const { metadata } of client.list<RawPod>(VIEWED_PODS, { namespace, limit: 2 })) names.push(metadata.name);
  expect(names).toHaveLength(Object.keys(STATUSES).length - 1);
  expect((await client.listPage(VIEWED_PODS, { namespace, limit: 2 })).metadata).toMatchObject({ continue: expect.any(String), remainingItemCount: names.length - 2 });
});

test('errors: of what cannot be answered, is not there yet, or is not allowed', async () => {
  await expect(client.listPage(VIEWED_PODS, { namespace, resourceVersion: '999999999999' })).rejects.toMatchObject({ status: 504, retryAfter: 1, serverMessage: expect.stringContaining('Too large resource version') });
  await expect(client.listPage(VIEWED_PODS, { namespace, labelSelector: 'not a=selector(' })).rejects.toMatchObject({ status: 400, reason: 'BadRequest', serverMessage: expect.stringContaining('unable to parse') });
  const nobody = new KubeClient(testConnection({ 'impersonate-user': 'nobody' }));
  await expect(nobody.listPage(VIEWED_PODS, { namespace })).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
  await expect(nobody.watch(VIEWED_PODS, { namespace, resourceVersion: '1' }, () => {})).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
  nobody.close();
});
