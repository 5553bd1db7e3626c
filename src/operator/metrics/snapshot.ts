import { LABEL_SPARK_ROLE } from '../../api/labels';
import { ApplicationState, ExecutorState } from '../../api/states';
import { podState, type PodView } from '../../model/pod-view';
import { keyOf } from '../../kube/objects';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { applicationKeyOf } from '../kinds/spark-application/observe';
import { ALL_NAMESPACES } from '../watches';
import type { ControllerLoad } from './controllers';
import { NAMESPACE, type LabelSets } from './label-sets';
import type { Series } from './series';
import { StateCounts } from './state-counts';

/** Sources of the gauges, read at each scrape. */
export interface Observed {
  /** Applications in the cache, of the handled namespaces. */
  readonly applications: () => Iterable<SparkApplication>;
  /** Drivers and executors in the cache, of the same namespaces. */
  readonly pods: () => Iterable<PodView>;
  readonly controllers: () => Iterable<ControllerLoad>;
  /** Watched namespaces; `*` is all of them. Silence is in milliseconds. */
  readonly namespaces: () => Iterable<{ readonly namespace: string; readonly watched: boolean; readonly silentFor: number }>;
  /** The same for kinds other than SparkApplication, by the names of their controllers. */
  readonly kinds: () => Iterable<{ readonly controller: string; readonly namespace: string; readonly watched: boolean }>;
  /**
   * Namespaces in which the ConfigMap with defaults and limits is watched; none without
   * `--defaults-config-map`.
   */
  readonly defaults: () => Iterable<{ readonly namespace: string; readonly watched: boolean }>;
  /** Number of lost Kubernetes Events. */
  readonly events: () => number;
  /** Whether this process leads; standby replicas have the same caches. */
  readonly leading: () => boolean;
  /** Name of the Lease for leader election. */
  readonly lease: string;
  /** URL of the API server. */
  readonly apiServer: string;
  /** End of the serving certificate of the admission webhook; undefined if there is none. */
  readonly webhookCertificateEnd: () => Date | undefined;
}

/** State at the time of a scrape. */
export interface Snapshot {
  /** Numbers of running applications and executors, by labels, without zeros. */
  readonly running: ReadonlyMap<Series, number>;
  readonly executors: ReadonlyMap<Series, number>;
  /** Applications by namespace and state; empty while another process leads. */
  readonly states: StateCounts;
  /** Number of objects in the caches. */
  readonly cached: { readonly sparkapplications: number; readonly pods: number };
}

const STATES = Object.values(ApplicationState);

/** Reads the caches once for all families of a scrape. */
export class Snapshots {
  private current?: Snapshot;

  constructor(private readonly observed: Observed, private readonly sets: LabelSets<Series>) {}

  /** Returns the current state. */
  get(): Snapshot {
    if (!this.current) {
      this.current = this.take();
      // The registry calls all families before it waits for any.
      queueMicrotask(() => { this.current = undefined; });
    }
    return this.current;
  }

  private take(): Snapshot {
    const { observed, sets } = this;
    const leading = observed.leading();
    const states = new StateCounts(STATES, 'NEW', { namespaces: Infinity });
    // Series of zero exist before the first event, so that a first failure is an increase.
    for (const { namespace } of observed.namespaces()) {
      if (namespace !== ALL_NAMESPACES || !sets.names.includes(NAMESPACE)) sets.ofNamespace(namespace);
      if (namespace !== ALL_NAMESPACES && leading) states.create(namespace);
    }
    const [running, executors] = [new Map<Series, number>(), new Map<Series, number>()];
    const byKey = new Map<string, Series>();
    for (const application of observed.applications()) {
      const series = sets.of(application);
      const key = keyOf(application.metadata);
      byKey.set(key, series);
      if (!leading) continue;
      const state = stateOf(application);
      states.add(application.metadata.namespace, state);
      if (state === ApplicationState.RUNNING) increase(running, series);
    }
    let pods = 0;
    for (const pod of observed.pods()) {
      pods++;
      if (!leading || pod.metadata.labels?.[LABEL_SPARK_ROLE] !== 'executor' || podState(pod) !== ExecutorState.RUNNING) continue;
      increase(executors, byKey.get(applicationKeyOf(pod) ?? '') ?? sets.ofNamespace(pod.metadata.namespace ?? ''));
    }
    return { running, executors, states, cached: { sparkapplications: byKey.size, pods } };
  }
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
