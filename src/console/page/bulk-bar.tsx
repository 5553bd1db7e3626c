import { useEffect, useRef, useState } from 'preact/hooks';
import { ACTION_TEXTS, runText, type ActionName } from './application-actions';
import { useAllowedIn } from './allowed';
import { pathTo, post } from './api';
import { bulkQuestion, doneText, headingOf, MAX_BULK, performBulk, planBulk, resultText, type BulkPlan, type BulkResult } from './bulk';
import { countText, shown } from './format';
import { keyOf } from './rows';
import type { Report } from './actions';
import type { ActionRequest, ApplicationRow } from '../wire';

interface BulkBarProps {
  /** Selected applications. */
  readonly rows: readonly ApplicationRow[];
  readonly isReadOnly: boolean;
  readonly report: Report;
  /** Opens the question of an action. */
  readonly onPlan: (plan: BulkPlan) => void;
  readonly onClear: () => void;
  /** Selects all listed applications. @default - they are too many, or all are selected */
  readonly onAll?: () => void;
}

/** Renders the actions on the selected applications. */
export function BulkBar({ rows, isReadOnly, report, onPlan, onClear, onAll }: BulkBarProps) {
  const namespaces = [...new Set(rows.map(({ namespace }) => namespace))].sort();
  const allowed = useAllowedIn(isReadOnly ? [] : namespaces);
  const isKnown = isReadOnly || namespaces.every((namespace) => allowed.has(namespace));
  return (
    <div class="bulk" role="group" aria-label="Actions on the selected applications">
      <strong>{rows.length} selected</strong>
      <div class="buttons">
        {(Object.keys(ACTION_TEXTS) as ActionName[]).map((id) => {
          const planned = planBulk(id, rows, allowed, isReadOnly);
          const reason = !isKnown ? 'your permissions are being read'
            : rows.length > MAX_BULK ? `at most ${MAX_BULK} applications at a time`
              : planned.changed.length === 0 ? planned.skipped[0]?.reason : undefined;
          const { title, isDangerous } = ACTION_TEXTS[id];
          return <button
            key={id} type="button" class={isDangerous ? 'button danger' : 'button'} aria-disabled={reason !== undefined} title={reason}
            onClick={() => (reason === undefined ? onPlan(planned) : report(`${title}: ${reason}`, true))}
          >{title}</button>;
        })}
        {onAll && <button type="button" class="button" onClick={onAll}>Select all listed</button>}
        <button type="button" class="button" onClick={onClear}>Clear the selection</button>
      </div>
    </div>
  );
}

interface BulkDialogProps {
  readonly plan: BulkPlan;
  /** Returns whether no operator handles an application. */
  readonly isUnattended: (row: ApplicationRow) => boolean;
  readonly report: Report;
  readonly onClose: () => void;
}

/** Renders the question with all names, then the result of each. Closing it stops the action. */
export function BulkDialog({ plan, isUnattended, report, onClose }: BulkDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [results, setResults] = useState<readonly BulkResult[]>();
  const stop = useRef(new AbortController());
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  // The button with the keyboard focus is gone.
  useEffect(() => end.current?.focus(), [results !== undefined]);
  const { id, changed, skipped } = plan;
  const { title, isDangerous } = ACTION_TEXTS[id];
  const perform = async () => {
    setResults([]);
    await performBulk(
      plan, ({ namespace, name, uid }) => post(pathTo('applications', namespace, name, id), { uid } satisfies ActionRequest),
      (result) => setResults((before = []) => [...before, result]), stop.current.signal,
    );
  };
  const close = () => {
    stop.current.abort();
    if (results && results.length < changed.length) report(`${resultText(plan, results)}; it was stopped`, true);
    onClose();
  };
  return (
    <dialog ref={ref} class="dialog wide" aria-labelledby="bulk" onClose={close}>
      <h2 id="bulk">{headingOf(plan)}{results ? '' : '?'}</h2>
      {!results && <p>{bulkQuestion(plan, isUnattended)}</p>}
      <ul class="names" aria-label="Applications" tabIndex={0}>
        {changed.map((row) => {
          const result = results?.find((each) => each.row === row);
          return <li key={keyOf(row)}>
            {keyOf(row)}{' '}
            {!results && id !== 'delete' && id !== 'resume' && <span class="dim">{runText(row, Date.now())}</span>}
            {result && <span class={result.error === undefined ? 'dim' : 'error'}>
              {result.error === undefined ? doneText(id, isUnattended(row)) : shown(result.error)}
            </span>}
          </li>;
        })}
      </ul>
      {skipped.length > 0 && <>
        <p>{countText(skipped.length, 'selected application')} {results ? 'did' : 'will'} not change:</p>
        <ul class="names" aria-label="Unchanged applications" tabIndex={0}>
          {skipped.map(({ row, reason }) => <li key={keyOf(row)}>{keyOf(row)} <span class="dim">{reason}</span></li>)}
        </ul>
      </>}
      <p role="status">{results && resultText(plan, results)}</p>
      <div class="buttons">
        {results
          ? <button ref={end} type="button" class="button" onClick={() => ref.current?.close()}>{results.length < changed.length ? 'Stop' : 'Close'}</button>
          : <>
            <button type="button" class="button" autoFocus onClick={() => ref.current?.close()}>Cancel</button>
            <button type="button" class={isDangerous ? 'button danger' : 'button primary'} onClick={() => void perform()}>{title}</button>
          </>}
      </div>
    </dialog>
  );
}
