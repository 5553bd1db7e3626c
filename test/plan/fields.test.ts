/*
 * Each row of the table of fields: what it says about a field is what becomes of an application
 * with that field, also where sparkConf or a default of the cluster says something else.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { application } from './application';
import { cluster } from './defaults/layers';
import { SPARK_CONF_RULES } from '../../src/api/denied-conf';
import { withLayers } from '../../src/plan/defaults/apply';
import { FIELDS, RESOLVED_FIELDS, SPARK_CONF_RANK, type ResolvedField } from '../../src/plan/fields';
import { sparkProperties, type SubmittedApplication } from '../../src/plan/properties/properties';

type Row = ResolvedField & { readonly property: string };
const ROWS = RESOLVED_FIELDS.filter((row): row is Row => row.property !== undefined);
// Properties that a template also sets need a pod: test/plan/pods.
const SINGLE = ROWS.filter(({ property, setBy }) => !property.endsWith('.') && (setBy === undefined || setBy === 'properties.ts'));
const isDenied = ({ property }: Row) => SPARK_CONF_RULES.some(({ rule }) => rule.includes(`'${property}'`));
const IN_SPARK_CONF = SINGLE.filter((row) => !isDenied(row));

/** A value of each field that is no text or has a pattern, and another value of the property. */
const VALUES: readonly (readonly [field: RegExp, value: unknown, other: string])[] = [
  [/dynamicAllocation.enabled$/, true, 'false'],
  [/shuffleTrackingEnabled$/, false, 'true'],
  [/deleteOnTermination$/, false, 'true'],
  [/cores$|instances$|Executors$|Timeout$/, 7, '9'],
  [/memory(Overhead)?$/, '7m', '9m'],
  [/imagePullPolicy$/, 'Always', 'Never'],
  [/pythonVersion$/, '3', '2'],
];

function valuesOf({ field, write }: Row): readonly [value: unknown, other: string] {
  const [, value, other] = VALUES.find(([pattern]) => pattern.test(field)) ?? [undefined, write ? ['one'] : '7', '9'];
  return [value, other];
}

function put(spec: object, [name, ...others]: readonly string[], value: unknown): object {
  const at = (spec as any)[name!] ?? {};
  return { ...spec, [name!]: others.length === 0 ? value : put(at, others, value) };
}

/** A part of a specification with the field of a row. */
function partWith({ path, when }: Row, value: unknown): object {
  return put(when ? put({}, when, true) : {}, path, value);
}

function withPart(part: object, sparkConf: { readonly [key: string]: string } = {}): SubmittedApplication {
  const { driver, executor, ...spec } = part as any;
  return application({ driver, executor, spec: { ...spec, sparkConf } });
}

const propertiesOf = (given: SubmittedApplication) => sparkProperties(given, { attempt: 1, submissionID: 'a' }).properties;

test('a path, a property and a prop are each in one row', () => {
  for (const name of ['path', 'property', 'prop'] as const) {
    const all = FIELDS.flatMap((row) => row[name] ?? []);
    expect(all.filter((text, index) => all.indexOf(text) !== index)).toEqual([]);
  }
});

test('the module that sets a property exists', () => {
  const modules = readdirSync(join(__dirname, '../../src/plan'), { recursive: true, encoding: 'utf8' });
  for (const { setBy } of FIELDS) if (setBy) expect(modules).toContainEqual(expect.stringMatching(new RegExp(`/${setBy}$`)));
});

test.each(SINGLE.map((row) => [row.field, row] as const))('%s becomes its property', (field, row) => {
  const [value] = valuesOf(row);
  const properties = propertiesOf(withPart(partWith(row, value)));
  expect([properties.get(row.property), properties.fieldOf(row.property)]).toEqual([String(value), field]);
});

test.each(IN_SPARK_CONF.map((row) => [row.field, row] as const))('%s and another value in sparkConf: the stronger wins, with a warning', (field, row) => {
  const [value, other] = valuesOf(row);
  const conf = `spec.sparkConf[${row.property}]`;
  const { properties, warnings } = sparkProperties(withPart(partWith(row, value), { [row.property]: other }), { attempt: 1, submissionID: 'a' });
  const isStronger = row.rank > SPARK_CONF_RANK;
  expect(properties.get(row.property)).toBe(isStronger ? String(value) : other);
  expect(warnings).toContainEqual(expect.objectContaining({ path: isStronger ? conf : field }));
});

// No two applications can have one name of a Pod, and the image of an application is also that of its pods.
const DEFAULTS = IN_SPARK_CONF.filter(({ field, otherwise }) => field !== 'spec.driver.podName' && !otherwise);

test.each(DEFAULTS.map((row) => [row.field, row] as const))('a default of %s yields to sparkConf, and is in effect without it', (_, row) => {
  const [value, other] = valuesOf(row);
  const layers = { cluster: cluster({ defaults: JSON.stringify(partWith(row, value)) }) };
  const of = (sparkConf: { readonly [key: string]: string }) => {
    const given = withPart({}, sparkConf);
    return propertiesOf({ ...given, spec: withLayers(given.spec, layers).spec }).get(row.property);
  };
  expect(of({ [row.property]: other })).toBe(other);
  expect(of({})).toBe(String(value));
});

test.each(ROWS.filter(({ default: value }) => value !== undefined).map((row) => [row.field, row] as const))('%s has its default', (_, row) => {
  expect(propertiesOf(withPart({})).get(row.property)).toBe(row.default);
});

test.each(ROWS.filter(({ otherwise }) => otherwise).map((row) => [row.field, row] as const))('without %s another field applies', (_, row) => {
  const properties = propertiesOf(withPart(put({}, row.otherwise!, 'shared')));
  expect([properties.get(row.property), properties.fieldOf(row.property)]).toEqual(['shared', `spec.${row.otherwise!.join('.')}`]);
});

test.each(SINGLE.filter(({ when }) => when).map((row) => [row.field, row] as const))('%s has no effect without its condition', (_, row) => {
  const [value] = valuesOf(row);
  const part = put(partWith(row, value), row.when!, false);
  expect(propertiesOf(withPart(part)).has(row.property)).toBe(false);
});
