import { LABEL_SPARK_APP_SELECTOR } from '../../api/labels';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../api/states';
import { driverPodName } from '../submission/identity';
import { executorStates } from './executors';
import { inTheWay, type Belonging } from './belonging';
import { stateOf, type SparkApplication } from './model';
import { driverState, type Obstacle, type PodView } from './pod-view';

/** All that a decision depends on, besides the time. */
export interface Observation {
  readonly application: SparkApplication;
  /** The driver's Pod. `absent` was read from the API server, never from a cache. */
  readonly driver: Driver;
  /** Executors of the current submission. */
  readonly executors: readonly PodView[];
  /** What hindered the creation of the driver, when it was just tried. */
  readonly hindrance?: Hindrance;
  /** The driver was just created, or found to have what it needs. */
  readonly confirmed?: boolean;
  /** A run of spark-submit has begun, and its end has not been looked at. */
  readonly underWay?: boolean;
  /** What the submission had created besides the driver was just removed. */
  readonly cleanedUp?: boolean;
  /** spark-submit is at work: there is a driver, or a hindrance, when it has ended. */
  readonly submitting?: Submitting;
  /** What the user wrote without the effect that it seems to have, when the driver was just created; sentences. */
  readonly warnings?: readonly string[];
  /** Since when the driver has been waiting for what does not come by itself, in milliseconds since the epoch. */
  readonly stuckSince?: number;
  /** When the creation of the driver is to be tried again at the earliest, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/** The Pod with the driver's name. */
export type Driver =
  | { readonly kind: Belonging; readonly pod: PodView }
  | { readonly kind: 'absent' };

/** A run of spark-submit. */
export interface Submitting {
  /** Whether it was started just now. */
  readonly begun: boolean;
  /** Why not natively; a sentence. */
  readonly because: string;
}

/** Why a driver could not be created. */
export interface Hindrance {
  readonly reason: string;
  /** `final`: it would be so again; `lasting`: somebody has to do something; `passing`: it may pass by itself, as a quota that is used up. */
  readonly kind: 'final' | 'lasting' | 'passing';
}

/** What is given to a decision from outside, so that tests can hold it. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new UUID. */
  readonly newId: () => string;
  readonly settings: Settings;
}

/** The operator's configuration, as far as decisions depend on it. */
export interface Settings {
  /** How long the creation or the start of a driver may wait for what does not come by itself, in milliseconds. */
  readonly driverStartTimeout: number;
  /** Executors beyond this number are not recorded in the status. */
  readonly maxTrackedExecutors: number;
}

/** What to do. The status is written first, then the action follows, then the events. */
export interface Decision {
  /** The new status; absent when nothing changed. */
  readonly status?: SparkApplicationStatus;
  readonly action?: Action;
  readonly events: readonly Occurrence[];
  /** When to look again if nothing happens before, in milliseconds. Absent for a finished application. */
  readonly requeueAfter?: number;
}

export type Action =
  /** Create the driver and what it needs, or find what an earlier try created. */
  | { readonly kind: 'submit' }
  /** Delete a driver that was given up. */
  | { readonly kind: 'delete-driver'; readonly pod: PodView }
  /** Delete what the submission created for a driver that is gone. */
  | { readonly kind: 'clean-up' }
  /** See whether a driver that was found has what it needs. */
  | { readonly kind: 'confirm-driver' };

/** Something to tell users as an event. */
export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Every application that is not finished is looked at this often, whatever the watches say. */
const RESYNC = 5 * 60_000;
/** How long a node may prepare a pod until users are told that it takes long. */
const PREPARATION = 60_000;
/** The pauses between tries to create a driver: they grow with the time that was waited already. */
const [MIN_PAUSE, MAX_PAUSE] = [1_000, 30_000];

/**
 * The state machine of a SparkApplication: from what is observed to what to do. Pure.
 *
 * Each step makes at most one transition; the steps are repeated until nothing changes or something has to be done first, so that a driver
 * which ran while nobody looked passes through all states at once, with one write.
 */
export function decide(observation: Observation, context: Context): Decision {
  const { application } = observation;
  const before = application.status;
  let status: SparkApplicationStatus = before ?? { driverInfo: {} };
  let action: Action | undefined;
  let requeueAfter: number | undefined = RESYNC;
  const events: Occurrence[] = [];

  for (;;) {
    const step: Step = stepIn(stateOf({ ...application, status }))({ ...observation, application: { ...application, status } }, context);
    status = step.status ?? status;
    events.push(...(step.events ?? []));
    action = step.action;
    requeueAfter = step.requeueAfter === null ? undefined : Math.min(step.requeueAfter ?? RESYNC, RESYNC);
    if (action || !step.goOn) break;
  }
  if (stepIn(stateOf({ ...application, status })) !== hold) status = withExecutors(status, observation, context.settings);
  return { status: same(before ?? { driverInfo: {} }, status) ? undefined : status, action, events, requeueAfter };
}

interface Step {
  /** The status after the step; absent when the step changes nothing. */
  readonly status?: SparkApplicationStatus;
  readonly action?: Action;
  readonly events?: readonly Occurrence[];
  /** null: the application is finished, there is nothing to look for. */
  readonly requeueAfter?: number | null;
  /** Whether the state that follows is looked at in the same decision. */
  readonly goOn?: boolean;
}

type StepFunction = (observation: Observation, context: Context) => Step;

const STEPS: Readonly<Record<ApplicationState, StepFunction>> = {
  [ApplicationState.NEW]: submit,
  [ApplicationState.SUBMITTED]: follow,
  [ApplicationState.RUNNING]: follow,
  [ApplicationState.UNKNOWN]: follow,
  [ApplicationState.SUCCEEDING]: complete,
  [ApplicationState.FAILING]: fail,
  [ApplicationState.SUBMISSION_FAILED]: fail,
  [ApplicationState.COMPLETED]: finished,
  [ApplicationState.FAILED]: finished,
  [ApplicationState.PENDING_RERUN]: hold,
  [ApplicationState.INVALIDATING]: hold,
  [ApplicationState.SUSPENDING]: hold,
  [ApplicationState.SUSPENDED]: hold,
  [ApplicationState.RESUMING]: hold,
};

/** A later version may have written states that are not known here. */
function stepIn(state: ApplicationState): StepFunction {
  return (STEPS[state] as StepFunction | undefined) ?? hold;
}

/** New: first the intent is written down, then the driver is created under the id in it, so that a crash in between makes no second one. */
function submit(observation: Observation, { now, newId, settings }: Context): Step {
  const { application, driver, hindrance, submitting, underWay, warnings = [], notBefore = now } = observation;
  const status = application.status;
  // Held back by its user: nothing is started.
  if (application.spec.suspend && driver.kind === 'absent' && !underWay) return {};
  if (!status?.submissionID) {
    return {
      status: {
        submissionID: newId(),
        lastSubmissionAttemptTime: rfc3339(now),
        submissionAttempts: (status?.submissionAttempts ?? 0) + 1,
        driverInfo: { podName: driverPodName(application) },
        applicationState: { state: ApplicationState.NEW },
      },
      action: { kind: 'submit' },
    };
  }
  if (submitting) {
    const note = `SparkApplication ${application.metadata.name} is submitted by spark-submit: ${submitting.because}`;
    return submitting.begun ? { events: [normal('SparkApplicationSubmitting', 'Submit', note)] } : {};
  }
  // spark-submit creates the driver first: it is not done while it runs, and how it ended counts.
  if (underWay && !observation.confirmed && !hindrance) return { action: { kind: 'submit' } };
  if (driver.kind === 'ours' && !hindrance) {
    if (!observation.confirmed && driverState(driver.pod) === ExecutorState.PENDING) return { action: { kind: 'confirm-driver' } };
    return {
      status: {
        ...status,
        sparkApplicationId: driver.pod.metadata.labels?.[LABEL_SPARK_APP_SELECTOR],
        executionAttempts: (status.executionAttempts ?? 0) + 1,
        applicationState: { state: ApplicationState.SUBMITTED },
      },
      events: [
        normal('SparkApplicationSubmitted', 'Submit', `SparkApplication ${application.metadata.name} was submitted as driver pod ${driver.pod.metadata.name}`),
        ...(warnings.length > 0 ? [warning('SparkApplicationSpecWarning', 'Submit', bounded(warnings))] : []),
      ],
      goOn: true,
    };
  }
  const found = hindrance ?? (driver.kind === 'foreign' || driver.kind === 'leaving' ? hindranceBy(driver.pod, driver.kind) : undefined);
  if (found) return waitForCreation(observation, found, now, settings);
  // Whatever woke us, such as our own write: the pause between two tries is kept.
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'submit' } };
}

/** A note of an event has at most 1024 bytes (Kubernetes' validation of events). */
const NOTE_LENGTH = 800;

/** As many of the sentences as a note holds, and how many more there are. */
function bounded(sentences: readonly string[]): string {
  const fitting = sentences.filter((_, index) => sentences.slice(0, index + 1).join('; ').length <= NOTE_LENGTH);
  const shown = fitting.length > 0 ? fitting : [sentences[0]!.slice(0, NOTE_LENGTH)];
  const more = sentences.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function hindranceBy(pod: PodView, belonging: Exclude<Belonging, 'ours'>): Hindrance {
  return { reason: inTheWay('Pod', pod.metadata.name, belonging), kind: belonging === 'leaving' ? 'lasting' : 'final' };
}

/** A driver that cannot be created: it is tried again until the deadline, unless that makes no sense. The reason is in the status meanwhile. */
function waitForCreation({ application, stuckSince }: Observation, { reason, kind }: Hindrance, now: number, settings: Settings): Step {
  const status = application.status!;
  const left = (stuckSince ?? now) + settings.driverStartTimeout - now;
  if (kind === 'final' || (kind === 'lasting' && left <= 0)) {
    const cause = kind === 'final' ? reason : `${reason} (waited ${seconds(settings.driverStartTimeout)} for it)`;
    return {
      status: { ...status, applicationState: { state: ApplicationState.SUBMISSION_FAILED, errorMessage: cause } },
      events: [warning('SparkApplicationSubmissionFailed', 'Submit', `SparkApplication ${application.metadata.name} could not be submitted: ${cause}`)],
      goOn: true,
    };
  }
  const message = `driver cannot be created yet: ${reason}`;
  const isNews = !sameButForNumbers(status.applicationState?.errorMessage, message);
  const waited = now - (stuckSince ?? Date.parse(status.lastSubmissionAttemptTime ?? rfc3339(now)));
  const pause = Math.min(Math.max(waited / 4, MIN_PAUSE), MAX_PAUSE);
  return {
    status: isNews ? { ...status, applicationState: { state: ApplicationState.NEW, errorMessage: message } } : undefined,
    events: isNews ? [warning('SparkDriverPending', 'Submit', `The driver of SparkApplication ${application.metadata.name} cannot be created yet: ${reason}`)] : [],
    requeueAfter: kind === 'lasting' ? Math.min(pause, left) : pause,
  };
}

/** Submitted, running or unknown: the driver decides. */
function follow({ application, driver, stuckSince }: Observation, context: Context): Step {
  const status = application.status!;
  if (driver.kind !== 'ours') {
    const gone = driver.kind === 'absent' ? 'it was deleted, or its node is gone' : inTheWay('Pod', driver.pod.metadata.name, driver.kind);
    return failing(application, context.now, `driver pod not found: ${gone}`, 'SparkDriverNotFound');
  }
  const { pod } = driver;
  switch (driverState(pod)) {
    case ExecutorState.PENDING: return waitForStart(application, pod, stuckSince, context);
    case ExecutorState.RUNNING:
      if (stateOf(application) === ApplicationState.RUNNING) return {};
      return {
        status: { ...status, applicationState: { state: ApplicationState.RUNNING } },
        events: [normal('SparkDriverRunning', 'Run', `Driver ${pod.metadata.name} is running`)],
      };
    case ExecutorState.COMPLETED:
      return {
        status: { ...status, terminationTime: endOf(pod, context.now), applicationState: { state: ApplicationState.SUCCEEDING } },
        events: [normal('SparkDriverCompleted', 'Run', `Driver ${pod.metadata.name} completed`)],
        goOn: true,
      };
    case ExecutorState.FAILED:
      return failing(application, endTime(pod, context.now), causeOf(pod), 'SparkDriverFailed');
    default:
      if (stateOf(application) === ApplicationState.UNKNOWN) return {};
      return {
        status: { ...status, applicationState: { state: ApplicationState.UNKNOWN, errorMessage: pod.reason ?? 'the state of the driver pod is unknown; its node may be unreachable' } },
        events: [warning('SparkDriverUnknown', 'Run', `The state of driver ${pod.metadata.name} is unknown${pod.reason ? `: ${pod.reason}` : ''}`)],
      };
  }
}

/** A driver that does not start: the reason goes into the status at once; what cannot pass by itself ends the application after a while. */
function waitForStart(application: SparkApplication, pod: PodView, stuckSince: number | undefined, { now, settings }: Context): Step {
  const status = application.status!;
  const prepared = pod.startTime ? Date.parse(pod.startTime) + PREPARATION - now : RESYNC;
  const obstacle = pod.obstacle ?? (prepared <= 0 ? slowPreparation(pod) : undefined);
  const text = obstacle && `${obstacle.reason}${obstacle.message ? `: ${obstacle.message}` : ''}`;
  const message = text && `driver does not start: ${text}`;
  const left = obstacle && !obstacle.passes ? (stuckSince ?? now) + settings.driverStartTimeout - now : undefined;
  if (left !== undefined && left <= 0) return failing(application, now, `${message} (waited ${seconds(settings.driverStartTimeout)} for it)`, 'SparkDriverFailed');

  const current = status.applicationState;
  const changed = current?.state !== ApplicationState.SUBMITTED || !sameButForNumbers(current.errorMessage, message);
  return {
    status: changed ? { ...status, applicationState: { state: ApplicationState.SUBMITTED, ...(message && { errorMessage: message }) } } : undefined,
    events: obstacle && !sameObstacle(current?.errorMessage, obstacle.reason)
      ? [warning('SparkDriverPending', 'Start', `Driver ${pod.metadata.name} does not start: ${text}`)]
      : [],
    requeueAfter: left ?? (obstacle ? undefined : prepared),
  };
}

/** The kubelet says `ContainerCreating` for volumes that do not come, too; what it waits for is only in the events of the pod. */
function slowPreparation(pod: PodView): Obstacle {
  return {
    reason: 'ContainerCreating',
    message: `its node has been preparing it for more than ${seconds(PREPARATION)}; the events of pod ${pod.metadata.name} tell what it waits for`,
    passes: true,
  };
}

/** Ports, durations and amounts in a message change with every try: they are not worth a write or an event. */
function sameButForNumbers(a: string | undefined, b: string | undefined): boolean {
  return a?.replace(/\d+/g, '0') === b?.replace(/\d+/g, '0');
}

/** The wording of an obstacle changes with every try of the kubelet; one event for each kind of obstacle is enough. */
function sameObstacle(message: string | undefined, reason: string): boolean {
  return message?.startsWith(`driver does not start: ${reason}`) ?? false;
}

function failing(application: SparkApplication, now: number, cause: string, reason: string): Step {
  return {
    status: { ...application.status!, terminationTime: rfc3339(now), applicationState: { state: ApplicationState.FAILING, errorMessage: cause } },
    events: [warning(reason, 'Run', `Driver ${application.status!.driverInfo.podName} failed: ${cause}`)],
    goOn: true,
  };
}

function causeOf(pod: PodView): string {
  const { terminated } = pod;
  if (!terminated) return pod.reason ?? 'driver container status missing';
  const ended = `driver container failed with ExitCode: ${terminated.exitCode}, Reason: ${terminated.reason ?? 'Error'}`;
  return [ended, pod.reason, terminated.message].filter(Boolean).join('; ');
}

function complete({ application }: Observation): Step {
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.COMPLETED } },
    events: [normal('SparkApplicationCompleted', 'Complete', `SparkApplication ${application.metadata.name} completed`)],
    requeueAfter: null,
  };
}

/** Failing: a driver that was given up goes first, whether it has started by now or not; and with a driver that is gone goes what was made for it. */
function fail({ application, driver, cleanedUp }: Observation, { now }: Context): Step {
  const status = application.status!;
  const message = status.applicationState?.errorMessage;
  if (driver.kind === 'ours' && stateOf(application) === ApplicationState.FAILING && !hasEnded(driver.pod)) {
    return driver.pod.metadata.deletionTimestamp ? {} : { action: { kind: 'delete-driver', pod: driver.pod } };
  }
  if (driver.kind !== 'ours' && stateOf(application) === ApplicationState.FAILING && !cleanedUp) return { action: { kind: 'clean-up' } };
  return {
    status: { ...status, terminationTime: status.terminationTime ?? rfc3339(now), applicationState: { state: ApplicationState.FAILED, ...(message && { errorMessage: message }) } },
    events: [warning('SparkApplicationFailed', 'Fail', `SparkApplication ${application.metadata.name} failed${message ? `: ${message}` : ''}`)],
    requeueAfter: null,
  };
}

/** A state that this version does not know how to leave: the application is left as it is. */
function hold({ application }: Observation): Step {
  const state = stateOf(application);
  return { events: [warning('SparkApplicationNotHandled', 'Hold', `SparkApplication ${application.metadata.name} is in state ${state}, which this version of the operator does not handle; nothing is done`)], requeueAfter: null };
}

function hasEnded(pod: PodView): boolean {
  const state = driverState(pod);
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}

function finished(): Step {
  return { requeueAfter: null };
}

function withExecutors(status: SparkApplicationStatus, { executors }: Observation, settings: Settings): SparkApplicationStatus {
  const state = status.applicationState?.state ?? ApplicationState.NEW;
  const executorState = executorStates(status.executorState ?? {}, executors, state, settings.maxTrackedExecutors);
  return Object.keys(executorState).length === 0 ? status : { ...status, executorState };
}

function endTime(pod: PodView, now: number): number {
  const end = Date.parse(pod.terminated?.finishedAt ?? '');
  return Number.isNaN(end) ? now : end;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}

function endOf(pod: PodView, now: number): string {
  return rfc3339(endTime(pod, now));
}

/** Kubernetes' times have a precision of seconds. */
function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function normal(reason: string, action: string, note: string): Occurrence {
  return { type: 'Normal', reason, action, note };
}

function warning(reason: string, action: string, note: string): Occurrence {
  return { type: 'Warning', reason, action, note };
}

/** Equality of JSON values, whatever the order of their keys. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b].map((value) => Object.entries(value).filter(([, item]) => item !== undefined));
  const other = b as Record<string, unknown>;
  return left!.length === right!.length && left!.every(([key, item]) => same(item, other[key]));
}

