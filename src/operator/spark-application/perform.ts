import { LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkApplicationStatus } from '../../api/spark-application';
import type { Action } from './decide';
import type { KubeClient } from '../kube/client';
import { ApiError, isAlreadyExists, isNotFound, isTransient } from '../kube/errors';
import type { Logger } from '../kube/logger';
import type { KubeObject } from '../kube/objects';
import { apiVersionOf, type Resource } from '../kube/resource';
import type { Store } from '../kube/store';
import { CONFIG_MAPS, PODS, SERVICES, SPARK_APPLICATIONS } from '../resources';
import type { SparkApplication } from './model';
import { viewOf, type PodView } from './pod-view';
import { SubmissionError } from '../submission/errors';
import { planSubmission, type SubmissionPlan } from '../submission/plan';

/** What performing needs from outside. */
export interface Performer {
  readonly client: KubeClient;
  readonly pods: Store<PodView>;
  readonly logger: Logger;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Writes an application's status.
 *
 * @returns the application as the API server has it now
 * @throws ApiError with a conflict when the application was changed since it was read
 */
export function writeStatus(client: KubeClient, application: SparkApplication, status: SparkApplicationStatus, signal?: AbortSignal): Promise<SparkApplication> {
  const { name, namespace, uid, resourceVersion } = application.metadata;
  // The status is all that is read of the body; leaving the rest out keeps the call small.
  return client.updateStatus(SPARK_APPLICATIONS, {
    apiVersion: apiVersionOf(SPARK_APPLICATIONS),
    kind: SPARK_APPLICATIONS.kind,
    metadata: { name, namespace, uid, resourceVersion },
    status,
  } as SparkApplication, { signal });
}

/**
 * Performs an action. Repeating it does no harm.
 *
 * @returns why the API server refused for good; undefined when it was done
 * @throws errors that may pass, so that it is tried again
 */
export async function perform(performer: Performer, application: SparkApplication, action: Action): Promise<string | undefined> {
  switch (action.kind) {
    case 'submit': return submit(performer, application);
    case 'delete-driver': return deleteDriver(performer, action.pod);
  }
}

async function submit(performer: Performer, application: SparkApplication): Promise<string | undefined> {
  let plan: SubmissionPlan;
  try {
    plan = planOf(application);
  } catch (error) {
    if (SubmissionError.is(error)) return error.message;
    throw error;
  }
  try {
    // Before the driver: the kubelet would wait for a ConfigMap that comes later, with an event that looks like a failure.
    await Promise.all([ensure(performer, CONFIG_MAPS, plan.configMap), ensure(performer, SERVICES, plan.service)]);
    const driver = await ensure(performer, PODS, plan.driver);
    performer.pods.upsert(viewOf(driver));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await Promise.all([remove(performer, CONFIG_MAPS, plan.configMap), remove(performer, SERVICES, plan.service)]);
    return error.message;
  }
}

/** The same for every try of a submission, as all it depends on is in the status. */
function planOf(application: SparkApplication): SubmissionPlan {
  const { submissionID, submissionAttempts, lastSubmissionAttemptTime } = application.status!;
  return planSubmission(application, {
    submissionID: submissionID!,
    attempt: submissionAttempts!,
    submitTime: new Date(lastSubmissionAttemptTime!),
  });
}

/** The API server says no, and would say it again. */
class Refusal extends Error {}

/** Creates an object, or finds the one that an earlier try of this submission created. */
async function ensure<T extends KubeObject>({ client, signal }: Performer, resource: Resource<T>, object: T): Promise<T> {
  try {
    return await client.create(resource, object, { signal });
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await client.get(resource, { namespace: object.metadata.namespace, name: object.metadata.name }, { signal });
      if (!isOfSameSubmission(existing, object)) {
        throw new Refusal(`a ${resource.kind} ${object.metadata.name} exists that this submission did not create; delete it${resource === (PODS as Resource) ? ', or choose another name in spec.driver.podName' : ''}`);
      }
      return existing;
    }
    if (error instanceof ApiError && !isTransient(error) && error.status !== 401 && error.status !== 409) {
      throw new Refusal(`the API server refused to create ${resource.kind} ${object.metadata.name}: ${error.serverMessage}`);
    }
    throw error;
  }
}

function isOfSameSubmission(existing: KubeObject, wanted: KubeObject): boolean {
  const id = (object: KubeObject) => object.metadata.labels?.[LABEL_SUBMISSION_ID];
  const owner = (object: KubeObject) => object.metadata.ownerReferences?.find((reference) => reference.controller)?.uid;
  return id(existing) === id(wanted) && owner(existing) === owner(wanted);
}

/**
 * Removes what a refused submission had created already. Its names are its own, so that nobody else's object can be hit.
 * What cannot be removed must not keep the reason of the refusal from its user: it goes with the application, its owner.
 */
async function remove({ client, logger, signal }: Performer, resource: Resource, { metadata: { namespace, name } }: KubeObject): Promise<void> {
  try {
    await client.delete(resource, { namespace, name }, { signal });
  } catch (error) {
    if (!isNotFound(error)) logger.warn({ err: error, resource: resource.plural, name }, 'an object of the refused submission stays until its application is deleted');
  }
}

async function deleteDriver({ client, signal }: Performer, pod: PodView): Promise<undefined> {
  const { namespace, name, uid } = pod.metadata;
  try {
    await client.delete(PODS, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
