import { ApplicationState, AttemptResult, AttemptTrigger, isTerminal } from '../../api/states';
import { attemptRecords } from '../../model/attempts';
import type { KnownEnd } from '../../model/cause/status-cause';
import { timeIn } from '../../model/scheduled-spark-application';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import type { Attempt, AttemptExecutors, StatePeriod } from '../wire';

/** State between an attempt and a suspension, by that after the attempt. */
const BEFORE_SUSPENSION: Readonly<Record<string, string>> = {
  [ApplicationState.INVALIDATING]: ApplicationState.SUSPENDING, [ApplicationState.FAILED]: ApplicationState.FAILING,
};

/** State of an attempt that was stopped by a suspension, a change or a rerun. */
const STOPPED = 'STOPPED';

/** States of attempts that have ended, by their results. */
const ENDS: Readonly<Record<string, string>> = {
  [AttemptResult.COMPLETED]: ApplicationState.COMPLETED,
  [AttemptResult.FAILED]: ApplicationState.FAILED,
  [AttemptResult.SUBMISSION_FAILED]: ApplicationState.SUBMISSION_FAILED,
  [AttemptResult.STOPPED]: STOPPED,
};

/**
 * Returns the attempts of an application, oldest first.
 *
 * @param known facts about the end of the latest attempt @default - its cause is that in the status
 */
export function attemptsOf(application: SparkApplication, known?: KnownEnd): Attempt[] {
  return attemptRecords(application, known).map((record): Attempt => {
    const { executors } = record;
    return defined<Attempt>({
      number: record.number,
      submissionId: record.submissionID,
      trigger: record.trigger,
      from: timeIn(record.submissionTime) ?? 0,
      created: timeIn(record.driverCreationTime),
      scheduled: timeIn(record.driverScheduledTime),
      started: timeIn(record.driverStartTime),
      to: timeIn(record.endTime),
      state: record.result === undefined ? stateOf(application) : ENDS[record.result] ?? record.result,
      result: record.result,
      cause: record.cause,
      driverPod: record.driverPodName,
      node: record.nodeName,
      exitCode: record.exitCode,
      executors: executors && defined<AttemptExecutors>({
        requested: executors.requested, peak: executors.peak ?? 0, firstStarted: timeIn(executors.firstStartTime),
        failed: executors.failed ?? 0, failures: executors.failures ?? [],
      }),
    });
  });
}

/**
 * Returns the successive states of an application: those of its attempts, and what happens between
 * two attempts and after the latest.
 */
export function statesOf(application: SparkApplication): StatePeriod[] {
  const created = timeIn(application.metadata.creationTimestamp);
  const current = stateOf(application);
  const attempts = attemptsOf(application);
  const marks: Mark[] = [
    // An application that was created suspended begins with a resumption.
    ...(created === undefined ? [] : [{ state: stateBetween(ApplicationState.NEW, attempts[0]), at: created }]),
    ...attempts.flatMap(({ from, created: submitted, started, to, state }, index): Mark[] => [
      ...(submitted === undefined && state === ApplicationState.SUBMISSION_FAILED
        ? []
        : [{ state: ApplicationState.SUBMITTED, at: submitted ?? from }]),
      ...(started === undefined ? [] : [{ state: ApplicationState.RUNNING, at: started }]),
      ...(to === undefined ? [] : [{ state: stateBetween(state, attempts[index + 1]), at: to }]),
    ]),
  ];
  const last = marks.pop();
  const suspendedAt = current === ApplicationState.SUSPENDED ? suspensionTime(application) : undefined;
  if (last && suspendedAt !== undefined && suspendedAt > last.at) {
    marks.push({ ...last, state: BEFORE_SUSPENSION[last.state] ?? last.state }, { state: current, at: suspendedAt });
  } else if (last) {
    // The time of a state that is not in the records, such as UNKNOWN, is not known.
    marks.push({ ...last, state: current });
  }
  const times = ascending(marks.map(({ at }) => at));
  return marks.map(({ state }, index): StatePeriod => {
    const [from, to] = [times[index]!, times[index + 1]];
    return { state, from, ...(to !== undefined ? { to } : isTerminal(current) && { to: from }) };
  });
}

/** Returns the state from the end of an attempt to the next one. */
function stateBetween(state: string, next: Attempt | undefined): string {
  if (next?.trigger === AttemptTrigger.RESUME) return ApplicationState.SUSPENDED;
  if (state === ApplicationState.FAILED && next?.trigger === AttemptTrigger.RESTART_POLICY) return ApplicationState.FAILING;
  return state === STOPPED ? ApplicationState.INVALIDATING : state;
}

/** Returns since when nothing of a suspended application runs. */
function suspensionTime({ status }: SparkApplication): number | undefined {
  return timeIn(status?.conditions?.find((condition) => condition.type === 'Suspended' && condition.status === 'True')?.lastTransitionTime);
}

interface Mark {
  readonly state: string;
  readonly at: number;
}

/** Raises times that are earlier than their predecessors, because the clocks of nodes differ. */
function ascending(times: readonly number[]): number[] {
  let latest = -Infinity;
  return times.map((time) => (latest = Math.max(latest, time)));
}

function defined<T extends object>(object: { readonly [field in keyof T]: T[field] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
