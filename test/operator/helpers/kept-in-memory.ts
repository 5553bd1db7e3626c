/* The heap that an object takes, measured by a process that does nothing else: `node --expose-gc`, prints the numbers of bytes as JSON. */
import type { PodView } from '../../../src/model/pod-view';
import { viewOf } from '../../../src/model/pod-view';
import type { KubeObject } from '../../../src/kube/objects';
import { SharedStrings } from '../../../src/kube/shared-strings';
import { Store } from '../../../src/kube/store';
import type { SparkApplication } from '../../../src/model/spark-application';
import { transform } from '../../../src/operator/kinds/spark-application/transform';
import { applicationKeyOf, BY_APPLICATION } from '../../../src/operator/kinds/spark-application/observe';

/** Of usual objects, and of the largest ones. */
const [COUNT, FEW] = [2_000, 200];

/** The median of some measurements, after one that does not count, in which code is compiled. */
function keptOf<T extends KubeObject>(newStore: () => Store<T>, project: Projection<T>, textOf: (id: string) => string, count = COUNT): number {
  measure(newStore(), project, textOf, count);
  return Array.from({ length: 3 }, () => measure(newStore(), project, textOf, count)).sort((a, b) => a - b)[1]!;
}

type Projection<T> = (object: any, strings: SharedStrings) => T;

function measure<T extends KubeObject>(store: Store<T>, project: Projection<T>, textOf: (id: string) => string, count: number): number {
  const fill = () => {
    // A new one each time, of which nothing is left: what an earlier measurement has made would cost nothing here.
    const strings = new SharedStrings();
    const objects = Array.from({ length: count }, (_, index) => project(JSON.parse(textOf(String(index).padStart(6, '0'))), strings));
    store.replace({ objects, resourceVersion: '1', namespace: 'jobs', reset: false });
  };
  const used = () => {
    globalThis.gc!();
    globalThis.gc!();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  fill();
  const bytes = used() - before;
  if (store.list().length !== count) throw new Error(`the store has ${store.list().length} objects`);
  return bytes / count;
}

const uid = (kind: string, id: string) => `${kind}0000-0000-4000-8000-000000${id}`;
const managedFields = [{ manager: 'cdk8s-spark-operator', operation: 'Update', apiVersion: 'v1', time: '2026-03-01T10:00:00Z', fieldsType: 'FieldsV1', fieldsV1: { 'f:metadata': { 'f:labels': {} } } }];

/** Of five executors of an application. */
function executor(executorId: string): string {
  const number = Number(executorId);
  const id = String(Math.floor(number / 5)).padStart(6, '0');
  const executorNumber = String(number % 5 + 1);
  return JSON.stringify({
    metadata: {
      name: `etl-${id}-exec-${executorNumber}`, namespace: 'jobs', uid: uid('aaaa', executorId), resourceVersion: `1${executorId}`, creationTimestamp: '2026-03-01T10:00:00Z', managedFields,
      labels: {
        'spark-role': 'executor', 'spark-exec-id': executorNumber, 'spark-exec-resourceprofile-id': '0', 'spark-app-selector': `spark-${'0'.repeat(26)}${id}`, 'spark-app-name': `etl-${id}`, 'spark-version': '4.1.1',
        'sparkoperator.k8s.io/app-name': `etl-${id}`, 'sparkoperator.k8s.io/app-uid': uid('bbbb', id), 'sparkoperator.k8s.io/submission-id': uid('cccc', id), 'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: `etl-${id}-driver`, uid: uid('dddd', id), controller: true }],
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:4.1.1', env: Array.from({ length: 20 }, (_, index) => ({ name: `SPARK_${index}`, value: `${index}`.repeat(20) })) }] },
    status: {
      phase: 'Running', startTime: '2026-03-01T10:00:01Z', podIP: '10.244.0.1', conditions: [{ type: 'Ready', status: 'True' }, { type: 'PodScheduled', status: 'True' }],
      containerStatuses: [{ name: 'spark-kubernetes-executor', started: true, state: { running: { startedAt: '2026-03-01T10:00:02Z' } } }],
    },
  });
}

function application(id: string): string {
  return JSON.stringify({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name: `etl-${id}`, namespace: 'jobs', uid: uid('bbbb', id), resourceVersion: `1${id}`, generation: 1, creationTimestamp: '2026-03-01T10:00:00Z', labels: { team: 'data' }, managedFields },
    spec: {
      type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'example.org/spark:4.1.1', mainApplicationFile: 'local:///opt/spark/applications/etl.py', arguments: ['--day', '2026-03-01'],
      sparkConf: { 'spark.sql.shuffle.partitions': '200', 'spark.eventLog.enabled': 'true', 'spark.eventLog.dir': 's3a://history/logs' },
      driver: { cores: 1, memory: '2g', serviceAccount: 'spark' }, executor: { instances: 5, cores: 2, memory: '4g' },
    },
    status: {
      submissionID: uid('cccc', id), specHash: '0123456789abcdef', lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', submissionAttempts: 1, executionAttempts: 1, observedGeneration: 1,
      sparkApplicationId: `spark-${'0'.repeat(26)}${id}`, driverInfo: { podName: `etl-${id}-driver`, webUIServiceName: `etl-${id}-ui-svc`, webUIPort: 4040 }, applicationState: { state: 'RUNNING' },
      executorState: Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`etl-${id}-exec-${index}`, 'RUNNING'])),
      attemptHistory: [{
        number: 1, submissionID: uid('cccc', id), trigger: 'Creation', submissionTime: '2026-03-01T10:00:00Z', driverCreationTime: '2026-03-01T10:00:00Z',
        driverScheduledTime: '2026-03-01T10:00:01Z', driverStartTime: '2026-03-01T10:00:04Z', driverPodName: `etl-${id}-driver`, nodeName: 'node-1',
        executors: { requested: 5, peak: 5, firstStartTime: '2026-03-01T10:00:09Z' },
      }],
      conditions: ['Submitted', 'Running', 'Finished'].map((type) => ({ type, status: 'True', reason: 'Running', message: '', lastTransitionTime: '2026-03-01T10:00:00Z', observedGeneration: 1 })),
    },
  });
}

const text = (bytes: number) => 'x'.repeat(bytes);

/** A driver that has failed, with long texts of users wherever the API server accepts them. */
function largestPod(id: string): string {
  const { metadata, spec } = JSON.parse(executor(id));
  const long = () => `${id}${text(20_000)}`;
  const name = `${id}${text(200)}`;
  return JSON.stringify({
    metadata: { ...metadata, name, ownerReferences: [{ apiVersion: long(), kind: long(), name: long(), uid: long(), controller: true }] },
    spec: { ...spec, nodeName: name, schedulerName: long() },
    status: {
      phase: 'Failed', reason: long(), message: long(), podIP: long(),
      containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode: 1, reason: long(), message: long() } } }],
      initContainerStatuses: [{ name: long(), state: { terminated: { exitCode: 1, reason: long(), message: `26/03/01 10:00:00 INFO ${long()}\n${id}${text(500)}` } } }],
    },
  });
}

const objects = (count: number) => Array.from({ length: count }, () => ({}));

/** The largest that is kept whole: of small values those that take most of the heap, and text. */
function whole(id: string): string {
  const { metadata, spec } = JSON.parse(application(id));
  return JSON.stringify({ metadata: { ...metadata, managedFields: [] }, spec: { ...spec, driver: { template: { containers: objects(430) } }, arguments: [text(14_000)] } });
}

/** The largest facts, and the largest metadata beside them. */
function facts(id: string): string {
  const { metadata, spec } = JSON.parse(application(id));
  const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${text(250)}${index}/${text(63)}`, text(63)]));
  const annotations = Object.fromEntries(['run-now', 'scheduled-at', 'submission-mode', 'trigger'].map((name) => [`sparkoperator.k8s.io/${name}`, text(253)]));
  const ownerReferences = Array.from({ length: 9 }, (_, index) => ({ apiVersion: text(300), kind: text(63), name: text(250), uid: `${index}` }));
  return JSON.stringify({
    metadata: { ...metadata, labels, annotations, ownerReferences },
    spec: { ...spec, arguments: [text(100_000)], sparkUIOptions: { ingressTLS: objects(490), serviceAnnotations: { a: text(14_500) } } },
  });
}

function applications(textOf: (id: string) => string, count?: number): number {
  return keptOf(() => new Store<SparkApplication>(), (each) => transform(each), textOf, count);
}

console.log(JSON.stringify({
  executor: keptOf(() => new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } }), viewOf, executor),
  largestPod: keptOf(() => new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } }), viewOf, largestPod, FEW),
  application: applications(application),
  whole: applications(whole, FEW),
  facts: applications(facts, FEW),
}));
