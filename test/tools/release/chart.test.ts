/* The chart and install.yaml are what SparkOperator makes. Helm itself renders the chart in test/api/chart.test.ts. */
import fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import { chartFiles, chartTemplate, installFile, valuesOf } from '../../../tools/release/chart/chart';
import { DIMENSIONS } from '../../../tools/release/chart/cases';
import { conditionFor, holds, type Case } from '../../../tools/release/chart/conditions';
import { defaultsOf } from '../../../tools/release/chart/values';
import { byName, CHART_DEFAULTS, CHART_SOURCE as source } from '../../helpers/chart-source';
import { propsOfValues, type ChartInput } from '../../helpers/chart-values';
import { evaluate } from './evaluate';

/** An eighth of the cases: metrics in one way, and no batch scheduling. The release and the api tier have all. */
const FEWER = { ...DIMENSIONS, metrics: ['on'], batch: ['off'] };
const template = chartTemplate(source.synthesize, FEWER);

const texts = fc.dictionary(fc.constantFrom('example.org/a', 'team', 'b'), fc.constantFrom('x', 'yes', '1'), { maxKeys: 2 });
const resources = fc.constantFrom(
  { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } }, { requests: { cpu: '250m', memory: '1Gi' }, limits: { memory: '2Gi' } },
);
const inputs: fc.Arbitrary<ChartInput> = fc.record({
  image: fc.constantFrom('registry/operator:1', `registry/operator@sha256:${'0'.repeat(64)}`),
  imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent'),
  imagePullSecrets: fc.constantFrom([], [{ name: 'registry' }]),
  replicas: fc.constantFrom(1, 2, 3),
  resources,
  jobNamespaces: fc.constantFrom([], ['team-a'], ['team-a', 'team-b', 'team-c']),
  namespaceSelector: fc.constantFrom<Record<string, string>>({}, { spark: 'yes' }),
  allNamespaces: fc.boolean(),
  serviceAccount: fc.record({ name: fc.constantFrom('spark-operator', 'own'), annotations: texts }),
  logLevel: fc.constantFrom('debug', 'info'),
  workers: fc.constantFrom(null, 3),
  batchScheduling: fc.constant({ enabled: false }),
  webhook: fc.record({ enabled: fc.boolean(), ownPods: fc.boolean(), failurePolicy: fc.constantFrom('Ignore', 'Fail'), resources }),
  console: fc.record({ enabled: fc.boolean(), resources }),
  metrics: fc.record({
    enabled: fc.constant(true), monitor: fc.record({ kind: fc.constant('none'), labels: texts, interval: fc.constantFrom('', '30s') }),
  }),
  podLabels: texts,
  podAnnotations: texts,
  nodeSelector: texts,
  tolerations: fc.constantFrom([], [{ key: 'spark', operator: 'Exists' }]),
  affinity: fc.constantFrom({}, { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }),
  priorityClassName: fc.constantFrom('', 'high'),
  env: fc.constantFrom([], [{ name: 'TZ', value: 'UTC' }]),
});

test('renders what the construct makes of the same values', () => {
  const check = (values: ChartInput) => {
    const expected = source.synthesize(propsOfValues(values, 'operators'));
    expect(byName(evaluate(template, values, 'operators'))).toEqual(byName(expected));
  };
  check(CHART_DEFAULTS);
  fc.assert(fc.property(inputs, check), { numRuns: 25 });
});

test('the files of the chart: values with comments, their schema, CRDs that are kept, and no text that Helm would misread', () => {
  const files = chartFiles(source, template);
  expect(Object.keys(files)).toEqual(['Chart.yaml', 'values.yaml', 'values.schema.json', 'templates/crds.yaml', 'templates/operator.yaml']);
  expect(parse(files['Chart.yaml']!)).toMatchObject({ name: 'spark-operator', version: '1.2.3', appVersion: '1.2.3' });
  expect(parse(files['values.yaml']!)).toEqual(defaultsOf(valuesOf(source)));
  const { properties } = JSON.parse(files['values.schema.json']!);
  expect(Object.keys(properties).sort()).toEqual([...Object.keys(defaultsOf(valuesOf(source))), 'global'].sort());
  const crds = parseAllDocuments(files['templates/crds.yaml']!.replaceAll(/^\{\{-.*\}\}$/gm, '').replaceAll('{{ "{{" }}', '{{'));
  expect(crds.map((document) => document.get('kind'))).toEqual(['CustomResourceDefinition', 'CustomResourceDefinition', 'CustomResourceDefinition']);
  for (const crd of crds) expect(crd.getIn(['metadata', 'annotations', 'helm.sh/resource-policy'])).toBe('keep');
  // All expressions are those of the chart.
  for (const [expression] of files['templates/operator.yaml']!.matchAll(/\{\{[^}]*\}\}/g)) expect(expression).toMatch(/^\{\{(-| "\{\{" \}\}| (toYaml|join|int|\$))/);
  expect(files['templates/operator.yaml']).not.toContain('marked');
});

test('install.yaml is the construct without props, with the CRDs', () => {
  const objects = parseAllDocuments(installFile(source)).map((document) => document.toJS() as unknown);
  const crds = Object.values(source.crds).map((text) => parse(text) as unknown);
  expect(byName(objects)).toEqual(byName([...crds, ...source.synthesize({})]));
});

test('conditions hold in the cases of a subset, and in no other', () => {
  const dimensions = { a: ['1', '2', '3'], b: ['x', 'y'], c: ['on', 'off'] };
  const universe: Case[] = dimensions.a.flatMap((a) => dimensions.b.flatMap((b) => dimensions.c.map((c) => ({ a, b, c }))));
  fc.assert(fc.property(fc.subarray(universe), fc.subarray(universe, { minLength: 1 }), (members, cases) => {
    const subset = new Set(members);
    const condition = conditionFor(cases, subset);
    for (const each of cases) expect(condition === undefined || holds(condition, each)).toBe(subset.has(each));
  }), { numRuns: 200 });
});
