import { ApplicationState, ExecutorState } from '../../../../api/states';
import { driverState, type PodView } from '../../../../model/pod-view';
import { pastDeadline } from '../../../../model/cause/obstacle-text';
import { causeOfEnd } from '../../../driver/cause-of-end';
import { startObstacle } from '../../../driver/start-obstacle';
import { normal, warning } from '../../../user-event';
import { rfc3339 } from '../../../../text/times';
import { inTheWay } from '../belonging';
import type { Context, Observation } from '../decision';
import { isWhole, stateOf, type SparkApplication } from '../../../../model/spark-application';
import { failing, type Step } from '../step';
import { waitForStart } from '../waiting';

/**
 * Milliseconds that a running driver's deletion can exceed its grace period before the operator
 * treats its node as unreachable.
 */
const DELETION = 2 * 60_000;

/**
 * Follows the driver of a submitted, running or unknown application. The driver's state and the
 * attempt's deadline decide.
 */
export function follow(observation: Observation, context: Context): Step {
  const { application, driver } = observation;
  if (driver.kind !== 'ours') {
    const gone = driver.kind === 'absent' ? 'it was deleted, or its node is gone' : inTheWay('Pod', driver.pod.metadata.name, driver.kind);
    return failing(application, context.now, `driver pod not found: ${gone}`, 'SparkDriverNotFound');
  }
  const { pod } = driver;
  switch (driverState(pod)) {
    case ExecutorState.COMPLETED: return succeeding(application, pod, context.now);
    case ExecutorState.FAILED:
      return failing(application, endTime(pod, context.now), causeOfFailure(application, pod), 'SparkDriverFailed');
  }
  const left = deadlineOf(application) - context.now;
  if (left <= 0) {
    return failing(application, context.now, causeOfDeadline(application, pod, context.now), 'SparkDriverFailed');
  }
  const step = stepOf(observation, pod, context);
  return { ...step, ...(left !== Infinity && { requeueAfter: Math.min(step.requeueAfter ?? left, left) }) };
}

function causeOfFailure(application: SparkApplication, pod: PodView): string {
  return causeOfEnd(pod, 'driver', 'failed', isWhole(application) ? application.spec : undefined);
}

function stepOf(observation: Observation, pod: PodView, context: Context): Step {
  const { application } = observation;
  const state = driverState(pod);
  if (state === ExecutorState.PENDING) return waitForStart(observation, pod, context);
  const deletion = Date.parse(pod.metadata.deletionTimestamp ?? '');
  const untilLost = Number.isNaN(deletion) ? Infinity : deletion + DELETION - context.now;
  if (state !== ExecutorState.RUNNING || untilLost <= 0) return unknown(application, pod);
  return { ...running(application, pod), ...(untilLost !== Infinity && { requeueAfter: untilLost }) };
}

function running(application: SparkApplication, pod: PodView): Step {
  if (stateOf(application) === ApplicationState.RUNNING) return {};
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.RUNNING } },
    events: [normal('SparkDriverRunning', 'Run', `Driver ${pod.metadata.name} is running`)],
  };
}

function succeeding(application: SparkApplication, pod: PodView, now: number): Step {
  return {
    status: {
      ...application.status!, terminationTime: rfc3339(endTime(pod, now)), applicationState: { state: ApplicationState.SUCCEEDING },
    },
    events: [normal('SparkDriverCompleted', 'Run', `Driver ${pod.metadata.name} completed`)],
    again: true,
  };
}

function unknown(application: SparkApplication, pod: PodView): Step {
  if (stateOf(application) === ApplicationState.UNKNOWN) return {};
  const node = pod.nodeName ? `its node ${pod.nodeName}` : 'its node';
  const errorMessage = pod.reason ?? `the state of the driver pod is unknown; ${node} might be unreachable`;
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.UNKNOWN, errorMessage } },
    events: [warning('SparkDriverUnknown', 'Run', `The state of driver ${pod.metadata.name} is unknown: ${errorMessage}`)],
  };
}

/**
 * Returns the attempt's deadline; Infinity without one. The deadline at the attempt's start
 * applies, whatever the cluster's defaults are by now.
 */
function deadlineOf({ status }: SparkApplication): number {
  const deadline = Date.parse(status?.deadlineTime ?? '');
  return Number.isNaN(deadline) ? Infinity : deadline;
}

/** Returns why an attempt did not end in time: what its driver waited for, if it never started. */
function causeOfDeadline({ spec: { activeDeadlineSeconds: seconds } }: SparkApplication, pod: PodView, now: number): string {
  const { text } = driverState(pod) === ExecutorState.PENDING ? startObstacle(pod, now) : {};
  return text === undefined
    ? `the attempt took longer than activeDeadlineSeconds allows${seconds === undefined ? '' : ` (${seconds} s)`}`
    : pastDeadline(`driver does not start: ${text}`, seconds);
}

function endTime(pod: PodView, now: number): number {
  const end = Date.parse(pod.terminated?.finishedAt ?? '');
  return Number.isNaN(end) ? now : end;
}
