import { LABEL_SPARK_APP_SELECTOR } from '../../api/labels';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../api/states';
import { driverPodName } from '../submission/identity';
import { inTheWay, type Belonging } from './belonging';
import type { Action, Context, Decision, Hindrance, Observation, Occurrence, Settings } from './decision';
import { executorStates } from './executors';
import { stateOf } from './model';
import { noteOf } from './note';
import { driverState, type PodView } from './pod-view';
import { failing, normal, rfc3339, warning, type Step } from './step';
import { waitForCreation, waitForStart } from './waiting';

/** Every application that is not finished is looked at this often, whatever the watches say. */
const RESYNC = 5 * 60_000;

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
        ...(warnings.length > 0 ? [warning('SparkApplicationSpecWarning', 'Submit', noteOf(warnings))] : []),
      ],
      goOn: true,
    };
  }
  const found = hindrance ?? (driver.kind === 'foreign' || driver.kind === 'leaving' ? hindranceBy(driver.pod, driver.kind) : undefined);
  if (found) return waitForCreation(observation, found, now, settings);
  // Whatever woke us, such as our own write: the pause between two tries is kept.
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'submit' } };
}

function hindranceBy(pod: PodView, belonging: Exclude<Belonging, 'ours'>): Hindrance {
  return { reason: inTheWay('Pod', pod.metadata.name, belonging), kind: belonging === 'leaving' ? 'lasting' : 'final' };
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

function endOf(pod: PodView, now: number): string {
  return rfc3339(endTime(pod, now));
}

/** Equality of JSON values, whatever the order of their keys. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b].map((value) => Object.entries(value).filter(([, item]) => item !== undefined));
  const other = b as Record<string, unknown>;
  return left!.length === right!.length && left!.every(([key, item]) => same(item, other[key]));
}
