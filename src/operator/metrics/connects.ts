import type { Registry } from 'prom-client';
import { counter, type Counter } from './counted';
import { addFamily } from './family';
import { StateCounts } from './state-counts';
import { SparkConnectState } from '../../api/spark-connect-status';
import { stateOf, type SparkConnect } from '../../model/spark-connect';

const STATES = Object.values(SparkConnectState);

/** Sources of the gauges, read at each scrape. */
export interface ObservedConnects {
  /** SparkConnects in the cache, of the handled namespaces. */
  readonly connects: () => Iterable<SparkConnect>;
  /** Whether this process leads; standby replicas have the same caches. */
  readonly leading: () => boolean;
}

/** Metrics of SparkConnects. */
export class ConnectMetrics {
  private readonly restarts: Counter;
  private readonly idle: Counter;

  /** Adds the families to a registry. */
  constructor(registry: Registry, { connects, leading }: ObservedConnects) {
    addFamily(registry, {
      name: 'spark_operator_connects',
      type: 'gauge',
      help: 'SparkConnects by their state; nothing while another process leads',
      labelNames: ['namespace', 'state'],
    }, () => {
      const counts = new StateCounts(STATES, 'New');
      for (const connect of leading() ? connects() : []) counts.add(connect.metadata.namespace, stateOf(connect));
      return counts.samples();
    });
    this.restarts = counter(registry, {
      name: 'spark_operator_connect_restarts_total',
      help: 'Servers of SparkConnects that have ended and are started again',
      labelNames: ['namespace'],
    });
    this.idle = counter(registry, {
      name: 'spark_operator_connect_idle_deletions_total',
      help: 'SparkConnects that were deleted because they had no session for their idle time to live',
      labelNames: ['namespace'],
    });
  }

  /** Counts the changes of a written status. */
  onWritten(before: SparkConnect, after: SparkConnect): void {
    const { namespace } = after.metadata;
    // Creates both series at the first reconcile, so that a first restart is an increase.
    for (const counts of [this.restarts, this.idle]) counts.add({ namespace }, 0);
    const hasEnded = before.status?.lastTerminationTime !== after.status?.lastTerminationTime;
    const isFinal = stateOf(after) === SparkConnectState.FAILED;
    if (hasEnded && !isFinal && (after.status?.restarts ?? 0) > 0) this.restarts.add({ namespace });
  }

  /** Counts a SparkConnect that was deleted because it was idle. */
  onIdle({ metadata: { namespace } }: SparkConnect): void {
    this.idle.add({ namespace });
  }
}
