import { stateText } from './format';
import type { ApplicationRow } from '../wire';

/** Milliseconds for which a failure needs attention. */
const RECENT = 86_400_000;

/** States in which an application needs no operator. */
const AT_REST: readonly string[] = ['COMPLETED', 'FAILED', 'SUSPENDED'];

/**
 * Returns whether an application failed within the last day or does not progress.
 *
 * @param hasOperator whether an operator runs, as far as known
 */
export function needsAttention(row: ApplicationRow, hasOperator: boolean, now: number): boolean {
  if (isUnattended(row, hasOperator)) return true;
  return row.attention === true && !(row.state === 'FAILED' && now - (row.ended ?? row.created) > RECENT);
}

/** Returns the reason of an application's state in a few words; undefined without one. */
export function reasonOf(row: ApplicationRow, hasOperator: boolean): string | undefined {
  return isUnattended(row, hasOperator) ? 'no operator' : row.shortReason;
}

/** Returns the state of an application with its reason, such as `SUBMITTED (ImagePullBackOff)`. */
export function stateWithReason(row: ApplicationRow, hasOperator: boolean): string {
  const reason = reasonOf(row, hasOperator);
  return `${stateText(row.state)}${reason === undefined ? '' : ` (${reason})`}`;
}

function isUnattended({ state, deleting }: ApplicationRow, hasOperator: boolean): boolean {
  return !hasOperator && !deleting && !AT_REST.includes(state);
}
