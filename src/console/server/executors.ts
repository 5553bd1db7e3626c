import type { EventRow, ExecutorStep, PodRow } from '../wire';

/** Reasons of the operator's events about executors, with the change of the running executors. */
const CHANGE_OF_REASON: Readonly<Record<string, 1 | -1>> = {
  SparkExecutorRunning: 1, SparkExecutorCompleted: -1, SparkExecutorFailed: -1, SparkExecutorUnknown: -1,
};

/** Reasons of events after which no executor runs. */
const END_REASONS: readonly string[] = ['SparkDriverCompleted', 'SparkDriverFailed', 'SparkDriverNotFound', 'SparkApplicationSuspended'];

/**
 * Returns the number of running executors over time. Pods have exact times, but Spark deletes the
 * pods of finished executors. If pods are missing, the operator's events are counted instead.
 *
 * @param known number of executors in the status
 */
export function executorSteps(pods: readonly PodRow[], events: readonly EventRow[], known: number): ExecutorStep[] {
  const executors = pods.filter(({ role, started }) => role === 'executor' && started !== undefined);
  const changes = executors.length >= known
    ? executors.flatMap(({ started, ended }) => [{ at: started!, by: 1 }, ...(ended === undefined ? [] : [{ at: ended, by: -1 }])])
    : changesOfEvents(events);
  changes.sort((a, b) => a.at - b.at || b.by - a.by);
  let running = 0;
  const steps: ExecutorStep[] = [];
  for (const { at, by } of changes) {
    running = Math.max(0, running + by);
    if (steps.at(-1)?.at === at) steps.pop();
    if (steps.at(-1)?.running !== running) steps.push({ at, running });
  }
  return steps;
}

function changesOfEvents(events: readonly EventRow[]): { at: number; by: number }[] {
  return events.flatMap(({ reason, message, first }) => {
    if (END_REASONS.includes(reason)) return [{ at: first, by: -Infinity }];
    const by = Object.hasOwn(CHANGE_OF_REASON, reason) ? CHANGE_OF_REASON[reason]! : 0;
    const count = Number(/^(\d{1,6}) executors /.exec(message)?.[1] ?? 1);
    return by === 0 ? [] : [{ at: first, by: by * count }];
  });
}
