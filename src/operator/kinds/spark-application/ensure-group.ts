import { isDeepStrictEqual } from 'node:util';
import { belongingOf, inTheWay } from './belonging';
import type { Creator } from './ensure';
import type { SparkApplication } from '../../../model/spark-application';
import { SubmissionFailedError } from '../../driver/submission-failure';
import { refusalToCreate } from '../../driver/refusal';
import { ApiError, isAlreadyExists, isConflict, isNotFound } from '../../../kube/errors';
import type { Resource } from '../../../kube/resource';
import type { PodGroup } from '../../../model/kubernetes-objects';
import { resourceOfGroup } from '../../../plan/schedulers/registry';
import { DEFAULT_FLAG } from '../../../plan/schedulers/schedule';

/**
 * Maximum number of tries. After them, another client must be creating the PodGroup that the
 * operator deletes.
 */
const TRIES = 3;

/**
 * Creates the PodGroup of an application's pods, or finds the one that an earlier try of this
 * submission created. All attempts use the same name. The PodGroup of a previous attempt or of
 * another specification has no pods, and the operator replaces it.
 *
 * @throws SubmissionFailedError if the cluster has no such kind, or another owner has a PodGroup of
 * this name
 */
export async function ensureGroup(
  { client, submission, signal }: Pick<Creator, 'client' | 'submission' | 'signal'>, application: SparkApplication, wanted: PodGroup,
): Promise<PodGroup> {
  const resource = resourceOfGroup(wanted);
  const { name } = wanted.metadata;
  const ref = { namespace: application.metadata.namespace, name };
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return await client.create(resource, wanted, { signal });
    } catch (error) {
      if (error instanceof ApiError && isWithoutKind(error)) {
        const reason = notInstalled(resource, wanted, Boolean(application.spec.batchScheduler));
        throw new SubmissionFailedError({ reason, kind: 'lasting', isRefusal: true });
      }
      if (!isAlreadyExists(error)) {
        const failure = error instanceof ApiError ? refusalToCreate(error, `PodGroup ${name}`, submission) : undefined;
        throw failure ? new SubmissionFailedError(failure) : error;
      }
    }
    try {
      const existing = await client.get(resource, ref, { signal });
      const belonging = belongingOf(existing, application);
      // The scheduler would find no PodGroup for a driver that is created now.
      if (belonging === 'foreign' || belonging === 'leaving' || existing.metadata.deletionTimestamp) {
        throw new SubmissionFailedError({
          reason: inTheWay('PodGroup', name, belonging === 'foreign' ? 'foreign' : 'leaving'),
          kind: belonging === 'foreign' ? 'final' : 'lasting',
        });
      }
      if (belonging === 'ours' && says(existing.spec, wanted.spec)) return existing;
      await client.delete(resource, ref, { preconditions: { uid: existing.metadata.uid }, signal });
    } catch (error) {
      // The PodGroup is gone by now, or another one has its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
  throw new SubmissionFailedError({ reason: `PodGroup ${name} is there again as often as the operator replaces it`, kind: 'lasting' });
}

/**
 * Whether the API server does not serve the kind. The message about a missing namespace starts with
 * `namespace` instead.
 */
function isWithoutKind(error: ApiError): boolean {
  return isNotFound(error) && !/^namespaces? /.test(error.serverMessage);
}

function notInstalled(resource: Resource, { apiVersion }: PodGroup, isChosen: boolean): string {
  const setting = isChosen ? 'spec.batchScheduler' : `the operator's ${DEFAULT_FLAG}`;
  return `the cluster has no ${resource.plural}.${resource.group} (${apiVersion} PodGroup) for ${setting}: install the scheduler with `
    + 'its CustomResourceDefinitions, or choose another one';
}

/**
 * Whether a PodGroup has the wanted specification. Its scheduler might have added fields, such as a
 * queue.
 */
function says(existing: PodGroup['spec'], wanted: PodGroup['spec']): boolean {
  return existing.minMember === wanted.minMember
    && isDeepStrictEqual(existing.minResources, wanted.minResources)
    && existing.priorityClassName === wanted.priorityClassName
    && (wanted.queue === undefined || existing.queue === wanted.queue);
}
