import type { SparkConnectStatus } from '../api/spark-connect-status';
import type { StandardCondition } from '../api/standard-condition';
import { beginningOf } from '../text/shorten';
import { withoutSecrets } from '../text/redaction';
import { rfc3339 } from '../text/times';

/** Whether the server takes connections; kubeflow/spark-operator's. */
export const SERVER_READY = 'ServerPodReady';
/** Whether the specification can be run. There only if it was ever refused. */
export const SPEC_ACCEPTED = 'SpecAccepted';
/** Whether it is known that there is no session. There only if it was ever not, and somebody wants to know. */
export const SESSIONS_KNOWN = 'SessionsKnown';

/** Whether there is the Service that is asked for. There only while it is not. */
export const SERVICE_READY = 'ServiceReady';

/** Why a condition is as it is: one word, as tools expect it. */
export type ConditionReason =
  | 'ServerPodReady' | 'ServerPodNotReady' | 'ServerNotAnswering' | 'ServerNotCreated' | 'ServerNotStarted' | 'ServerEnded' | 'ServerFailed' | 'ServerReplaced' | 'Suspending' | 'Suspended' | 'Resuming' | 'SpecRefused'
  | 'SpecAccepted' | 'SessionsKnown' | 'SessionsUnknown' | 'ServiceNotMade';

/** What a condition is to say. */
export interface ConditionNews {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: ConditionReason;
  readonly message: string;
}

/** A message in a status is not longer. */
const MESSAGE_LENGTH = 2_000;

/** The status with a condition. Its time is that of the last change of `True` and `False`. */
export function withCondition(status: SparkConnectStatus, { type, status: value, reason, message }: ConditionNews, now: number): SparkConnectStatus {
  const before = conditionIn(status, type);
  const clean = withoutSecrets(message);
  const condition: StandardCondition = {
    type,
    status: value,
    reason,
    message: clean.length > MESSAGE_LENGTH ? `${beginningOf(clean, MESSAGE_LENGTH)}…` : clean,
    lastTransitionTime: before?.status === value ? before.lastTransitionTime : rfc3339(now),
  };
  const conditions = status.conditions ?? [];
  return { ...status, conditions: before ? conditions.map((each) => (each.type === type ? condition : each)) : [...conditions, condition] };
}

/** The status without a condition. */
export function withoutCondition(status: SparkConnectStatus, type: string): SparkConnectStatus {
  return conditionIn(status, type) ? { ...status, conditions: status.conditions!.filter((each) => each.type !== type) } : status;
}

/** A condition of a status. */
export function conditionIn(status: SparkConnectStatus | undefined, type: string): StandardCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
