import { createHash } from 'node:crypto';
import { LABEL_APP_UID, LABEL_ATTEMPT, LABEL_CONNECT_NAME, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import { CLOCK_SKEW } from '../../model/backoff';
import { rfc3339 } from '../../text/times';
import type { SparkConnect } from '../../model/spark-connect';

/**
 * The id of the current start of the server, a UUID: it follows from what ended last, which is written down before there is another start. So a start that was
 * interrupted is found again under its id, and what an earlier one has left has another.
 */
export function startIdOf({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): string {
  const hex = createHash('sha256').update(`${metadata.uid}/${status?.lastTerminationTime ?? ''}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/**
 * The time of an end, to be written down when it is seen: another than that of any before, as the id of the next start follows from it. So it is later, unless the one before is of a clock
 * that ran ahead and was set right.
 */
export function terminationTime(status: SparkConnectStatus | undefined, now: number): string {
  const before = Date.parse(status?.lastTerminationTime ?? '');
  return rfc3339(before <= now + CLOCK_SKEW ? Math.max(now, before + 1_000) : now);
}

/** The operator's labels of all that belongs to a start. */
export function startLabels({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): { [name: string]: string } {
  return {
    [LABEL_CONNECT_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_ATTEMPT]: String((status?.restarts ?? 0) + 1),
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: startIdOf({ metadata, status }),
  };
}
