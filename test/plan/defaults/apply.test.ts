import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import { applyLayers, MAX_FIELDS, withLayers } from '../../../src/plan/defaults/apply';
import type { Layers } from '../../../src/plan/defaults/layer';
import { sparkProperties } from '../../../src/plan/properties/properties';
import { application, type Changes } from '../application';
import { applicationFixtures } from '../../helpers/application-fixtures';
import { cluster, namespace } from './layers';

/** The specification of a small application under these ConfigMaps. */
function applied(changes: Changes, layers: Layers) {
  const given = application(changes);
  const before = JSON.stringify(given);
  const result = applyLayers(given, layers);
  expect(JSON.stringify(given)).toBe(before);
  return { ...result, spec: result.spec as SparkApplicationSpec, problems: result.violations.map(({ message }) => message) };
}

test('without ConfigMaps an application stays what it is', () => {
  const given = application();
  expect(applyLayers(given, {}).spec).toBe(given.spec);
  expect(applyLayers(given, { cluster: cluster({}) })).toEqual({ spec: given.spec, applied: [], violations: [] });
});

test('the application wins over its namespace, and that over the cluster, field by field', () => {
  const { spec, applied: record } = applied({ driver: { memory: '1g' }, spec: { sparkConf: { 'spark.a': 'user' } } }, {
    cluster: cluster({ defaults: 'driver: {memory: 4g, cores: 4, serviceAccount: spark}\nsparkConf: {spark.a: c, spark.b: c, spark.c: c}' }),
    namespace: namespace({ defaults: 'driver: {memory: 3g, cores: 3}\nsparkConf: {spark.b: ns}' }),
  });
  expect(spec.driver).toEqual({ memory: '1g', cores: 3, serviceAccount: 'spark' });
  expect(spec.sparkConf).toEqual({ 'spark.a': 'user', 'spark.b': 'ns', 'spark.c': 'c' });
  expect(record).toEqual([
    { configMap: 'jobs/spark-operator-defaults', resourceVersion: '9', fields: ['spec.driver.cores', 'spec.sparkConf[spark.b]'] },
    { configMap: 'spark-operator/spark-operator-defaults', resourceVersion: '7', fields: ['spec.driver.serviceAccount', 'spec.sparkConf[spark.c]'] },
  ]);
});

test('lists with keys are put together, other lists are taken as a whole', () => {
  const { spec, applied: [record] } = applied({
    spec: { arguments: ['10'], volumes: [{ name: 'data', emptyDir: {} }], imagePullSecrets: ['mine'] },
    executor: { env: [{ name: 'A', value: 'user' }], tolerations: [{ key: 'gpu', operator: 'Exists' }] },
  }, {
    cluster: cluster({
      defaults: 'arguments: [x, z]\nvolumes: [{name: data, hostPath: {path: /d}}, {name: scratch, emptyDir: {}}]\nimagePullSecrets: [mirror, mine]\n'
        + 'executor: {env: [{name: A, value: c}, {name: B, value: c}], tolerations: [{key: spark, operator: Exists}, {key: gpu, operator: Exists}]}',
    }),
  });
  expect(spec.arguments).toEqual(['10']);
  expect(spec.volumes).toEqual([{ name: 'scratch', emptyDir: {} }, { name: 'data', emptyDir: {} }]);
  expect(spec.imagePullSecrets).toEqual(['mirror', 'mine']);
  expect(spec.executor.env).toEqual([{ name: 'B', value: 'c' }, { name: 'A', value: 'user' }]);
  expect(spec.executor.tolerations).toEqual([{ key: 'spark', operator: 'Exists' }, { key: 'gpu', operator: 'Exists' }]);
  expect(record!.fields).toEqual(['spec.volumes[scratch]', 'spec.imagePullSecrets', 'spec.executor.env[B]', 'spec.executor.tolerations']);
});

test('objects are put together, but for those that say one thing together', () => {
  const { spec } = applied({ driver: { securityContext: { runAsUser: 7, seccompProfile: { type: 'RuntimeDefault' } as never }, lifecycle: { preStop: { sleep: { seconds: 5 } } } } }, {
    cluster: cluster({ defaults: 'driver: {securityContext: {runAsNonRoot: true, seccompProfile: {type: Localhost, localhostProfile: p}}, lifecycle: {preStop: {exec: {command: [x]}}}}' }),
  });
  expect(spec.driver.securityContext).toEqual({ runAsNonRoot: true, runAsUser: 7, seccompProfile: { type: 'RuntimeDefault' } });
  expect(spec.driver.lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } });
});

test('an empty text in a field says nothing, in a map it says so', () => {
  const { spec } = applied({ driver: { serviceAccount: '', labels: { team: '' } } }, { cluster: cluster({ defaults: 'driver: {serviceAccount: spark, labels: {team: a}}' }) });
  expect(spec.driver).toEqual({ serviceAccount: 'spark', labels: { team: '' } });
});

test('pod templates are put together, too: containers by their names', () => {
  const { spec } = applied({ driver: { template: { spec: { containers: [{ name: 'spark-kubernetes-driver', env: [] }], nodeName: 'n1' } } } }, {
    cluster: cluster({ defaults: 'driver: {template: {metadata: {labels: {org: example}}, spec: {containers: [{name: log, image: log}, {name: spark-kubernetes-driver, tty: true}], runtimeClassName: kata}}}' }),
  });
  expect(spec.driver.template).toEqual({
    metadata: { labels: { org: 'example' } },
    spec: { containers: [{ name: 'log', image: 'log' }, { name: 'spark-kubernetes-driver', env: [] }], nodeName: 'n1', runtimeClassName: 'kata' },
  });
});

describe('what a user says in another place counts, too', () => {
  test.each<[string, Changes, string, string, string | undefined]>([
    ['memory in sparkConf', { spec: { sparkConf: { 'spark.driver.memory': '9g' } } }, 'driver: {memory: 4g}', 'spark.driver.memory', '9g'],
    ['cores in sparkConf', { spec: { sparkConf: { 'spark.kubernetes.executor.limit.cores': '9' } } }, 'executor: {coreLimit: "4"}', 'spark.kubernetes.executor.limit.cores', '9'],
    ['JVM options in sparkConf', { spec: { sparkConf: { 'spark.driver.extraJavaOptions': '-Da' } } }, 'driver: {javaOptions: -Db}', 'spark.driver.extraJavaOptions', '-Da'],
    ['an image for all pods', { spec: { image: 'mine' } }, 'driver: {image: theirs}', 'spark.kubernetes.driver.container.image', 'mine'],
    ['a Hadoop property in sparkConf', { spec: { sparkConf: { 'spark.hadoop.a': 'mine' } } }, 'hadoopConf: {a: theirs}', 'spark.hadoop.a', 'mine'],
    ['a label in sparkConf', { spec: { sparkConf: { 'spark.kubernetes.driver.label.team': 'mine' } } }, 'driver: {labels: {team: theirs}}', 'spark.kubernetes.driver.label.team', 'mine'],
    ['packages in sparkConf', { spec: { sparkConf: { 'spark.jars.packages': 'a:b:1' } } }, 'deps: {packages: ["c:d:1"]}', 'spark.jars.packages', 'a:b:1'],
    ['a variable in sparkConf', { spec: { sparkConf: { 'spark.executorEnv.A': 'mine' } } }, 'executor: {envVars: {A: theirs}}', 'spark.executorEnv.A', 'mine'],
    ['a factor of the overhead', { spec: { memoryOverheadFactor: '0.2' } }, 'driver: {memoryOverhead: 1g}', 'spark.driver.memoryOverhead', undefined],
    ['dynamic allocation', { spec: { dynamicAllocation: { enabled: true } } }, 'executor: {instances: 50}', 'spark.executor.instances', undefined],
  ])('%s', (_, changes, defaults, key, value) => {
    const given = application(changes);
    const { spec } = withLayers(given.spec, { cluster: cluster({ defaults }) });
    expect(sparkProperties({ ...given, spec }, { attempt: 1, submissionID: 'a' }).properties.get(key)).toBe(value);
  });

  test('an image for all pods as the default of what the user has for one of them', () => {
    const { spec } = applied({ spec: { image: undefined, sparkConf: { 'spark.kubernetes.driver.container.image': 'mine' } } }, { cluster: cluster({ defaults: 'image: theirs' }) });
    expect(spec).toMatchObject({ driver: {}, executor: { image: 'theirs' } });
    expect(spec.driver.image).toBeUndefined();
    expect(spec.image).toBeUndefined();
  });

  test('variables in the older fields', () => {
    const { spec } = applied({ driver: { envVars: { A: 'mine' } } }, { cluster: cluster({ defaults: 'driver: {env: [{name: A, value: theirs}, {name: B, value: theirs}]}' }) });
    expect(spec.driver.env).toEqual([{ name: 'B', value: 'theirs' }]);
  });

  test('node selectors of the application and of a role, which must not be mixed', () => {
    const { spec, problems } = applied({ spec: { nodeSelector: { disk: 'ssd' } } }, { cluster: cluster({ defaults: 'driver: {nodeSelector: {disk: hdd, zone: a}}' }) });
    expect(spec.nodeSelector).toBeUndefined();
    expect([spec.driver.nodeSelector, spec.executor.nodeSelector]).toEqual([{ zone: 'a', disk: 'ssd' }, { disk: 'ssd' }]);
    expect(problems).toEqual([]);
  });
});

describe('what is enforced', () => {
  test('wins over the application, the cluster\'s over the namespace\'s; equal values are not reported', () => {
    const { spec, applied: record } = applied({ driver: { serviceAccount: 'admin', memory: '2g' } }, {
      cluster: cluster({ enforced: 'driver: {serviceAccount: spark, memory: 2g}' }),
      namespace: namespace({ enforced: 'driver: {serviceAccount: team, labels: {team: a}}' }),
    });
    expect(spec.driver).toEqual({ serviceAccount: 'spark', memory: '2g', labels: { team: 'a' } });
    expect(record).toEqual([
      { configMap: 'jobs/spark-operator-defaults', resourceVersion: '9', enforcedFields: ['spec.driver.serviceAccount', 'spec.driver.labels[team]'] },
      { configMap: 'spark-operator/spark-operator-defaults', resourceVersion: '7', enforcedFields: ['spec.driver.serviceAccount'] },
    ]);
  });

  test.each<[string, Changes, string, string, string]>([
    ['an image of a role', { driver: { image: 'mine' } }, 'image: theirs', 'spark.kubernetes.driver.container.image', 'theirs'],
    ['a field over an enforced property', { driver: { memory: '9g' } }, 'sparkConf: {spark.driver.memory: 1g}', 'spark.driver.memory', '1g'],
    ['a Hadoop property', { spec: { hadoopConf: { a: 'mine' } } }, 'sparkConf: {spark.hadoop.a: theirs}', 'spark.hadoop.a', 'theirs'],
    ['a property over an enforced pull policy', { spec: { sparkConf: { 'spark.kubernetes.container.image.pullPolicy': 'Never' } } }, 'imagePullPolicy: Always', 'spark.kubernetes.container.image.pullPolicy', 'Always'],
    ['a variable', { executor: { envVars: { A: 'mine' } } }, 'sparkConf: {spark.executorEnv.A: theirs}', 'spark.executorEnv.A', 'theirs'],
  ])('cannot be got round by %s', (_, changes, enforced, key, value) => {
    const given = application(changes);
    const { spec } = withLayers(given.spec, { cluster: cluster({ enforced }) });
    expect(sparkProperties({ ...given, spec }, { attempt: 1, submissionID: 'a' }).properties.get(key)).toBe(value);
  });

  test('its entries of lists come last, so that they count', () => {
    const { spec } = applied({ executor: { env: [{ name: 'A', value: 'user' }, { name: 'B', value: 'user' }] } }, { cluster: cluster({ enforced: 'executor: {env: [{name: A, value: c}]}' }) });
    expect(spec.executor.env).toEqual([{ name: 'B', value: 'user' }, { name: 'A', value: 'c' }]);
  });
});

test('what is wrong only when all is together names the ConfigMap, not what the user wrote alone', () => {
  const { problems } = applied({ spec: { dynamicAllocation: { enabled: true, minExecutors: 5 } } }, { cluster: cluster({ defaults: 'dynamicAllocation: {maxExecutors: 3}' }) });
  expect(problems).toEqual([
    'spec.dynamicAllocation is not valid together with ConfigMap spark-operator/spark-operator-defaults: minExecutors must not be greater than maxExecutors; '
    + 'change the application, or ask who looks after the ConfigMap',
  ]);
  const stored = applied({ spec: { dynamicAllocation: { enabled: true, minExecutors: 5, maxExecutors: 3 } } }, { cluster: cluster({ defaults: 'sparkConf: {spark.a: b}' }) });
  expect(stored.problems).toEqual([]);
});

test('the record is bounded', () => {
  const many = (prefix: string) => Array.from({ length: 80 }, (_, index) => `  spark.${prefix}${index}: a`).join('\n');
  const { applied: record } = applied({}, {
    cluster: cluster({ defaults: `sparkConf:\n${many('c')}` }),
    namespace: namespace({ defaults: `sparkConf:\n  ${'spark.'.padEnd(500, 'x')}: a\n${many('n')}` }),
  });
  expect(record.map(({ fields, more }) => [fields!.length, more])).toEqual([[MAX_FIELDS / 2, 31], [MAX_FIELDS / 2, 30]]);
  expect(Math.max(...record.flatMap(({ fields }) => fields!.map((path) => path.length)))).toBe(200);
});

test('the record has what decides about owned objects, however many other fields there are', () => {
  const many = Array.from({ length: 150 }, (_, index) => `  spark.example.${index}: a`).join('\n');
  const ui = '\n  spark.ui.port: "5050"\ndriverPodDisruptionBudget: true';
  const layers = { cluster: cluster({ enforced: `sparkConf:\n${many}` }), namespace: namespace({ defaults: `sparkConf:\n${many.replaceAll('example', 'other')}${ui}` }) };
  const { applied: record } = applied({}, layers);
  const { fields } = record.find(({ configMap }) => configMap.startsWith('jobs/'))!;
  expect(fields).toEqual(expect.arrayContaining(['spec.sparkConf[spark.ui.port]', 'spec.driverPodDisruptionBudget']));
});

test('keys that mean something to JavaScript are only keys', () => {
  const { spec } = applied({}, { cluster: cluster({ defaults: 'sparkConf: {__proto__: a, constructor: b}' }) });
  expect(Object.entries(spec.sparkConf!)).toEqual([['__proto__', 'a'], ['constructor', 'b']]);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

describe('with each of the fixtures as defaults of each', () => {
  const fixtures = applicationFixtures().map(({ file, manifest: { spec } }) => {
    const { type, sparkVersion, mainApplicationFile, suspend, ...others } = spec;
    const { podName, ...driver } = spec.driver;
    return { file, spec, defaults: JSON.stringify({ ...others, driver }) };
  });

  test.each(fixtures)('$file', ({ spec, defaults }) => {
    // Values that are set already are not reported.
    expect(withLayers(spec, { cluster: cluster({ defaults }) })).toEqual({ spec, applied: [] });
    for (const other of fixtures) {
      const layers = { cluster: cluster({ defaults: other.defaults }) };
      const { spec: once } = withLayers(spec, layers);
      expect({ with: other.file, ...withLayers(once, layers) }).toEqual({ with: other.file, spec: once, applied: [] });
    }
  });
});
