import { belongingOf } from './belonging';
import type { SparkApplication } from '../../model/spark-application';
import { BY_APPLICATION } from './observe';
import type { Outcome, Performer } from './performer';
import { LABEL_APP_UID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../api/labels';
import { isConflict, isForbidden, isNotFound } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { CONFIG_MAPS, NETWORK_POLICIES, PERSISTENT_VOLUME_CLAIMS, PODS, SERVICES } from '../../model/resources';
import { groupOf, schedulerResources, type NamedGroup } from '../../plan/schedulers/registry';
import { withDefaultScheduler } from '../../plan/schedulers/schedule';
import type { SubmissionResource } from '../../plan/native/feature-step';

/** The kinds of what a submission creates besides the driver, whatever else is set up. */
export const RESOURCES: { readonly [kind in Exclude<SubmissionResource['kind'], 'PodGroup'>]: Resource<any> } = {
  ConfigMap: CONFIG_MAPS,
  Service: SERVICES,
  PersistentVolumeClaim: PERSISTENT_VOLUME_CLAIMS,
  NetworkPolicy: NETWORK_POLICIES,
};

/** Removes what a submission created for a driver that is gone; its labels tell, whatever the specification says by now. */
export async function cleanUp(performer: Performer, application: SparkApplication): Promise<Outcome> {
  const { client, logger, signal, submission } = performer;
  const { namespace } = application.metadata;
  const labelSelector = `${LABEL_SUBMISSION_ID}=${application.status!.submissionID}`;
  const group = groupOf(application.metadata.name, withDefaultScheduler(application.spec, submission.batchSchedulers).batchScheduler, submission.batchSchedulers);
  let isGroupKnown = false;
  await all([...Object.values(RESOURCES), ...schedulerResources(submission.batchSchedulers)].map(async (resource) => {
    try {
      for await (const object of client.list(resource, { namespace, labelSelector, signal })) {
        if (belongingOf(object, application) !== 'ours') continue;
        isGroupKnown ||= resource === group?.resource;
        await remove(performer, resource, object);
      }
      // That of kubeflow/spark-operator has no labels.
      if (group && resource === group.resource && !isGroupKnown) await removeByName(performer, application, group);
    } catch (error) {
      // Of a scheduler that is not installed.
      if (isNotFound(error)) return;
      if (!isForbidden(error)) throw error;
      logger.warn({ err: error, resource: resource.plural }, 'what the submission created stays until its application is deleted');
    }
  }));
  await removeForeignExecutors(performer, application);
  return { cleanedUp: true };
}

/** Removes an object that the application controls, whichever submission it is of. */
async function removeByName(performer: Performer, { metadata: { namespace, uid } }: SparkApplication, { resource, name }: NamedGroup): Promise<void> {
  const object = await performer.client.get(resource, { namespace, name }, { signal: performer.signal }) as KubeObject;
  if (object.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid)) await remove(performer, resource, object);
}

/** Executors go with their driver. Those that kubeflow/spark-operator has started do not: the application owns them, too. */
async function removeForeignExecutors(performer: Performer, application: SparkApplication): Promise<void> {
  const executors = performer.pods.byIndex(BY_APPLICATION, keyOf(application.metadata)).filter(({ metadata: { labels } }) => (
    labels?.[LABEL_SPARK_ROLE] === 'executor' && labels[LABEL_SUBMISSION_ID] === application.status!.submissionID && labels[LABEL_APP_UID] === undefined
  ));
  await all(executors.map((pod) => remove(performer, PODS, pod)));
}

/** The same where a failure must not keep the reason for it from its user. */
export async function tryToCleanUp(performer: Performer, application: SparkApplication): Promise<void> {
  try {
    await cleanUp(performer, application);
  } catch (error) {
    performer.signal?.throwIfAborted();
    performer.logger.warn({ err: error }, 'what an earlier try of the submission has made stays until its application is deleted');
  }
}

/** Removes an object: that one, whatever has its name by now. */
export async function remove({ client, signal }: Performer, resource: Resource, { metadata: { namespace, name, uid } }: KubeObject): Promise<void> {
  try {
    await client.delete(resource, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    // Gone already, or another one by now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Waits for all, also when one fails: what is still under way could not be removed. */
export async function all(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
