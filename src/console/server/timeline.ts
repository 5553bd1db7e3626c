import { ApplicationState, isTerminal } from '../../api/states';
import { timeIn } from '../../model/scheduled-spark-application';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import type { Attempt, EventRow, Stretch } from '../wire';

/** The state that an application comes into when the operator tells an event of this reason. */
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

/** In the order in which they come about, for those of one second. */
const ORDER: readonly string[] = [
  ApplicationState.NEW, ApplicationState.RESUMING, ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.SUCCEEDING,
  ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED, ApplicationState.INVALIDATING, ApplicationState.PENDING_RERUN, ApplicationState.SUSPENDING,
  ApplicationState.SUSPENDED, ApplicationState.COMPLETED, ApplicationState.FAILED,
];

interface Mark {
  readonly state: string;
  readonly at: number;
}

/**
 * The states that an application was in, one after the other. The operator's events tell them; Kubernetes forgets events after an hour, and what is left then is what the status tells: when the
 * latest attempt began, ran and ended.
 */
export function statesOf(application: SparkApplication, events: readonly EventRow[]): Stretch[] {
  const marks = [...marksOfStatus(application), ...marksOfEvents(application, events)].filter(({ at }) => Number.isFinite(at));
  marks.sort((a, b) => a.at - b.at || ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const changes = marks.filter(({ state }, index) => state !== marks[index - 1]?.state);
  const current = stateOf(application);
  const stretches = changes.map(({ state, at }, index): Stretch => ({ state, from: at, ...(changes[index + 1] && { to: changes[index + 1]!.at }) }));
  const last = stretches.at(-1);
  if (last && isTerminal(last.state as ApplicationState)) stretches[stretches.length - 1] = { ...last, to: last.from };
  // No event tells of it, or it is lost: since when is not known.
  return last && last.state !== current ? [...stretches.slice(0, -1), { ...last, to: last.from }, { state: current, from: last.from }] : stretches;
}

/** The attempts, cut out of the states: each begins when a driver is created, and lasts until it has ended. */
export function attemptsOf(states: readonly Stretch[], counted: number): Attempt[] {
  const begins = states.flatMap(({ state }, index) => (state === ApplicationState.SUBMITTED || state === ApplicationState.SUBMISSION_FAILED ? [index] : []));
  return begins.map((begin, index): Attempt => {
    const own = states.slice(begin, begins[index + 1] ?? states.length);
    const end = own.find(({ state }) => !LASTS.includes(state)) ?? (own[0]!.state === ApplicationState.SUBMISSION_FAILED ? own[0] : undefined);
    const last = end ?? own.at(-1)!;
    return {
      // The first ones may be forgotten.
      number: Math.max(1, counted - begins.length + 1 + index),
      from: own[0]!.from,
      ...(end && { to: end.from }),
      state: last.state,
    };
  });
}

/** States in which an attempt goes on. */
const LASTS: readonly string[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

function marksOfEvents({ metadata }: SparkApplication, events: readonly EventRow[]): Mark[] {
  return events.flatMap(({ reason, about, first, last, count }) => {
    const state = Object.hasOwn(STATE_OF_REASON, reason) ? STATE_OF_REASON[reason] : undefined;
    if (state === undefined || about !== `SparkApplication/${metadata.name}`) return [];
    // Of one that came more than twice only the first and the last time are known.
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
