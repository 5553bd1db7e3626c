/* The tables of docs/reference/metrics.md against what Prometheus reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectMetrics } from '../../../src/operator/metrics/connects';
import type { Family } from '../../../src/operator/metrics/family';
import { MAX_LABEL_SETS } from '../../../src/operator/metrics/label-sets';
import { countRuns } from '../../../src/operator/metrics/schedules';
import { DEFAULT_SETTINGS } from '../../../src/operator/metrics/settings';
import { metricsOf } from './helpers';

const PAGE = readFileSync(join(__dirname, '../../../docs/reference/metrics.md'), 'utf8');
const ROWS = PAGE.split('\n').filter((line) => /^\| `\w+` \| (counter|gauge|histogram|summary) \|/.test(line)).map(
  (line) => line.split('|').slice(1, -1).map((cell) => cell.trim()),
);
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

/**
 * The families as rows of the table. Labels of metrics about applications are configured, so no row
 * has them.
 */
const { registry } = metricsOf({}, { labels: [] });
new ConnectMetrics(registry, { connects: () => [], leading: () => true });
countRuns(registry);
const FAMILIES = (registry.getMetricsAsArray() as unknown as Family[]).filter(({ name }) => !/^(process|nodejs)_/.test(name));

test('the documented metrics are the existing ones', () => {
  const documented = ROWS.map(([name, type, ...rest]) => ({
    name: codes(name!)[0], type, labels: rest.length === 2 ? codes(rest[0]!) : [], meaning: rest.at(-1),
  }));
  const existing = FAMILIES.map(({ name, type, labelNames, help }) => ({ name, type, labels: labelNames, meaning: help }));
  const byName = (a: { name?: string }, b: { name?: string }) => a.name!.localeCompare(b.name!);
  expect(documented.sort(byName)).toEqual(existing.sort(byName));
});

test('the documented defaults and limit apply', () => {
  expect(PAGE).toContain(`(${DEFAULT_SETTINGS.submitLatencyBuckets.join(', ')} seconds)`);
  expect(DEFAULT_SETTINGS.startLatencyBuckets).toEqual(Array.from({ length: 10 }, (_, index) => 30 * (index + 1)));
  expect(PAGE).toContain(`At most ${MAX_LABEL_SETS} combinations`);
});
