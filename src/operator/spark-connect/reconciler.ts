import type { SparkConnectStatus } from '../../api/spark-connect-status';
import type { DefaultsSource } from '../defaults-source';
import type { CurrentDefaults } from '../../plan/defaults/layer';
import { Preparations } from '../driver/preparation';
import { Waits } from '../driver/waits';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { referenceTo, type EventRecorder } from '../../kube/events';
import type { Logger } from '../../kube/logger';
import type { Store } from '../../kube/store';
import { warning, type UserEvent } from '../occurrence';
import { SPARK_CONNECTS } from '../../model/resources';
import type { KubeClient } from '../../kube/client';
import { rfc3339 } from '../../text/times';
import { StatusCoalescer } from '../runtime/status-coalescer';
import { UnansweredWrites } from '../unanswered-writes';
import type { ConnectObjects, ConnectObjectsOutcome } from './connect-objects';
import { decide } from './decide';
import type { Decision, Observation } from './decision';
import { stateOf, type SparkConnect } from '../../model/spark-connect';
import { observe } from './observe';
import { perform, writeStatus, type Outcome, type Performer } from './perform';
import { isError, problemText } from '../../model/problem';
import { planConnect } from '../../plan/plan-connect';
import type { SessionWatch } from './session-watch';
import { isRevisionChanged } from '../../plan/connect/revision';
import { startIdOf } from '../../plan/connect/start';
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
  /** Called with every written status. */
  readonly onWritten?: (before: SparkConnect, after: SparkConnect) => void;
  /** Called with each SparkConnect that was deleted because it was idle. */
  readonly onIdle?: (connect: SparkConnect) => void;
}

/**
 * Maximum rounds, more than the longest path through the states. More rounds are a bug in the
 * decisions.
 */
const MAX_ROUNDS = 10;

/** Milliseconds until a deleted server is checked, in case the watch does not report its end. */
const DELETION = 10_000;

/** Milliseconds for which changes of executors can wait for others. */
const COALESCING_TIME = 1_000;

/** Milliseconds until a SparkConnect is tried again whose status the API server does not keep. */
const HOLD = 5 * 60_000;

/**
 * Reconciles a SparkConnect: observes, decides, writes the status, acts and records events. It
 * repeats that while there is something to do. Only this class writes the status.
 */
export class SparkConnectReconciler {
  private readonly waits = new Waits();
  private readonly coalescer = new StatusCoalescer<SparkConnectStatus>({ fields: ['executors', 'lastUpdateTime'], time: () => COALESCING_TIME });
  private readonly preparations = new Preparations();
  /** SparkConnects that are left alone until a time in milliseconds since the epoch, by key. */
  private readonly heldUntil = new Map<string, { readonly uid: string; readonly time: number }>();
  private readonly cleaned = new Map<string, string>();
  private readonly unanswered = new UnansweredWrites<SparkConnect>();

  constructor(private readonly options: ConnectReconcilerOptions) {}

  /** Reconciles a SparkConnect. `key` is `namespace/name`. */
  async reconcile(
    key: string, { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal },
  ): Promise<{ requeueAfter?: number } | void> {
    const { connects, clock, startTimeout } = this.options;
    let connect = connects.get(key);
    if (connect) this.unanswered.settle(connect);
    // Kubernetes deletes the server together with its owner.
    if (!connect || connect.metadata.deletionTimestamp) return this.forget(key);
    const { uid } = connect.metadata;
    const hold = this.heldUntil.get(key);
    const held = hold?.uid === uid ? hold.time - clock.now() : 0;
    if (held > 0) return { requeueAfter: held };
    const performer: Performer = { ...this.options, logger, signal, cleaned: this.cleaned };
    let outcome: Outcome = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const objects = await this.options.objects.converge(connect, signal);
      for (const event of objects.events) this.record(connect, event);
      const seen = await this.observe(key, connect, { ...outcome, serviceProblem: objects.serviceProblem }, signal);
      const decision = decide(seen.observation, { now: clock.now(), startTimeout });
      const status = withObjects(decision, connect, objects, clock.now());
      const wait = status && !decision.action && !decision.goOn ? this.coalescer.hold(key, connect.status, status, clock.now()) : 0;
      if (wait > 0) return { requeueAfter: least(decision.requeueAfter, wait, seen.dueIn) };
      if (status) {
        const written: SparkConnect | undefined = await this.write(performer, connect, status, decision);
        if (!written) return this.forget(key);
        connect = written;
        // The time of the last end identifies the current server.
        if (isDropped(status, connect.status)) return this.leaveAlone(key, connect, performer.logger);
      }
      // A deletion is reported once it has happened.
      if (decision.action?.kind !== 'delete-connect') this.recordAll(connect, decision);
      if (!decision.action) {
        if (outcome.failure) this.waits.retryAt(key, clock.now() + (decision.requeueAfter ?? 0), connect.metadata.generation);
        outcome = {};
        if (decision.goOn) continue;
        return { requeueAfter: least(decision.requeueAfter, objects.retryAfter, seen.dueIn) };
      }
      // Clients could not reach a server without its Service.
      outcome = decision.action.kind === 'start' && objects.failure ? { failure: objects.failure } : await perform(performer, connect, decision.action);
      if (outcome.deleted) {
        this.recordAll(connect, decision);
        this.options.onIdle?.(connect);
        return this.forget(key);
      }
      // The watch reports its end. The requeue is a fallback.
      if (decision.action.kind === 'delete-server') return { requeueAfter: DELETION };
    }
    throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds, it is in state ${stateOf(connect) || 'new'}`);
  }

  /**
   * Stops work on a SparkConnect because the cluster has an older CRD, or kubeflow's. Its last
   * state stays as it is.
   */
  private leaveAlone(key: string, connect: SparkConnect, logger: Logger): { requeueAfter: number } {
    const note = `the API server drops fields of the status of SparkConnect ${connect.metadata.name}: `
      + "the CRD is an older one or kubeflow's, and nothing more is done for it; apply the CRD of this version of the operator";
    logger.warn({}, note);
    // The operator's own write triggers a reconcile, too.
    this.heldUntil.set(key, { uid: connect.metadata.uid, time: this.options.clock.now() + HOLD });
    this.record(connect, warning('SparkConnectNotHandled', 'Hold', note));
    return { requeueAfter: HOLD };
  }

  private record(connect: SparkConnect, event: UserEvent): void {
    this.options.events.record(referenceTo(SPARK_CONNECTS, connect), event);
  }

  private recordAll(connect: SparkConnect, { events }: Decision): void {
    events?.forEach((event) => this.record(connect, event));
  }

  private async write(
    performer: Performer, before: SparkConnect, status: SparkConnectStatus, decision: Decision,
  ): Promise<SparkConnect | undefined> {
    const { connects, onWritten } = this.options;
    const tell = (written: SparkConnect) => {
      onWritten?.(before, written);
      if (decision.entered !== undefined) {
        performer.logger.info({ from: stateOf(before), state: stateOf(written) }, `SparkConnect is ${stateOf(written)}`);
      }
    };
    const tellLate = (written: SparkConnect) => {
      tell(written);
      if (decision.action?.kind !== 'delete-connect') this.recordAll(written, decision);
    };
    try {
      const written = transform(await this.unanswered.answer(before, status, tellLate, writeStatus(performer, before, status)), before);
      connects.upsert(written);
      tell(written);
      return written;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return undefined;
    }
  }

  private async observe(
    key: string, connect: SparkConnect, outcome: Outcome & Pick<Observation, 'serviceProblem'>, signal?: AbortSignal,
  ): Promise<{ observation: Observation; dueIn?: number }> {
    const { client, clock, sessions, defaults } = this.options;
    const now = clock.now();
    const { metadata: { namespace, uid, generation }, status, spec } = connect;
    const { server: found, ...rest } = outcome;
    const observed = await observe(connect, { ...this.options, signal });
    const isAwaited = !found && observed.server.kind === 'ours';
    if (!isAwaited) this.preparations.forget(key);
    const server = isAwaited
      ? { kind: 'ours' as const, pod: await this.preparations.observe(key, observed.server.pod, { client, now, signal }) }
      : found ? { kind: 'ours' as const, pod: found } : observed.server;
    const wait = this.waits.observe(key, {
      uid, generation, submissionID: startIdOf(connect), phase: status?.server?.podName === undefined ? 'creation' : 'start',
      driver: server, failure: rest.failure,
    }, now);
    const isWatched = spec.idleTimeToLiveSeconds !== undefined && !spec.suspend && server.kind === 'ours' && server.pod.isReady === true;
    const { sessions: look, dueIn } = isWatched ? sessions.look(key, connect, server.pod) : {};
    if (!isWatched) sessions.forget(key);
    const current = defaults?.current(namespace);
    return {
      observation: {
        ...observed, ...rest, ...wait, server,
        // A running server continues.
        refusals: server.kind === 'ours' && !isRevisionChanged(server.pod, connect) ? [] : await this.refusals(connect, current, signal),
        ...(current?.kind === 'unusable' && { undecidable: current.reason }),
        ...(look && { sessions: look }),
      },
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

  /** Forgets a SparkConnect that is deleted or being deleted. */
  private forget(key: string): void {
    const { objects, sessions } = this.options;
    this.cleaned.delete(key);
    this.waits.forget(key);
    this.coalescer.forget(key);
    this.preparations.forget(key);
    this.heldUntil.delete(key);
    this.unanswered.forget(key);
    objects.forget(key);
    sessions.forget(key);
  }
}

/**
 * Whether the API server has dropped fields. Without the first one the current start is unknown,
 * and without the second each reconcile would write.
 */
function isDropped(sent: SparkConnectStatus, kept: SparkConnectStatus | undefined): boolean {
  return (['lastTerminationTime', 'observedGeneration'] as const).some((field) => sent[field] !== undefined && kept?.[field] === undefined);
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
