import { shortDuration } from '../../text/duration';
import { notAllowed } from './allowed';
import type { ApplicationRow, Permissions } from '../wire';

/** Names of the actions on applications, as in the server's paths. */
export type ActionName = 'suspend' | 'resume' | 'rerun' | 'delete';

/** Text of an action on applications. */
export interface ActionText {
  readonly id: ActionName;
  readonly title: string;
  /** Text after success, as in `spark-pi is being suspended`. */
  readonly done: string;
  readonly question: string;
  /** Question about one or several applications. */
  readonly questionForAll: string;
  readonly isDangerous?: true;
}

/** Actions on applications. */
export const ACTION_TEXTS: Readonly<Record<ActionName, ActionText>> = {
  suspend: {
    id: 'suspend', title: 'Suspend', done: 'is being suspended', question: 'The current run stops, and no run starts until it is resumed.',
    questionForAll: 'Current runs stop, and no run starts until its application is resumed.',
  },
  resume: {
    id: 'resume', title: 'Resume', done: 'is being resumed', question: 'It starts from the beginning.',
    questionForAll: 'Each starts from the beginning.',
  },
  rerun: {
    id: 'rerun', title: 'Run again', done: 'will run again',
    question: 'A run that has not ended stops. The application starts from the beginning.',
    questionForAll: 'Runs that have not ended stop. Each application starts from the beginning.',
  },
  delete: {
    id: 'delete', title: 'Delete', done: 'is being deleted',
    question: 'This deletes the application with its driver, executors and logs.',
    questionForAll: 'This deletes each application with its driver, executors and logs.', isDangerous: true,
  },
};

/** States of applications that have ended. */
export const FINAL_STATES: readonly string[] = ['COMPLETED', 'FAILED'];

/** Returns why an action on an application is disabled; undefined if it is enabled. */
export function disabledReason(
  id: ActionName, { state, suspended, deleting }: ApplicationRow, { change, remove }: Permissions, isReadOnly: boolean,
): string | undefined {
  const denied = notAllowed(id === 'delete' ? remove : change, isReadOnly);
  if (denied !== undefined) return denied;
  if (deleting) return 'it is being deleted';
  switch (id) {
    case 'suspend': return suspended ? 'it is suspended' : FINAL_STATES.includes(state) ? 'it has ended' : undefined;
    case 'resume': return suspended ? undefined : 'it is not suspended';
    case 'rerun': return suspended ? 'it is suspended; resume it' : undefined;
    default: return undefined;
  }
}

/** Returns how long an application has run, as a sentence; empty if it does not run. */
export function runText({ state, begun }: ApplicationRow, now: number): string {
  return begun === undefined || FINAL_STATES.includes(state) ? '' : ` It began ${shortDuration(now - begun)} ago.`;
}

/** Returns the heading of a question, such as `Run nightly now?`. */
export function questionText(title: string, name: string): string {
  const [verb, ...others] = title.split(' ');
  return `${[verb, name, ...others].join(' ')}?`;
}
