import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { ApplicationState, ExecutorState, isTerminal } from '../../../api/states';
import { belongingOf } from './belonging';
import type { Driver } from '../../driver/driver';
import { driverState, hasEnded, isSubmitter, viewOf, type PodView } from '../../../model/pod-view';
import type { KubeClient } from '../../../kube/client';
import { ignoring, isNotFound } from '../../../kube/errors';
import { keyOf, type KubeObject } from '../../../kube/objects';
import type { Store } from '../../../kube/store';
import { PODS } from '../../../model/resources';
import type { Observation, Settings } from './decision';
import { isBeginning, isBegun, stateOf, type SparkApplication } from '../../../model/spark-application';
import { isSpecChanged } from './spec-change';
import { driverPodName } from '../../../plan/identity';

/** Name of the index of pods by the application that they belong to. */
export const BY_APPLICATION = 'application';

/** Returns the key of the application that a pod belongs to; undefined for other pods. */
export function applicationKeyOf(pod: KubeObject): string | undefined {
  const name = pod.metadata.labels?.[LABEL_APP_NAME];
  return name && keyOf({ namespace: pod.metadata.namespace, name });
}

/** Dependencies of an observation. */
export interface Observer {
  readonly client: KubeClient;
  readonly pods: Store<PodView>;
  readonly settings: Pick<Settings, 'partialRestart'>;
  /** Aborts the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Returns what a decision about an application depends on. Asks the API server for a driver that
 * the cache does not hold.
 */
export async function observe(
  application: SparkApplication, observer: Observer,
): Promise<Pick<Observation, 'application' | 'driver' | 'executors' | 'adoptable' | 'orphan' | 'submitter' | 'orphanSubmitter'>> {
  const pods = observer.pods.byIndex(BY_APPLICATION, keyOf(application.metadata));
  const executors = pods.filter((pod) => pod.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor' && isOfSubmission(pod, application));
  const adoptable = isBeginning(application) && isBegun(application) ? undefined : pods.find((pod) => isAdoptable(pod, application));
  const orphan = pods.find((pod) => isOrphan(pod, application));
  const submitters = pods.filter((pod) => isSubmitter(pod) && ['ours', 'earlier'].includes(belongingOf(pod, application)));
  const submitter = submitters.find((pod) => belongingOf(pod, application) === 'ours');
  const orphanSubmitter = submitters.find((pod) => !pod.metadata.deletionTimestamp && !isFollowed(pod, application));
  return { application, executors, adoptable, orphan, submitter, orphanSubmitter, driver: await driverOf(application, observer) };
}

/**
 * Whether the operator still needs a Pod for spark-submit: until the driver is confirmed, and after
 * a failed submission for its log. An application can also fail after a successful submission,
 * because of its driver.
 */
function isFollowed(pod: PodView, application: SparkApplication): boolean {
  if (belongingOf(pod, application) !== 'ours') return false;
  return isBeginning(application) || (driverState(pod) === ExecutorState.FAILED && LOG_STATES.has(stateOf(application)));
}

const LOG_STATES: ReadonlySet<string> = new Set([ApplicationState.SUBMISSION_FAILED, ApplicationState.FAILED]);

/**
 * Whether the operator must delete a driver because no attempt uses it. A call that creates a
 * driver or records an end can reach the API server long after the operator gave up on it. Then a
 * driver exists for an old submission, or for an application that has ended. Only this operator's
 * own drivers are orphans: it leaves the applications of other operators as they are.
 */
function isOrphan(pod: PodView, application: SparkApplication): boolean {
  const { labels, deletionTimestamp } = pod.metadata;
  if (labels?.[LABEL_SPARK_ROLE] !== 'driver' || labels[LABEL_APP_UID] !== application.metadata.uid || deletionTimestamp !== undefined) {
    return false;
  }
  const belonging = belongingOf(pod, application);
  return belonging === 'earlier' || (belonging === 'ours' && isTerminal(stateOf(application)) && !hasEnded(pod));
}

/**
 * Whether the operator can adopt a driver of another operator. kubeflow/spark-operator writes the
 * status after it has created the driver, under a new id for each try. A driver without a status
 * remains when that write is lost, or when the operator is replaced in between.
 */
function isAdoptable(
  { metadata: { labels, ownerReferences, deletionTimestamp } }: PodView, { metadata, status }: SparkApplication,
): boolean {
  const id = labels?.[LABEL_SUBMISSION_ID];
  return labels?.[LABEL_SPARK_ROLE] === 'driver' && id !== undefined && id !== status?.submissionID && labels[LABEL_APP_UID] === undefined
    && deletionTimestamp === undefined && ownerReferences?.some(({ controller, uid }) => controller && uid === metadata.uid) === true;
}

async function driverOf(application: SparkApplication, observer: Observer): Promise<Driver> {
  const name = driverNameOf(application);
  if (!name) return { kind: 'absent' };
  const ref = { namespace: application.metadata.namespace, name };
  const cached = observer.pods.get(ref);
  // The cache of pods can be older than the cache of applications. It then holds the previous
  // driver under the current driver's name.
  const belonging = cached && belongingOf(cached, application);
  // A foreign Pod would end the attempt, although the attempt's driver might have replaced it by
  // now.
  const matters = absenceMatters(application, observer.settings) || (belonging === 'foreign' && isBeginning(application));
  const isCertain = belonging === 'ours' || !matters;
  const pod = isCertain ? cached : await read(ref, observer);
  if (!pod) return { kind: 'absent' };
  return { kind: belongingOf(pod, application), pod };
}

/**
 * Returns the name of the driver's Pod. kubeflow/spark-operator removes it from the status as soon
 * as it has asked for the driver's deletion.
 */
function driverNameOf(application: SparkApplication): string | undefined {
  const { submissionID, driverInfo } = application.status ?? {};
  return driverInfo?.podName ?? (submissionID ? driverPodName(application) : undefined);
}

/**
 * Whether a decision depends on the driver's absence. After an attempt has begun, the submission
 * itself creates or finds its unseen driver. No decision about an application that has ended or is
 * suspended depends on its driver.
 */
function absenceMatters(application: SparkApplication, { partialRestart }: Observer['settings']): boolean {
  const state = stateOf(application);
  const isChanged = isSpecChanged(application, partialRestart);
  if (isTerminal(state) || state === ApplicationState.SUSPENDED) return isChanged;
  return !isBeginning(application) || !isBegun(application) || isChanged || application.spec.suspend === true;
}

/**
 * Reads a driver's Pod from the API server. The store does not receive it: a Pod that the watch
 * does not see would stay there for ever.
 */
async function read(ref: { namespace: string; name: string }, { client, signal }: Observer): Promise<PodView | undefined> {
  const pod = await client.get(PODS, ref, { signal }).catch(ignoring(isNotFound));
  return pod && viewOf(pod);
}

/**
 * Whether an executor belongs to the current submission. Executors are owned by the driver, so only
 * their label contains the submission's id.
 */
function isOfSubmission(pod: PodView, application: SparkApplication): boolean {
  const id = application.status?.submissionID;
  return id !== undefined && pod.metadata.labels?.[LABEL_SUBMISSION_ID] === id;
}
