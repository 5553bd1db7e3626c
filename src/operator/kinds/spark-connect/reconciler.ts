import type { SparkConnectState, SparkConnectStatus } from '../../../api/spark-connect-status';
import type { DefaultsSource } from '../../defaults-source';
import type { CurrentDefaults } from '../../../plan/defaults/layer';
import { Preparations } from '../../driver/preparation';
import { Retries, type Attempt } from '../../driver/retries';
import type { Clock } from '../../../kube/clock';
import { referenceTo, type EventRecorder } from '../../../kube/events';
import type { Logger } from '../../../kube/logger';
import type { Store } from '../../../kube/store';
import { warning } from '../../user-event';
import { SPARK_CONNECTS } from '../../../model/resources';
import type { KubeClient } from '../../../kube/client';
import { rfc3339 } from '../../../text/times';
import type { ConnectObjects, ConnectObjectsOutcome } from './connect-objects';
import { decide } from './decide';
import type { Action, Decision, Observation } from './decision';
import { stateOf, type SparkConnect } from '../../../model/spark-connect';
import { observe } from './observe';
import { perform, type Outcome, type Performer } from './perform';
import { ReconcileLoop, type ActionResult, type KindHandler, type Round, type RoundDecision } from '../../runtime/reconcile-loop';
import { isError, problemText } from '../../../model/problem';
import { planConnect } from '../../../plan/plan-connect';
import type { SessionWatch } from './session-watch';
import { isRevisionChanged } from '../../../plan/connect/revision';
import { startIdOf } from '../../../plan/connect/start';
import { oversizedReason, transform, wholeOf } from './transform';

/** Options of the reconciler. */
export interface ConnectReconcilerOptions extends Omit<Performer, 'logger' | 'signal' | 'client' | 'cleaned'> {
  readonly client: KubeClient;
  readonly connects: Store<SparkConnect>;
  readonly events: Pick<EventRecorder, 'record'>;
  /** Objects of SparkConnects other than their servers. */
  readonly objects: Pick<ConnectObjects, 'converge' | 'forget'>;
  /** Reads the sessions of servers. */
  readonly sessions: Pick<SessionWatch, 'look' | 'forget'>;
  /** Defaults and limits of the cluster; only the limits apply. @default - none */
  readonly defaults?: Pick<DefaultsSource, 'current'>;
  /**
   * Milliseconds that the creation or the start of a server can wait for something that needs an
   * action of the user.
   */
  readonly startTimeout: number;
  readonly clock: Clock;
  /** Field manager of this operator; see `LoopDependencies`. */
  readonly writer: string;
  /** Called with every written status. */
  readonly onWritten?: (before: SparkConnect, after: SparkConnect) => void;
  /** Called with each SparkConnect that was deleted because it was idle. */
  readonly onIdle?: (connect: SparkConnect) => void;
}

/** Milliseconds until a deleted server is checked, in case the watch does not report its end. */
const DELETION = 10_000;

/** Milliseconds for which changes of executors can wait for others. */
const COALESCING_TIME = 1_000;

/** Milliseconds until a SparkConnect is tried again whose status the API server does not keep. */
const HOLD = 5 * 60_000;

/**
 * Fields that the operator needs. Without the first one the current start is unknown, and without
 * the second each reconcile would write.
 */
const NEEDED_FIELDS = ['lastTerminationTime', 'observedGeneration'];

/** Observation of a round. */
interface Seen {
  readonly observation: Observation;
  readonly objects: ConnectObjectsOutcome;
  /** Milliseconds until the sessions are read again. */
  readonly dueIn?: number;
}

/** Decision of a round. */
interface ConnectRound extends RoundDecision<SparkConnectStatus, Action> {
  readonly entered?: SparkConnectState;
}

type Loop = ReconcileLoop<SparkConnect, SparkConnectStatus, Seen | undefined, ConnectRound, Action, Outcome>;
type Handler = KindHandler<SparkConnect, SparkConnectStatus, Seen | undefined, ConnectRound, Action, Outcome>;

/** Reconciles SparkConnects. Only its loop writes their status. */
export class SparkConnectReconciler {
  private readonly loop: Loop;
  private readonly retries = new Retries();
  private readonly preparations = new Preparations();
  private readonly cleaned = new Map<string, string>();

  constructor(private readonly options: ConnectReconcilerOptions) {
    this.loop = new ReconcileLoop(this.handler(), options);
  }

  /** Reconciles a SparkConnect. `key` is `namespace/name`. */
  reconcile(key: string, context: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    return this.loop.reconcile(key, context);
  }

  private handler(): Handler {
    const { connects, clock, startTimeout, objects, sessions, onWritten } = this.options;
    return {
      resource: SPARK_CONNECTS,
      store: connects,
      transform,
      withoutFields: 'nothing more is done for a SparkConnect',
      coalesced: { fields: ['executors', 'lastUpdateTime'], time: () => COALESCING_TIME },
      observe: (connect, outcome, round) => (
        NEEDED_FIELDS.some((field) => round.dropped.has(field)) ? undefined : this.observe(connect, outcome, round)
      ),
      decide: (seen, round) => {
        if (!seen) return held(round);
        return roundOf(seen, decide(seen.observation, { now: clock.now(), startTimeout }), clock.now());
      },
      perform: (connect, action, seen, round) => this.perform(connect, action, seen!, round),
      rest: (connect, { requeueAfter }, outcome, { key, now }) => {
        if (outcome?.failure) this.retries.plan(key, attemptOf(connect), now + (requeueAfter ?? 0));
        return undefined;
      },
      onDecided: (before, after, { status, entered }, _, logger) => {
        if (!status) return;
        onWritten?.(before, after);
        if (entered !== undefined) logger.info({ from: stateOf(before), state: stateOf(after) }, `SparkConnect is ${stateOf(after)}`);
      },
      forget: (key) => {
        this.cleaned.delete(key);
        this.retries.forget(key);
        this.preparations.forget(key);
        objects.forget(key);
        sessions.forget(key);
      },
    };
  }

  private async perform(
    connect: SparkConnect, action: Action, { objects }: Seen, { logger, signal }: Round,
  ): Promise<ActionResult<SparkConnect, Outcome>> {
    // Clients could not reach a server without its Service.
    if (action.kind === 'start' && objects.failure) return { result: { failure: objects.failure } };
    const outcome = await perform({ ...this.options, logger, signal, cleaned: this.cleaned }, connect, action);
    if (outcome.deleted) {
      this.options.onIdle?.(connect);
      return { gone: true, events: action.kind === 'delete-connect' ? action.events : [] };
    }
    // The watch reports its end. The requeue is a fallback.
    return action.kind === 'delete-server' ? { requeueAfter: DELETION } : { result: outcome };
  }

  private async observe(connect: SparkConnect, outcome: Outcome = {}, { key, now, signal, dropped }: Round): Promise<Seen> {
    const { client, sessions, defaults, events } = this.options;
    const { metadata: { namespace }, spec } = connect;
    const objects = await this.options.objects.converge(connect, signal);
    for (const event of objects.events) events.record(referenceTo(SPARK_CONNECTS, connect), event);
    const { server: found, ...rest } = outcome;
    const observed = await observe(connect, { ...this.options, signal });
    const isAwaited = !found && observed.server.kind === 'ours';
    if (!isAwaited) this.preparations.forget(key);
    const server = isAwaited
      ? { kind: 'ours' as const, pod: await this.preparations.observe(key, observed.server.pod, { client, now, signal }) }
      : found ? { kind: 'ours' as const, pod: found } : observed.server;
    const notBefore = this.retries.notBefore(key, attemptOf(connect), now);
    const isWatched = spec.idleTimeToLiveSeconds !== undefined && !spec.suspend && server.kind === 'ours' && server.pod.isReady === true;
    const { sessions: look, dueIn } = isWatched ? sessions.look(key, connect, server.pod) : {};
    if (!isWatched) sessions.forget(key);
    const current = defaults?.current(namespace);
    return {
      observation: {
        ...observed, ...rest, ...(notBefore !== undefined && { notBefore }), server,
        ...(dropped.has('startDeadlineTime') && { dropsStartDeadline: true }), serviceProblem: objects.serviceProblem,
        // A running server continues.
        refusals: server.kind === 'ours' && !isRevisionChanged(server.pod, connect) ? [] : await this.refusals(connect, current, signal),
        ...(current?.kind === 'unusable' && { undecidable: current.reason }),
        ...(look && { sessions: look }),
      },
      objects,
      dueIn,
    };
  }

  /** Returns why the specification cannot be run; sentences. */
  private async refusals(connect: SparkConnect, current: CurrentDefaults | undefined, signal?: AbortSignal): Promise<string[]> {
    const reason = oversizedReason(connect);
    if (reason !== undefined) return [reason];
    const whole = await wholeOf(connect, { client: this.options.client, signal });
    const { problems } = planConnect(whole, { submission: this.options.submission, defaults: current });
    // The API server drops unknown fields.
    return problems.filter((problem) => isError(problem) && !problem.unknown).map(problemText);
  }
}

/** Returns the decision of a round, with the names of the owned objects. */
function roundOf({ observation: { connect }, objects, dueIn }: Seen, decision: Decision, now: number): ConnectRound {
  const { action, events = [], entered, again, requeueAfter } = decision;
  const status = withObjects(decision, connect, objects, now);
  // A deletion is reported once it has happened.
  if (action?.kind === 'delete-connect') return { status, action: { ...action, events }, events: [], entered };
  return { status, action, events, entered, again, requeueAfter: least(requeueAfter, objects.retryAfter, dueIn) };
}

function attemptOf(connect: SparkConnect): Attempt {
  return { uid: connect.metadata.uid, generation: connect.metadata.generation, submissionID: startIdOf(connect) };
}

/**
 * Stops work on a SparkConnect because the cluster has an older CRD, or kubeflow's. Its last state
 * stays as it is.
 */
function held({ isDropNew, key }: Round): ConnectRound {
  const note = `the API server drops fields of the status of SparkConnect ${key.split('/')[1]}: `
    + "the CRD is an older one or kubeflow's, and nothing more is done for it; apply the CRD of this version of the operator";
  return { events: isDropNew ? [warning('SparkConnectNotHandled', 'Hold', note)] : [], requeueAfter: HOLD };
}

/** Returns the status with the names of the Service and the web UI. */
function withObjects(
  { status: decided, isHeld }: Decision, { status: before }: SparkConnect, { server }: ConnectObjectsOutcome, now: number,
): SparkConnectStatus | undefined {
  const { serviceName: _, webUIIngressName: __, webUIIngressAddress: ___, ...own } = (decided ?? before)?.server ?? {};
  const next = { ...own, ...server };
  const isSame = (a: object = {}) => (
    Object.keys({ ...a, ...next }).every((key) => (a as Record<string, unknown>)[key] === (next as Record<string, unknown>)[key])
  );
  if (!decided && (!before || isHeld || isSame(before.server))) return undefined;
  return { ...(decided ?? { ...before, lastUpdateTime: rfc3339(now) }), server: next };
}

function least(...waits: readonly (number | null | undefined)[]): number | undefined {
  const given = waits.filter((wait) => wait !== undefined && wait !== null);
  return given.length > 0 ? Math.min(...given) : undefined;
}
