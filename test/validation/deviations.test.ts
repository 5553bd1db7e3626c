import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../src/api/kinds';
import { schemaOfKind } from '../../src/constructs/_schema';
import { isQuantity, type Schema } from '../../src/validation/schema';

/** The bounds in a schema: `path entries 256`. */
function boundsIn(schema: Schema, path: string): string[] {
  if (isQuantity(schema)) return [];
  return [
    ...(schema.maxItems === undefined ? [] : [`${path} ${schema.maxItems} entries`]),
    ...(schema.maxLength === undefined ? [] : [`${path} ${schema.maxLength} characters`]),
    ...(schema.maxProperties === undefined ? [] : [`${path} ${schema.maxProperties} keys`]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => boundsIn(inner, `${path}.${name}`)),
    ...[schema.items, schema.additionalProperties].flatMap((inner) => (inner ? boundsIn(inner, `${path}[]`) : [])),
  ];
}

test('docs/deviations.md tells each bound of the CRDs, and no other', () => {
  const page = readFileSync(join(__dirname, '../../docs/deviations.md'), 'utf8');
  const [, section] = /### Bounds\n(.*?)\n##/s.exec(page)!;
  const told = [...section!.matchAll(/^\| `([^`]+)`.* \| (\d+ \w+) \|$/gm)].map(([, field, bound]) => `.${field} ${bound}`);
  const bounds = KINDS.flatMap((kind) => boundsIn(schemaOfKind(kind).properties!.spec!, 'spec'));

  expect(bounds.filter((bound) => !told.some((row) => bound.endsWith(row)))).toEqual([]);
  expect(told.filter((row) => !bounds.some((bound) => bound.endsWith(row)))).toEqual([]);
  expect(told.length).toBeGreaterThan(5);
});
