import { SparkConnectState } from '../../api/spark-connect-status';
import type { StandardCondition } from '../../api/standard-condition';
import type { DriverProgress } from '../../model/last-driver';
import type { PodView } from '../../model/pod-view';
import { refusedExecutor } from '../../model/cause/refused-executor';
import { CREATED_AFTER, requestedExecutors } from '../../model/requested-executors';
import { stateOf, type SparkConnect, type WholeConnect } from '../../model/spark-connect';
import { conditionIn, SERVER_READY, SERVICE_READY, SESSIONS_KNOWN, SPEC_ACCEPTED } from '../../model/spark-connect-conditions';
import { asApplication } from '../../plan/connect/as-application';
import type { ObservedPods } from '../observed-pods';
import { lacksOperator } from '../unattended';

/** Observed state of a SparkConnect. */
export interface ObservedConnect extends ObservedPods {
  readonly connect: WholeConnect;
  /** The server's Pod, if it was read and exists. @default - only the status is used */
  readonly server?: PodView;
  /**
   * Whether the pods were read, and the server's is not among them although the status names it.
   *
   * @default false
   */
  readonly isServerGone?: boolean;
  /** The end of the log of a server that lacks executors. @default - not read */
  readonly serverLog?: string;
}

/** States in which a server named by the status exists. */
const WITH_SERVER: readonly string[] = [SparkConnectState.PROVISIONING, SparkConnectState.READY, SparkConnectState.NOT_READY];

/** Whether the pod of the server that the status names must exist. */
export function expectsServer(connect: SparkConnect): boolean {
  return connect.status?.server?.podName !== undefined && WITH_SERVER.includes(stateOf(connect));
}

/**
 * Whether a SparkConnect stays in its state without an operator: it is suspended, or its server is
 * not started again until an edit.
 */
export function isConnectAtRest(connect: SparkConnect): boolean {
  const { metadata: { generation }, spec, status } = connect;
  if (spec.suspend) return stateOf(connect) === SparkConnectState.SUSPENDED;
  return stateOf(connect) === SparkConnectState.FAILED && status?.observedGeneration === generation;
}

/** Whether no operator handles a SparkConnect that needs one. */
export function isConnectUnattended({ connect, operator, now }: ObservedConnect): boolean {
  return !isConnectAtRest(connect) && lacksOperator(connect, operator, now);
}

/** Returns the condition about the server. */
export function serverCondition({ status }: SparkConnect): Partial<StandardCondition> {
  return conditionIn(status, SERVER_READY) ?? {};
}

/**
 * Returns the time since which a server waits to start, in milliseconds since 1970; NaN if unknown,
 * as for one after a restart without its pod.
 */
export function waitingSince({ connect, server }: Pick<ObservedConnect, 'connect' | 'server'>): number {
  if (server) return Date.parse(server.metadata.creationTimestamp ?? '');
  const since = Date.parse(serverCondition(connect).lastTransitionTime ?? '');
  // The condition has not changed since the first start.
  return Date.parse(connect.status?.lastTerminationTime ?? '') > since ? NaN : since;
}

/**
 * Returns the time since which a SparkConnect has its state, in milliseconds since 1970. A failed
 * one often never accepted connections, and its status is not written any more.
 */
export function connectStateTime(connect: SparkConnect): number | undefined {
  const { lastTransitionTime } = serverCondition(connect);
  const { lastUpdateTime } = connect.status ?? {};
  const times = stateOf(connect) === SparkConnectState.FAILED ? [lastUpdateTime, lastTransitionTime] : [lastTransitionTime, lastUpdateTime];
  return times.map((time) => Date.parse(time ?? '')).find(Number.isFinite);
}

/** Returns the number of executors that a server requests; undefined with dynamic allocation. */
export function wantedExecutors(connect: WholeConnect): number | undefined {
  return requestedExecutors(asApplication(connect).spec);
}

/**
 * Whether a server has fewer executors than it requests although it has accepted connections for
 * some time. With dynamic allocation it counts as requesting one.
 *
 * @param now milliseconds since 1970
 */
export function lacksConnectExecutors(connect: WholeConnect, now: number): boolean {
  const since = Date.parse(serverCondition(connect).lastTransitionTime ?? '');
  if (stateOf(connect) !== SparkConnectState.READY || !(now - since > CREATED_AFTER)) return false;
  const { running = 0, pending = 0 } = connect.status?.executors ?? {};
  return running + pending < (wantedExecutors(connect) ?? 1);
}

/** Returns why the API server refuses executors of a server, as its log has it. */
export function connectRefusalOf({ connect, serverLog, now }: ObservedConnect): string | undefined {
  return serverLog !== undefined && lacksConnectExecutors(connect, now) ? refusedExecutor(serverLog) : undefined;
}

/** Problem other than one of the server: an edit, its Service, or its sessions. */
export interface SideProblem {
  /** In a few words, for lists. */
  readonly words: string;
  /** Clause with the reason. */
  readonly clause: string;
  readonly remedy: string;
}

/** Returns the first problem other than one of the server; undefined if there is none. */
export function sideProblem({ metadata: { name, namespace }, status }: SparkConnect): SideProblem | undefined {
  const problem = (type: string) => {
    const condition = conditionIn(status, type);
    return condition?.status === 'False' ? condition.message : undefined;
  };
  const [edit, service, sessions] = [SPEC_ACCEPTED, SERVICE_READY, SESSIONS_KNOWN].map(problem);
  if (edit !== undefined) {
    return { words: 'edit rejected', clause: `its last edit has no effect: ${edit}`, remedy: `sparkctl edit connect/${name} -n ${namespace}` };
  }
  if (service !== undefined) {
    return { words: 'Service cannot be created', clause: service, remedy: 'correct spec.server.service' };
  }
  return sessions === undefined ? undefined : {
    words: 'sessions unknown', clause: `spec.idleTimeToLiveSeconds has no effect: ${sessions}`,
    remedy: 'let the operator reach the web UI of the server, port 4040',
  };
}

/** The operator's words before the reason why a server does not start. */
export const NOT_STARTED = 'the server does not start: ';

/** The operator's words before the reason why a server was never created. */
const NOT_CREATED = 'the server cannot be created: ';

/**
 * Returns how far the server of a failed SparkConnect came.
 *
 * @returns undefined if it has not failed
 */
export function lastServer(connect: SparkConnect): DriverProgress | undefined {
  if (stateOf(connect) !== SparkConnectState.FAILED) return undefined;
  const { reason, message = '' } = serverCondition(connect);
  if (reason === 'SpecRefused' || message.startsWith(NOT_CREATED)) return 'absent';
  return message.startsWith(NOT_STARTED) ? 'unstarted' : 'started';
}
