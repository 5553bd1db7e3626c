import type { EventRow, ExecutorStep, PodRow } from '../wire';

/** What the operator tells of executors, and by how much each changes the number of those that run. */
const EVENTS: Readonly<Record<string, 1 | -1>> = { SparkExecutorRunning: 1, SparkExecutorCompleted: -1, SparkExecutorFailed: -1, SparkExecutorUnknown: -1 };

/** With these no executor runs any more. */
const ENDS: readonly string[] = ['SparkDriverCompleted', 'SparkDriverFailed', 'SparkDriverNotFound', 'SparkApplicationSuspended'];

/**
 * How many executors ran at which time. Their pods tell it exactly; but Spark deletes the pods of executors that have ended, and then the operator's events do, which count them.
 *
 * @param known how many executors the status knows of
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
    if (ENDS.includes(reason)) return [{ at: first, by: -Infinity }];
    const by = Object.hasOwn(EVENTS, reason) ? EVENTS[reason]! : 0;
    const count = Number(/^(\d{1,6}) executors /.exec(message)?.[1] ?? 1);
    return by === 0 ? [] : [{ at: first, by: by * count }];
  });
}
