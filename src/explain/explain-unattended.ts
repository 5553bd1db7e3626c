import { executorsText } from './explain-pods';
import type { Explanation } from './explanation';
import { stateTime, statusTime } from './unattended';
import { ApplicationState, isTerminal } from '../api/states';
import type { KubeObject } from '../kube/objects';
import { isRerunRequested } from '../model/actions/current';
import { obstacleText } from '../model/cause/obstacle-text';
import { reasonWithMessage } from '../model/obstacle';
import type { OperatorPresence } from '../model/operator-presence';
import { driverState, type PodView } from '../model/pod-view';
import { requestedExecutors } from '../model/requested-executors';
import type { ScheduledSparkApplication } from '../model/scheduled-spark-application';
import { stateOf, type WholeApplication } from '../model/spark-application';
import { shortDuration } from '../text/duration';

/** Application that no operator handles, as far as it was observed. */
export interface Unattended {
  readonly application: WholeApplication;
  readonly driver?: PodView;
  readonly isDriverGone?: boolean;
  readonly executors?: readonly PodView[];
  readonly operator?: OperatorPresence;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Explanation of an object that no operator handles. */
export type UnattendedText = Required<Explanation>;

/**
 * Explains an application whose status is stale, because no operator handles it.
 *
 * @param cause of the failure in its status @default - it has not failed
 */
export function explainUnattended(observed: Unattended, cause?: string): UnattendedText {
  const { application, driver, isDriverGone } = observed;
  const state = stateOf(application);
  const stale = `${staleState(state, stateTime(application), observed.now)}${cause ? `: ${cause}` : ''}`;
  return explainStale(application, observed, 'submitted', state === '' ? undefined
    : `${stale}${requestText(application)}${podText('driver', driver, isDriverGone)}${waitingText(observed)}`);
}

/**
 * Explains an object that no operator handles.
 *
 * @param awaited what an operator does first with it, such as `submitted`
 * @param status sentence about its status @default - it has none
 */
export function explainStale(
  { metadata: { namespace, creationTimestamp } }: KubeObject, { operator, now }: Pick<Unattended, 'operator' | 'now'>,
  awaited: string, status?: string,
): UnattendedText {
  const age = shortDuration(now - Date.parse(creationTimestamp ?? ''));
  const evidence = operator && !operator.isActive ? operator.evidence : undefined;
  const texts = { headline: 'no operator handles it', remedy: `sparkctl doctor -n ${namespace}` };
  if (status === undefined && evidence === undefined) {
    const [waits, why] = [`It is ${age} old and not reconciled yet`, `no operator runs, none watches the namespace ${namespace}, or it has a long queue`];
    return { ...texts, sentence: `${waits}: ${why}`, clauses: [waits, why] };
  }
  const rest = status ?? `It has waited to be ${awaited} for ${age}`;
  return {
    ...texts, sentence: `${noOperator(namespace!, evidence)}. ${rest}`,
    clauses: [noOperator(namespace!, undefined), ...(evidence === undefined ? [] : [evidence]), rest],
  };
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
export function explainDriverGone({ application, operator, now }: Unattended): UnattendedText {
  const pod = `The pod ${application.status?.driverInfo?.podName} of its driver`;
  return { headline: 'lost its driver', ...podGone(application, pod, statusTime(application), operator, now) };
}

/**
 * Returns the texts about an object whose main pod does not exist although the status has it.
 *
 * @param pod such as `The pod pi-driver of its driver`
 * @param writtenAt time of the last write of the status, in milliseconds since 1970
 */
export function podGone(
  { metadata: { namespace } }: KubeObject, pod: string, writtenAt: number | undefined, operator: OperatorPresence | undefined, now: number,
): Omit<UnattendedText, 'headline'> {
  const who = operator?.isActive ? 'the operator has not recorded that yet'
    : `no operator has recorded that: check whether one handles the namespace ${namespace}`;
  const age = writtenAt === undefined ? 'has an unknown age' : `is ${shortDuration(now - writtenAt)} old`;
  const [gone, status] = [`${pod} does not exist any more`, `Its status ${age}, and ${who}`];
  return { sentence: `${gone}. ${status}`, clauses: [gone, status], remedy: `sparkctl doctor -n ${namespace}` };
}

/** Returns since when the status has its state, which is not since when no operator runs. */
export function staleState(state: string, since: number | undefined, now: number): string {
  return since === undefined ? `Its status is ${state}, since an unknown time` : `Its status has been ${state} for ${shortDuration(now - since)}`;
}

/** Returns the executors of a running driver that do not start, as the rest of a sentence. */
function waitingText({ application, driver, executors }: Unattended): string {
  if (!executors || !driver || driverState(driver) !== 'RUNNING') return '';
  const { clause, pending } = executorsText(executors, requestedExecutors(application.spec), executors);
  return pending > 0 ? `; ${clause}` : '';
}

/** Returns the request that an operator has yet to handle, as the rest of a sentence. */
function requestText(application: WholeApplication): string {
  const state = stateOf(application);
  if (isTerminal(state)) return isRerunRequested(application) ? '; a rerun was requested since' : '; its specification has changed since';
  if (state === ApplicationState.SUSPENDED) return '; it was resumed since';
  return application.spec.suspend ? '; its suspension was requested since' : '';
}

/** Returns the state of a driver's or server's pod, as the rest of a sentence. */
export function podText(role: 'driver' | 'server', pod: PodView | undefined, isGone = false): string {
  if (isGone) return `; the pod of its ${role} does not exist any more`;
  if (!pod) return '';
  switch (driverState(pod)) {
    case 'RUNNING': return `; its ${role} runs`;
    case 'PENDING': return `; its ${role} has not started${pod.obstacle ? `: ${obstacleText(reasonWithMessage(pod.obstacle))}` : ''}`;
    case 'COMPLETED': return `; its ${role} has ended with exit code 0`;
    case 'FAILED': return `; its ${role} has failed${pod.terminated ? ` with exit code ${pod.terminated.exitCode}` : ''}`;
    default: return '';
  }
}
