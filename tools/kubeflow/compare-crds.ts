/*
 * `npm run compare:kubeflow -- PATH` compares the CRDs of a checkout of kubeflow/spark-operator with ours, field by field. It reports
 * differences that known-differences.ts lacks, and its entries that no longer hold; `--all` prints all differences with their reasons.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, CRD_FOLDER } from './compare.ts';
import type { Difference } from './differences.ts';

const USAGE = 'usage: npm run compare:kubeflow -- [--all] PATH\n  PATH is a checkout of https://github.com/kubeflow/spark-operator';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' }, help: { type: 'boolean' } } });
const [checkout] = positionals;
if (values.help || checkout === undefined || positionals.length > 1) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (!existsSync(join(checkout, CRD_FOLDER))) {
  console.error(`${checkout} has no folder ${CRD_FOLDER}, so it is no checkout of kubeflow/spark-operator.\n${USAGE}`);
  process.exit(2);
}
const { known, unknown, stale } = compare(checkout, join(import.meta.dirname, '../..'));
if (values.all) {
  for (const { entry, differences } of known) {
    console.log(`${entry.reason}:`);
    for (const difference of differences) console.log(`  ${line(difference)}`);
  }
}
if (unknown.length > 0) console.log(`not in tools/kubeflow/known-differences.ts:\n${unknown.map((each) => `  ${line(each)}`).join('\n')}`);
if (stale.length > 0) {
  console.log(`of tools/kubeflow/known-differences.ts, no longer so:\n${stale.map(({ side, facts, paths }) => `  ${side}: ${facts.join(', ')} of ${paths}`).join('\n')}`);
}
const total = known.reduce((sum, { differences }) => sum + differences.length, 0);
console.log(`${total} known differences of ${known.length} causes, ${unknown.length} unknown, ${stale.length} no longer so`);
process.exit(unknown.length + stale.length > 0 ? 1 : 0);

function line({ kind, path, fact, theirs, ours }: Difference): string {
  const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 120));
  return `${kind} ${path}: ${fact} ${text(theirs)} there, ${text(ours)} here`;
}
