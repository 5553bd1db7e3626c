import type { SparkConnectStatus } from '../api/spark-connect-status';
import type { StandardCondition } from '../api/standard-condition';
import { beginningOf } from '../text/shorten';
import { withoutSecrets } from '../text/redaction';
import { rfc3339 } from '../text/times';

/** Condition type: the server accepts connections. Also used by kubeflow/spark-operator. */
export const SERVER_READY = 'ServerPodReady';
/** Condition type: the operator can run the specification. Present only after a rejection. */
export const SPEC_ACCEPTED = 'SpecAccepted';
/**
 * Condition type: the operator can count the sessions. Present only after it could not, on servers
 * with an idle time to live.
 */
export const SESSIONS_KNOWN = 'SessionsKnown';

/** Condition type: the requested Service exists. Present only while it does not. */
export const SERVICE_READY = 'ServiceReady';

/** Reason of a condition, in CamelCase as Kubernetes requires. */
export type ConditionReason =
  | 'ServerPodReady' | 'ServerPodNotReady' | 'ServerNotAnswering' | 'ServerNotCreated' | 'ServerNotStarted' | 'ServerEnded'
  | 'ServerFailed' | 'ServerReplaced' | 'Suspending' | 'Suspended' | 'Resuming'
  | 'SpecRefused' | 'SpecAccepted' | 'SessionsKnown' | 'SessionsUnknown' | 'ServiceNotCreated';

/** New content of a condition. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: ConditionReason;
  readonly message: string;
}

/** Maximum length of a condition's message, in characters. */
const MESSAGE_LENGTH = 2_000;

/**
 * Returns the status with a condition. Its time is that of the last change between `True` and
 * `False`.
 */
export function withCondition(
  status: SparkConnectStatus, { type, status: value, reason, message }: ConditionUpdate, now: number,
): SparkConnectStatus {
  const previous = conditionIn(status, type);
  const clean = withoutSecrets(message);
  const condition: StandardCondition = {
    type,
    status: value,
    reason,
    message: clean.length > MESSAGE_LENGTH ? `${beginningOf(clean, MESSAGE_LENGTH)}…` : clean,
    lastTransitionTime: previous?.status === value ? previous.lastTransitionTime : rfc3339(now),
  };
  const conditions = status.conditions ?? [];
  return {
    ...status,
    conditions: previous ? conditions.map((each) => (each.type === type ? condition : each)) : [...conditions, condition],
  };
}

/** Returns the status without a condition. */
export function withoutCondition(status: SparkConnectStatus, type: string): SparkConnectStatus {
  return conditionIn(status, type) ? { ...status, conditions: status.conditions!.filter((each) => each.type !== type) } : status;
}

/** Returns a condition of a status. */
export function conditionIn(status: SparkConnectStatus | undefined, type: string): StandardCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
