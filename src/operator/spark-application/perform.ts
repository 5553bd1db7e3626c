import { belongingOf, inTheWay } from './belonging';
import { choose } from './choice';
import { all, cleanUp, remove, tryToCleanUp } from './clean-up';
import type { Action } from './decision';
import { confirmAdmitted, Throttled, ensure } from './ensure';
import { ensureAll } from './ensure-all';
import type { CreatedObject } from './created-object';
import { stateOf, type SparkApplication, type WholeApplication } from '../../model/spark-application';
import { sparkSubmitWork } from './spark-submit-work';
import { wholeOf } from './transform';
import { LABEL_LAUNCHED_BY } from '../../api/labels';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { isTerminal } from '../../api/states';
import { Hindered, type SubmissionFailure } from '../driver/hindrance';
import { hasEnded, viewOf, type PodView } from '../../model/pod-view';
import { ownWebhookAway } from '../driver/refusal';
import type { KubeClient } from '../../kube/client';
import { WEBHOOK_AWAY } from '../admission/webhook-failure';
import { ApiError, isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import type { Pod } from '../../model/kubernetes-objects';
import { CONFIG_MAPS, PODS, SPARK_APPLICATIONS } from '../../model/resources';
import { SubmissionError } from '../../plan/errors';
import { goesThroughWebhook } from '../../plan/properties/improvements';
import type { SubmissionPlan } from '../../plan/plan';
import { problemText } from '../../model/problem';
import type { Outcome, Performer } from './performer';

/**
 * Writes an application's status.
 *
 * @returns the application as the API server has it now
 * @throws ApiError with a conflict when the application was changed since it was read
 */
export function writeStatus(client: KubeClient, application: SparkApplication, status: SparkApplicationStatus, signal?: AbortSignal): Promise<WholeApplication> {
  const { name, namespace, uid, resourceVersion } = application.metadata;
  // The status is all that is read of the body; leaving the rest out keeps the call small.
  return client.updateStatus(SPARK_APPLICATIONS, {
    apiVersion: apiVersionOf(SPARK_APPLICATIONS),
    kind: SPARK_APPLICATIONS.kind,
    metadata: { name, namespace, uid, resourceVersion },
    status,
  } as WholeApplication, { signal });
}

/**
 * Performs an action. Repeating it does no harm.
 *
 * @param isRepeated what is to be done was written down in an earlier pass, so that some of it may have been done
 * @throws errors of the network and of an API server that is overloaded, so that it is tried again
 */
export async function perform(performer: Performer, application: SparkApplication, action: Action, isRepeated = false): Promise<Outcome> {
  switch (action.kind) {
    case 'submit': return submit(performer, application, isRepeated);
    case 'delete-driver': return endDriver(performer, application, action.pod);
    case 'clean-up': return cleanUp(performer, application);
    case 'confirm-driver': return confirmDriver(performer, application);
    case 'delete-application': return deleteApplication(performer, application);
  }
}

async function submit(performer: Performer, application: SparkApplication, isRepeated: boolean): Promise<Outcome> {
  const made: CreatedObject[] = [];
  try {
    if (performer.sparkSubmit?.underWay(application)) return await submitBySparkSubmit(performer, application, '', made);
    const { submission, appliedDefaults } = choose(performer, await wholeOf(application, performer));
    if (submission.kind === 'spark-submit') return await submitBySparkSubmit(performer, application, submission.because, made);
    const plan = submission.objects;
    // Before there is anything that would be removed again.
    if (goesThroughWebhook(plan.driver)) confirmAdmitted(performer, performer.circuitBreaker.admittance());
    return { ...await submitNatively(performer, application, plan, made), appliedDefaults, warnings: plan.warnings.map(problemText) };
  } catch (error) {
    if (error instanceof Throttled) return { later: error.after };
    const failure = submissionFailureOf(error);
    if (!failure) throw error;
    // What goes on could create a driver that nobody follows.
    await performer.sparkSubmit?.end(application);
    // An earlier try may have come through although its answer did not.
    const driver = await readDriver(performer, application);
    if (driver && !driver.metadata.deletionTimestamp) return found(performer, driver);
    // Also between two tries: nobody knows whether there will be another, and of which specification.
    await all(made.map(({ resource, object }) => tryToRemove(performer, resource, object)));
    // Before anything was looked at: what an earlier try has made nobody would look for any more.
    if (isRepeated && failure.kind === 'final' && made.length === 0) await tryToCleanUp(performer, application);
    return { failure };
  }
}

async function submitNatively(performer: Performer, application: SparkApplication, { resources, driver }: SubmissionPlan, made: CreatedObject[]): Promise<Outcome> {
  // Before the driver: the kubelet would wait for a ConfigMap that comes later, with an event that looks like a failure.
  await ensureAll(performer, application, resources, made);
  return found(performer, await ensure(performer, application, PODS, driver));
}

/**
 * Enqueues a submission by spark-submit, or evaluates its result. It takes seconds, so it runs beside
 * the passes of the reconciler.
 *
 * @param because why not natively; a sentence
 */
async function submitBySparkSubmit(performer: Performer, application: SparkApplication, because: string, made: CreatedObject[]): Promise<Outcome> {
  const sparkSubmit = performer.sparkSubmit!;
  const run = sparkSubmit.startOrFetch(application, sparkSubmitWork({ ...performer, sparkSubmit }, application));
  if (run === 'begun' || run === 'running') return { submitting: { begun: run === 'begun', because } };
  made.push(...run.result.made);
  if ('error' in run.result) throw run.result.error;
  const { outcome, throughWebhook, appliedDefaults, warnings } = run.result;
  if (throughWebhook && outcome.kind === 'failed' && outcome.byWebhook) performer.circuitBreaker.failed(WEBHOOK_AWAY);
  const driver = await readDriver(performer, application);
  if (throughWebhook && driver) performer.circuitBreaker.worked();
  if (outcome.kind === 'failed') {
    // It may have left a driver whose Service and ConfigMap are missing.
    if (driver && outcome.interrupted) await deleteDriver(performer, viewOf(driver));
    throw new Hindered(outcome.byWebhook ? ownWebhookAway(outcome.message, performer.submission) : { reason: outcome.message, kind: outcome.retry });
  }
  if (driver) return { ...found(performer, driver), appliedDefaults, warnings };
  const name = application.status!.driverInfo.podName!;
  // The Pod that is in the way can be on its way out, or gone by now.
  const other = outcome.kind === 'already-exists' ? await readPod(performer, application) : undefined;
  const belonging = other && belongingOf(other, application);
  if (belonging && belonging !== 'ours') throw new Hindered({ reason: inTheWay('Pod', name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting' });
  throw new Hindered({ reason: `spark-submit has ended without an error, but there is no Pod ${name}`, kind: 'lasting' });
}

function submissionFailureOf(error: unknown): SubmissionFailure | undefined {
  if (SubmissionError.is(error)) return { reason: error.message, kind: 'final' };
  return error instanceof Hindered ? error.failure : undefined;
}

function found({ pods }: Performer, pod: KubeObject): Outcome {
  const driver = viewOf(pod);
  // Only what the watch sees, too: it would stay in the store for ever.
  if (pod.metadata.labels?.[LABEL_LAUNCHED_BY] === 'true') pods.upsert(driver);
  return { driver };
}

/** The driver of this submission, if there is one. */
async function readDriver(performer: Performer, application: SparkApplication): Promise<KubeObject | undefined> {
  const pod = await readPod(performer, application);
  return pod && belongingOf(pod, application) === 'ours' ? pod : undefined;
}

/** The Pod with the driver's name, whosever it is. */
async function readPod({ client, signal }: Performer, application: SparkApplication): Promise<KubeObject | undefined> {
  try {
    return await client.get(PODS, { namespace: application.metadata.namespace, name: application.status!.driverInfo.podName! }, { signal });
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** Removes an object of a hindered submission. What cannot be removed must not keep the reason from its user: it goes with the application, its owner. */
async function tryToRemove(performer: Performer, resource: Resource, object: KubeObject): Promise<void> {
  try {
    await remove(performer, resource, object);
  } catch (error) {
    performer.logger.warn({ err: error, resource: resource.plural, name: object.metadata.name }, 'an object of the hindered submission stays until its application is deleted');
  }
}

/** Deletes a driver whose attempt is over. */
async function endDriver(performer: Performer, application: SparkApplication, pod: PodView): Promise<Outcome> {
  if (belongingOf(pod, application) !== 'ours') {
    await confirmUnchanged(performer, application);
    return deleteDriver(performer, pod);
  }
  await performer.sparkSubmit?.end(application);
  if (!isTerminal(stateOf(application))) return deleteDriver(performer, pod);
  // The cache of pods can be behind that of applications, and the log of a driver that has ended is of use.
  const current = await readDriver(performer, application);
  return current && !hasEnded(viewOf(current)) ? deleteDriver(performer, pod) : {};
}

/**
 * What was decided on the cache alone may have been overtaken: by another operator, or by a write of our own whose answer was lost. A driver of another
 * submission than the one in the cache may be that of a newer attempt, and an attempt that seems to wait for its driver may be over.
 *
 * @throws ApiError with a conflict if the application has changed
 */
export async function confirmUnchanged({ client, signal }: Pick<Performer, 'client' | 'signal'>, { metadata }: SparkApplication): Promise<void> {
  const { namespace, name, resourceVersion } = metadata;
  const current = await client.get(SPARK_APPLICATIONS, { namespace, name }, { signal });
  if (current.metadata.resourceVersion === resourceVersion) return;
  throw new ApiError({ verb: 'get', resource: SPARK_APPLICATIONS.plural, namespace, name }, 409, { reason: 'Conflict', message: 'it has changed since it was looked at' });
}

async function deleteApplication({ client, signal }: Performer, { metadata: { namespace, name, uid, resourceVersion } }: SparkApplication): Promise<Outcome> {
  try {
    // Not if it has been changed: it may be to run again.
    await client.delete(SPARK_APPLICATIONS, { namespace, name }, { preconditions: { uid, resourceVersion }, propagationPolicy: 'Background', signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return { deleted: true };
}

async function deleteDriver(performer: Performer, pod: PodView): Promise<Outcome> {
  await remove(performer, PODS, pod);
  return {};
}

/** The volume with the driver's properties (KubernetesClientUtils). */
const CONF_VOLUME = 'spark-conf-volume-driver';

/**
 * Whether a driver that was found has what it needs. spark-submit creates the Pod first: where it was ended in the middle, with the
 * operator that ran it, the driver would wait for its ConfigMap for ever. Such a driver is deleted, and made again.
 */
async function confirmDriver(performer: Performer, application: SparkApplication): Promise<Outcome> {
  const { client, signal } = performer;
  const driver = await readDriver(performer, application) as Pod | undefined;
  if (!driver) return { failure: { reason: `Pod ${application.status!.driverInfo.podName} is gone`, kind: 'lasting' } };
  const name = driver.spec.volumes?.find((volume) => volume.name === CONF_VOLUME)?.configMap?.name;
  try {
    if (name) await client.get(CONFIG_MAPS, { namespace: application.metadata.namespace, name }, { signal });
    return found(performer, driver);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await confirmUnchanged(performer, application);
    await deleteDriver(performer, viewOf(driver));
    return { failure: { reason: `Pod ${driver.metadata.name} was left without its ConfigMap ${name} and is made again`, kind: 'lasting' } };
  }
}
