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
    question: 'The current run stops, and its driver pod and log are deleted. The application starts from the beginning.',
    questionForAll: 'Current runs stop. Driver pods and logs of current and ended runs are deleted. '
      + 'Each application starts from the beginning.',
  },
  delete: {
    id: 'delete', title: 'Delete', done: 'is being deleted',
    question: 'This deletes the application with its driver, executors and logs.',
    questionForAll: 'This deletes each application with its driver, executors and logs.', isDangerous: true,
  },
};

/** States of applications that have ended. */
export const FINAL_STATES: readonly string[] = ['COMPLETED', 'FAILED'];

/** States between an attempt and the next one. */
const BETWEEN_ATTEMPTS: readonly string[] = ['FAILING', 'SUBMISSION_FAILED', 'PENDING_RERUN'];

/** States between a run that was stopped and the next one. */
const STOPPED: readonly string[] = ['SUSPENDING', 'SUSPENDED', 'RESUMING', 'INVALIDATING'];

/**
 * Returns the question of an action on one application.
 *
 * @param hasDriver whether a pod of its driver exists, as far as known
 */
export function questionOf(id: ActionName, row: ApplicationRow, hasDriver: boolean, now: number): string {
  if (id === 'suspend' && BETWEEN_ATTEMPTS.includes(row.state)) return 'No other attempt follows, and no run starts until it is resumed.';
  if (id === 'suspend' && !hasRun(row)) return 'No run starts until it is resumed.';
  if (id === 'rerun' && !(hasDriver && hasRun(row))) {
    const lost = hasDriver ? ' The driver pod and the log of the ended run are deleted.' : '';
    return `${hasRun(row) ? 'The current run stops. ' : ''}The application starts from the beginning.${lost}${runText(row, now)}`;
  }
  return `${ACTION_TEXTS[id].question}${id === 'suspend' || id === 'rerun' ? runText(row, now) : ''}`;
}

/** Results of actions that need an operator, without their time. */
const LATER: Readonly<Record<string, string>> = {
  suspend: 'will be suspended', resume: 'will be resumed', rerun: 'will run again', run: 'will run',
};

/** Explains why an action has no effect yet. @param objects such as `it` */
export function noEffectText(objects: string): string {
  return `No operator handles ${objects}: the action has no effect until one does.`;
}

/**
 * Returns an action with its texts while no operator handles its object. Kubernetes deletes objects
 * itself.
 */
export function withoutOperator<A extends { readonly id: string; readonly done: string; readonly question: string }>(action: A): A {
  if (!Object.hasOwn(LATER, action.id)) return action;
  return {
    ...action, done: `${LATER[action.id]} when an operator handles it`, question: `${action.question} ${noEffectText('it')}`,
  };
}

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
export function runText(row: ApplicationRow, now: number): string {
  return hasRun(row) ? ` It began ${shortDuration(now - row.begun!)} ago.` : '';
}

/** Whether a run of an application has begun and not ended. */
function hasRun({ state, begun }: ApplicationRow): boolean {
  return begun !== undefined && ![...FINAL_STATES, ...BETWEEN_ATTEMPTS, ...STOPPED].includes(state);
}

/** Returns the heading of a question, such as `Run nightly now?`. */
export function questionText(title: string, name: string): string {
  const [verb, ...others] = title.split(' ');
  return `${[verb, name, ...others].join(' ')}?`;
}
