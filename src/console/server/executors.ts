import type { Attempt, EventRow, ExecutorStep, PodRow } from '../wire';

/** Reasons of the operator's events about executors, with the change of the running executors. */
const CHANGE_OF_REASON: Readonly<Record<string, 1 | -1>> = {
  SparkExecutorRunning: 1, SparkExecutorCompleted: -1, SparkExecutorFailed: -1, SparkExecutorUnknown: -1,
};

/** Reasons of events after which no executor runs. */
const END_REASONS: readonly string[] = ['SparkDriverCompleted', 'SparkDriverFailed', 'SparkDriverNotFound', 'SparkApplicationSuspended'];

/** Change of the number of running executors. */
interface Change {
  readonly at: number;
  readonly by: number;
}

/**
 * Returns the number of running executors over time. Pods have exact times, but Spark deletes the
 * pods of finished executors. If pods are missing, the operator's events are counted instead, and
 * for an attempt without either, the greatest number that the status records.
 *
 * @param known number of executors in the status
 */
export function executorSteps(
  pods: readonly PodRow[], events: readonly EventRow[], known: number, attempts: readonly Attempt[] = [],
): ExecutorStep[] {
  const executors = pods.filter(({ role, started }) => role === 'executor' && started !== undefined);
  const eventChanges = changesOfEvents(events);
  const best: readonly Change[] = executors.length >= known
    ? executors.flatMap(({ started, ended }) => [{ at: started!, by: 1 }, ...(ended === undefined ? [] : [{ at: ended, by: -1 }])])
    : eventChanges;
  const missing = attempts.filter((attempt) => attempt.executors?.peak && !within(best, attempt).some(({ by }) => by > 0));
  const changes = [...best, ...missing.flatMap((attempt) => changesOfAttempt(attempt, within(eventChanges, attempt)))];
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

/** Returns the changes during an attempt. */
function within(changes: readonly Change[], { from, to = Infinity }: Attempt): readonly Change[] {
  return changes.filter(({ at }) => at >= from && at <= to);
}

function changesOfAttempt({ executors, from, to }: Attempt, ofEvents: readonly Change[]): readonly Change[] {
  const begin = ofEvents.some(({ by }) => by > 0) ? ofEvents : [{ at: executors!.firstStarted ?? from, by: executors!.peak }];
  return to === undefined ? begin : [...begin, { at: to, by: -Infinity }];
}

function changesOfEvents(events: readonly EventRow[]): Change[] {
  return events.flatMap(({ reason, message, first }) => {
    if (END_REASONS.includes(reason)) return [{ at: first, by: -Infinity }];
    const by = Object.hasOwn(CHANGE_OF_REASON, reason) ? CHANGE_OF_REASON[reason]! : 0;
    const count = Number(/^(\d{1,6}) executors /.exec(message)?.[1] ?? 1);
    return by === 0 ? [] : [{ at: first, by: by * count }];
  });
}
