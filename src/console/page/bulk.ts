import { ACTION_TEXTS, disabledReason, noEffectText, withoutOperator, type ActionName } from './application-actions';
import { NOTHING } from './allowed';
import { countText } from './format';
import type { ApplicationRow, Permissions } from '../wire';

/** Maximum number of applications of one action, so that a user can read the names. */
export const MAX_BULK = 200;

/** Concurrent requests of one action. */
const LANES = 4;

/** Applications of an action on several: those that it changes, and the others with the reason. */
export interface BulkPlan {
  readonly id: ActionName;
  readonly changed: readonly ApplicationRow[];
  readonly skipped: readonly { readonly row: ApplicationRow; readonly reason: string }[];
}

/** Result of an action for one application. */
export interface BulkResult {
  readonly row: ApplicationRow;
  /** Reason why the action failed. @default - it succeeded */
  readonly error?: string;
}

/** Plans an action on several applications, by the user's permissions in their namespaces. */
export function planBulk(
  id: ActionName, rows: readonly ApplicationRow[], allowed: ReadonlyMap<string, Permissions>, isReadOnly: boolean,
): BulkPlan {
  const reasons = rows.map((row) => ({ row, reason: disabledReason(id, row, allowed.get(row.namespace) ?? NOTHING, isReadOnly) }));
  return {
    id,
    changed: reasons.flatMap(({ row, reason }) => (reason === undefined ? [row] : [])),
    skipped: reasons.flatMap(({ row, reason }) => (reason === undefined ? [] : [{ row, reason }])),
  };
}

/**
 * Performs an action on several applications.
 *
 * @param act changes one application; rejects with the reason why it cannot
 * @param onResult receives each result as it arrives
 * @param signal stops before the next application
 */
export async function performBulk(
  { changed }: BulkPlan, act: (row: ApplicationRow) => Promise<unknown>, onResult: (result: BulkResult) => void, signal: AbortSignal,
): Promise<void> {
  const waiting = [...changed];
  await Promise.all(Array.from({ length: LANES }, async () => {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      const acted = row;
      await act(acted).then(() => onResult({ row: acted }), (error: Error) => onResult({ row: acted, error: error.message }));
    }
  }));
}

/** Returns the heading of an action, such as `Run 2 applications again`. */
export function headingOf({ id, changed }: BulkPlan): string {
  const what = countText(changed.length, 'application');
  return id === 'rerun' ? `Run ${what} again` : `${ACTION_TEXTS[id].title} ${what}`;
}

/**
 * Returns the question of an action.
 *
 * @param isUnattended returns whether no operator handles an application
 */
export function bulkQuestion({ id, changed }: BulkPlan, isUnattended: (row: ApplicationRow) => boolean): string {
  const { questionForAll } = ACTION_TEXTS[id];
  const count = id === 'delete' ? 0 : changed.filter(isUnattended).length;
  if (count === 0) return questionForAll;
  const objects = count === changed.length ? (count === 1 ? 'it' : 'them') : `${count.toLocaleString('en')} of them`;
  return `${questionForAll} ${noEffectText(objects)}`;
}

/** Returns the text after success for one application. */
export function doneText(id: ActionName, isUnattended: boolean): string {
  return (isUnattended ? withoutOperator(ACTION_TEXTS[id]) : ACTION_TEXTS[id]).done;
}

/** Returns the results so far in a sentence. */
export function resultText({ id, changed }: BulkPlan, results: readonly BulkResult[]): string {
  const failed = results.filter(({ error }) => error !== undefined).length;
  const progress = `${ACTION_TEXTS[id].title}: ${results.length - failed} of ${countText(changed.length, 'application')}`;
  return failed > 0 ? `${progress}; ${failed} failed` : progress;
}
