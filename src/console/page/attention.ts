import type { ApplicationRow, ScheduleRow } from '../wire';

/** Milliseconds for which a failure needs attention. */
const RECENT = 86_400_000;

/** Milliseconds within which an operator reconciles a new application, even with a long queue. */
const RECONCILED = 60_000;

/** States in which an application needs no operator. */
const AT_REST: readonly string[] = ['COMPLETED', 'FAILED', 'SUSPENDED'];

/** Reason of an object that no operator handles. */
export const NO_OPERATOR = 'no operator' satisfies ScheduleRow['shortReason'];

/** Circumstances that decide whether an application needs attention. */
export interface Circumstances {
  /** Whether an operator runs, as far as known. */
  readonly hasOperator: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns whether an application failed within the last day or does not progress. */
export function needsAttention(row: ApplicationRow, circumstances: Circumstances): boolean {
  if (isUnattended(row, circumstances) || isSlow(row, circumstances)) return true;
  return row.attention === true && !(row.state === 'FAILED' && circumstances.now - (row.ended ?? row.created) > RECENT);
}

/** Returns the reason of an application's state in a few words; undefined without one. */
export function reasonOf(row: ApplicationRow, circumstances: Circumstances): string | undefined {
  if (isUnattended(row, circumstances)) return NO_OPERATOR;
  // It needs no operator until it is resumed, but its state does not show the suspension.
  if (row.state === '' && row.suspended && lacksOperator(row, circumstances)) return `suspended, ${NO_OPERATOR}`;
  return isSlow(row, circumstances) ? row.slow!.reason : row.shortReason;
}

/** State of a schedule as `sparkctl status` prints it. */
export interface ScheduleStateText {
  readonly state: string;
  /** Why it starts no runs although it is active. @default - it starts them, or that is unknown */
  readonly reason?: ScheduleRow['shortReason'];
}

/** Returns the state of a schedule, and whether it starts runs. */
export function scheduleStateOf(
  { state, suspended, otherOperator, shortReason }: ScheduleRow, { hasOperator }: Pick<Circumstances, 'hasOperator'>,
): ScheduleStateText {
  if (suspended) return { state: 'Suspended' };
  const reason = shortReason !== 'invalid' && !hasOperator && !otherOperator ? NO_OPERATOR : shortReason;
  return { state, ...(reason !== undefined && { reason }) };
}

function isSlow({ slow }: ApplicationRow, { now }: Circumstances): boolean {
  return slow !== undefined && now > slow.at;
}

function isUnattended(row: ApplicationRow, circumstances: Circumstances): boolean {
  const { state, suspended, deleting, changed } = row;
  if (deleting || (AT_REST.includes(state) && !changed) || (state === '' && suspended)) return false;
  return lacksOperator(row, circumstances);
}

/** Returns whether no operator would handle a change of an application, as far as known. */
export function lacksOperator(
  { state, created, reconciled, otherOperator }: ApplicationRow, { hasOperator, now }: Circumstances,
): boolean {
  return (!hasOperator && !otherOperator) || (state === '' && !reconciled && now - created > RECONCILED);
}
