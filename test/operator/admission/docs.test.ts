/*
 * The table of docs/reference/admission-rules.md contains all rules, each with the message that a test received.
 *
 * After a change of the rules: UPDATE_DOCS=1 npm run test:unit -- -- --testPathPatterns
 * admission/docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { admissionTable } from './table';

const FILE = join(__dirname, '../../../docs/reference/admission-rules.md');
/** The table ends the page. */
const HEAD = '| rule | layer | message |\n|---|---|---|\n';

test('the table of rules matches the tests', () => {
  const [before, table] = readFileSync(FILE, 'utf8').split(HEAD);
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, `${before}${HEAD}${admissionTable().join('\n')}\n`);
  else expect(table!.trimEnd().split('\n')).toEqual(admissionTable());
});
