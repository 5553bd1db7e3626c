/* The queries of the dashboards that kubeflow's documentation names find their series here. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectMetrics } from '../../../src/operator/metrics/connects';
import { DASHBOARDS, TARGET_LABELS } from '../../helpers/kubeflow-dashboards';
import { queriesOf, selectedBy } from '../../helpers/promql';
import { metricsOf, scrape } from './helpers';
import { notRun } from '../../helpers/not-run';

/** Metrics of the operator. `process_…` and `jvm_…` are also those of many other processes. */
const IS_OURS = /^(spark_application|spark_executor|spark_operator|workqueue|controller_runtime|rest_client|leader_election)_/;

/** Returns the labels of each metric of an operator on its first day, by the names of the lines. */
async function served(): Promise<Map<string, Set<string>>> {
  const metrics = metricsOf({ controllers: () => [{ name: 'spark-application', workers: 10, depth: 0, running: 0, unfinishedSeconds: 0, longestSeconds: 0 }] }, { labels: ['app_type'] });
  metrics.controllers.add('spark-application');
  new ConnectMetrics(metrics.registry, { connects: () => [], leading: () => true });
  const found = new Map<string, Set<string>>();
  for (const series of (await scrape(metrics)).keys()) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series)!;
    const all = found.get(name!) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) all.add(label!);
    found.set(name!, all);
  }
  return found;
}

test.each(DASHBOARDS.flatMap(({ title, operator }) => Object.entries(operator).map(([metric, labels]) => [title, metric, labels] as const)))(
  '%s: %s has the labels %j', async (_, metric, labels) => {
    const own = (await served()).get(metric);
    expect([metric, own === undefined ? 'missing' : labels.filter((label) => !own.has(label) && !TARGET_LABELS.includes(label))]).toEqual([metric, []]);
  },
);

test.each<[string, Record<string, string[]>]>([
  ['sum(spark_application_count) by (pod)', { spark_application_count: ['pod'] }],
  ['sum by (name, le) (rate(a_bucket{job="x{y}", le!~"5.*"}[5m:1m] offset 5m)) > 1e9', { a_bucket: ['job', 'le', 'name'] }],
  ['histogram_quantile(0.9, a) / ignoring(x) group_left b and on(y) c', { a: ['x', 'y'], b: ['x', 'y'], c: ['x', 'y'] }],
  ['scalar(a) or vector(0) unless b{} == bool 1', { a: [], b: [] }],
  ['avg_over_time(sum(a{namespace="$namespace", container!=""}) by (pod)[10m:]) / 1024', { a: ['container', 'namespace', 'pod'] }],
  ['topk(20, count({__name__=~"kube_.*"}) by (__name__))', {}],
  ['', {}],
])('the query %p selects %j', (query, expected) => {
  expect(Object.fromEntries([...selectedBy(query)].map(([metric, labels]) => [metric, [...labels].sort()]))).toEqual(expected);
});

const checkout = process.env.KUBEFLOW_CHECKOUT;
const files = (process.env.KUBEFLOW_DASHBOARDS ?? '').split(',').filter(Boolean);

/** Does not run without a checkout of kubeflow/spark-operator in KUBEFLOW_CHECKOUT. */
(checkout ? test : notRun)("with KUBEFLOW_CHECKOUT: kubeflow's documentation names these dashboards and no others", () => {
  const named = globSync('**/*.md', { cwd: checkout! }).flatMap((file) => (
    [...readFileSync(join(checkout!, file), 'utf8').matchAll(/grafana\.com\/grafana\/dashboards\/(\d+)/g)].map(([, id]) => `${id} in ${file}`)
  ));
  expect([...new Set(named)].sort()).toEqual(DASHBOARDS.map(({ id, namedBy }) => `${id} in ${namedBy}`).sort());
});

/** Does not run without the dashboards' files in KUBEFLOW_DASHBOARDS, separated by commas; those in a checkout are read as well. */
(checkout || files.length > 0 ? test : notRun)('with KUBEFLOW_DASHBOARDS: the dashboards ask for what is served, and for what is known of them', async () => {
  const own = await served();
  const inCheckout = checkout ? globSync('**/*dashboard*.json', { cwd: checkout }).map((file) => join(checkout, file)) : [];
  for (const file of [...files, ...inCheckout]) {
    const dashboard = JSON.parse(readFileSync(file, 'utf8')) as { readonly title: string };
    const asked = new Map<string, Set<string>>();
    for (const query of queriesOf(dashboard)) {
      for (const [metric, labels] of selectedBy(query)) asked.set(metric, new Set([...asked.get(metric) ?? [], ...labels]));
    }
    const ours = [...asked].filter(([metric]) => IS_OURS.test(metric)).map(([metric, labels]) => [metric, [...labels].sort()] as const);
    const unserved = ours.flatMap(([metric, labels]) => labels.filter((label) => !own.get(metric)?.has(label) && !TARGET_LABELS.includes(label)).map((label) => `${metric}{${label}}`));
    expect([file, ours.filter(([metric]) => !own.has(metric)).map(([metric]) => metric), unserved]).toEqual([file, [], []]);
    const known = DASHBOARDS.find(({ title }) => title === dashboard.title);
    if (!known) continue;
    expect(Object.fromEntries(ours)).toEqual(known.operator);
    expect([...asked.keys()].filter((metric) => /^(jvm|process)_/.test(metric)).sort()).toEqual(known.agent);
  }
});
