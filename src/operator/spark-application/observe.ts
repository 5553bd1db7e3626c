import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../api/labels';
import { ApplicationState, isTerminal } from '../../api/states';
import { belongingOf } from './belonging';
import type { Driver } from '../driver/driver';
import { hasEnded, isSubmitter, viewOf, type PodView } from '../../model/pod-view';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';
import type { Store } from '../../kube/store';
import { PODS } from '../../model/resources';
import type { Observation } from './decision';
import { isBeginning, isBegun, stateOf, type SparkApplication } from '../../model/spark-application';
import { isSpecChanged } from './spec-change';
import { driverPodName } from '../../plan/identity';

/** Name of the index of pods by the application that they belong to. */
export const BY_APPLICATION = 'application';

/** The key of the application that a pod belongs to; undefined for pods of others. */
export function applicationKeyOf(pod: KubeObject): string | undefined {
  const name = pod.metadata.labels?.[LABEL_APP_NAME];
  return name && keyOf({ namespace: pod.metadata.namespace, name });
}

/** What observing needs from outside. */
export interface Observer {
  readonly client: KubeClient;
  readonly pods: Store<PodView>;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/** What a decision about an application needs to know. A driver that the cache does not hold is looked for on the API server. */
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
 * a failed submission for its log.
 */
function isFollowed(pod: PodView, application: SparkApplication): boolean {
  if (belongingOf(pod, application) !== 'ours') return false;
  return isBeginning(application) || (hasEnded(pod) && LOG_STATES.has(stateOf(application)));
}

const LOG_STATES: ReadonlySet<string> = new Set([ApplicationState.SUBMISSION_FAILED, ApplicationState.FAILED]);

/**
 * A call that creates a driver, or writes an end, can reach the API server long after nobody waits for its answer: then there is a driver of a submission
 * that was given up, or of an application that is over. Of our own only: others' applications are carried on as they are.
 */
function isOrphan(pod: PodView, application: SparkApplication): boolean {
  const { labels, deletionTimestamp } = pod.metadata;
  if (labels?.[LABEL_SPARK_ROLE] !== 'driver' || labels[LABEL_APP_UID] !== application.metadata.uid || deletionTimestamp !== undefined) return false;
  const belonging = belongingOf(pod, application);
  return belonging === 'earlier' || (belonging === 'ours' && isTerminal(stateOf(application)) && !hasEnded(pod));
}

/**
 * kubeflow/spark-operator writes the status after it has created the driver, under an id that is new with each try: when the write is lost, or the
 * operator is replaced in between, there is one without the other.
 */
function isAdoptable({ metadata: { labels, ownerReferences, deletionTimestamp } }: PodView, { metadata, status }: SparkApplication): boolean {
  const id = labels?.[LABEL_SUBMISSION_ID];
  return labels?.[LABEL_SPARK_ROLE] === 'driver' && id !== undefined && id !== status?.submissionID && labels[LABEL_APP_UID] === undefined
    && deletionTimestamp === undefined && ownerReferences?.some(({ controller, uid }) => controller && uid === metadata.uid) === true;
}

async function driverOf(application: SparkApplication, observer: Observer): Promise<Driver> {
  const name = driverNameOf(application);
  if (!name) return { kind: 'absent' };
  const ref = { namespace: application.metadata.namespace, name };
  const cached = observer.pods.get(ref);
  // The cache of pods can be behind that of applications: then it holds the driver of before, where the current one is.
  const belonging = cached && belongingOf(cached, application);
  // Somebody else's would be the end of an attempt whose driver may have come in its place.
  const isCertain = belonging === 'ours' || !(absenceMatters(application) || (belonging === 'foreign' && isBeginning(application)));
  const pod = isCertain ? cached : await read(ref, observer);
  if (!pod) return { kind: 'absent' };
  return { kind: belongingOf(pod, application), pod };
}

/** kubeflow/spark-operator takes the name out of the status as soon as it has asked for the driver's deletion. */
function driverNameOf(application: SparkApplication): string | undefined {
  const { submissionID, driverInfo } = application.status ?? {};
  return driverInfo?.podName ?? (submissionID ? driverPodName(application) : undefined);
}

/**
 * Once an attempt has begun, an unseen driver of its own is created or found by the submission itself; after the end, and while it is suspended, nobody
 * asks for it.
 */
function absenceMatters(application: SparkApplication): boolean {
  const state = stateOf(application);
  if (isTerminal(state) || state === ApplicationState.SUSPENDED) return isSpecChanged(application);
  return !isBeginning(application) || !isBegun(application) || isSpecChanged(application) || application.spec.suspend === true;
}

/** The pod is not put into the store: it may be one that the watch does not see, and would stay there for ever. */
async function read(ref: { namespace: string; name: string }, { client, signal }: Observer): Promise<PodView | undefined> {
  try {
    return viewOf(await client.get(PODS, ref, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Executors belong to the driver, so that their label alone tells of which submission they are. */
function isOfSubmission(pod: PodView, application: SparkApplication): boolean {
  const id = application.status?.submissionID;
  return id !== undefined && pod.metadata.labels?.[LABEL_SUBMISSION_ID] === id;
}
