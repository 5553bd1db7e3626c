import { useState } from 'preact/hooks';
import { questionText } from './application-actions';
import { pathTo, post, RequestError } from './api';
import { Confirm, type Question } from './parts';
import type { ActionRequest } from '../wire';

/** Shows the result of an action on the screen and to screen readers. */
export type Report = (text: string, isBad?: boolean) => void;

/** Action on an object. */
export interface Action {
  readonly id: string;
  readonly title: string;
  /** Text after success, as in `spark-pi is being suspended`. */
  readonly done: string;
  /** Explains the action in the confirmation dialog. */
  readonly question: string;
  readonly isDangerous?: boolean;
  /** Reason why the action is disabled; undefined if it is enabled. */
  readonly disabledReason?: string;
}

interface ActionsProps {
  readonly kind: 'applications' | 'schedules';
  readonly namespace: string;
  readonly name: string;
  /**
   * Uid of the shown object. The action rejects another object that gets its name in the meantime.
   */
  readonly uid: string;
  readonly actions: readonly Action[];
  readonly report: Report;
  /** Called after an action. */
  readonly onDone: (id: string) => void;
}

/** Renders buttons for actions. Each asks for confirmation; a disabled one shows the reason. */
export function Actions({ kind, namespace, name, uid, actions, report, onDone }: ActionsProps) {
  const [confirmation, setConfirmation] = useState<Question>();
  const [busy, setBusy] = useState<string>();
  const perform = async ({ id, done }: Action) => {
    setBusy(id);
    try {
      await post(pathTo(kind, namespace, name, id), { uid } satisfies ActionRequest);
      report(`${name} ${done}`);
      onDone(id);
    } catch (error) {
      report(error instanceof RequestError ? error.message : String(error), true);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <div class="buttons" role="group" aria-label="Actions">
      {actions.map((action, index) => {
        const { id, title, question, isDangerous, disabledReason } = action;
        return (
          <button
            // Resume takes the place of Suspend, and its keyboard focus.
            key={index} type="button" class={isDangerous ? 'button danger' : 'button'}
            aria-disabled={disabledReason !== undefined || busy !== undefined} title={disabledReason}
            // It keeps the keyboard focus, so that screen readers read the reason.
            onClick={() => {
              if (disabledReason !== undefined) {
                report(`${title}: ${disabledReason}`, true);
              } else if (busy === undefined) {
                setConfirmation({
                  title: questionText(title, name), text: question, verb: title, ...(isDangerous && { isDangerous }),
                  onYes: () => void perform(action),
                });
              }
            }}
          >{busy === id ? '…' : title}
          </button>
        );
      })}
      {confirmation && <Confirm question={confirmation} onClose={() => setConfirmation(undefined)} />}
    </div>
  );
}
