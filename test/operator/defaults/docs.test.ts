import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { LIMITS_SCHEMA } from '../../../src/operator/defaults/limits-schema';
import { MERGED_LISTS } from '../../../src/operator/defaults/list-rules';
import { parseLayer } from '../../../src/operator/defaults/parse';

const page = readFileSync(join(__dirname, '../../../docs/defaults-and-limits.md'), 'utf8');

test('the example can be used', () => {
  const [example] = /(?<=```yaml\n)apiVersion[^`]*/.exec(page)!;
  const [document] = parseAllDocuments(example);
  expect(parseLayer(document!.toJS())).toMatchObject({ defaults: { driver: { serviceAccount: 'spark' } }, limits: { maxExecutors: 50 } });
});

test('it names every list that is put together, and every limit', () => {
  const names = [...Object.keys(LIMITS_SCHEMA.properties!).filter((name) => name !== 'driver' && name !== 'executor'), 'driver.maxCores', 'driver.maxMemory', ...MERGED_LISTS];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
