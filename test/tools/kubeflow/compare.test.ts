import { join } from 'node:path';
import { KINDS } from '../../../src/api/kinds';
import { schemaOfKind } from '../../../src/rules/schemas';
import { compare, sorted } from '../../../tools/kubeflow/compare';
import { differencesOf, factsOf, withoutRepetitions, type Difference } from '../../../tools/kubeflow/differences';
import { KNOWN_DIFFERENCES, matches } from '../../../tools/kubeflow/known-differences';
import { notRun } from '../../helpers/not-run';

const root = join(__dirname, '../../..');

/** Checkout of kubeflow/spark-operator, which the user provides. */
const checkout = process.env.KUBEFLOW_SPARK_OPERATOR;

/** The facts of our CRDs. */
const OURS = KINDS.map((kind) => {
  const { spec, status } = schemaOfKind(kind).properties!;
  return { kind: kind.kind, facts: [...factsOf(crd(spec!, kind.kind, [], status))].filter(([path]) => /^(spec|status)/.test(path)) };
});

function crd(spec: object, kind = 'Train', columns: object[] = [], status: object = { type: 'object' }) {
  return {
    spec: {
      group: 'rail', scope: 'Namespaced', names: { kind },
      versions: [{ name: 'v1', additionalPrinterColumns: columns, schema: { openAPIV3Schema: { properties: { spec, status } } } }],
    },
  };
}
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string', description: 'a word' };

test.each<[what: string, theirs: object, ours: object, expected: string[]]>([
  ['nothing but descriptions and order', object({ a: text, b: { type: 'string', enum: ['x', 'y'] } }), object({ b: { type: 'string', enum: ['y', 'x'] }, a: { type: 'string' } }), []],
  ['fields that one of them lacks, without what is below', object({ a: object({ b: object({ c: text }) }) }), object({ a: object({ d: text }) }), [
    'spec.a.b field object undefined', 'spec.a.d field undefined string',
  ]],
  ['keywords, in lists and maps, too', object({ a: { type: 'array', items: { type: 'integer', minimum: 1 } }, m: object({}, { additionalProperties: text }) }),
    object({ a: { type: 'array', items: { type: 'integer' }, maxItems: 3 }, m: object({}, { additionalProperties: { type: 'integer' } }) }), [
      'spec.a maxItems undefined 3', 'spec.a[] minimum 1 undefined', 'spec.m{} type string integer',
    ]],
  ['what is required, and rules', object({ a: text }, { required: ['a'] }), object({ a: { ...text, 'x-kubernetes-validations': [{ rule: 'r', message: 'm' }] } }), [
    'spec.a required true undefined', 'spec.a rules undefined r',
  ]],
  ['nothing below a field that is open', object({ a: object({ b: text }) }), object({ a: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } }), [
    'spec.a x-kubernetes-preserve-unknown-fields undefined true',
  ]],
])('the comparison finds %s', (_, theirs, ours, expected) => {
  const found = differencesOf(crd(theirs), crd(ours));
  expect(found.map(({ path, fact, theirs: a, ours: b }) => `${path} ${fact} ${String(a)} ${String(b)}`)).toEqual(expected);
});

test('columns are compared', () => {
  const age = { name: 'Age', jsonPath: '.a', type: 'date' };
  expect(differencesOf(crd(object({}), 'Train', [age]), crd(object({})))).toMatchObject([{ path: 'columns.Age', fact: 'field' }]);
});

test('the template of a schedule is a specification of an application', () => {
  const each = (kind: string, path: string): Difference => ({ kind, path, fact: 'field', theirs: 'string', ours: undefined });
  expect(withoutRepetitions([
    each('SparkApplication', 'spec.image'), each('ScheduledSparkApplication', 'spec.template.image'),
    each('ScheduledSparkApplication', 'spec.template'), each('ScheduledSparkApplication', 'spec.templates'),
  ]).map(({ kind, path }) => `${kind} ${path}`)).toEqual(['SparkApplication spec.image', 'SparkApplication spec', 'ScheduledSparkApplication spec.templates']);
});

test('what the list lacks, and what of it is no longer so, is reported', () => {
  const entry = { side: 'theirs', facts: ['enum', 'default'], paths: 'spec.*.a spec.b', reason: 'r' } as const;
  const differences = ['spec.x.a', 'spec.x.c'].map((path): Difference => ({ kind: 'Train', path, fact: 'enum', theirs: ['x'], ours: undefined }));
  const { known, unknown, stale } = sorted(differences, [entry]);

  expect(known).toEqual([{ entry, differences: [differences[0]] }]);
  expect(unknown).toEqual([differences[1]]);
  expect(stale).toEqual([{ ...entry, facts: ['default'], paths: 'spec.b' }]);
});

test.each(KNOWN_DIFFERENCES)('our CRDs are as the list says: $side $facts of $paths', ({ side, facts, paths, kinds, reason }) => {
  expect(reason).not.toBe('');
  const ours = OURS.filter(({ kind }) => kinds?.split(' ').includes(kind) ?? true).flatMap((kind) => kind.facts);
  for (const glob of paths.split(' ')) {
    const found = ours.filter(([path]) => matches(glob, path));
    const hasFact = side !== 'ours' || facts.includes('field') || found.some(([, each]) => facts.some((fact) => each[fact] !== undefined));
    expect({ glob, isThere: found.length > 0, hasFact }).toEqual({ glob, isThere: side !== 'theirs' || !facts.includes('field'), hasFact: true });
  }
});

(checkout ? test : notRun)('no other differences from the CRDs of KUBEFLOW_SPARK_OPERATOR; skipped without that checkout', () => {
  const { unknown, stale } = compare(checkout!, root);
  expect({ unknown, stale }).toEqual({ unknown: [], stale: [] });
});
