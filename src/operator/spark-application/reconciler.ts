import { isDeepStrictEqual } from 'node:util';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState } from '../../api/states';
import { decide } from './decide';
import type { Context, Observation, Settings } from './decision';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { observe } from './observe';
import { fieldsNotKept, withoutOwnFields } from '../../model/status-writers';
import type { OwnedObjects, OwnedPass } from './owned/owned-objects';
import { withWebUI } from './owned/web-ui-info';
import { confirmUnchanged, perform, writeStatus } from './perform';
import type { Outcome, Performer } from './performer';
import { submitterFailure } from './submitter-failure';
import { transform } from './transform';
import { waitingOf } from './waiting';
import { CircuitBreaker } from './webhook-gate';
import { withLayersOnce } from '../../plan/defaults/apply';
import type { DefaultsSource } from '../defaults-source';
import { hasEnded, type PodView } from '../../model/pod-view';
import { Preparations } from '../driver/preparation';
import { Waits } from '../driver/waits';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import type { EventRecorder } from '../../kube/events';
import { referenceTo } from '../../kube/events';
import type { Logger } from '../../kube/logger';
import type { Store } from '../../kube/store';
import type { UserEvent } from '../occurrence';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { seconds } from '../../text/times';
import type { Contended, Contention } from '../runtime/contention';
import { StatusCoalescer } from '../runtime/status-coalescer';
import { UnansweredWrites } from '../unanswered-writes';
import { EXECUTOR_CHANGES } from './executors';

/** What the reconciler works with. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly settings: Settings;
  readonly submission: Performer['submission'];
  /** What belongs to applications besides their pods. @default - nothing is made */
  readonly owned?: Pick<OwnedObjects, 'converge' | 'forget'>;
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: Pick<DefaultsSource, 'current'>;
  /** Detects other operators that manage the same applications. @default - none */
  readonly contention?: Contention;
  /** One for all terms of the process, as they have the workers together. @default - a new one, for 10 workers */
  readonly circuitBreaker?: CircuitBreaker;
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
  private readonly coalescer = new StatusCoalescer(EXECUTOR_CHANGES);
  private readonly preparations = new Preparations();
  private readonly unanswered = new UnansweredWrites<SparkApplication>((sent, seen) => isDeepStrictEqual(this.kept(sent), this.kept(seen)));
  private readonly circuitBreaker: CircuitBreaker;
  /** Whether the API server does not keep all fields of the status. */
  private dropsFields = false;

  constructor(options: ReconcilerOptions) {
    this.options = options;
    this.circuitBreaker = options.circuitBreaker ?? new CircuitBreaker(options.clock, 10);
  }

  /** Brings an application one or more steps forward. `key` is `namespace/name`. */
  async reconcile(key: string, { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    const { applications, client, clock, newId, settings } = this.options;
    let application = applications.get(key);
    if (application) this.unanswered.settle(application);
    // What is being deleted takes its driver along: Kubernetes collects what the application owns.
    if (!application || application.metadata.deletionTimestamp) return this.forget(key);
    const contended = this.options.contention?.check(application, clock.now());
    if (contended) return this.leaveAlone(application, contended, logger);
    let outcome: Outcome = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const observation = await this.observe(key, application, outcome, signal);
      const context: Context = { now: clock.now(), newId, settings };
      const decision = decide(observation, context);
      let retryAfter: number | undefined;
      let status = decision.status;
      const hold = status && !decision.action ? this.coalescer.hold(key, application.status, status, context.now) : 0;
      if (hold > 0) return { requeueAfter: least(decision.requeueAfter, hold) };
      if (decision.passed.includes(ApplicationState.SUBMITTED)) {
        // Before the write, so that the address of the web UI is in it.
        ({ status = application.status!, retryAfter } = await this.converge({ ...application, status: status ?? application.status }, { submitted: true, signal }));
      }
      const report = (before: SparkApplication, after: SparkApplication) => {
        if (status) this.tell(before, after, decision.passed, logger);
        for (const event of decision.events) this.record(after, event);
      };
      const before: SparkApplication = application;
      if (status) {
        const writing = writeStatus(client, before, status, signal).catch(undefinedIfGone);
        const tellLate = (seen: SparkApplication) => {
          this.options.contention?.onWritten(seen);
          report(before, seen);
        };
        const written = await this.unanswered.answer(before, status, tellLate, writing);
        if (!written) return this.forget(key);
        application = transform(written, before);
        applications.upsert(application);
        this.options.contention?.onWritten(application);
        this.reportDropped(status, application, logger);
      }
      report(before, application);
      if (!decision.action) {
        if (outcome.failure) this.waits.retryAt(key, context.now + (decision.requeueAfter ?? 0), application.metadata.generation);
        if (!decision.passed.includes(ApplicationState.SUBMITTED)) retryAfter = await this.keepOwned(application, signal);
        return { requeueAfter: least(decision.requeueAfter, retryAfter) };
      }
      // The intent is of an earlier pass: the write before this action, which fails on an old cache, is missing.
      if (decision.action.kind === 'submit' && !status) await confirmUnchanged({ client, signal }, application);
      outcome = await perform({ ...this.options, circuitBreaker: this.circuitBreaker, logger, signal }, application, decision.action, !status);
      if (outcome.deleted) return this.forget(key);
      if (outcome.later !== undefined) return { requeueAfter: outcome.later };
      // The watch reports the end of the deletion. If it does not, the operator checks.
      if (decision.action.kind === 'delete-driver' || decision.action.kind === 'delete-submitter') return { requeueAfter: DELETION };
    }
    throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds, it is in state ${stateOf(application) || 'new'}`);
  }

  /** Leaves an application that another operator also manages alone for a while. */
  private leaveAlone(application: SparkApplication, { remaining, by }: Contended, logger: Logger): { requeueAfter: number } {
    if (by !== undefined) {
      const note = `Another operator also manages SparkApplication ${application.metadata.name}: ${by} has written the status after this operator. This one leaves it alone for ${seconds(remaining)}`;
      logger.warn({ remaining }, note);
      this.record(application, { type: 'Warning', reason: 'SparkApplicationContended', action: 'LeaveAlone', note });
    }
    return { requeueAfter: remaining };
  }

  /** Makes what belongs to an application as it should be. @returns its status with what that comes to */
  private async converge(application: SparkApplication, pass: OwnedPass): Promise<{ status?: SparkApplicationStatus; retryAfter?: number }> {
    const { defaults, owned } = this.options;
    const outcome = await owned?.converge(application, { ...pass, defaults: defaults?.current(application.metadata.namespace) });
    if (!outcome) return { status: application.status };
    for (const event of outcome.events) this.record(application, event);
    const status = application.status!;
    return { status: { ...status, driverInfo: withWebUI(status.driverInfo, outcome.webUI) }, retryAfter: outcome.retryAfter };
  }

  /** The same, with a write of the status if that is news. @returns when it is to be tried again */
  private async keepOwned(application: SparkApplication, signal?: AbortSignal): Promise<number | undefined> {
    if (!application.status) return undefined;
    const { status, retryAfter } = await this.converge(application, { signal });
    if (!isDeepStrictEqual(status, application.status)) {
      const written = await writeStatus(this.options.client, application, status!, signal).catch(undefinedIfGone);
      if (written) {
        const kept = transform(written, application);
        this.options.applications.upsert(kept);
        this.options.contention?.onWritten(kept);
      }
    }
    return retryAfter;
  }

  private record(application: SparkApplication, event: UserEvent): void {
    this.options.events.record(referenceTo(SPARK_APPLICATIONS, application), event);
  }

  /** The application is gone, or going. */
  private forget(key: string): void {
    this.waits.forget(key);
    this.coalescer.forget(key);
    this.preparations.forget(key);
    this.unanswered.forget(key);
    this.options.owned?.forget(key);
    this.options.contention?.forget(key);
  }

  private async observe(key: string, application: SparkApplication, outcome: Outcome, signal?: AbortSignal): Promise<Observation> {
    const { driver, ...seen } = outcome;
    const { client, clock, settings } = this.options;
    const now = clock.now();
    const observed = await observe(application, { ...this.options, signal });
    const withObstacle = (pod: PodView) => this.preparations.observe(key, pod, { client, now, signal });
    const running = observed.submitter && !hasEnded(observed.submitter) ? await withObstacle(observed.submitter) : undefined;
    const failure = running && submitterFailure(running, settings.sparkSubmitTimeout, now);
    const isAwaited = !running && observed.driver.kind === 'ours';
    if (!running && !isAwaited) this.preparations.forget(key);
    const observation: Observation = {
      ...observed,
      ...(failure && { failure }),
      ...seen,
      ...this.governed(application),
      submitter: running ?? observed.submitter,
      driver: driver ? { kind: 'ours', pod: driver } : isAwaited ? { kind: 'ours', pod: await withObstacle(observed.driver.pod) } : observed.driver,
      confirmed: driver !== undefined,
    };
    return { ...observation, ...this.waits.observe(key, waitingOf(observation), now) };
  }

  /** What the defaults of the cluster make of a specification. */
  private governed({ metadata, spec }: SparkApplication): Pick<Observation, 'governed' | 'undecidable'> {
    const current = this.options.defaults?.current(metadata.namespace);
    if (!current) return {};
    return current.kind === 'ready' ? { governed: withLayersOnce(spec, current.layers).spec } : { undecidable: true };
  }

  /** Once: the CRD in the cluster is the same for all applications. */
  private reportDropped(sent: SparkApplicationStatus, { status }: SparkApplication, logger: Logger): void {
    const fields = this.dropsFields ? [] : fieldsNotKept(sent, status);
    if (fields.length === 0) return;
    this.dropsFields = true;
    logger.warn({ fields }, "the API server drops fields of the status: the CRD is an older one or kubeflow's, and edits of a specification do not run an application again; apply the CRD of this version");
  }

  private kept(status: object): object {
    return this.dropsFields ? withoutOwnFields(status) : status;
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

function least(...waits: readonly (number | undefined)[]): number | undefined {
  const given = waits.filter((wait) => wait !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
}

/** An application that was deleted in the meantime needs nothing any more. */
function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
