import { ApplicationState, AttemptResult, isTerminal } from '../api/states';
import { shownCause } from './cause/status-cause';
import { isRunOf, scheduledTimeOf, timeIn, type ScheduledSparkApplication } from './scheduled-spark-application';
import { stateOf, type SparkApplication } from './spark-application';

/** Run of a schedule. */
export interface ScheduleRun {
  /** Name of its application, which might be deleted. */
  readonly name: string;
  /** Time for which it was scheduled, in milliseconds since 1970. @default - it was requested */
  readonly scheduledAt?: number;
  /** Creation of its application, in milliseconds since 1970. */
  readonly startedAt: number;
  /** @default - it is active, or the time is unknown */
  readonly endedAt?: number;
  readonly result: 'succeeded' | 'failed' | 'active';
  /** Cause of a failure. */
  readonly cause?: string;
}

/**
 * Returns the latest runs of a schedule, oldest first: those that exist, and finished ones from its
 * status.
 *
 * @param applications existing applications, also of others @default - only the status is known
 */
export function runsOf(schedule: ScheduledSparkApplication, applications: readonly SparkApplication[] = []): ScheduleRun[] {
  const existing = applications.filter((application) => isRunOf(application, schedule)).map(runOf);
  const names = new Set(existing.map(({ name }) => name));
  const recorded = (schedule.status?.runHistory ?? []).filter(({ name }) => !names.has(name))
    .map(({ name, scheduledTime, startTime, endTime, result, cause }): ScheduleRun => ({
      name, scheduledAt: timeIn(scheduledTime), startedAt: timeIn(startTime) ?? 0, endedAt: timeIn(endTime),
      cause: cause && shownCause(cause),
      result: result === AttemptResult.COMPLETED ? 'succeeded' : 'failed',
    }));
  return [...recorded, ...existing].sort((a, b) => a.startedAt - b.startedAt || (a.name < b.name ? -1 : 1));
}

function runOf(application: SparkApplication): ScheduleRun {
  const { metadata, status } = application;
  const state = stateOf(application);
  const message = status?.applicationState?.errorMessage;
  const result = state === ApplicationState.COMPLETED ? 'succeeded' : state === ApplicationState.FAILED ? 'failed' : 'active';
  return {
    name: metadata.name, scheduledAt: scheduledTimeOf(application), startedAt: timeIn(metadata.creationTimestamp) ?? 0, result,
    ...(isTerminal(state) && { endedAt: timeIn(status?.terminationTime) }),
    ...(result === 'failed' && message && { cause: shownCause(message) }),
  };
}
