import { useState } from 'preact/hooks';
import { pathTo, post, RequestError } from './api';
import { Confirm, type Question } from './parts';
import type { ActionRequest } from '../wire';

/** Tells the user what has become of what they did, on the screen and to screen readers. */
export type Report = (text: string, isBad?: boolean) => void;

/** Something that can be done. */
export interface Action {
  readonly id: string;
  readonly title: string;
  /** What is done, as in `spark-pi is being suspended`. */
  readonly done: string;
  /** What it means, for the question. */
  readonly question: string;
  readonly isDangerous?: boolean;
  /** Why it cannot be done; undefined if it can. */
  readonly disabledReason?: string;
}

interface ActionsProps {
  readonly kind: 'applications' | 'schedules';
  readonly namespace: string;
  readonly name: string;
  /** Of what is shown: the action is about that very object, also if another one gets its name while the question is asked. */
  readonly uid: string;
  readonly actions: readonly Action[];
  readonly report: Report;
  /** After something was done. */
  readonly onDone: (id: string) => void;
}

/** Buttons for what can be done. Each asks before it does it; those that cannot be used say why. */
export function Actions({ kind, namespace, name, uid, actions, report, onDone }: ActionsProps) {
  const [asked, setAsked] = useState<Question>();
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
      {actions.map((action) => {
        const { id, title, question, isDangerous, disabledReason } = action;
        return (
          <button
            key={id} type="button" class={isDangerous ? 'button danger' : 'button'} aria-disabled={disabledReason !== undefined || busy !== undefined} title={disabledReason}
            // It can be reached by the keyboard all the same, so that the reason can be read.
            onClick={() => {
              if (disabledReason !== undefined) report(`${title}: ${disabledReason}`, true);
              else if (busy === undefined) setAsked({ title: `${title} ${name}?`, text: question, verb: title, ...(isDangerous && { isDangerous }), onYes: () => void perform(action) });
            }}
          >{busy === id ? '…' : title}
          </button>
        );
      })}
      {asked && <Confirm question={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** Why somebody may not do something. */
export function notAllowed(isAllowed: boolean, isReadOnly: boolean): string | undefined {
  if (isReadOnly) return 'this console only shows';
  return isAllowed ? undefined : 'you may not do this in this namespace';
}
