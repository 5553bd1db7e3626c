/* Values of kubeflow's chart become props; none is dropped silently. */
import * as fc from 'fast-check';
import { CASES, CHART_PATHS } from './cases';
import { objectsOf, objectsWith } from '../../constructs/install/run-program';
import { programOf } from '../../../src/constructs/install/program';
import { propsOf } from '../../../src/constructs/install/values-file';
import type { HelmRelease } from '../../../src/sparkctl/migrate/chart';
import { documentOf } from '../../../src/sparkctl/migrate/document';
import { translate } from '../../../src/sparkctl/migrate/translate';
import { VALUES } from '../../../src/sparkctl/migrate/values/table';

/** Returns nested values from paths. */
function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, any> = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    names.reduce((at, name) => (at[name] ??= {}), result)[last] = value;
  }
  return result;
}

const release = (given: object, more: Partial<HelmRelease> = {}): HelmRelease => (
  { name: 'spark-operator', namespace: 'spark-operator', given: given as any, source: 'values.yaml', ...more }
);

/** Returns the row of a value. */
const rowOf = (path: string, given: object) => translate(release(given)).values.find(({ value }) => value === path);

test('the table has exactly the values of the chart', () => {
  const covers = (entry: string, path: string) => path === entry || path.startsWith(`${entry}.`);
  const entries = Object.keys(VALUES);
  expect(CHART_PATHS).toHaveLength(159);
  expect(CHART_PATHS.filter((path) => entries.filter((entry) => covers(entry, path)).length !== 1)).toEqual([]);
  expect(entries.filter((entry) => !CHART_PATHS.some((path) => covers(entry, path)))).toEqual([]);
  expect(Object.keys(CASES).sort()).toEqual([...entries].sort());
});

test.each(Object.keys(CASES))('%s', (path) => {
  const { value, props, loss, note, with: others = {} } = CASES[path]!;
  const row = rowOf(path, nested({ ...others, [path]: value }));
  expect(row).toEqual({
    value: path,
    ...(props && { becomes: props }),
    ...(row?.note !== undefined && { note: note === undefined ? expect.any(String) : expect.stringContaining(note) }),
    ...(loss !== undefined && { loss: expect.stringContaining(loss) }),
  });
  if (note !== undefined) expect(row!.note).toContain(note);
});

test('the defaults need only what differs here', () => {
  const { values, props } = translate(release(nested(Object.fromEntries(Object.entries(VALUES).map(([path, { byDefault }]) => [path, byDefault])))));
  expect(values.map(({ value }) => value)).toEqual(translate(release({})).values.map(({ value }) => value));
  expect(props).toEqual({
    webhook: { deployment: { replicas: 1 } },
    driverServiceAccount: { name: 'spark-operator-spark' },
    podAnnotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080', 'prometheus.io/path': '/metrics' },
  });
});

test.each<[string, object, object | undefined]>([
  ['controller.replica', { controller: { replica: 2 } }, { loss: expect.stringContaining('did you mean controller.replicas?') }],
  ['metrics', { metrics: { portName: 'm' } }, { loss: expect.stringContaining('did you mean prometheus.metrics?') }],
  ['resyncInterval', { resyncInterval: 30 }, { loss: expect.stringContaining('leave it out') }],
  ['istio', { istio: { enabled: true } }, { loss: expect.stringContaining("kubeflow's chart (2.x) has no such value") }],
  ['controller', { controller: 'x' }, { loss: expect.stringContaining('group of values') }],
  ['global', { global: { a: 1 } }, undefined],
  ['controller.uiIngress.urlFormat', { controller: { uiIngress: { urlFormat: 'x' } } }, { note: 'has no effect in the chart while controller.uiIngress.enable is false' }],
  ['webhook.port', { webhook: { enable: false, port: 1 } }, { note: 'has no effect in the chart while webhook.enable is false' }],
  ['controller.defaultTimeToLiveSeconds', { controller: { defaultTimeToLiveSeconds: 9 } }, { note: expect.stringContaining('while the gate') }],
  ['controller.workqueueRateLimiter.maxDelay.duration', { controller: { workqueueRateLimiter: { maxDelay: { duration: '1h' } } } }, { note: expect.stringContaining('at most') }],
  ['spark.jobNamespaces', { spark: { jobNamespaces: ['a', ''] } }, { becomes: { allNamespaces: true } }],
  ['spark.jobNamespaces', { spark: { jobNamespaceSelector: 'a=b' } }, { becomes: { jobNamespaces: ['default'] } }],
  ['spark.serviceAccount.name', { spark: { serviceAccount: { create: false } } }, { becomes: { driverServiceAccount: { name: 'default' } } }],
  ['spark.serviceAccount.name', { fullnameOverride: 'spark' }, { becomes: { driverServiceAccount: { name: 'spark-spark' } } }],
  ['webhook.nodeSelector', { controller: { nodeSelector: { a: 'b' } } }, { becomes: { webhook: { deployment: { nodeSelector: {} } } } }],
  ['controller.resources', { controller: { resources: null } }, undefined],
  // Texts that are not empty are true for Helm's templates.
  ['controller.uiService.enable', { controller: { uiService: { enable: 'true' } } }, undefined],
  ['webhook.port', { webhook: { enable: 'true', port: 1 } }, { becomes: { webhook: { port: 1 } } }],
  ['webhook.enable', { webhook: { enable: '' } }, { note: 'none, as by default here' }],
  ['controller.featureGates', { controller: { featureGates: [{ name: 'RestSubmitter', enabled: 'true' }] } }, { loss: expect.stringContaining('RestSubmitter: ') }],
  [
    'controller.featureGates', { webhook: { enable: false }, controller: { featureGates: [{ name: 'PartialRestart', enabled: true }] } },
    { loss: 'PartialRestart: needs the webhook, which is off; webhook.partialRestart is the prop' },
  ],
  // Without its list, the chart has all namespaces.
  ['spark.jobNamespaces', { spark: { jobNamespaces: null } }, { becomes: { allNamespaces: true } }],
  ['spark.jobNamespaces', { spark: { jobNamespaces: 'team-a' } }, { becomes: { jobNamespaces: 'team-a' } }],
  ['controller.workers', { 'controller.workers': 20 }, { loss: expect.stringContaining('no such value') }],
  ['prometheus.metrics.labels', { prometheus: { metrics: { labels: 'app_type' } } }, { note: 'the default here, too' }],
])('%s of %j', (path, given, expected) => {
  const row = rowOf(path, given);
  if (expected) expect(row).toMatchObject(expected);
  else expect(row).toBeUndefined();
});

test('defaults of an older chart that differ are values, too', () => {
  const { props } = translate(release({ controller: { resources: { limits: { cpu: 1 } } } }, { defaults: { controller: { workers: 3, unknown: 1, resources: { limits: { cpu: 2, memory: '1Gi' } } } } }));
  expect(props).toMatchObject({ workers: 3, resources: { cpuLimit: 1, memoryLimit: '1024Mi' } });
});

/** Values that cannot go together with the others, or need more than one value. */
const APART = [
  // Needs a volume with a token.
  'controller.serviceAccount.automountServiceAccountToken', 'webhook.serviceAccount.automountServiceAccountToken',
  // The chart allows the operator and its webhook the same account.
  'webhook.serviceAccount.create',
  'webhook.enable', 'prometheus.metrics.enable', 'controller.uiService.enable', 'nameOverride', 'spark.jobNamespaceSelector',
];

test('the values of several cases are all named, and the program installs the same as the values file', () => {
  const cases = Object.entries(CASES).filter(([path]) => !APART.includes(path));
  fc.assert(fc.property(fc.subarray(cases), (chosen) => {
    const given = nested(Object.fromEntries(chosen.flatMap(([path, each]) => [...Object.entries(each.with ?? {}), [path, each.value]])));
    const translation = translate(release(given));
    const rows = translation.values.map(({ value }) => value);
    expect(chosen.filter(([path]) => !rows.includes(path)).map(([path]) => path)).toEqual([]);

    const file = { name: 'operator.yaml', content: JSON.stringify({ ...documentOf(translation, { image: 'example.org/operator:1' }), installCrds: false }) };
    expect(objectsOf(programOf(file, ['Written.']))).toEqual(objectsWith(propsOf({}, file)));
  }), { numRuns: 30, examples: [[cases], [[]]] });
});
