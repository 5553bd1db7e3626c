import type { Registry } from 'prom-client';
import { addFamily } from './family';
import { namespaceLabel, OTHER } from './namespaces';
import { SparkConnectState } from '../../api/spark-connect-status';
import { stateOf, type SparkConnect } from '../../model/spark-connect';

/** What the gauges show, asked for when Prometheus asks. */
export interface ObservedConnects {
  /** The SparkConnects in the cache, of the namespaces that are worked on. */
  readonly connects: () => Iterable<SparkConnect>;
  /** Whether this process works; others that stand by have the same caches. */
  readonly leading: () => boolean;
}

const STATES: ReadonlySet<string> = new Set(Object.values(SparkConnectState));

/** The metrics about SparkConnects. */
export class ConnectMetrics {
  private readonly restarts = new Map<string, number>();
  private readonly idle = new Map<string, number>();

  constructor(private readonly observed: ObservedConnects) {}

  /** Adds the families to a registry. */
  addTo(registry: Registry): void {
    addFamily(registry, { name: 'spark_operator_connects', type: 'gauge', help: 'SparkConnects by their state; nothing while another process leads', labelNames: ['namespace', 'state'] }, () => this.states());
    addFamily(registry, { name: 'spark_operator_connect_restarts_total', type: 'counter', help: 'Servers of SparkConnects that have ended and are started again', labelNames: ['namespace'] }, () => samplesOf(this.restarts));
    addFamily(registry, { name: 'spark_operator_connect_idle_deletions_total', type: 'counter', help: 'SparkConnects that were deleted as nobody had a session for long enough', labelNames: ['namespace'] }, () => samplesOf(this.idle));
  }

  /** Counts what a status that was written tells. */
  onWritten(before: SparkConnect, after: SparkConnect): void {
    const { namespace } = after.metadata;
    // Both are there from the first look on, so that a first restart is an increase.
    for (const counts of [this.restarts, this.idle]) add(counts, namespace, 0);
    const hasEnded = before.status?.lastTerminationTime !== after.status?.lastTerminationTime;
    const isFinal = stateOf(after) === SparkConnectState.FAILED;
    if (hasEnded && !isFinal && (after.status?.restarts ?? 0) > 0) add(this.restarts, namespace, 1);
  }

  /** Counts a SparkConnect that was deleted because nobody used it. */
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
