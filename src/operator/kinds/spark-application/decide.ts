import { LABEL_SPARK_APP_SELECTOR } from '../../../api/labels';
import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState } from '../../../api/states';
import { withAttempts, withoutAttemptHistory, withProgress } from './attempts';
import { conditionsOf } from './conditions';
import { normal, warning, type UserEvent } from '../../user-event';
import type { Action, Context, Decision, Observation, Settings } from './decision';
import { executorEvents } from './executor-events';
import { executorStates } from './executors';
import { areEqualAsJson } from '../../../model/json-equality';
import { isUnconfirmed, stateOf, type SparkApplication } from '../../../model/spark-application';
import { withWebUI } from './owned/web-ui-info';
import { changedExecutors, specHashOf } from './spec-change';
import { begin } from './states/begin';
import { followSubmission } from './states/confirm';
import { fail, failSubmission, finished, succeed } from './states/end';
import { follow } from './states/follow';
import { interruption, invalidate, rest, suspend } from './states/restart';
import type { Step } from './step';

/**
 * Milliseconds after which every unfinished application is reconciled again, whatever the watches
 * report.
 */
const RESYNC = 5 * 60_000;

/**
 * Maximum number of steps. The longest way through the states needs fewer; more are a mistake in
 * the steps.
 */
const MAX_STEPS = 20;

type StepFunction = (observation: Observation, context: Context) => Step;

const STEPS: Readonly<Record<ApplicationState, StepFunction>> = {
  [ApplicationState.NEW]: begin,
  [ApplicationState.SUBMITTED]: followSubmission,
  [ApplicationState.RUNNING]: follow,
  [ApplicationState.UNKNOWN]: follow,
  [ApplicationState.SUCCEEDING]: succeed,
  [ApplicationState.FAILING]: fail,
  [ApplicationState.SUBMISSION_FAILED]: failSubmission,
  [ApplicationState.COMPLETED]: finished,
  [ApplicationState.FAILED]: finished,
  [ApplicationState.PENDING_RERUN]: begin,
  [ApplicationState.INVALIDATING]: invalidate,
  [ApplicationState.SUSPENDING]: suspend,
  [ApplicationState.SUSPENDED]: rest,
  [ApplicationState.RESUMING]: begin,
};

/** States in which the status records executors. */
const WITH_EXECUTORS: ReadonlySet<ApplicationState> = new Set([
  ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.SUCCEEDING, ApplicationState.FAILING,
  ApplicationState.COMPLETED, ApplicationState.FAILED,
]);

/** States that an attempt enters when it fails. */
const FAILING: ReadonlySet<ApplicationState> = new Set([ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED]);

/** States in which the driver can have a web UI. */
const WITH_DRIVER: ReadonlySet<ApplicationState> = new Set([
  ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN,
]);

/**
 * Decides what to do about a SparkApplication, from an observation. Pure.
 *
 * Each step makes at most one transition. The steps repeat until nothing changes or an action is
 * due. A driver that ran while no operator watched so passes through all states with one write. A
 * user's request takes precedence over the state's own step.
 */
export function decide(observation: Observation, context: Context): Decision {
  const before = observation.application.status ?? { driverInfo: {} };
  let application: SparkApplication = { ...observation.application, status: before };
  if (!isKnown(stateOf(application))) return unknownState(application);

  const seen = { observation, context };
  const passed: ApplicationState[] = [];
  const failures: string[] = [];
  const events: UserEvent[] = [];
  let action: Action | undefined;
  let requeueAfter: number | undefined = RESYNC;
  // It comes before the steps: a driver that has ended since then must not run again because of it.
  const changed = changedExecutors(application, context.settings.partialRestart);
  if (changed !== undefined) {
    events.push(executorsChanged(application));
    application = { ...application, status: { ...before, specHash: changed } };
  }
  for (let steps = 0; ; steps++) {
    if (steps > MAX_STEPS) throw new Error(`the steps do not come to an end: ${passed.join(', ')}`);
    const state = stateOf(application);
    const current = { ...observation, application };
    const step: Step = interruption(current, context) ?? STEPS[state](current, context);
    if (step.status) {
      const status = withoutPastWait(application.status, step.status);
      application = { ...application, status: withAttempts(application, status, seen) };
    }
    if (stateOf(application) !== state) {
      passed.push(stateOf(application));
      // A later step of the same decision can begin the next attempt, which drops the message.
      if (FAILING.has(stateOf(application))) failures.push(application.status?.applicationState?.errorMessage ?? '');
    }
    events.push(...(step.events ?? []));
    action = step.action;
    // A status would name the driver, as if it were certain that the operator has created it.
    if (action?.kind === 'confirm-driver' && isUnconfirmed(application)) return { passed: [], failures: [], action, events: [] };
    requeueAfter = step.requeueAfter === null ? undefined : Math.min(step.requeueAfter ?? RESYNC, RESYNC);
    if (action || !step.again) break;
  }
  // spark-submit comes first, because it can create a driver.
  if (observation.orphanSubmitter) action ??= { kind: 'delete-submitter', pod: observation.orphanSubmitter };
  if (observation.orphan) action ??= { kind: 'delete-driver', pod: observation.orphan };
  const status = completed(application, observation, context);
  const ofExecutors = WITH_EXECUTORS.has(stateOf(application))
    ? executorEvents(before.executorState ?? {}, status.executorState ?? {}, observation.executors)
    : [];
  // Executors begin after their driver, and end before it.
  const isBegin = ({ reason }: UserEvent) => reason === 'SparkExecutorPending' || reason === 'SparkExecutorRunning';
  const ordered = [...ofExecutors.filter((event) => !isBegin(event)), ...events, ...ofExecutors.filter(isBegin)];
  const written = isSame(before, status) ? undefined : withProgress({ ...application, status }, seen);
  return { status: written, passed, failures, action, events: ordered, requeueAfter };
}

/** Returns the next status without the deadline of a wait in the previous state. */
function withoutPastWait(before: SparkApplicationStatus | undefined, after: SparkApplicationStatus): SparkApplicationStatus {
  const { startDeadlineTime, ...others } = after;
  return stateOf({ status: before }) !== stateOf({ status: after }) && startDeadlineTime === before?.startDeadlineTime ? others : after;
}

/** Returns the event of an edit that keeps the driver, with the reason of kubeflow's operator. */
function executorsChanged({ metadata: { name } }: SparkApplication): UserEvent {
  return normal(
    'SparkApplicationWebhookFieldsUpdated', 'Edit',
    `New executors of SparkApplication ${name} get the changed specification; its driver and running executors stay as they are`,
  );
}

/** Whether a status needs no write. A change of the active attempt's record alone is no reason. */
function isSame(before: SparkApplicationStatus, status: SparkApplicationStatus): boolean {
  return areEqualAsJson(withoutAttemptHistory(before), withoutAttemptHistory(status));
}

/** Returns the status with the fields that do not depend on the state's step. */
function completed(application: SparkApplication, { executors, driver }: Observation, { now, settings }: Context): SparkApplicationStatus {
  const status = withApplicationId(withExecutors(application.status!, executors, settings), driver, executors);
  const { generation } = application.metadata;
  const conditions = conditionsOf(status, generation, now);
  return {
    ...status,
    driverInfo: WITH_DRIVER.has(stateOf(application)) ? status.driverInfo : withWebUI(status.driverInfo, {}),
    // Another operator started the application: the specification is taken for the one that runs.
    ...(status.specHash === undefined && WITH_EXECUTORS.has(stateOf(application)) && { specHash: specHashOf(application) }),
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(conditions.length > 0 && { conditions }),
  };
}

function withExecutors(status: SparkApplicationStatus, executors: Observation['executors'], settings: Settings): SparkApplicationStatus {
  const state = status.applicationState?.state ?? ApplicationState.NEW;
  if (!WITH_EXECUTORS.has(state)) return status;
  const executorState = executorStates(status.executorState ?? {}, executors, state, settings.maxTrackedExecutors);
  return Object.keys(executorState).length === 0 ? status : { ...status, executorState };
}

/**
 * Adds Spark's application id to the status. Spark labels executors with its id; spark-submit of
 * some versions does not label the driver's Pod with it.
 */
function withApplicationId(
  status: SparkApplicationStatus, driver: Observation['driver'], executors: Observation['executors'],
): SparkApplicationStatus {
  if (!WITH_EXECUTORS.has(status.applicationState?.state ?? ApplicationState.NEW)) return status;
  const pods = [...executors, ...(driver.kind === 'ours' ? [driver.pod] : [])];
  const ids = pods.map(({ metadata }) => metadata.labels?.[LABEL_SPARK_APP_SELECTOR]);
  const sparkApplicationId = ids.find((id) => id !== undefined) ?? status.sparkApplicationId;
  return sparkApplicationId === undefined ? status : { ...status, sparkApplicationId };
}

function isKnown(state: string): state is ApplicationState {
  return state in STEPS;
}

/**
 * Leaves an application as it is if its state is unknown: a later version might have written it.
 */
function unknownState(application: SparkApplication): Decision {
  const note = `SparkApplication ${application.metadata.name} is in state ${stateOf(application)}, which this version of the operator `
    + 'does not know; nothing is done';
  return { passed: [], failures: [], events: [warning('SparkApplicationNotHandled', 'Hold', note)] };
}
