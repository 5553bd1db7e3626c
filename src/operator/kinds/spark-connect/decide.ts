import { isDeepStrictEqual } from 'node:util';
import { SparkConnectState, type SparkConnectStatus } from '../../../api/spark-connect-status';
import { podState, type PodView } from '../../../model/pod-view';
import { noteOf } from '../../note';
import { warning } from '../../user-event';
import { rfc3339 } from '../../../text/times';
import {
  conditionIn, SERVER_READY, SERVICE_READY, SESSIONS_KNOWN, SPEC_ACCEPTED, withCondition, withoutCondition, type ConditionReason,
} from '../../../model/spark-connect-conditions';
import type { Context, Decision, Observation, Step } from './decision';
import { stateOf } from '../../../model/spark-connect';
import { isRevisionChanged, hasRevision } from '../../../plan/connect/revision';
import { follow, lost } from './states/follow';
import { resume, stop } from './states/suspend';
import { failed, start } from './states/start';

/**
 * Milliseconds after which each SparkConnect with a server is requeued, whatever the watches
 * report.
 */
const RESYNC = 5 * 60_000;

/** Reasons of a server that is not created or does not start, which the operator can give up. */
const AWAITED: readonly (string | undefined)[] = ['ServerNotCreated', 'ServerNotStarted'] satisfies readonly ConditionReason[];

const STATES: readonly string[] = Object.values(SparkConnectState);

/**
 * The state machine of a SparkConnect: returns the decision for an observation. Pure. It takes at
 * most one step, so that the status records the intent before the action.
 */
export function decide(observation: Observation, context: Context): Decision {
  const { connect } = observation;
  const before = connect.status ?? {};
  if (!STATES.includes(stateOf(connect))) return unknownState(observation);
  const step = stepOf(observation, context);
  const status = completed(step.status ?? before, observation, context);
  const isNews = !isDeepStrictEqual(withoutTime(before), withoutTime(status));
  const reported = refusalNews(before, status);
  const entered = (status.state ?? SparkConnectState.NEW) === stateOf(connect) ? undefined : status.state;
  const requeueAfter = step.requeueAfter === null ? null : Math.min(step.requeueAfter ?? RESYNC, RESYNC);
  return {
    ...step,
    status: isNews ? { ...status, lastUpdateTime: rfc3339(context.now) } : undefined,
    events: [...step.events ?? [], ...reported],
    requeueAfter,
    entered,
  };
}

function stepOf(observation: Observation, context: Context): Step {
  const { connect, server } = observation;
  const state = stateOf(connect);
  if (connect.spec.suspend) return stop(observation, context);
  switch (state) {
    case SparkConnectState.SUSPENDED: return resume(observation, context);
    case SparkConnectState.FAILED: return failed(observation, context);
  }
  if (server.kind === 'ours') return follow(observation, server.pod, context);
  return connect.status?.server?.podName === undefined ? start(observation, context) : lost(observation, context);
}

/** Returns the status with the fields other than the state. */
function completed(given: SparkConnectStatus, observation: Observation, { now }: Context): SparkConnectStatus {
  const { connect, executors, server, serviceProblem } = observation;
  const { generation } = connect.metadata;
  // The missing revision is the only sign that a server of kubeflow/spark-operator has to be
  // replaced. The replacement might not be possible yet.
  const isReplacedLater = server.kind === 'ours' && !hasRevision(server.pod) && isRevisionChanged(server.pod, connect)
    && given.server?.podName !== undefined;
  const observedGeneration = isReplacedLater ? given.observedGeneration : generation;
  let status = withSpecAccepted(given, observation, now);
  if (connect.spec.idleTimeToLiveSeconds === undefined || connect.spec.suspend) status = withoutCondition(status, SESSIONS_KNOWN);
  if (!isIdle(observation)) status = withoutIdleSince(status);
  if (serviceProblem === undefined) status = withoutCondition(status, SERVICE_READY);
  else status = withCondition(status, { type: SERVICE_READY, status: 'False', reason: 'ServiceNotCreated', message: serviceProblem }, now);
  const counts = countsOf(executors);
  const { executors: _, startDeadlineTime, conditions = [], ...rest } = status;
  const isAwaited = AWAITED.includes(conditionIn(status, SERVER_READY)?.reason);
  return {
    ...rest,
    ...(isAwaited && startDeadlineTime !== undefined && { startDeadlineTime }),
    startTime: status.startTime ?? rfc3339(now),
    ...(Object.keys(counts).length > 0 && { executors: counts }),
    ...(conditions.length > 0 && {
      conditions: conditions.map((condition) => ({ ...condition, ...(generation !== undefined && { observedGeneration: generation }) })),
    }),
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
}

/**
 * Returns the status with a condition about a refused specification, while the previous server
 * continues. Without a server the state reports the refusal, too.
 */
function withSpecAccepted(
  status: SparkConnectStatus, { connect, server, refusals, undecidable }: Observation, now: number,
): SparkConnectStatus {
  if (connect.spec.suspend || undecidable !== undefined) return status;
  const isAtStake = server.kind !== 'ours' || isRevisionChanged(server.pod, connect);
  if (isAtStake && refusals.length > 0) {
    return withCondition(status, { type: SPEC_ACCEPTED, status: 'False', reason: 'SpecRefused', message: refusals.join('; ') }, now);
  }
  return conditionIn(status, SPEC_ACCEPTED)
    ? withCondition(status, { type: SPEC_ACCEPTED, status: 'True', reason: 'SpecAccepted', message: '' }, now)
    : status;
}

function refusalNews(before: SparkConnectStatus, after: SparkConnectStatus): ReturnType<typeof warning>[] {
  const [was, is] = [before, after].map((status) => conditionIn(status, SPEC_ACCEPTED));
  if (is?.status !== 'False' || was?.message === is.message) return [];
  return [warning('SparkConnectRefused', 'Check', noteOf([`it cannot be run as it is written: ${is.message}`]))];
}

/**
 * Whether there might have been no session so far. The sessions of a server that does not answer
 * are unknown, and the idle time starts again.
 */
function isIdle({ connect: { spec }, server, sessions }: Observation): boolean {
  if (spec.idleTimeToLiveSeconds === undefined || spec.suspend) return false;
  if (server.kind !== 'ours' || server.pod.isReady !== true) return false;
  return sessions === undefined || (sessions.kind === 'seen' && sessions.online === 0);
}

function withoutIdleSince({ idleSince: _, ...others }: SparkConnectStatus): SparkConnectStatus {
  return others;
}

/** Counts the executors by Kubernetes' phase, in lower case. */
function countsOf(executors: readonly PodView[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const pod of executors) {
    // Any other phase is counted as unknown, to keep the status small.
    const phase = podState(pod) === 'UNKNOWN' ? 'unknown' : pod.phase.toLowerCase();
    counts[phase] = (counts[phase] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutTime({ lastUpdateTime: _, ...status }: SparkConnectStatus): object {
  return JSON.parse(JSON.stringify(status)) as object;
}

/**
 * Returns the decision for an unknown state, which a later version can have written. It changes
 * nothing.
 */
function unknownState({ connect }: Observation): Decision {
  const note = `SparkConnect ${connect.metadata.name} is in state ${stateOf(connect)}, `
    + 'which this version of the operator does not know; nothing is done';
  return { events: [warning('SparkConnectNotHandled', 'Hold', note)], requeueAfter: null, isHeld: true };
}
