/*
 * Objects of the largest size that the API server stores, as expensive as possible. The webhook
 * answers nothing else while it checks one.
 */
import { creation, sparkApplication, validatorOf } from './questions';
import { cpuTime } from '../../../helpers/cpu-time';

/** Limit of etcd (`--max-request-bytes`). */
const LARGEST = 1.5 * 1024 * 1024;

const list = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const map = <T>(count: number, key: string, make: (index: number) => T) => Object.fromEntries(
  list(count, (index) => [`${key}${index}`, make(index)]),
);
const variables = (count: number, value: (index: number) => string = () => 'x') => list(count, (index) => ({
  name: `V${index}`, value: value(index),
}));
const containers = (count: number, more: (index: number) => object = () => ({})) => list(count, (index) => ({
  name: `s${index}`, image: 'i', ...more(index),
}));
const mounts = (count: number) => list(count, (index) => ({ name: `v${index}`, mountPath: `/${index}` }));
const volumes = (count: number) => list(count, (index) => ({ name: `v${index}`, emptyDir: {} }));
const tolerations = (count: number, key: string) => list(count, (index) => ({ key: `${key}${index}`, operator: 'Exists' }));
const template = (spec: object) => ({ template: { spec: { containers: [{ name: 'main' }], ...spec } } });
const onBoth = (fields: (count: number) => object) => (count: number) => ({ driver: fields(count), executor: fields(count) });

/** Applications by the number of one of their parts. */
const LARGE: { readonly [of: string]: (count: number) => object } = {
  'env': onBoth((count) => ({ env: variables(count) })),
  'env, each of which refers to the next one': onBoth((count) => ({ env: variables(count, (index) => `$(V${index + 1})`) })),
  'env, one of which refers to all': onBoth((count) => ({
    env: [{ name: 'A', value: list(count, (index) => `$(V${index})`).join('') }, ...variables(count)],
  })),
  'env, one of which begins references and ends none': onBoth((count) => ({
    env: [{ name: 'A', value: '$('.repeat(count) }, ...variables(10)],
  })),
  'env that is left to the webhook': (count) => ({
    sparkConfigMap: 'c', ...onBoth(() => ({ env: variables(count, () => '$(SPARK_LOCAL_DIRS)') }))(0),
  }),
  'env of one name': onBoth((count) => ({ env: list(count, (index) => ({ name: 'A', value: `${index}` })) })),
  'env in field and template': onBoth((count) => ({
    env: variables(count), ...template({ containers: [{ name: 'main', env: variables(count, () => 'y') }] }),
  })),
  'env in field and properties': onBoth((count) => ({ env: variables(count), envVars: map(count, 'V', () => 'y') })),
  'envFrom': onBoth((count) => ({ envFrom: list(count, (index) => ({ configMapRef: { name: `c${index}` } })) })),
  'tolerations in field and template': onBoth((count) => ({
    tolerations: tolerations(count, 'a'), ...template({ tolerations: tolerations(count, 'b') }),
  })),
  'volumes and mounts of a template': onBoth((count) => template({
    containers: [{ name: 'main', volumeMounts: mounts(count) }], volumes: volumes(count),
  })),
  'volumes of a template that sidecars mount': onBoth((count) => ({
    sidecars: containers(count, (index) => ({ volumeMounts: [{ name: `v${index}`, mountPath: '/v' }] })),
    ...template({ volumes: volumes(count) }),
  })),
  'a volume that all sidecars mount': (count) => ({
    volumes: [{ name: 'v', configMap: { name: 'c', items: list(count, (index) => ({ key: `k${index}`, path: `${index}` })) } }],
    ...onBoth(() => ({ sidecars: containers(count, () => ({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })) }))(0),
  }),
  'sidecars and containers of a template': onBoth((count) => ({
    sidecars: containers(count),
    ...template({ containers: [{ name: 'main' }, ...list(count, (index) => ({ name: `t${index}`, image: 'i' }))] }),
  })),
  'initContainers': onBoth((count) => ({ initContainers: containers(count) })),
  'env of a sidecar that a template has in another order': onBoth((count) => ({
    sidecars: [{ name: 's', image: 'i', env: variables(count) }],
    ...template({ containers: [{ name: 'main' }, { name: 's', image: 'i', env: variables(count).reverse() }] }),
  })),
  'configMaps': onBoth((count) => ({ configMaps: list(count, (index) => ({ name: `c${index}`, path: `/${index}` })) })),
  'secrets': onBoth((count) => ({ secrets: list(count, (index) => ({ name: `c${index}`, path: `/${index}`, secretType: 'Generic' })) })),
  'hostAliases': onBoth((count) => ({ hostAliases: list(count, (index) => ({ ip: `fd00::${index}`, hostnames: ['a'] })) })),
  'names of one address': onBoth((count) => ({ hostAliases: list(count, (index) => ({ ip: '10.0.0.1', hostnames: [`a${index}`] })) })),
  'labels of fields and templates': onBoth((count) => ({
    labels: map(count, 'k', () => 'y'), template: { metadata: { labels: map(count, 'k', () => 'x') } },
  })),
  'volumes of properties': (count) => ({
    sparkConf: Object.assign(
      {}, ...['driver', 'executor'].map((role) => map(count, `spark.kubernetes.${role}.volumes.emptyDir.v`, () => 'x')),
      ...list(count, (index) => ({ [`spark.kubernetes.driver.volumes.emptyDir.w${index}.mount.path`]: `/${index}` })),
    ),
  }),
  'local directories': (count) => ({ sparkConf: { 'spark.local.dir': list(count, (index) => `/${index}`).join() } }),
  'fields of a template that there are not': onBoth((count) => template(map(count, 'zz', () => 1))),
  'properties, labels and variables that are wrong': (count) => ({
    sparkConf: map(count, 'spark.key-', () => 'x'), hadoopConf: map(count, 'k', () => 'x'),
    driver: { labels: map(count, 'k', () => 'a b'), envVars: map(count, 'V', () => 'x') },
  }),
};

const validate = validatorOf('SparkApplication');

/** Returns the milliseconds of CPU for an answer. */
async function timeOf(spec: object): Promise<number> {
  const question = creation('SparkApplication', sparkApplication(spec));
  const took = cpuTime();
  const { allowed, message, warnings } = await validate(question);
  const milliseconds = took();
  expect([typeof allowed, (message ?? '').length <= 2_000, (warnings ?? []).length <= 20]).toEqual(['boolean', true, true]);
  return milliseconds;
}

/** Returns how many parts take about this many bytes. */
function countFor(make: (count: number) => object, bytes: number): number {
  return Math.floor(bytes / (JSON.stringify(make(1_000)).length / 1_000));
}

test.each(Object.entries(LARGE))('%s: twice as many take about twice as long', async (_, make) => {
  const half = countFor(make, LARGEST / 8);
  await timeOf(make(half));
  const [once, twice] = [await timeOf(make(half)), await timeOf(make(2 * half))];
  // Very short times are not conclusive. The measurement is repeated if other processes have
  // disturbed the processor's caches.
  const isLinear = (a: number, b: number) => b / Math.max(a, 25) < 3;
  expect(isLinear(once, twice) || isLinear(await timeOf(make(half)), await timeOf(make(2 * half)))).toBe(true);
  expect(twice).toBeLessThan(1_500);
});

/** Parts of the largest application. */
const MIXED = [
  'env, each of which refers to the next one', 'tolerations in field and template', 'volumes of a template that sidecars mount',
  'hostAliases', 'configMaps',
];

test('an application of the maximum size, with many parts of each kind, is answered soon', async () => {
  const share = LARGEST / MIXED.length;
  const parts = MIXED.map((name) => LARGE[name]!(countFor(LARGE[name]!, share)) as any);
  const spec = Object.fromEntries(['driver', 'executor'].map((role) => [role, Object.assign({}, ...parts.map((part) => part[role]), {
    template: { spec: Object.assign({}, ...parts.map((part) => part[role].template?.spec ?? {})) },
  })]));
  expect(JSON.stringify(spec).length).toBeGreaterThan(LARGEST * 0.9);
  // Generous, because other tests run at the same time.
  expect(Math.min(await timeOf(spec), await timeOf(spec))).toBeLessThan(1_500);
});
