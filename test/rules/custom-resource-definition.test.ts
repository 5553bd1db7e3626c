import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { KINDS } from '../../src/api/kinds';
import { customResourceDefinition } from '../../src/rules/custom-resource-definition';
import { schemaOfKind } from '../../src/rules/schemas';

test.each(KINDS)('the CRD of $kind is that of the shipped file', (kind) => {
  const file = readFileSync(join(__dirname, '../../crds', `${kind.group}_${kind.plural}.yaml`), 'utf8');
  expect(customResourceDefinition(kind, schemaOfKind(kind))).toEqual(parse(file));
});
