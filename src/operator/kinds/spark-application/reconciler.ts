import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState } from '../../../api/states';
import { chooseAhead } from './choice';
import { decide } from './decide';
import type { Action, Decision, Observation, Settings } from './decision';
import { isBeginning, isUnconfirmed, stateOf, type SparkApplication } from '../../../model/spark-application';
import { observe } from './observe';
import type { OwnedObjects, OwnedPass } from './owned/owned-objects';
import { withWebUI } from './owned/web-ui-info';
import { confirmUnchanged, perform } from './perform';
import type { Outcome, Performer } from './performer';
import { submissionEvents } from './states/begin';
import { Submissions } from './submissions';
import { submittedAhead } from './submitted-ahead';
import { submitterFailure } from './submitter-failure';
import { transform } from './transform';
import { CircuitBreaker } from './circuit-breaker';
import { withLayersOnce } from '../../../plan/defaults/apply';
import type { DefaultsSource } from '../../defaults-source';
import { hasEnded, type PodView } from '../../../model/pod-view';
import { Preparations } from '../../driver/preparation';
import type { UserEvent } from '../../user-event';
import { Retries, type Attempt } from '../../driver/retries';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import type { EventRecorder } from '../../../kube/events';
import { referenceTo } from '../../../kube/events';
import type { Logger } from '../../../kube/logger';
import type { Store } from '../../../kube/store';
import { SPARK_APPLICATIONS } from '../../../model/resources';
import { ReconcileLoop, type ActionResult, type KindHandler, type Round } from '../../runtime/reconcile-loop';
import { EXECUTOR_CHANGES } from './executors';
import { SeenExecutors } from './seen-executors';

/** Dependencies of the reconciler. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly settings: Settings;
  readonly submission: Performer['submission'];
  /** Objects of applications other than their pods. @default - the operator creates none */
  readonly owned?: Pick<OwnedObjects, 'converge' | 'forget'>;
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: Pick<DefaultsSource, 'current'>;
  /** Field manager of this operator; see `LoopDependencies`. */
  readonly writer: string;
  /**
   * Circuit breaker for all terms of the process as leader, because they share the workers.
   * @default - a new one, for 10 workers
   */
  readonly circuitBreaker?: CircuitBreaker;
  readonly clock: Clock;
  readonly newId: () => string;
  /**
   * Called after each write of a status, with the entered states in order, and the error messages
   * of attempts that have failed. The lists are empty if only the record of executors or a reason
   * has changed.
   */
  readonly onTransition?: (
    before: SparkApplication, after: SparkApplication, passed: readonly ApplicationState[], failures: readonly string[],
  ) => void;
}

/**
 * Milliseconds after the deletion of a driver until it is checked, in case the watch does not
 * report its end.
 */
const DELETION = 10_000;

type Handler = KindHandler<SparkApplication, SparkApplicationStatus, Observation, Decision, Action, Outcome>;

/** Reconciles SparkApplications. Only its loop writes their status. */
export class SparkApplicationReconciler {
  private readonly loop: ReconcileLoop<SparkApplication, SparkApplicationStatus, Observation, Decision, Action, Outcome>;
  private readonly retries = new Retries();
  private readonly preparations = new Preparations();
  private readonly executors = new SeenExecutors();
  private readonly submissions = new Submissions();
  private readonly circuitBreaker: CircuitBreaker;

  constructor(private readonly options: ReconcilerOptions) {
    this.circuitBreaker = options.circuitBreaker ?? new CircuitBreaker(options.clock, 10);
    this.loop = new ReconcileLoop(this.handler(), options);
  }

  /** Reconciles an application. `key` is `namespace/name`. */
  reconcile(key: string, context: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    return this.loop.reconcile(key, context);
  }

  private handler(): Handler {
    const { applications, clock, newId, settings, owned, onTransition } = this.options;
    return {
      resource: SPARK_APPLICATIONS,
      store: applications,
      transform,
      withoutFields: 'edits of a specification might not run an application again, or the history of attempts is missing',
      coalesced: EXECUTOR_CHANGES,
      observe: (application, outcome, round) => this.observe(application, outcome, round),
      decide: (observation) => decide(observation, { now: clock.now(), newId, settings }),
      complete: async (application, decision, observation, round) => {
        const { passed, action, status = application.status! } = decision;
        if (action?.kind === 'submit' && decision.status) return this.submitAhead(observation, decision.status, round);
        // The status that enters RUNNING contains the address of the web UI.
        if (!passed.includes(ApplicationState.RUNNING)) return undefined;
        return this.converge({ ...application, status }, { submitted: passed.includes(ApplicationState.SUBMITTED), signal: round.signal });
      },
      perform: (application, action, _, round, isWritten) => this.perform(application, action, round, isWritten),
      rest: async (application, { passed, requeueAfter = 0 }, outcome, { key, now, signal }) => {
        if (outcome?.failure) this.retries.plan(key, attemptOf(application), now + requeueAfter);
        if (passed.includes(ApplicationState.RUNNING) || !application.status) return undefined;
        const submitted = passed.includes(ApplicationState.SUBMITTED) || (outcome?.driver !== undefined && isUnconfirmed(application));
        return this.converge(application, { submitted, signal });
      },
      onDecided: (before, after, { status, passed, failures }, _, logger) => {
        if (!status) return;
        onTransition?.(before, after, passed, failures);
        if (passed.length > 0) logTransition(before, after, logger);
      },
      forget: (key) => {
        this.retries.forget(key);
        this.preparations.forget(key);
        this.executors.forget(key);
        this.submissions.forget(key);
        owned?.forget(key);
      },
    };
  }

  private async perform(
    application: SparkApplication, action: Action, round: Round, isWritten: boolean,
  ): Promise<ActionResult<SparkApplication, Outcome>> {
    const { signal } = round;
    // An earlier reconcile wrote the intent, so there is no write that would fail on an old cache.
    if (action.kind === 'submit' && !isWritten) await confirmUnchanged({ client: this.options.client, signal }, application);
    const outcome = await perform(this.performer(round), application, action, !isWritten);
    if (outcome.deleted) return { gone: true };
    if (outcome.later !== undefined) return { requeueAfter: outcome.later };
    if (action.kind === 'delete-driver' || action.kind === 'delete-submitter') return { requeueAfter: DELETION };
    const isDone = outcome.driver && isUnconfirmed(application);
    return { result: outcome, ...(isDone && { events: this.confirm(application, outcome, round) }) };
  }

  private performer({ logger, signal }: Round): Performer {
    return { ...this.options, circuitBreaker: this.circuitBreaker, logger, signal };
  }

  /**
   * Plans a submission before its intent is written. If the operator can make it natively, the
   * intent is the status of a submitted application.
   */
  private async submitAhead(
    observation: Observation, status: SparkApplicationStatus, round: Round,
  ): Promise<{ readonly status: SparkApplicationStatus; readonly action: Action } | undefined> {
    const { clock, newId, settings } = this.options;
    const intent = { ...observation.application, status };
    const planned = chooseAhead(this.performer(round), intent);
    const ahead = planned && submittedAhead(observation, status, planned, { now: clock.now(), newId, settings });
    if (!ahead) return undefined;
    this.submissions.begin(round.key, intent);
    return { status: ahead, action: { kind: 'submit', planned } };
  }

  /**
   * Records that the driver exists of an application whose status reported it before. Returns the
   * events, unless another process has recorded them.
   */
  private confirm(application: SparkApplication, { isFound, warnings }: Outcome, { key, logger }: Round): UserEvent[] {
    const intent = this.submissions.confirm(key, application.status!.submissionID!);
    if (intent) {
      this.options.onTransition?.(intent, application, [ApplicationState.SUBMITTED], []);
      logTransition(intent, application, logger);
    }
    return intent || !isFound ? submissionEvents({ application, warnings }) : [];
  }

  /** Reconciles the owned objects. Returns the status with the address of the web UI. */
  private async converge(
    application: SparkApplication, pass: OwnedPass,
  ): Promise<{ status?: SparkApplicationStatus; retryAfter?: number }> {
    const { defaults, owned, events } = this.options;
    const outcome = await owned?.converge(application, { ...pass, defaults: defaults?.current(application.metadata.namespace) });
    if (!outcome) return { status: application.status };
    for (const event of outcome.events) events.record(referenceTo(SPARK_APPLICATIONS, application), event);
    const status = application.status!;
    return { status: { ...status, driverInfo: withWebUI(status.driverInfo, outcome.webUI) }, retryAfter: outcome.retryAfter };
  }

  private async observe(application: SparkApplication, outcome: Outcome = {}, { key, now, signal, dropped }: Round): Promise<Observation> {
    const { driver, isFound: _, ...seen } = outcome;
    const { client, settings } = this.options;
    if (stateOf(application) !== ApplicationState.SUBMITTED && !isBeginning(application)) this.submissions.forget(key);
    const observed = await observe(application, { ...this.options, signal });
    const withObstacle = (pod: PodView) => this.preparations.observe(key, pod, { client, now, signal });
    const running = observed.submitter && !hasEnded(observed.submitter) ? await withObstacle(observed.submitter) : undefined;
    const failure = running && submitterFailure(running, settings.sparkSubmitTimeout, now);
    const isAwaited = !running && observed.driver.kind === 'ours';
    if (!running && !isAwaited) this.preparations.forget(key);
    const observation: Observation = {
      ...observed,
      ...this.executors.observe(key, application, observed.executors),
      ...(failure && { failure }),
      ...seen,
      ...this.governed(application),
      submitter: running ?? observed.submitter,
      driver: driver ? { kind: 'ours', pod: driver }
        : isAwaited ? { kind: 'ours', pod: await withObstacle(observed.driver.pod) } : observed.driver,
      confirmed: driver !== undefined || this.submissions.isConfirmed(key, application.status?.submissionID),
    };
    const notBefore = this.retries.notBefore(key, attemptOf(application), now);
    const dropsStartDeadline = dropped.has('startDeadlineTime');
    return { ...observation, ...(notBefore !== undefined && { notBefore }), ...(dropsStartDeadline && { dropsStartDeadline }) };
  }

  /** Returns the specification with the defaults of the cluster. */
  private governed({ metadata, spec }: SparkApplication): Pick<Observation, 'governed' | 'undecidable'> {
    const current = this.options.defaults?.current(metadata.namespace);
    if (!current) return {};
    return current.kind === 'ready' ? { governed: withLayersOnce(spec, current.layers).spec } : { undecidable: true };
  }
}

function attemptOf({ metadata: { uid, generation }, status }: SparkApplication): Attempt {
  return { uid, generation, submissionID: status?.submissionID };
}

function logTransition(before: SparkApplication, after: SparkApplication, logger: Logger): void {
  const state = stateOf(after);
  const { submissionAttempts: attempt, sparkApplicationId } = after.status ?? {};
  // The reason is in the status and the events, for those who can read the application.
  logger.info({ from: stateOf(before), state, attempt, sparkApplicationId }, `application is ${state}`);
}
