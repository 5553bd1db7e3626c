import type { ApplicationState } from '../../api/states';
import { decide } from './decide';
import type { Context, Observation, Settings } from './decision';
import { stateOf, withoutManagedFields, type SparkApplication } from './model';
import { observe } from './observe';
import { perform, writeStatus, type Outcome, type Performer } from './perform';
import { Waits } from './waits';
import type { PodView } from './pod-view';
import type { KubeClient } from '../kube/client';
import type { Clock } from '../kube/clock';
import { isNotFound } from '../kube/errors';
import type { EventRecorder } from '../kube/events';
import { referenceTo } from '../kube/events';
import type { Logger } from '../kube/logger';
import type { Store } from '../kube/store';
import { SPARK_APPLICATIONS } from '../resources';

/** What the reconciler works with. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly settings: Settings;
  readonly submission: Performer['submission'];
  readonly sparkSubmit?: Performer['sparkSubmit'];
  readonly clock: Clock;
  readonly newId: () => string;
  /** Told of every status that was written, with the states that were entered, in order; there are none if only the record of executors or a reason has changed. */
  readonly onTransition?: (before: SparkApplication, after: SparkApplication, passed: readonly ApplicationState[]) => void;
}

/** More rounds than the longest way through the states in one go; more are a mistake in the decisions. */
const MAX_ROUNDS = 8;

/** How long after the deletion of a driver it is looked for, in milliseconds, should the watch not tell of its end. */
const DELETION = 10_000;

/**
 * One application's way: observe, decide, write the status, act, tell; again while there is something to do.
 * Nothing else writes the status.
 */
export class SparkApplicationReconciler {
  private readonly options: ReconcilerOptions;
  private readonly waits = new Waits();

  constructor(options: ReconcilerOptions) {
    this.options = options;
  }

  /** Brings an application one or more steps forward. `key` is `namespace/name`. */
  async reconcile(key: string, { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    const { applications, client, clock, newId, settings } = this.options;
    let application = applications.get(key);
    // What is being deleted takes its driver along: Kubernetes collects what the application owns.
    if (!application || application.metadata.deletionTimestamp) return this.forget(key);
    let outcome: Outcome = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const observation = await this.observe(key, application, outcome, signal);
      const context: Context = { now: clock.now(), newId, settings };
      const decision = decide(observation, context);
      if (decision.status) {
        const before: SparkApplication = application;
        const written = await writeStatus(client, before, decision.status, signal).catch(undefinedIfGone);
        if (!written) return this.forget(key);
        application = withoutManagedFields(written);
        applications.upsert(application);
        this.tell(before, application, decision.passed, logger);
      }
      for (const event of decision.events) this.options.events.record(referenceTo(SPARK_APPLICATIONS, application), event);
      if (!decision.action) {
        if (outcome.hindrance) this.waits.tryAgainAt(key, context.now + (decision.requeueAfter ?? 0), application.metadata.generation);
        return { requeueAfter: decision.requeueAfter };
      }
      outcome = await perform({ ...this.options, logger, signal }, application, decision.action);
      if (outcome.deleted) return this.forget(key);
      // Its end is told by the watch; should it not be, it is looked for.
      if (decision.action.kind === 'delete-driver') return { requeueAfter: DELETION };
    }
    throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds, it is in state ${stateOf(application) || 'new'}`);
  }

  /** The application is gone, or going. */
  private forget(key: string): void {
    this.waits.forget(key);
    this.options.sparkSubmit?.forget(key);
  }

  private async observe(key: string, application: SparkApplication, outcome: Outcome, signal?: AbortSignal): Promise<Observation> {
    const { driver, ...seen } = outcome;
    const observed = await observe(application, { ...this.options, signal });
    const observation: Observation = {
      ...observed,
      ...seen,
      driver: driver ? { kind: 'ours', pod: driver } : observed.driver,
      confirmed: driver !== undefined,
      underWay: this.options.sparkSubmit?.isUnderWay(application),
    };
    return { ...observation, ...this.waits.observe(key, observation, this.options.clock.now()) };
  }

  private tell(before: SparkApplication, after: SparkApplication, passed: readonly ApplicationState[], logger: Logger): void {
    this.options.onTransition?.(before, after, passed);
    if (passed.length === 0) return;
    const [from, to] = [stateOf(before), stateOf(after)];
    const status = after.status;
    // Why is in the status and the events, for those who may read the application.
    logger.info({ from, state: to, attempt: status?.submissionAttempts, sparkApplicationId: status?.sparkApplicationId }, `application is ${to}`);
  }
}

/** An application that was deleted in the meantime needs nothing any more. */
function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
