import { createHash } from 'node:crypto';
import { LABEL_APP_UID, LABEL_ATTEMPT, LABEL_CONNECT_NAME, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import { CLOCK_SKEW } from '../../model/backoff';
import { rfc3339 } from '../../text/times';
import type { SparkConnect } from '../../model/spark-connect';

/**
 * Returns the id of the current start of the server, a UUID. It follows from the last end in the
 * status, which is written before the next start. So an interrupted start finds its objects by this
 * id, and orphans of an earlier start have another id.
 */
export function startIdOf({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): string {
  const hex = createHash('sha256').update(`${metadata.uid}/${status?.lastTerminationTime ?? ''}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/**
 * Returns the time of an end for the status. It differs from all previous ones, as the id of the
 * next start follows from it. So it is later, unless the previous one is from a fast clock that was
 * corrected.
 */
export function terminationTime(status: SparkConnectStatus | undefined, now: number): string {
  const before = Date.parse(status?.lastTerminationTime ?? '');
  return rfc3339(before <= now + CLOCK_SKEW ? Math.max(now, before + 1_000) : now);
}

/** Returns the operator's labels of all objects of a start. */
export function startLabels({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): { [name: string]: string } {
  return {
    [LABEL_CONNECT_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_ATTEMPT]: String((status?.restarts ?? 0) + 1),
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: startIdOf({ metadata, status }),
  };
}
