import { decide, type Context, type Observation, type Settings } from './decide';
import { stateOf, withoutManagedFields, type SparkApplication } from './model';
import { observe } from './observe';
import { perform, writeStatus, type Outcome } from './perform';
import type { PodView } from './pod-view';
import type { KubeClient } from '../kube/client';
import type { Clock } from '../kube/clock';
import type { EventRecorder } from '../kube/events';
import { referenceTo } from '../kube/events';
import type { Logger } from '../kube/logger';
import { keyOf } from '../kube/objects';
import type { Store } from '../kube/store';
import { SPARK_APPLICATIONS } from '../resources';

/** What the reconciler works with. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Told of every change of state, after it was written. */
  readonly onTransition?: (before: SparkApplication, after: SparkApplication) => void;
}

/** More rounds than the longest way through the states in one go; more are a mistake in the decisions. */
const MAX_ROUNDS = 6;

/**
 * One application's way: observe, decide, write the status, act, tell; again while there is something to do.
 * Nothing else writes the status.
 */
export class SparkApplicationReconciler {
  private readonly options: ReconcilerOptions;
  /** Applications whose drivers wait for what does not come by itself, and since when. */
  private readonly stuck = new Map<string, number>();

  constructor(options: ReconcilerOptions) {
    this.options = options;
  }

  /** Brings an application one or more steps forward. `key` is `namespace/name`. */
  async reconcile(key: string, { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    const { applications, client, clock, newId, settings } = this.options;
    let application = applications.get(key);
    // What is being deleted takes its driver along: Kubernetes collects what the application owns.
    if (!application || application.metadata.deletionTimestamp) return void this.stuck.delete(key);
    let outcome: Outcome = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const observation = await this.observe(application, outcome, signal);
      const context: Context = { now: clock.now(), newId, settings };
      const decision = decide(observation, context);
      if (decision.status) {
        const before: SparkApplication = application;
        application = withoutManagedFields(await writeStatus(client, before, decision.status, signal));
        applications.upsert(application);
        this.tell(before, application, logger);
      }
      for (const event of decision.events) this.options.events.record(referenceTo(SPARK_APPLICATIONS, application), event);
      if (!decision.action) return { requeueAfter: decision.requeueAfter };
      outcome = await perform({ ...this.options, logger, signal }, application, decision.action);
      if (decision.action.kind === 'delete-driver') return { requeueAfter: decision.requeueAfter };
    }
    throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds, it is in state ${stateOf(application) || 'new'}`);
  }

  private async observe(application: SparkApplication, { driver, hindrance }: Outcome, signal?: AbortSignal): Promise<Observation> {
    const seen = await observe(application, { ...this.options, signal });
    const observation: Observation = { ...seen, hindrance, driver: driver ? { kind: 'ours', pod: driver } : seen.driver };
    return { ...observation, stuckSince: this.stuckSince(observation) };
  }

  /** By the operator's own clock and since it looks: a pull that took long, or a node's clock that is wrong, is not held against the driver. */
  private stuckSince({ application, driver }: Observation): number | undefined {
    const key = keyOf(application.metadata);
    const isStuck = driver.kind === 'ours' && driver.pod.obstacle?.passes === false;
    if (!isStuck) this.stuck.delete(key);
    else if (!this.stuck.has(key)) this.stuck.set(key, this.options.clock.now());
    return this.stuck.get(key);
  }

  private tell(before: SparkApplication, after: SparkApplication, logger: Logger): void {
    const [from, to] = [stateOf(before), stateOf(after)];
    if (from === to) return;
    const status = after.status;
    // Why is in the status and the events, for those who may read the application.
    logger.info({ from, state: to, attempt: status?.submissionAttempts, sparkApplicationId: status?.sparkApplicationId }, `application is ${to}`);
    this.options.onTransition?.(before, after);
  }
}
