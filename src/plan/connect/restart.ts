import { SparkConnectRestartPolicyType, type SparkConnectSpec } from '../../api/spark-connect';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import { CLOCK_SKEW, DEFAULT_INTERVAL, DEFAULT_MAX_INTERVAL, DEFAULT_RESET_AFTER, growingWait } from '../../model/backoff';
import { startIdOf } from './start';
import type { SparkConnect } from '../../model/spark-connect';

/** Whether the operator restarts an ended server. */
export function isRestarted({ restartPolicy }: Pick<SparkConnectSpec, 'restartPolicy'>): boolean {
  return restartPolicy?.type !== SparkConnectRestartPolicyType.NEVER;
}

/** Returns the milliseconds after which a run resets the number of restarts. */
export function resetAfter({ restartPolicy }: Pick<SparkConnectSpec, 'restartPolicy'>): number {
  return (restartPolicy?.backoff?.resetAfter ?? DEFAULT_RESET_AFTER) * 1000;
}

/**
 * Returns the number of restarts after an end.
 * @param ran milliseconds for which the server ran, by one clock
 */
export function restartsAfter({ spec, status }: SparkConnect, ran: number): number {
  return (ran >= resetAfter(spec) ? 0 : status?.restarts ?? 0) + 1;
}

/** Returns the milliseconds until the next start is due; 0 or less: now. */
export function untilRestart({ metadata, spec: { restartPolicy = {} }, status }: SparkConnect, now: number): number {
  const { restarts = 0, lastTerminationTime } = status ?? {} as SparkConnectStatus;
  const end = Date.parse(lastTerminationTime ?? '');
  // A time from a clock that was ahead and then corrected must not delay the server.
  if (restarts === 0 || Number.isNaN(end) || end > now + CLOCK_SKEW) return 0;
  const first = (restartPolicy.interval ?? DEFAULT_INTERVAL) * 1000;
  const limit = Math.max(
    (restartPolicy.backoff?.maxInterval ?? DEFAULT_MAX_INTERVAL) * 1000,
    restartPolicy.backoff?.maxInterval === undefined ? first : 0,
  );
  return end + growingWait({ first, count: restarts, limit, id: startIdOf({ metadata, status }) }) - now;
}
