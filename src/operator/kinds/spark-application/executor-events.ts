import { ExecutorState } from '../../../api/states';
import { exitMeaning } from '../../../model/cause/exit-code';
import { podState, type ContainerEnd, type PodView } from '../../../model/pod-view';
import { normal, warning, type UserEvent } from '../../user-event';

/** Maximum number of executors that an event names. */
const NAMES = 5;

/** States that events report, in the order in which executors enter them. */
const REPORTED = [
  ExecutorState.PENDING, ExecutorState.RUNNING, ExecutorState.COMPLETED, ExecutorState.FAILED, ExecutorState.UNKNOWN,
] as const;

const REASONS: Readonly<Record<(typeof REPORTED)[number], string>> = {
  [ExecutorState.PENDING]: 'SparkExecutorPending',
  [ExecutorState.RUNNING]: 'SparkExecutorRunning',
  [ExecutorState.COMPLETED]: 'SparkExecutorCompleted',
  [ExecutorState.FAILED]: 'SparkExecutorFailed',
  [ExecutorState.UNKNOWN]: 'SparkExecutorUnknown',
};

/**
 * Returns events about executors, one for each state that some have entered. Executors start and
 * end together, and hundreds of events would hide the others. Executors that Kubernetes deleted
 * with a failed driver get no event: the driver's event reports the failure.
 */
export function executorEvents(
  before: Readonly<Record<string, ExecutorState>>, after: Readonly<Record<string, ExecutorState>>, pods: readonly PodView[],
): UserEvent[] {
  const present = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  return REPORTED.flatMap((state) => {
    const names = Object.keys(after).filter((name) => {
      const pod = present.get(name);
      return after[name] === state && before[name] !== state
        && (state !== ExecutorState.FAILED || (pod && podState(pod) === ExecutorState.FAILED));
    });
    if (names.length === 0) return [];
    const note = sentence(state, names.sort(), present);
    return [state === ExecutorState.FAILED ? warning(REASONS[state], 'Run', note) : normal(REASONS[state], 'Run', note)];
  });
}

function sentence(state: (typeof REPORTED)[number], names: readonly string[], present: ReadonlyMap<string, PodView>): string {
  const shown = names.slice(0, NAMES).map((name) => `${name}${state === ExecutorState.FAILED ? causeOf(present.get(name)!) : ''}`);
  const isOne = names.length === 1;
  const rest = names.length > NAMES ? ` and ${names.length - NAMES} more` : '';
  switch (state) {
    case ExecutorState.PENDING: return isOne
      ? `Executor ${shown} is pending`
      : `${names.length} executors are pending: ${shown.join(', ')}${rest}`;
    case ExecutorState.RUNNING: return isOne
      ? `Executor ${shown} is running`
      : `${names.length} executors are running: ${shown.join(', ')}${rest}`;
    case ExecutorState.COMPLETED: return isOne
      ? `Executor ${shown} completed`
      : `${names.length} executors completed: ${shown.join(', ')}${rest}`;
    case ExecutorState.FAILED: return isOne ? `Executor ${shown} failed` : `${names.length} executors failed: ${shown.join(', ')}${rest}`;
    case ExecutorState.UNKNOWN: return isOne
      ? `Executor ${shown} is gone or unknown`
      : `${names.length} executors are gone or unknown: ${shown.join(', ')}${rest}`;
  }
}

function causeOf({ terminated, reason }: PodView): string {
  const cause = [
    terminated && `ExitCode: ${terminated.exitCode}, Reason: ${terminated.reason ?? 'Error'}`, reason, terminated && whyOf(terminated),
  ].filter(Boolean).join('; ');
  return cause && ` (${cause})`;
}

function whyOf({ exitCode, reason, memoryLimit, message }: ContainerEnd): string | undefined {
  if (reason === 'OOMKilled') return memoryLimit === undefined ? undefined : `its memory limit is ${memoryLimit}`;
  return message ?? exitMeaning(exitCode, 'executor');
}
