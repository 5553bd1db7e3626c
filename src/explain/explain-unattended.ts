import { stateTime, statusTime } from './unattended';
import { ApplicationState, isTerminal } from '../api/states';
import { isRerunRequested } from '../model/actions/current';
import { obstacleText } from '../model/cause/obstacle-text';
import { reasonWithMessage } from '../model/obstacle';
import type { OperatorPresence } from '../model/operator-presence';
import { driverState, type PodView } from '../model/pod-view';
import type { ScheduledSparkApplication } from '../model/scheduled-spark-application';
import { stateOf, type WholeApplication } from '../model/spark-application';
import { shortDuration } from '../text/duration';

/** Application that no operator handles, as far as it was observed. */
export interface Unattended {
  readonly application: WholeApplication;
  readonly driver?: PodView;
  readonly isDriverGone?: boolean;
  readonly operator?: OperatorPresence;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Explains an application whose status is stale, because no operator handles it. */
export function explainUnattended(observed: Unattended): { readonly headline: string; readonly sentence: string; readonly remedy: string } {
  const { application, operator, now } = observed;
  const { namespace, creationTimestamp } = application.metadata;
  const age = shortDuration(now - Date.parse(creationTimestamp ?? ''));
  const evidence = operator && !operator.isActive ? operator.evidence : undefined;
  const state = stateOf(application);
  const none = noOperator(namespace, evidence);
  const sentence = state !== '' ? `${none}. ${stateWithTime(observed)}${requestText(application)}${driverText(observed)}`
    : evidence !== undefined ? `${none}. It has waited to be submitted for ${age}`
      : `It is ${age} old and not reconciled yet: no operator runs, none watches the namespace ${namespace}, or it has a long queue`;
  return { headline: 'no operator handles it', sentence, remedy: `sparkctl doctor -n ${namespace}` };
}

/**
 * Explains why a schedule starts no runs although it is active, because its operator does not run.
 *
 * @returns undefined if it is suspended, or an operator runs, or that is unknown
 */
export function explainUnattendedSchedule(
  { metadata: { namespace }, spec: { suspend } }: ScheduledSparkApplication, operator: OperatorPresence | undefined,
): { readonly sentence: string; readonly remedy: string } | undefined {
  if (suspend || operator?.isActive !== false) return undefined;
  const sentence = `${noOperator(namespace, operator.evidence)}. It starts no runs until one does`;
  return { sentence, remedy: `sparkctl doctor -n ${namespace}` };
}

/**
 * Explains why a change of objects has no effect yet, because their operator does not run.
 *
 * @returns undefined if it runs, or that is unknown
 */
export function explainDelay(namespace: string, operator: OperatorPresence | undefined): string | undefined {
  return operator?.isActive === false ? `${noOperator(namespace, operator.evidence)}. The change has no effect until one does` : undefined;
}

function noOperator(namespace: string, evidence: string | undefined): string {
  return `No operator handles the namespace ${namespace}${evidence === undefined ? '' : `: ${evidence}`}`;
}

/** Explains an application whose driver's pod does not exist although the status has it. */
export function explainDriverGone(observed: Unattended): { readonly headline: string; readonly sentence: string; readonly remedy: string } {
  const { application: { metadata: { namespace }, status }, operator } = observed;
  const who = operator?.isActive ? 'the operator has not recorded that yet'
    : `no operator has recorded that: check whether one handles the namespace ${namespace}`;
  const sentence = `The pod ${status?.driverInfo?.podName} of its driver does not exist any more. Its status ${ageText(observed)}, and ${who}`;
  return { headline: 'lost its driver', sentence, remedy: `sparkctl doctor -n ${namespace}` };
}

/** Returns since when the status has its state, which is not since when no operator runs. */
function stateWithTime({ application, now }: Unattended): string {
  const [state, since] = [stateOf(application), stateTime(application)];
  return since === undefined ? `Its status is ${state}, since an unknown time` : `Its status has been ${state} for ${shortDuration(now - since)}`;
}

/** Returns the request that an operator has yet to handle, as the rest of a sentence. */
function requestText(application: WholeApplication): string {
  const state = stateOf(application);
  if (isTerminal(state)) return isRerunRequested(application) ? '; a rerun was requested since' : '; its specification has changed since';
  return state === ApplicationState.SUSPENDED ? '; it was resumed since' : '';
}

function ageText({ application, now }: Unattended): string {
  const time = statusTime(application);
  return time === undefined ? 'has an unknown age' : `is ${shortDuration(now - time)} old`;
}

function driverText({ driver, isDriverGone }: Unattended): string {
  if (isDriverGone) return '; the pod of its driver does not exist any more';
  if (!driver) return '';
  switch (driverState(driver)) {
    case 'RUNNING': return '; its driver runs';
    case 'PENDING': return `; its driver has not started${driver.obstacle ? `: ${obstacleText(reasonWithMessage(driver.obstacle))}` : ''}`;
    case 'COMPLETED': return '; its driver has ended with exit code 0';
    case 'FAILED': return `; its driver has failed${driver.terminated ? ` with exit code ${driver.terminated.exitCode}` : ''}`;
    default: return '';
  }
}
