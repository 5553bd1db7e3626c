import { ExecutorState } from '../../api/states';
import { podState, type PodView } from '../../model/pod-view';
import { normal, warning, type UserEvent } from '../occurrence';

/** The names of so many executors are told. */
const NAMES = 5;

/** What is told of a change; that an executor is only asked for is in the status. */
const TOLD = [ExecutorState.RUNNING, ExecutorState.COMPLETED, ExecutorState.FAILED, ExecutorState.UNKNOWN] as const;

const REASONS: Readonly<Record<(typeof TOLD)[number], string>> = {
  [ExecutorState.RUNNING]: 'SparkExecutorRunning',
  [ExecutorState.COMPLETED]: 'SparkExecutorCompleted',
  [ExecutorState.FAILED]: 'SparkExecutorFailed',
  [ExecutorState.UNKNOWN]: 'SparkExecutorUnknown',
};

/**
 * Events about what has become of executors, one for each state that some are in now: they start and end together, and hundreds of events would
 * hide the others. Executors that went with a failed driver are not told: the driver's event is.
 */
export function executorEvents(before: Readonly<Record<string, ExecutorState>>, after: Readonly<Record<string, ExecutorState>>, pods: readonly PodView[]): UserEvent[] {
  const present = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  return TOLD.flatMap((state) => {
    const names = Object.keys(after).filter((name) => {
      const pod = present.get(name);
      return after[name] === state && before[name] !== state && (state !== ExecutorState.FAILED || (pod && podState(pod) === ExecutorState.FAILED));
    });
    if (names.length === 0) return [];
    const note = sentence(state, names.sort(), present);
    return [state === ExecutorState.FAILED ? warning(REASONS[state], 'Run', note) : normal(REASONS[state], 'Run', note)];
  });
}

function sentence(state: (typeof TOLD)[number], names: readonly string[], present: ReadonlyMap<string, PodView>): string {
  const shown = names.slice(0, NAMES).map((name) => `${name}${state === ExecutorState.FAILED ? causeOf(present.get(name)!) : ''}`);
  const isOne = names.length === 1;
  const rest = names.length > NAMES ? ` and ${names.length - NAMES} more` : '';
  switch (state) {
    case ExecutorState.RUNNING: return isOne ? `Executor ${shown} is running` : `${names.length} executors are running: ${shown.join(', ')}${rest}`;
    case ExecutorState.COMPLETED: return isOne ? `Executor ${shown} completed` : `${names.length} executors completed: ${shown.join(', ')}${rest}`;
    case ExecutorState.FAILED: return isOne ? `Executor ${shown} failed` : `${names.length} executors failed: ${shown.join(', ')}${rest}`;
    case ExecutorState.UNKNOWN: return isOne ? `Executor ${shown} is gone or unknown` : `${names.length} executors are gone or unknown: ${shown.join(', ')}${rest}`;
  }
}

function causeOf({ terminated, reason }: PodView): string {
  const cause = [terminated && `ExitCode: ${terminated.exitCode}, Reason: ${terminated.reason ?? 'Error'}`, reason].filter(Boolean).join('; ');
  return cause && ` (${cause})`;
}
