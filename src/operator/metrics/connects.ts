import type { Registry } from 'prom-client';
import { addFamily } from './family';
import { namespaceLabel, OTHER } from './namespaces';
import { SparkConnectState } from '../../api/spark-connect-status';
import { stateOf, type SparkConnect } from '../../model/spark-connect';

/** Sources of the gauges, read at each scrape. */
export interface ObservedConnects {
  /** SparkConnects in the cache, of the handled namespaces. */
  readonly connects: () => Iterable<SparkConnect>;
  /** Whether this process leads; standby replicas have the same caches. */
  readonly leading: () => boolean;
}

const STATES: ReadonlySet<string> = new Set(Object.values(SparkConnectState));

/** Metrics of SparkConnects. */
export class ConnectMetrics {
  private readonly restarts = new Map<string, number>();
  private readonly idle = new Map<string, number>();

  constructor(private readonly observed: ObservedConnects) {}

  /** Adds the families to a registry. */
  addTo(registry: Registry): void {
    addFamily(registry, {
      name: 'spark_operator_connects', type: 'gauge', help: 'SparkConnects by their state; nothing while another process leads',
      labelNames: ['namespace', 'state'],
    }, () => this.states());
    addFamily(registry, {
      name: 'spark_operator_connect_restarts_total', type: 'counter',
      help: 'Servers of SparkConnects that have ended and are started again', labelNames: ['namespace'],
    }, () => samplesOf(this.restarts));
    addFamily(registry, {
      name: 'spark_operator_connect_idle_deletions_total', type: 'counter',
      help: 'SparkConnects that were deleted because they had no session for their idle time to live', labelNames: ['namespace'],
    }, () => samplesOf(this.idle));
  }

  /** Counts the changes of a written status. */
  onWritten(before: SparkConnect, after: SparkConnect): void {
    const { namespace } = after.metadata;
    // Creates both series at the first reconcile, so that a first restart is an increase.
    for (const counts of [this.restarts, this.idle]) add(counts, namespace, 0);
    const hasEnded = before.status?.lastTerminationTime !== after.status?.lastTerminationTime;
    const isFinal = stateOf(after) === SparkConnectState.FAILED;
    if (hasEnded && !isFinal && (after.status?.restarts ?? 0) > 0) add(this.restarts, namespace, 1);
  }

  /** Counts a SparkConnect that was deleted because it was idle. */
  onIdle({ metadata: { namespace } }: SparkConnect): void {
    add(this.idle, namespace, 1);
  }

  private states() {
    const counts = new Map<string, Map<string, number>>();
    if (this.observed.leading()) {
      for (const connect of this.observed.connects()) {
        const own = namespaceLabel(counts, connect.metadata.namespace);
        let states = counts.get(own);
        if (!states) counts.set(own, states = new Map([...STATES].map((state) => [state || 'New', 0])));
        const state: string = stateOf(connect);
        const name = STATES.has(state) ? state || 'New' : OTHER;
        states.set(name, (states.get(name) ?? 0) + 1);
      }
    }
    return [...counts].flatMap(([namespace, states]) => [...states].map(([state, value]) => ({ labels: { namespace, state }, value })));
  }
}

function add(counts: Map<string, number>, namespace: string, more: number): void {
  const name = namespaceLabel(counts, namespace);
  counts.set(name, (counts.get(name) ?? 0) + more);
}

function samplesOf(counts: ReadonlyMap<string, number>) {
  return [...counts].map(([namespace, value]) => ({ labels: { namespace }, value }));
}
