import { SparkConnectRestartPolicyType, type SparkConnectSpec } from '../../api/spark-connect';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import { CLOCK_SKEW, DEFAULT_INTERVAL, DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER, growingWait } from '../../model/backoff';
import { startIdOf } from '../../plan/connect/start';
import type { SparkConnect } from '../../model/spark-connect';

/** Whether a server that has ended is started again. */
export function isRestarted({ restartPolicy }: Pick<SparkConnectSpec, 'restartPolicy'>): boolean {
  return restartPolicy?.type !== SparkConnectRestartPolicyType.NEVER;
}

/** Milliseconds after which a server counts as one that has worked. */
export function resetAfter({ restartPolicy }: Pick<SparkConnectSpec, 'restartPolicy'>): number {
  return (restartPolicy?.backoff?.resetAfter ?? DEFAULT_RESET_AFTER) * 1000;
}

/** How often the server has been started again, after an end. @param ran milliseconds for which it ran, by one clock */
export function restartsAfter({ spec, status }: SparkConnect, ran: number): number {
  return (ran >= resetAfter(spec) ? 0 : status?.restarts ?? 0) + 1;
}

/** Milliseconds until the next start is due; 0 or less: now. */
export function untilRestart({ metadata, spec: { restartPolicy = {} }, status }: SparkConnect, now: number): number {
  const { restarts = 0, lastTerminationTime } = status ?? {} as SparkConnectStatus;
  const end = Date.parse(lastTerminationTime ?? '');
  // A time of a clock that ran ahead and was set right must not hold the server back.
  if (restarts === 0 || Number.isNaN(end) || end > now + CLOCK_SKEW) return 0;
  const first = (restartPolicy.interval ?? DEFAULT_INTERVAL) * 1000;
  const limit = Math.max((restartPolicy.backoff?.maxInterval ?? DEFAULT_MAX_INTERVAL) * 1000, restartPolicy.backoff?.maxInterval === undefined ? first : 0);
  return end + growingWait({ first, count: restarts, limit, id: startIdOf({ metadata, status }) }) - now;
}
