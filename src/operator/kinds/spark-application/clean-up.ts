import { belongingOf } from './belonging';
import type { SparkApplication } from '../../../model/spark-application';
import { BY_APPLICATION } from './observe';
import type { Outcome, Performer } from './performer';
import { RESOURCES } from '../../driver/created-objects';
import { all, remove } from '../../driver/objects';
import { LABEL_APP_UID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { isForbidden, isNotFound } from '../../../kube/errors';
import { keyOf, type KubeObject } from '../../../kube/objects';
import { PODS } from '../../../model/resources';
import { groupOf, schedulerResources, type NamedGroup } from '../../../plan/schedulers/registry';
import { withDefaultScheduler } from '../../../plan/schedulers/schedule';

/**
 * Deletes a submission's objects after its driver is gone. Labels select them, whatever the
 * specification contains by now.
 */
export async function cleanUp(performer: Performer, application: SparkApplication): Promise<Outcome> {
  const { client, logger, signal, submission } = performer;
  const { namespace } = application.metadata;
  const labelSelector = `${LABEL_SUBMISSION_ID}=${application.status!.submissionID}`;
  const group = groupOf(
    application.metadata.name,
    withDefaultScheduler(application.spec, submission.batchSchedulers).batchScheduler,
    submission.batchSchedulers,
  );
  let isGroupKnown = false;
  await all([...Object.values(RESOURCES), ...schedulerResources(submission.batchSchedulers)].map(async (resource) => {
    try {
      for await (const object of client.list(resource, { namespace, labelSelector, signal })) {
        if (belongingOf(object, application) !== 'ours') continue;
        isGroupKnown ||= resource === group?.resource;
        await remove(performer, resource, object);
      }
      // The PodGroup of kubeflow/spark-operator has no labels.
      if (group && resource === group.resource && !isGroupKnown) await removeByName(performer, application, group);
    } catch (error) {
      // The scheduler of this kind is not installed.
      if (isNotFound(error)) return;
      if (!isForbidden(error)) throw error;
      logger.warn({ err: error, resource: resource.plural }, 'objects of the submission stay until their application is deleted');
    }
  }));
  await removeForeignExecutors(performer, application);
  return { cleanedUp: true };
}

/** Deletes an object that the application controls, whichever submission created it. */
async function removeByName(
  performer: Performer, { metadata: { namespace, uid } }: SparkApplication, { resource, name }: NamedGroup,
): Promise<void> {
  const object = await performer.client.get(resource, { namespace, name }, { signal: performer.signal }) as KubeObject;
  if (object.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid)) await remove(performer, resource, object);
}

/**
 * Deletes executors that kubeflow/spark-operator started. Kubernetes deletes other executors with
 * their driver. The application also owns these.
 */
async function removeForeignExecutors(performer: Performer, application: SparkApplication): Promise<void> {
  const executors = performer.pods.byIndex(BY_APPLICATION, keyOf(application.metadata)).filter(({ metadata: { labels } }) => (
    labels?.[LABEL_SPARK_ROLE] === 'executor' && labels[LABEL_SUBMISSION_ID] === application.status!.submissionID
      && labels[LABEL_APP_UID] === undefined
  ));
  await all(executors.map((pod) => remove(performer, PODS, pod)));
}

/**
 * Cleans up, but only logs a failure, so that it does not hide the submission's failure from the
 * user.
 */
export async function tryToCleanUp(performer: Performer, application: SparkApplication): Promise<void> {
  try {
    await cleanUp(performer, application);
  } catch (error) {
    performer.signal?.throwIfAborted();
    performer.logger.warn({ err: error }, 'objects of an earlier try of the submission stay until their application is deleted');
  }
}
