import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { LIMITS_SCHEMA } from '../../../src/plan/defaults/limits-schema';
import { MERGED_LISTS } from '../../../src/plan/defaults/list-rules';
import { parseLayer } from '../../../src/plan/defaults/parse';

const page = readFileSync(join(__dirname, '../../../docs/reference/defaults-and-limits.md'), 'utf8');

test('the example can be used', () => {
  const [example] = /(?<=```yaml\n)apiVersion[^`]*/.exec(page)!;
  const [document] = parseAllDocuments(example);
  expect(parseLayer(document!.toJS())).toMatchObject({ defaults: { driver: { serviceAccount: 'spark' } }, limits: { maxExecutors: 50 } });
});

test('it says that there is no default name, how to give one, and what a new time to live does', () => {
  expect(page).toContain('without the flag there are none');
  expect(page).toContain("new SparkOperator(chart, 'operator', { defaultsConfigMapName: 'spark-operator-defaults' })");
  expect(page).toMatch(/\*\*Warning:\*\* a new or shorter time to live removes old applications at once/);
});

test('it names every list that is put together, and every limit', () => {
  const names = [...Object.keys(LIMITS_SCHEMA.properties!).filter((name) => name !== 'driver' && name !== 'executor'), 'driver.maxCores', 'driver.maxMemory', ...MERGED_LISTS];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
