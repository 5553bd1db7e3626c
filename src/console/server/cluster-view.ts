import { Feed, type RowKind } from './feed';
import { KnownOperators } from './known-operators';
import type { OperatorLease } from './operator-lease';
import { OperatorWatch, type CheckOperator } from './operator-watch';
import { applicationRow, scheduleRow } from './rows';
import { WaitingExecutors } from './waiting-executors';
import { leaseOf, type OperatorPresence } from '../../model/operator-presence';
import type { KubeClient } from '../../kube/client';
import { ApiError, isForbidden } from '../../kube/errors';
import type { Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { Reflector } from '../../kube/reflector';
import type { Resource } from '../../kube/resource';
import { Store } from '../../kube/store';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';
import type { ScheduledSparkApplication, WholeSchedule } from '../../model/scheduled-spark-application';
import type { WholeApplication } from '../../model/spark-application';
import type { ApplicationRow, ScheduleRow } from '../wire';
import { boundedMetadata, shortMetadata } from '../../model/bounded-metadata';
import { isSmall, MAX_FACTS_BYTES } from '../../model/spec-facts';
import { statusWriters } from '../../model/status-writers';

/** Maximum backoff in milliseconds: short, because a user waits. */
const MAX_BACKOFF = 10_000;

/**
 * Milliseconds for which a failed watch is not reported: watches fail regularly and are restarted.
 */
const REPORT_AFTER = 3_000;

/** Object in the store: only the row is kept, because there are thousands of applications. */
interface StoredRow<Row> extends KubeObject {
  readonly row: Row;
}

/** Options of `ClusterView`. */
export interface ClusterViewOptions {
  readonly client: KubeClient;
  /** @default - all */
  readonly namespaces?: readonly string[];
  /** @default - by the Leases of the operators that wrote the statuses of objects */
  readonly checkOperator?: CheckOperator;
  /** Lease that `checkOperator` reads. @default - it checks for all applications */
  readonly operatorLease?: OperatorLease;
  /**
   * Whether rows have reasons from the pods of executors. All viewers must be able to list them.
   *
   * @default false
   */
  readonly readsExecutors?: boolean;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Watches applications and schedules, and keeps their rows. */
export class ClusterView {
  readonly feed = new Feed();
  private readonly reflectors: readonly Reflector<any, any>[];
  /** Lists that are incomplete, by resource and namespace. */
  private readonly incomplete = new Set<string>();
  private readonly operators = new KnownOperators();
  private readonly operatorWatch: OperatorWatch;
  /** Failing watches, by resource and namespace. */
  private readonly troubles = new Map<string, { readonly error: Error; readonly since: number }>();
  /** Schedules without templates, to compute their runs. */
  private readonly schedules: Store<ScheduledSparkApplication>;
  private readonly waiting?: WaitingExecutors;

  constructor(private readonly options: ClusterViewOptions) {
    const applications = new Store<StoredRow<ApplicationRow>>();
    this.schedules = new Store<ScheduledSparkApplication>();
    applications.subscribe(({ type, object }) => {
      if (type === 'deleted') this.feed.drop('applications', object.row);
      else this.feed.put('applications', this.withReason(object.row));
    });
    this.schedules.subscribe(({ type, object }) => {
      if (type === 'deleted') this.feed.drop('schedules', object.metadata);
      else this.feed.put('schedules', this.ofOperator(object, scheduleRow(object)));
    });
    this.reflectors = [
      ...this.follow(SPARK_APPLICATIONS, applications, (object) => {
        this.operators.add(object);
        return { metadata: bare(object), row: this.rowOf(object) };
      }),
      // Their times follow from the specification, and the template is not shown.
      ...this.follow(SCHEDULED_SPARK_APPLICATIONS, this.schedules, (object) => {
        this.operators.add(object);
        return withoutTemplate(object);
      }),
    ];
    if (options.readsExecutors) {
      this.waiting = new WaitingExecutors({
        ...options, rows: () => applications.list().map(({ row }) => row),
        onChange: (row) => this.feed.put('applications', this.withReason(row)),
      });
    }
    const { client, clock, logger, checkOperator: check = this.operators.check(client, clock) } = options;
    this.operatorWatch = new OperatorWatch({ check, clock, logger, onChange: () => this.feed.notify() });
  }

  start(): void {
    this.reflectors.forEach((reflector) => reflector.start());
  }

  async stop(): Promise<void> {
    this.operatorWatch.stop();
    this.waiting?.stop();
    await Promise.all(this.reflectors.map((reflector) => reflector.stop()));
  }

  /** Whether the first list is incomplete. It does not wait for lists without a permission. */
  get isLoading(): boolean {
    return this.incomplete.size > 0;
  }

  /** Whether the console itself lacks a permission to list rows. */
  get isRefused(): boolean {
    return [...this.troubles.values()].some(({ error }) => isRefusal(error));
  }

  /** Configured namespaces; undefined for all. */
  get namespaces(): readonly string[] | undefined {
    return this.options.namespaces;
  }

  /** Returns the namespaces where the console cannot list rows of a kind; `*` for all together. */
  refusedIn(kind: RowKind): readonly string[] {
    const prefix = `${(kind === 'applications' ? SPARK_APPLICATIONS : SCHEDULED_SPARK_APPLICATIONS).plural}/`;
    return [...this.troubles].filter(([key, { error }]) => key.startsWith(prefix) && isRefusal(error))
      .map(([key]) => key.slice(prefix.length) || '*').sort();
  }

  /**
   * Returns why rows might be stale or missing; undefined without a problem.
   *
   * @param isOwn whether a permission that the console lacks is not a problem
   */
  troubleOf(isOwn: boolean): string | undefined {
    const now = this.options.clock.monotonic();
    const reported = [...this.troubles.values()].filter(({ since }) => now - since >= REPORT_AFTER);
    return reported.find(({ error }) => !(isOwn && isRefusal(error)))?.error.message;
  }

  /** Returns whether the operator of an application runs; undefined while it is unknown. */
  operatorOf(application: WholeApplication): OperatorPresence | undefined {
    if (this.isOfAnother(application)) return undefined;
    // An application without a status has any of the known operators.
    const isKnown = !this.options.checkOperator && leaseOf(application) !== undefined;
    return isKnown ? this.operators.of(application) : this.operatorWatch.presence;
  }

  /** Evidence that no operator runs; empty if one runs, and while it is unknown. */
  get noOperator(): string {
    const { presence } = this.operatorWatch;
    return presence && !presence.isActive ? presence.evidence : '';
  }

  /** Returns the schedule of a key. */
  schedule(key: string): ScheduledSparkApplication | undefined {
    return this.schedules.get(key);
  }

  private rowOf(application: WholeApplication): ApplicationRow {
    return this.ofOperator(application, applicationRow(application, this.options.clock.now()));
  }

  private withReason(row: ApplicationRow): ApplicationRow {
    return this.waiting?.withReason(row) ?? row;
  }

  /** Marks the row of an object of another operator than the checked one. */
  private ofOperator<Row extends ApplicationRow | ScheduleRow>(object: WholeApplication | ScheduledSparkApplication, row: Row): Row {
    return this.isOfAnother(object) ? { ...row, otherOperator: true } : row;
  }

  /** Whether another operator than the checked one wrote the status. */
  private isOfAnother(object: WholeApplication | ScheduledSparkApplication): boolean {
    const { operatorLease: checked } = this.options;
    const lease = leaseOf(object);
    return checked !== undefined && lease !== undefined && !(lease.namespace === checked.namespace && lease.name === checked.name);
  }

  private follow<T extends KubeObject, P extends KubeObject>(
    resource: Resource<T>, store: Store<P>, project: (object: T) => P,
  ): Reflector<T, P>[] {
    const { client, namespaces, logger, clock } = this.options;
    return (namespaces ?? [undefined]).map((namespace) => {
      const key = `${resource.plural}/${namespace ?? ''}`;
      const onWell = () => {
        if (this.troubles.delete(key)) this.feed.notify();
      };
      this.incomplete.add(key);
      const onError = (error: Error) => {
        if (isRefusal(error)) this.settle(key);
        const { since } = this.troubles.get(key) ?? { since: clock.monotonic() };
        this.troubles.set(key, { error, since });
        const timer = clock.setTimeout(() => this.feed.notify(), REPORT_AFTER);
        // The timer must not keep the process alive.
        (timer as Partial<NodeJS.Timeout>).unref?.();
      };
      const reflector = new Reflector<T, P>({
        client, resource, store, transform: project, namespace, logger, clock, maxBackoff: MAX_BACKOFF, onError, onWell,
      });
      void reflector.hasSynced.then(() => this.settle(key));
      return reflector;
    });
  }

  /** Stops waiting for a list that is complete, or that the API server refuses. */
  private settle(key: string): void {
    if (!this.incomplete.delete(key)) return;
    this.feed.notify();
    // When all lists are settled, the operators of the objects are known.
    if (this.incomplete.size > 0) return;
    this.operatorWatch.start();
    void this.waiting?.run();
  }
}

/**
 * Returns a schedule without the template of its runs, which is large and not shown. The rest has
 * the bounds of the operator, so that a user cannot fill the memory.
 */
function withoutTemplate({ metadata: all, spec, ...rest }: WholeSchedule): ScheduledSparkApplication {
  const metadata = boundedMetadata(all);
  // The managed fields with them are not kept.
  const others = { ...rest, statusWriters: statusWriters(all) };
  const { template: _, ...facts } = spec;
  if (fits({ spec, metadata })) return { ...others, metadata, spec: facts };
  return { ...others, metadata: shortMetadata(metadata), spec: fits(facts) ? facts : { schedule: '', suspend: spec.suspend } };
}

/** Whether the console lacks the permission to list rows. */
function isRefusal(error: Error): boolean {
  return isForbidden(error) && (error as ApiError).call.verb === 'list';
}

function fits(value: object): boolean {
  try {
    return isSmall(value, MAX_FACTS_BYTES);
  } catch (error) {
    // JSON.stringify exceeds the stack on deep nesting.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function bare({ metadata: { namespace, name, uid, resourceVersion } }: KubeObject): KubeObject['metadata'] {
  return { namespace, name, uid, resourceVersion };
}
