import { KINDS } from '../../src/api/kinds';
import { schemaOfKind } from '../../src/rules/schemas';
import { isKnown, RULES } from '../../src/rules/cel';
import type { Schema } from '../../src/rules/schema';

function rulesIn(schema: Schema): string[] {
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule),
    ...[...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties].flatMap((inner) => (inner ? rulesIn(inner) : [])),
  ];
}

const rules = new Set(KINDS.flatMap((kind) => rulesIn(schemaOfKind(kind))));

test.each([...rules])('synthesis also checks the CEL rule %s', (rule) => {
  expect(isKnown(rule)).toBe(true);
});

test('all rules occur in the CRDs', () => {
  expect(Object.keys(RULES).filter((rule) => !rules.has(rule))).toEqual([]);
});
