import type { SparkApplicationStatus } from '../../../src/api/spark-application-status';
import type { ApplicationState } from '../../../src/api/states';
import { viewOf, type PodView } from '../../../src/model/pod-view';
import { Metrics, type MetricsSettings, type Observed } from '../../../src/operator/metrics/registry';
import { DEFAULT_SETTINGS } from '../../../src/operator/metrics/settings';
import type { SparkApplication } from '../../../src/model/spark-application';

/** Created at 10:00:00. */
export function application(
  state?: ApplicationState, status: Partial<SparkApplicationStatus> = {}, metadata: object = {},
): SparkApplication {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', creationTimestamp: '2026-03-01T10:00:00Z', ...metadata },
    spec: {} as SparkApplication['spec'],
    status: state === undefined ? undefined : { driverInfo: {}, applicationState: { state }, ...status },
  };
}

/** Returns the time of seconds after the creation, in milliseconds. */
export function at(seconds: number): number {
  return Date.parse('2026-03-01T10:00:00Z') + seconds * 1000;
}

/** Returns the time of seconds after the creation, as in a status. */
export function time(seconds: number): string {
  return new Date(at(seconds)).toISOString().replace('.000Z', 'Z');
}

export function executor(name: string, phase: string, app = 'pi', namespace = 'jobs'): PodView {
  const labels = { 'spark-role': 'executor', 'sparkoperator.k8s.io/app-name': app };
  return viewOf({ metadata: { name, namespace, uid: name, labels }, status: { phase } } as Parameters<typeof viewOf>[0]);
}

/** Returns metrics of a leading operator that watches the empty namespace jobs. */
export function metricsOf(observed: Partial<Observed> = {}, settings: Partial<MetricsSettings> = {}): Metrics {
  const metrics = new Metrics({
    applications: () => [],
    pods: () => [],
    controllers: () => [],
    namespaces: () => [{ namespace: 'jobs', watched: true, silentFor: 0 }],
    kinds: () => [],
    defaults: () => [],
    events: () => 0,
    webhookCertificateEnd: () => undefined,
    leading: () => true,
    lease: 'lock',
    apiServer: 'https://10.96.0.1:443/',
    ...observed,
  }, { ...DEFAULT_SETTINGS, labels: ['namespace'], ...settings });
  return metrics;
}

/** Returns the values by series, as Prometheus reads them. */
export async function scrape(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  const values = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))] as const);
  const map = new Map(values);
  // Prometheus rejects a page that contains a series twice.
  if (map.size !== values.length) {
    throw new Error(
      `series that are there twice: ${values.map(([name]) => name).filter((name, index, all) => all.indexOf(name) !== index).join(', ')}`,
    );
  }
  return map;
}

/** Returns the values of the series with this prefix that are not zero. */
export async function nonZero(metrics: Metrics, begin: string): Promise<Record<string, number>> {
  return Object.fromEntries([...await scrape(metrics)].filter(([name, value]) => name.startsWith(begin) && value !== 0));
}
