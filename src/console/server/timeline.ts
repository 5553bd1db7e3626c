import { ApplicationState, isTerminal } from '../../api/states';
import { timeIn } from '../../model/scheduled-spark-application';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import type { Attempt, EventRow, StatePeriod } from '../wire';

/** State that an application enters when the operator records an event of this reason. */
const STATE_OF_REASON: Readonly<Record<string, ApplicationState>> = {
  SparkApplicationSubmitted: ApplicationState.SUBMITTED,
  SparkDriverRunning: ApplicationState.RUNNING,
  SparkDriverUnknown: ApplicationState.UNKNOWN,
  SparkDriverCompleted: ApplicationState.SUCCEEDING,
  SparkDriverFailed: ApplicationState.FAILING,
  SparkDriverNotFound: ApplicationState.FAILING,
  SparkApplicationCompleted: ApplicationState.COMPLETED,
  SparkApplicationFailed: ApplicationState.FAILED,
  SparkApplicationSubmissionFailed: ApplicationState.SUBMISSION_FAILED,
  SparkApplicationPendingRerun: ApplicationState.PENDING_RERUN,
  SparkApplicationSpecChanged: ApplicationState.INVALIDATING,
  SparkApplicationSuspending: ApplicationState.SUSPENDING,
  SparkApplicationSuspended: ApplicationState.SUSPENDED,
  SparkApplicationResuming: ApplicationState.RESUMING,
};

/** Order of states, for changes within one second. */
const ORDER: readonly string[] = [
  ApplicationState.NEW, ApplicationState.RESUMING, ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN,
  ApplicationState.SUCCEEDING,
  ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED, ApplicationState.INVALIDATING, ApplicationState.PENDING_RERUN,
  ApplicationState.SUSPENDING,
  ApplicationState.SUSPENDED, ApplicationState.COMPLETED, ApplicationState.FAILED,
];

interface Mark {
  readonly state: string;
  readonly at: number;
}

/**
 * Returns the successive states of an application. They come from the operator's events. Kubernetes
 * deletes events after an hour; then only the status remains, with the start, run and end of the
 * latest attempt.
 */
export function statesOf(application: SparkApplication, events: readonly EventRow[]): StatePeriod[] {
  const marks = [...marksOfStatus(application), ...marksOfEvents(application, events)].filter(({ at }) => Number.isFinite(at));
  marks.sort((a, b) => a.at - b.at || ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const changes = marks.filter(({ state }, index) => state !== marks[index - 1]?.state);
  const current = stateOf(application);
  const stretches = changes.map(({ state, at }, index): StatePeriod => ({
    state, from: at, ...(changes[index + 1] && { to: changes[index + 1]!.at }),
  }));
  const last = stretches.at(-1);
  if (last && isTerminal(last.state as ApplicationState)) stretches[stretches.length - 1] = { ...last, to: last.from };
  // Without an event, the time of the change is unknown.
  return last && last.state !== current ? [
    ...stretches.slice(0, -1), { ...last, to: last.from }, { state: current, from: last.from },
  ] : stretches;
}

/** Groups the states into attempts: each begins when a driver is created and ends with it. */
export function attemptsOf(states: readonly StatePeriod[], counted: number): Attempt[] {
  const begins = states.flatMap(({ state }, index) => (state === ApplicationState.SUBMITTED || state === ApplicationState.SUBMISSION_FAILED
    ? [index]
    : []));
  return begins.map((begin, index): Attempt => {
    const own = states.slice(begin, begins[index + 1] ?? states.length);
    const end = own.find(({ state }) => !ACTIVE_STATES.includes(state))
      ?? (own[0]!.state === ApplicationState.SUBMISSION_FAILED ? own[0] : undefined);
    const last = end ?? own.at(-1)!;
    return {
      // The events of the first attempts might have expired.
      number: Math.max(1, counted - begins.length + 1 + index),
      from: own[0]!.from,
      ...(end && { to: end.from }),
      state: last.state,
    };
  });
}

/** States in which an attempt continues. */
const ACTIVE_STATES: readonly string[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

function marksOfEvents({ metadata }: SparkApplication, events: readonly EventRow[]): Mark[] {
  return events.flatMap(({ reason, about, first, last, count }) => {
    const state = Object.hasOwn(STATE_OF_REASON, reason) ? STATE_OF_REASON[reason] : undefined;
    if (state === undefined || about !== `SparkApplication/${metadata.name}`) return [];
    // Kubernetes counts repetitions and keeps only the first and the last time.
    return (count > 1 && last > first ? [first, last] : [first]).map((at) => ({ state, at }));
  });
}

function marksOfStatus(application: SparkApplication): Mark[] {
  const { metadata, status } = application;
  const state = stateOf(application);
  const running = status?.conditions?.find(({ type }) => type === 'Running');
  const mark = (of: string, time: string | undefined) => {
    const at = timeIn(time);
    return at === undefined ? [] : [{ state: of, at }];
  };
  return [
    ...mark(ApplicationState.NEW, metadata.creationTimestamp),
    ...(state === ApplicationState.SUBMISSION_FAILED ? [] : mark(ApplicationState.SUBMITTED, status?.lastSubmissionAttemptTime)),
    ...(running?.status === 'True' ? mark(ApplicationState.RUNNING, running.lastTransitionTime) : []),
    ...(isTerminal(state) ? mark(state, status?.terminationTime) : []),
  ];
}
