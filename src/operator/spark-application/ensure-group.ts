import { isDeepStrictEqual } from 'node:util';
import { belongingOf, inTheWay } from './belonging';
import type { Creator } from './ensure';
import type { SparkApplication } from '../../model/spark-application';
import { Hindered } from '../driver/hindrance';
import { refusalToCreate } from '../driver/refusal';
import { ApiError, isAlreadyExists, isConflict, isNotFound } from '../../kube/errors';
import type { Resource } from '../../kube/resource';
import type { PodGroup } from '../../model/kubernetes-objects';
import { resourceOfGroup } from '../../plan/schedulers/registry';
import { DEFAULT_FLAG } from '../../plan/schedulers/schedule';

/** After so many tries somebody else makes what is removed here. */
const TRIES = 3;

/**
 * Creates the group of an application's pods, or finds the one that an earlier try of this submission created. Its name is the same for every attempt: one of before, or of another specification, has no
 * pods any more, or none yet, and is replaced.
 *
 * @throws Hindered if there is no such kind in the cluster, or somebody else has one of this name
 */
export async function ensureGroup({ client, submission, signal }: Pick<Creator, 'client' | 'submission' | 'signal'>, application: SparkApplication, wanted: PodGroup): Promise<PodGroup> {
  const resource = resourceOfGroup(wanted);
  const { name } = wanted.metadata;
  const ref = { namespace: application.metadata.namespace, name };
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return await client.create(resource, wanted, { signal });
    } catch (error) {
      if (error instanceof ApiError && isWithoutKind(error)) throw new Hindered({ reason: notInstalled(resource, wanted, Boolean(application.spec.batchScheduler)), kind: 'lasting' });
      if (!isAlreadyExists(error)) {
        const failure = error instanceof ApiError ? refusalToCreate(error, `PodGroup ${name}`, submission) : undefined;
        throw failure ? new Hindered(failure) : error;
      }
    }
    try {
      const existing = await client.get(resource, ref, { signal });
      const belonging = belongingOf(existing, application);
      // A driver that came now would find none.
      if (belonging === 'foreign' || belonging === 'leaving' || existing.metadata.deletionTimestamp) {
        throw new Hindered({ reason: inTheWay('PodGroup', name, belonging === 'foreign' ? 'foreign' : 'leaving'), kind: belonging === 'foreign' ? 'final' : 'lasting' });
      }
      if (belonging === 'ours' && says(existing.spec, wanted.spec)) return existing;
      await client.delete(resource, ref, { preconditions: { uid: existing.metadata.uid }, signal });
    } catch (error) {
      // It has gone meanwhile, or another one has come.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
  throw new Hindered({ reason: `PodGroup ${name} is there again as often as the operator replaces it`, kind: 'lasting' });
}

/** A namespace that is going is called by its name; of a kind that is not served nothing is known. */
function isWithoutKind(error: ApiError): boolean {
  return isNotFound(error) && !/^namespaces? /.test(error.serverMessage);
}

function notInstalled(resource: Resource, { apiVersion }: PodGroup, isChosen: boolean): string {
  return `the cluster has no ${resource.plural}.${resource.group} (${apiVersion} PodGroup) for ${isChosen ? 'spec.batchScheduler' : `the operator's ${DEFAULT_FLAG}`}: install the scheduler with its CustomResourceDefinitions, or choose another one`;
}

/** Whether a group says what is wanted. Its scheduler may have added to it, such as a queue. */
function says(existing: PodGroup['spec'], wanted: PodGroup['spec']): boolean {
  return existing.minMember === wanted.minMember && isDeepStrictEqual(existing.minResources, wanted.minResources) && existing.priorityClassName === wanted.priorityClassName
    && (wanted.queue === undefined || existing.queue === wanted.queue);
}
