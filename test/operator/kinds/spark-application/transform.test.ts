/*
 * Applications in memory: small ones are kept whole. Only facts are kept of large ones, whatever
 * makes them large.
 */
import type { SparkApplicationSpec } from '../../../../src/api/spark-application';
import { withLayers } from '../../../../src/plan/defaults/apply';
import type { Layers } from '../../../../src/plan/defaults/layer';
import type { SparkApplication, WholeApplication } from '../../../../src/model/spark-application';
import { wantedOf } from '../../../../src/operator/kinds/spark-application/owned/wanted';
import { isSpecChanged, specHash } from '../../../../src/operator/kinds/spark-application/spec-change';
import { oversizedReason, transform } from '../../../../src/operator/kinds/spark-application/transform';
import { withDefaultScheduler } from '../../../../src/plan/schedulers/schedule';
import { driverPodName } from '../../../../src/plan/identity';
import { factsOf, MAX_KEPT_VALUES, valuesIn } from '../../../../src/model/spec-facts';
import { bytesOf } from '../../../../src/text/json-bytes';

const KIB = 1024;
const text = (bytes: number) => 'x'.repeat(bytes);
const LONG = { 'spark.example.long': text(100 * KIB) };

function application(spec: object = {}, metadata: object = {}): WholeApplication {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', resourceVersion: '1', generation: 1, ...metadata },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, ...spec,
    } as SparkApplicationSpec,
    status: { driverInfo: {}, applicationState: { state: 'RUNNING' } } as WholeApplication['status'],
  };
}

/** Specification with a value in every field that is read after the submission. */
const SAYING: Partial<SparkApplicationSpec> = {
  suspend: false,
  timeToLiveSeconds: 60,
  activeDeadlineSeconds: 3_600,
  restartPolicy: { type: 'OnFailure', onFailureRetries: 2 } as SparkApplicationSpec['restartPolicy'],
  batchScheduler: 'volcano',
  sparkUIOptions: { servicePort: 80, serviceLabels: { a: 'b' } },
  driverIngressOptions: [{ servicePort: 9_000, servicePortName: 'own', ingressURLFormat: '{{$appName}}.example.org' }],
  driverPodDisruptionBudget: true,
  monitoring: { prometheus: { jmxExporterJar: '/jmx.jar', configuration: text(1_000) } } as SparkApplicationSpec['monitoring'],
  driver: {
    podName: 'named', schedulerName: 'one', template: { spec: { schedulerName: 'two', containers: [] } }, env: [{ name: 'A', value: 'b' }],
  },
  executor: { schedulerName: 'three', instances: 3 },
};
const CONF = { 'spark.ui.port': '5050', 'spark.ui.enabled': 'true', 'spark.kubernetes.driver.pod.name': 'other' };

test('an application of usual size is kept unchanged', () => {
  const given = application({ ...SAYING, sparkConf: CONF });
  expect(transform(given).spec).toBe(given.spec);
  expect(transform(given).cut).toBeUndefined();
});

test('a large application keeps only the fields that are read, and the hash of the whole', () => {
  const { spec } = application({ ...SAYING, sparkConf: { ...CONF, ...LONG }, arguments: ['1'], hadoopConf: { a: 'b' } });
  const kept = transform(application(spec));
  expect(kept).toMatchObject({ cut: { hash: specHash(spec) }, status: { applicationState: { state: 'RUNNING' } } });
  expect(kept.cut!.oversized).toBeUndefined();
  expect(kept.spec).toEqual({
    ...SAYING, sparkConf: CONF, monitoring: { prometheus: {} },
    driver: { podName: 'named', schedulerName: 'one', template: { spec: { schedulerName: 'two' } } }, executor: { schedulerName: 'three' },
  });
});

test('the hash shows a change of a large application', () => {
  const begun = (generation: number, spec: object) => ({
    ...transform(application(spec, { generation })),
    status: { driverInfo: {}, specHash: specHash(application({ sparkConf: LONG }).spec), observedGeneration: 1 },
  });
  expect(isSpecChanged(begun(2, { sparkConf: { ...LONG, a: 'b' } }))).toBe(true);
  expect(isSpecChanged(begun(2, { sparkConf: LONG, suspend: true }))).toBe(false);
});

const OWNED = { uiService: true, driverPodDisruptionBudget: true, ingress: { urlFormat: '{{$appName}}.example.org' } };

test.each<[string, object]>([
  ['all of these fields', { ...SAYING, sparkConf: CONF }], ['none', {}],
  ['no web UI', { sparkConf: { 'spark.ui.enabled': 'false' } }],
  ['a scheduler as a property', { sparkConf: { 'spark.kubernetes.scheduler.name': 'mine' } }],
])('facts lead to the same results as the whole: %s', (_, said: any) => {
  const whole = application({ ...said, sparkConf: { ...said.sparkConf, ...LONG } });
  const kept = transform(whole);
  expect(kept.cut).toBeDefined();
  const derived = (each: SparkApplication) => ({
    name: driverPodName(each),
    wanted: wantedOf(each, OWNED as never),
    scheduler: withDefaultScheduler(each.spec, { default: 'volcano', kubeSchedulers: [] }).batchScheduler,
  });
  expect(derived(kept)).toEqual(derived(whole));
});

test.each<[string, object]>([[
  'all of these fields', { ...SAYING, sparkConf: CONF },
], ['none', {}], ['metrics as properties', { sparkConf: { 'spark.metrics.conf': '/m' } }]])(
  'defaults of the cluster make the same of facts as of the whole: %s', (_, said: any) => {
    const layer = (value: number) => ({
      timeToLiveSeconds: value,
      restartPolicy: { type: 'Always' },
      activeDeadlineSeconds: value,
      batchScheduler: `s${value}`,
      sparkUIOptions: { servicePort: value },
      driverPodDisruptionBudget: true,
      monitoring: { prometheus: { jmxExporterJar: '/jmx.jar' } },
      sparkConf: { 'spark.ui.port': String(value), 'spark.example': 'a' },
      image: 'i',
    });
    const layers = {
      cluster: {
        configMap: 'spark/defaults', resourceVersion: '1', defaults: layer(4_000), enforced: { timeToLiveSeconds: 5 }, limits: {},
      },
      namespace: {
        configMap: 'jobs/defaults', resourceVersion: '1', defaults: layer(5_000), enforced: {
          sparkConf: { 'spark.ui.enabled': 'true' },
        }, limits: { maxTimeToLiveSeconds: 30 },
      },
    } as unknown as Layers;
    const whole = application({ ...said, sparkConf: { ...said.sparkConf, ...LONG } });
    expect(factsOf(withLayers(transform(whole).spec, layers).spec as SparkApplicationSpec)).toEqual(
      factsOf(withLayers(whole.spec, layers).spec),
    );
  },
);

/** Limit from `docs/reference/bounds.md`: facts, and metadata of maximum size. */
const MAX_BYTES = 32 * KIB;
const objects = (count: number) => Array.from({ length: count }, () => ({}));
const ANNOTATIONS = ['run-now', 'scheduled-at', 'submission-mode', 'trigger'].map((name) => `sparkoperator.k8s.io/${name}`);

const entries = (count: number, value: string) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]));

describe('whatever makes an application large, little is kept', () => {
  test.each<[string, object, object]>([
    ['properties', { sparkConf: entries(5_000, text(250)) }, {}],
    ['a property that is kept', { sparkConf: { 'spark.ui.port': text(1_300 * KIB) } }, {}],
    ['annotations of the web UI', { sparkUIOptions: { serviceAnnotations: entries(2_000, text(600)) } }, {}],
    ['the ports of the driver', {
      driverIngressOptions: Array.from({ length: 256 }, (_, index) => ({ servicePort: index, ingressAnnotations: { a: text(5_000) } })),
    }, {}],
    ['a name', { driver: { podName: text(1_300 * KIB) } }, {}],
    ['a scheduler', { batchScheduler: text(1_300 * KIB) }, {}],
    ['labels', {}, { labels: entries(15_000, text(63)) }],
    ['annotations', {}, { annotations: entries(3_000, text(63)) }],
    ['owners', { sparkConf: LONG }, {
      ownerReferences: Array.from(
        { length: 5_000 }, (_, index) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `name-${index}`, uid: `uid-${index}` }),
      ),
    }],
    ['finalizers', {}, { finalizers: Array.from({ length: 5_000 }, (_, index) => `example.org/${index}`) }],
    ["an annotation with the operator's prefix", {}, { annotations: { 'sparkoperator.k8s.io/x': text(250 * KIB) } }],
    ["annotations with the operator's prefix", { sparkConf: LONG }, {
      annotations: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`sparkoperator.k8s.io/${index}`, text(80)])),
    }],
    ['annotations that are read', {}, { annotations: Object.fromEntries(ANNOTATIONS.map((name) => [name, text(60 * KIB)])) }],
    ["labels with Kueue's prefix", {}, {
      labels: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`kueue.x-k8s.io/${'n'.repeat(55)}${index}`, text(63)])),
    }],
    ['labels with the longest names', { sparkConf: LONG }, {
      labels: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'p'.repeat(250)}${index}/${text(63)}`, text(63)])),
    }],
    ['the names of owners', {}, {
      ownerReferences: Array.from(
        { length: 50 }, (_, index) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `${index}${text(20 * KIB)}`, uid: `uid-${index}` }),
      ),
    }],
    ['objects without fields in a template', { driver: { template: { spec: { containers: objects(5_000) } } } }, {}],
    ['objects without fields', {
      sparkUIOptions: { ingressTLS: objects(2_000) }, driverIngressOptions: objects(64).map(() => ({ ingressTLS: objects(50) })),
    }, {}],
    ['who has written to the status', {}, {
      managedFields: Array.from(
        { length: 10_000 }, (_, index) => ({ manager: `${index}`, operation: 'Apply', subresource: 'status', time: '2026-01-01T00:00:00Z' }),
      ),
    }],
  ])('%s', (_, spec, metadata) => {
    const kept = transform(application(spec, metadata));
    expect(bytesOf(kept)).toBeLessThan(MAX_BYTES);
    expect(valuesIn(kept)).toBeLessThan(MAX_KEPT_VALUES + 100);
  });

  test('too many levels: the application is kept without them, and fails', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`);
    const kept = transform(application({ timeToLiveSeconds: 60, driver: { template: deep } }));
    expect(kept.spec).toEqual({ timeToLiveSeconds: 60, driver: {}, executor: {} });
    expect(oversizedReason(kept)).toBe('spec is nested too deeply; write it with fewer levels');
  });
});

test('a large application keeps the metadata that the operator reads', () => {
  const owner = {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule', controller: true,
  };
  const { metadata } = transform(application({ sparkConf: LONG }, {
    labels: { ...entries(100, 'a'), 'sparkoperator.k8s.io/scheduled-app-name': 'nightly', 'kueue.x-k8s.io/queue-name': 'team' },
    annotations: { ...entries(100, 'a'), 'sparkoperator.k8s.io/trigger': 'schedule' },
    ownerReferences: [...Array.from({ length: 100 }, (_, index) => ({ ...owner, controller: false, uid: `uid-${index}` })), owner],
  }));
  expect(metadata.labels).toMatchObject({
    'sparkoperator.k8s.io/scheduled-app-name': 'nightly', 'kueue.x-k8s.io/queue-name': 'team', 'key-0': 'a',
  });
  expect(metadata.annotations).toEqual({ 'sparkoperator.k8s.io/trigger': 'schedule' });
  expect(metadata.ownerReferences).toContainEqual(owner);
  expect(metadata).toMatchObject({ name: 'pi', namespace: 'jobs', uid: 'uid', resourceVersion: '1', generation: 1 });
});

test('a hash replaces a long value of an annotation that is read, and changes with the value', () => {
  const valueOf = (value: string) => (
    transform(
      application({ sparkConf: LONG }, { annotations: { 'sparkoperator.k8s.io/run-now': value } }),
    ).metadata.annotations!['sparkoperator.k8s.io/run-now']
  );
  expect(valueOf('a'.repeat(253))).toBe('a'.repeat(253));
  expect(valueOf(`${text(60 * KIB)}a`)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(valueOf(`${text(60 * KIB)}a`)).not.toBe(valueOf(`${text(60 * KIB)}b`));
});

test.each<[string, object, RegExp]>([
  ['the whole', { sparkConf: { long: text(600 * KIB) } }, /^spec must have at most 256 KiB as JSON, not 601 KiB; move long values into/],
  ['a list', {
    arguments: Array.from({ length: 10_001 }, () => 'argument'),
  }, /^spec\.arguments must have at most 10000 entries, not 10001; move/],
  ['entries of what has to be kept', {
    sparkUIOptions: { ingressTLS: objects(2_000) },
  }, /^spec must have at most 500 entries in sparkUIOptions together; move/],
  ['what has to be kept', {
    sparkUIOptions: { serviceAnnotations: { a: text(20 * KIB) } },
  }, /^spec must have at most 16 KiB as JSON in sparkUIOptions together, not 21 KiB; move/],
])('facts show that an application is too large to run: %s', (_, spec, reason) => {
  const kept = transform(application(spec));
  expect(kept.cut).toBeDefined();
  expect(oversizedReason(kept)).toMatch(reason);
});

test('an application can have too many labels', () => {
  const labels = entries(2_000, 'a'.repeat(60));
  expect(oversizedReason(transform(application({}, { labels })))).toMatch(
    /^metadata\.labels must have at most 64 KiB as JSON, not 1\d\d KiB; write labels that select nothing as annotations$/,
  );
});

test('added or removed labels are seen without a change of the specification', () => {
  const labels = entries(2_000, 'a'.repeat(60));
  const many = transform(application({ sparkConf: LONG }, { labels }));
  expect(oversizedReason(many)).toMatch(/^metadata\.labels must have/);
  const few = transform(application({ sparkConf: LONG }, { labels: {} }), many);
  expect(oversizedReason(few)).toBeUndefined();
  expect(oversizedReason(transform(application({ sparkConf: LONG }, { labels }), few))).toMatch(/^metadata\.labels must have/);
});

test('a list can be too long in a specification that is kept whole', () => {
  const kept = transform(application({ volumes: objects(257) }));
  expect(kept.cut).toBeUndefined();
  expect(oversizedReason(kept)).toMatch(/^spec\.volumes must have at most 256 entries, not 257/);
});

test('facts are collected once for each generation', () => {
  const given = (generation: number, uid = 'uid') => (
    application({ sparkConf: LONG }, { generation, uid, resourceVersion: String(generation) })
  );
  const before = transform(given(1));
  const later = { ...given(1), metadata: { ...given(1).metadata, resourceVersion: '2' }, status: { driverInfo: { podName: 'pi-driver' } } };
  const after = transform(later, before);
  expect(after.spec).toBe(before.spec);
  expect(after.cut).toEqual(before.cut);
  expect(after).toMatchObject({ metadata: { resourceVersion: '2' }, status: { driverInfo: { podName: 'pi-driver' } } });
  expect(transform(given(2), before).spec).not.toBe(before.spec);
  expect(transform(given(1, 'other'), before).spec).not.toBe(before.spec);
});
