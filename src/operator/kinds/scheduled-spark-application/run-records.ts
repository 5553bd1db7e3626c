import type { RunRecord } from '../../../api/scheduled-spark-application-status';
import { ApplicationState, AttemptResult } from '../../../api/states';
import { shownCause } from '../../../model/cause/status-cause';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { hasEnded, scheduledTimeOf } from '../../../model/scheduled-spark-application';
import { boundedText } from '../../../text/bounded-text';
import { rfc3339 } from '../../../text/times';

/** Maximum number of finished runs in the status of a schedule. */
export const MAX_RUNS = 20;

/** Maximum length of the cause of a failure, in characters. */
const MAX_CAUSE = 100;

/**
 * Returns the records of the latest finished runs, oldest first. A run that exists has its present
 * result, because its user can run it again; the others keep the recorded one.
 */
export function runRecords(recorded: readonly RunRecord[] = [], runs: readonly SparkApplication[]): RunRecord[] {
  const present = runs.filter(hasEnded).map(recordOf);
  const staying = new Set(runs.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name));
  const all = [...recorded.filter(({ name }) => !staying.has(name)), ...present];
  return all.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime) || (a.name < b.name ? -1 : 1)).slice(-MAX_RUNS);
}

/** Whether the records miss a run that is to be deleted. */
export function missesAny(recorded: readonly RunRecord[] = [], runs: readonly SparkApplication[]): boolean {
  const oldest = recorded.length < MAX_RUNS ? -Infinity : Date.parse(recorded[0]!.startTime);
  return runs.some(({ metadata: { name, creationTimestamp } }) => (
    Date.parse(creationTimestamp!) >= oldest && !recorded.some((record) => record.name === name)
  ));
}

function recordOf(run: SparkApplication): RunRecord {
  const scheduled = scheduledTimeOf(run);
  const { terminationTime, applicationState } = run.status!;
  const isCompleted = stateOf(run) === ApplicationState.COMPLETED;
  const cause = isCompleted ? undefined : applicationState?.errorMessage;
  return {
    name: run.metadata.name,
    ...(scheduled !== undefined && { scheduledTime: rfc3339(scheduled) }),
    startTime: run.metadata.creationTimestamp!,
    ...(terminationTime && { endTime: terminationTime }),
    result: isCompleted ? AttemptResult.COMPLETED : AttemptResult.FAILED,
    ...(cause && { cause: boundedText(shownCause(cause), MAX_CAUSE) }),
  };
}
