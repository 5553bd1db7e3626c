import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../src/api/kinds';
import { schemaOfKind } from '../../src/rules/schemas';
import { isQuantity, type Schema } from '../../src/rules/schema';

/** Common limit of lists and maps without a limit of their own. */
const COMMON = 2_000;

/** Returns the bounds of a schema that differ from the common limit: `path 256 entries`. */
function boundsIn(schema: Schema, path: string): string[] {
  if (isQuantity(schema)) return [];
  return [
    ...(schema.maxItems === undefined || schema.maxItems === COMMON ? [] : [`${path} ${schema.maxItems} entries`]),
    ...(schema.maxLength === undefined ? [] : [`${path} ${schema.maxLength} characters`]),
    ...(schema.maxProperties === undefined || schema.maxProperties === COMMON ? [] : [`${path} ${schema.maxProperties} entries`]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => boundsIn(inner, `${path}.${name}`)),
    ...[schema.items, schema.additionalProperties].flatMap((inner) => (inner ? boundsIn(inner, `${path}[]`) : [])),
  ];
}

test('docs/explain/deviations.md lists exactly the bounds of the CRDs', () => {
  const page = readFileSync(join(__dirname, '../../docs/explain/deviations.md'), 'utf8');
  const [, section] = /### Bounds\n(.*?)\n##/s.exec(page)!;
  const told = [...section!.matchAll(/^\| `([^`]+)`.* \| (\d+ \w+) \|$/gm)].map(([, field, bound]) => `.${field} ${bound}`);
  const bounds = KINDS.flatMap((kind) => boundsIn(schemaOfKind(kind).properties!.spec!, 'spec'));

  expect(bounds.filter((bound) => !told.some((row) => bound.endsWith(row)))).toEqual([]);
  expect(told.filter((row) => !bounds.some((bound) => bound.endsWith(row)))).toEqual([]);
  expect(told.length).toBeGreaterThan(5);
  expect(section).toContain(`| every other list or map | ${COMMON} entries |`);
});

test('each list and each map of the CRDs has a limit', () => {
  const unlimited = (schema: Schema, path: string): string[] => [
    ...(schema.items && schema.maxItems === undefined ? [path] : []),
    ...(schema.additionalProperties && schema.maxProperties === undefined ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => unlimited(inner, `${path}.${name}`)),
    ...[schema.items, schema.additionalProperties].flatMap((inner) => (inner ? unlimited(inner, `${path}[]`) : [])),
  ];

  expect(KINDS.flatMap((kind) => unlimited(schemaOfKind(kind).properties!.spec!, 'spec'))).toEqual([]);
});
