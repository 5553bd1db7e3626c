import { belongingOf, inTheWay } from './belonging';
import { choose } from './choice';
import { cleanUp, tryToCleanUp } from './clean-up';
import type { Chosen } from './chosen';
import type { Action } from './decision';
import { confirmSubmittable, ensure, Throttled } from './ensure';
import { ensureAll } from './ensure-all';
import { isUnconfirmed, stateOf, type SparkApplication } from '../../../model/spark-application';
import { outcomeOf, type SparkSubmitFailure, type SparkSubmitOutcome } from './spark-submit-outcome';
import { wholeOf } from './transform';
import { isTerminal } from '../../../api/states';
import { removeCreated, type CreatedObject } from '../../driver/created-objects';
import { storeIfWatched } from '../../driver/driver';
import { submissionFailureOf, type SubmissionFailure } from '../../driver/submission-failure';
import { remove, removeUnchanged } from '../../driver/objects';
import { hasEnded, viewOf, type PodView } from '../../../model/pod-view';
import { ownWebhookAway } from '../../driver/refusal';
import { WEBHOOK_AWAY } from '../../admission/webhook-failure';
import { ApiError, ignoring, isForbidden, isNotFound } from '../../../kube/errors';
import type { KubeObject } from '../../../kube/objects';
import type { Pod } from '../../../model/kubernetes-objects';
import { CONFIG_MAPS, PODS, SPARK_APPLICATIONS } from '../../../model/resources';
import type { PlannedSubmission } from '../../../plan/plan-application';
import { goesThroughWebhook } from '../../../plan/properties/improvements';
import type { SubmissionPlan } from '../../../plan/plan';
import { SPARK_SUBMIT_TIMEOUT } from '../../../plan/spark-submit/submitter';
import { problemText } from '../../../model/problem';
import type { Outcome, Performer } from './performer';

/**
 * Performs an action. It is idempotent.
 *
 * @param isRepeated whether an earlier reconcile recorded the action, so that parts of it might be
 * done
 * @throws errors of the network and of an overloaded API server, so that the action is retried
 */
export async function perform(performer: Performer, application: SparkApplication, action: Action, isRepeated = false): Promise<Outcome> {
  switch (action.kind) {
    case 'submit': return submit(performer, application, isRepeated, action.planned);
    case 'delete-driver': return endDriver(performer, application, action.pod);
    case 'end-spark-submit': return endSparkSubmit(performer, application, action);
    case 'delete-submitter': return deleteSubmitter(performer, application, action.pod);
    case 'clean-up': return cleanUp(performer, application);
    case 'confirm-driver': return confirmDriver(performer, application);
    case 'delete-application':
      await removeUnchanged(performer, SPARK_APPLICATIONS, application);
      return { deleted: true };
  }
}

type PlannedSparkSubmit = Extract<PlannedSubmission, { readonly kind: 'spark-submit' }>;

async function submit(performer: Performer, application: SparkApplication, isRepeated: boolean, planned?: Chosen): Promise<Outcome> {
  const created: CreatedObject[] = [];
  try {
    const { submission, appliedDefaults } = planned ?? choose(performer, await wholeOf(application, performer));
    const outcome = { appliedDefaults, warnings: submission.objects.warnings.map(problemText) };
    confirmSubmittable(performer, submission);
    const result = submission.kind === 'native'
      ? await submitNatively(performer, application, submission.objects, created)
      : await startSparkSubmit(performer, application, submission, created);
    return { ...result, ...outcome };
  } catch (error) {
    if (error instanceof Throttled) return { later: error.after };
    const failure = submissionFailureOf(error);
    if (!failure) throw error;
    // An earlier try might have succeeded although its answer was lost.
    const driver = await readDriver(performer, application);
    if (driver && !driver.metadata.deletionTimestamp) return { driver: storeIfWatched(performer.pods, driver) };
    // The operator also removes them between two tries: it cannot know whether another try follows,
    // and of which specification.
    await removeCreated(performer, created, 'an object of the failed submission stays until its application is deleted');
    // This try failed before it found any object. Later reconciles would not look for the objects
    // of an earlier try.
    if (isRepeated && failure.kind === 'final' && created.length === 0) await tryToCleanUp(performer, application);
    return { failure };
  }
}

async function submitNatively(
  performer: Performer, application: SparkApplication, { resources, driver }: SubmissionPlan, created: CreatedObject[],
): Promise<Outcome> {
  // The driver comes last: otherwise the kubelet would wait for its ConfigMap, and record an event
  // that looks like a failure. And a driver that exists has all that it needs.
  await ensureAll(performer, application, resources, created);
  return { driver: storeIfWatched(performer.pods, await ensure(performer, application, PODS, driver)) };
}

/** Creates the Pod that runs spark-submit, or finds the one that a previous attempt created. */
async function startSparkSubmit(
  performer: Performer, application: SparkApplication,
  { objects: { resources, submitter }, because }: PlannedSparkSubmit, created: CreatedObject[],
): Promise<Outcome> {
  await ensureAll(performer, application, [...resources, ...submitter.resources], created);
  performer.pods.upsert(viewOf(await ensure(performer, application, PODS, submitter.pod)));
  return { submitting: { because } };
}

/** Reads the result of spark-submit, and the driver that spark-submit created. */
async function endSparkSubmit(
  performer: Performer, application: SparkApplication, { pod, isLastTry }: Extract<Action, { readonly kind: 'end-spark-submit' }>,
): Promise<Outcome> {
  const { circuitBreaker, submission } = performer;
  const outcome = outcomeOf(pod, submission.sparkSubmitTimeout ?? SPARK_SUBMIT_TIMEOUT);
  const driver = await readDriver(performer, application);
  if (driver && goesThroughWebhook(driver)) circuitBreaker.worked();
  if (outcome.kind !== 'failed' && driver) return { driver: storeIfWatched(performer.pods, driver) };
  if (outcome.kind === 'failed' && outcome.byWebhook) circuitBreaker.failed(WEBHOOK_AWAY);
  // A terminated spark-submit can leave a driver without its Service and ConfigMap.
  if (driver && outcome.kind === 'failed' && outcome.interrupted) await deleteDriver(performer, viewOf(driver));
  const failure = outcome.kind === 'failed' ? failureOf(outcome, submission) : await missingDriver(performer, application, outcome);
  // The Pod of a failed submission stays for its log. The next try of the attempt needs its name.
  if (failure.kind !== 'final' && !(failure.isRefusal && isLastTry)) {
    await remove(performer, PODS, pod);
    await tryToCleanUp(performer, application);
  }
  return { failure };
}

function failureOf({ message, retry, byWebhook }: SparkSubmitFailure, submission: Performer['submission']): SubmissionFailure {
  return byWebhook ? ownWebhookAway(message, submission) : { reason: message, kind: retry, isRefusal: true };
}

/**
 * Returns the reason why there is no driver of this submission although spark-submit has not
 * failed.
 */
async function missingDriver(
  performer: Performer, application: SparkApplication, { kind }: SparkSubmitOutcome,
): Promise<SubmissionFailure> {
  const name = application.status!.driverInfo.podName!;
  // The Pod of the same name can be in deletion, or gone by now.
  const other = kind === 'already-exists' ? await readPod(performer, application) : undefined;
  const belonging = other && belongingOf(other, application);
  return belonging && belonging !== 'ours'
    ? { reason: inTheWay('Pod', name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting' }
    : { reason: `spark-submit has ended without an error, but there is no Pod ${name}`, kind: 'lasting' };
}

/** Deletes a Pod that runs or ran spark-submit, and its ConfigMap. */
async function deleteSubmitter(performer: Performer, application: SparkApplication, pod: PodView): Promise<Outcome> {
  const { client, signal } = performer;
  const { namespace, name } = pod.metadata;
  await remove(performer, PODS, pod);
  const configMap = await client.get(CONFIG_MAPS, { namespace, name }, { signal }).catch(ignoring(isNotFound, isForbidden));
  if (configMap && ['ours', 'earlier'].includes(belongingOf(configMap, application))) {
    await remove(performer, CONFIG_MAPS, configMap).catch(ignoring(isForbidden));
  }
  return {};
}

/** Returns the driver of this submission, if it exists. */
async function readDriver(performer: Performer, application: SparkApplication): Promise<KubeObject | undefined> {
  const pod = await readPod(performer, application);
  return pod && belongingOf(pod, application) === 'ours' ? pod : undefined;
}

/** Returns the Pod with the driver's name, with any owner. */
async function readPod({ client, signal }: Performer, application: SparkApplication): Promise<KubeObject | undefined> {
  const ref = { namespace: application.metadata.namespace, name: application.status!.driverInfo.podName! };
  return client.get(PODS, ref, { signal }).catch(ignoring(isNotFound, isForbidden));
}

/** Deletes a driver whose attempt is over. */
async function endDriver(performer: Performer, application: SparkApplication, pod: PodView): Promise<Outcome> {
  if (belongingOf(pod, application) !== 'ours') {
    await confirmUnchanged(performer, application);
    return deleteDriver(performer, pod);
  }
  if (!isTerminal(stateOf(application))) return deleteDriver(performer, pod);
  // The cache of pods can be older than the cache of applications. Users still need the log of a
  // driver that has ended.
  const current = await readDriver(performer, application);
  return current && !hasEnded(viewOf(current)) ? deleteDriver(performer, pod) : {};
}

/**
 * Confirms that an application has not changed since the decision. Another operator might have
 * changed it, or a write of this operator whose answer was lost. A driver of another submission
 * than the cached one can belong to a newer attempt. An attempt that seems to wait for its driver
 * might be over.
 *
 * @throws ApiError with a conflict if the application has changed
 */
export async function confirmUnchanged(
  { client, signal }: Pick<Performer, 'client' | 'signal'>, { metadata }: SparkApplication,
): Promise<void> {
  const { namespace, name, resourceVersion } = metadata;
  const current = await client.get(SPARK_APPLICATIONS, { namespace, name }, { signal });
  if (current.metadata.resourceVersion === resourceVersion) return;
  throw new ApiError({ verb: 'get', resource: SPARK_APPLICATIONS.plural, namespace, name }, 409, {
    reason: 'Conflict', message: 'it has changed since it was read',
  });
}

async function deleteDriver(performer: Performer, pod: PodView): Promise<Outcome> {
  await remove(performer, PODS, pod);
  return {};
}

/** The volume with the driver's properties (KubernetesClientUtils). */
const CONF_VOLUME = 'spark-conf-volume-driver';

/**
 * Checks whether a driver has what it needs. spark-submit creates the Pod first. If spark-submit is
 * killed right then, with the operator that ran it, the driver waits for its ConfigMap for ever.
 * The operator deletes such a driver and creates it again.
 */
async function confirmDriver(performer: Performer, application: SparkApplication): Promise<Outcome> {
  const { client, signal } = performer;
  const driver = await readDriver(performer, application) as Pod | undefined;
  if (isUnconfirmed(application)) return confirmSubmission(performer, application, driver);
  if (!driver) return { failure: { reason: `Pod ${application.status!.driverInfo.podName} is gone`, kind: 'lasting' } };
  const name = driver.spec.volumes?.find((volume) => volume.name === CONF_VOLUME)?.configMap?.name;
  try {
    if (name) await client.get(CONFIG_MAPS, { namespace: application.metadata.namespace, name }, { signal });
    return { driver: storeIfWatched(performer.pods, driver) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await confirmUnchanged(performer, application);
    await deleteDriver(performer, viewOf(driver));
    const reason = `Pod ${driver.metadata.name} was left without its ConfigMap ${name} and is created again`;
    return { failure: { reason, kind: 'lasting' } };
  }
}

/**
 * Confirms a native submission. Without its driver, an operator has ended in the middle of it, and
 * this one finishes it.
 */
async function confirmSubmission(performer: Performer, application: SparkApplication, driver: Pod | undefined): Promise<Outcome> {
  if (driver) return { isFound: true, driver: storeIfWatched(performer.pods, driver) };
  await confirmUnchanged(performer, application);
  return submit(performer, application, true);
}
