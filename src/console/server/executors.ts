import type { Attempt, EventRow, ExecutorStep, PodRow } from '../wire';

/** Reasons of the operator's events about executors, with the change of the running executors. */
const CHANGE_OF_REASON: Readonly<Record<string, 1 | -1>> = {
  SparkExecutorRunning: 1, SparkExecutorCompleted: -1, SparkExecutorFailed: -1, SparkExecutorUnknown: -1,
};

/** Reasons of events after which no executor runs, for attempts without a record. */
const END_REASONS: readonly string[] = ['SparkDriverCompleted', 'SparkDriverFailed', 'SparkDriverNotFound', 'SparkApplicationSuspended'];

/** Change of the number of running executors. */
interface Change {
  readonly at: number;
  readonly by: number;
}

/**
 * Returns the number of running executors over time. Pods have exact times, but Spark deletes the
 * pods of finished executors. If pods are missing, the operator's events are counted instead, and
 * for an attempt without either, the greatest number that the status records. The end of an attempt
 * ends its executors: Kubernetes deletes their pods with the driver, without an event.
 *
 * @param known number of executors in the status
 */
export function executorSteps(
  pods: readonly PodRow[], events: readonly EventRow[], known: number, attempts: readonly Attempt[] = [],
): ExecutorStep[] {
  const executors = pods.filter(({ role, started }) => role === 'executor' && started !== undefined);
  const eventChanges = fromFirstStart(inAttempts(changesOfEvents(events), attempts), attempts);
  const best = executors.length >= known ? inAttempts(changesOfPods(executors), attempts) : eventChanges;
  const missing = attempts.filter((attempt) => attempt.executors?.peak && !hasExecutors(best, attempt));
  const changes = [
    ...best,
    ...missing.flatMap((attempt) => changesOfAttempt(attempt, eventChanges)),
    ...attempts.flatMap(({ to }) => (to === undefined ? [] : [{ at: to, by: -Infinity }])),
  ];
  changes.sort((a, b) => a.at - b.at || b.by - a.by);
  let running = 0;
  const steps: ExecutorStep[] = [];
  for (const { at, by } of changes) {
    running = Math.max(0, running + by);
    if (steps.at(-1)?.at === at) steps.pop();
    if ((steps.at(-1)?.running ?? 0) !== running) steps.push({ at, running });
  }
  return steps;
}

/**
 * Moves changes after the end of an attempt to its end: the operator reports executors later, and
 * their pods end after the driver. Between two attempts with others that are not recorded, changes
 * keep their time.
 */
function inAttempts(changes: readonly Change[], attempts: readonly Attempt[]): readonly Change[] {
  return changes.map(({ at, by }) => {
    const index = attempts.findLastIndex(({ from }) => from <= at);
    const [attempt, next] = [attempts[index], attempts[index + 1]];
    if (attempt?.to === undefined || (next && next.number > attempt.number + 1)) return { at, by };
    return { at: Math.min(at, attempt.to), by };
  });
}

/** Moves the first start of each attempt to its recorded time: the operator reports it later. */
function fromFirstStart(changes: readonly Change[], attempts: readonly Attempt[]): readonly Change[] {
  const times = new Map<Change, number>();
  for (const attempt of attempts) {
    const first = within(changes, attempt).find(({ by }) => by > 0);
    const started = attempt.executors?.firstStarted;
    if (first && started !== undefined && started < first.at) times.set(first, Math.max(attempt.from, started));
  }
  return changes.map((change) => ({ ...change, at: times.get(change) ?? change.at }));
}

/** Returns the changes during an attempt. */
function within(changes: readonly Change[], { from, to = Infinity }: Attempt): readonly Change[] {
  return changes.filter(({ at }) => at >= from && at <= to);
}

/** Whether executors begin before the end of an attempt. */
function hasExecutors(changes: readonly Change[], attempt: Attempt): boolean {
  return within(changes, attempt).some(({ at, by }) => by > 0 && at !== attempt.to);
}

function changesOfAttempt(attempt: Attempt, eventChanges: readonly Change[]): readonly Change[] {
  const { executors, from } = attempt;
  if (hasExecutors(eventChanges, attempt)) return within(eventChanges, attempt);
  return [{ at: executors!.firstStarted ?? from, by: executors!.peak }];
}

function changesOfPods(executors: readonly PodRow[]): Change[] {
  return executors.flatMap(({ started, ended }) => [{ at: started!, by: 1 }, ...(ended === undefined ? [] : [{ at: ended, by: -1 }])]);
}

function changesOfEvents(events: readonly EventRow[]): Change[] {
  return events.flatMap(({ reason, message, first }) => {
    if (END_REASONS.includes(reason)) return [{ at: first, by: -Infinity }];
    const by = Object.hasOwn(CHANGE_OF_REASON, reason) ? CHANGE_OF_REASON[reason]! : 0;
    const count = Number(/^(\d{1,6}) executors /.exec(message)?.[1] ?? 1);
    return by === 0 ? [] : [{ at: first, by: by * count }];
  });
}
