import type { Registry } from 'prom-client';
import { controllerLabel } from './controllers';
import { addFamily, addGauge } from './family';
import type { Observed, Snapshot } from './snapshot';

/** Adds the metrics of the process and its caches to a registry. */
export function addOperatorFamilies(registry: Registry, observed: Observed, snapshot: () => Snapshot): void {
  const { events, leading, lease } = observed;
  addFamily(registry, {
    name: 'spark_operator_applications', type: 'gauge', help: 'Applications by their state; nothing while another process leads',
    labelNames: ['namespace', 'state'],
  }, () => snapshot().states.samples());
  addGauge(registry, {
    name: 'leader_election_master_status', help: '1 while this process works, 0 while it stands by; `name` is that of the Lease',
    labelNames: ['name'],
  }, () => [{ name: lease }], () => Number(leading()));
  addGauge(registry, {
    name: 'spark_operator_cached_objects', help: 'Applications and pods in the caches', labelNames: ['resource'],
  }, () => Object.entries(snapshot().cached).map(([resource, count]) => ({ resource, count })), ({ count }) => count);
  addWatchFamilies(registry, observed);
  addGauge(registry, {
    name: 'spark_operator_kind_watched',
    help: '1 for a namespace in which the objects of a controller are being watched, 0 for one where they cannot be, or not yet; for '
      + 'kinds other than SparkApplication',
    labelNames: ['controller', 'namespace'],
  }, () => [...observed.kinds()].map((kind) => ({ ...kind, controller: controllerLabel(kind.controller) })), valueOfWatched);
  addFamily(registry, { name: 'spark_operator_events_dropped_total', type: 'counter', help: 'Kubernetes Events that could not be written' },
    () => [{ value: events() }]);
}

/** Adds the metrics of watches to a registry. */
export function addWatchFamilies(registry: Registry, { namespaces, defaults }: Pick<Observed, 'namespaces' | 'defaults'>): void {
  addGauge(registry, {
    name: 'spark_operator_namespace_watched',
    help: '1 for a namespace that is being watched, 0 for one that cannot be, or not yet',
    labelNames: ['namespace'],
  }, namespaces, valueOfWatched);
  addGauge(registry, {
    name: 'spark_operator_watch_silence_seconds',
    help: 'Seconds since the API server was last heard of a namespace; about 60 at most while all is well',
    labelNames: ['namespace'],
  }, namespaces, ({ silentFor }) => silentFor / 1000);
  addGauge(registry, {
    name: 'spark_operator_defaults_watched',
    help: '1 for a namespace whose ConfigMap with defaults and limits is being watched, 0 for one where it cannot be, or not yet',
    labelNames: ['namespace'],
  }, defaults, valueOfWatched);
}

function valueOfWatched({ watched }: { readonly watched: boolean }): number {
  return watched ? 1 : 0;
}
