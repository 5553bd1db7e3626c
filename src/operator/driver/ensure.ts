import { SubmissionFailedError, type SubmissionFailure } from './submission-failure';
import { refusalToCreate } from './refusal';
import type { KubeClient } from '../../kube/client';
import { ApiError, isAlreadyExists } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import type { Belonging } from '../../model/belonging';
import { PERSISTENT_VOLUME_CLAIMS } from '../../model/resources';
import type { SubmissionSettings } from '../../plan/settings';

/** Dependencies of a creation. */
export interface Creator {
  readonly client: Pick<KubeClient, 'create' | 'get'>;
  readonly submission: SubmissionSettings;
  readonly signal?: AbortSignal;
}

/** Rules for an existing object of the same name. */
export interface Existing<T extends KubeObject> {
  readonly belongingOf: (existing: KubeObject) => Belonging;
  /** Returns the failure if the object is in the way. */
  readonly inTheWay: (belonging: Exclude<Belonging, 'ours'>) => SubmissionFailure;
  /** Returns the object to use instead of an own one. @default - the existing object */
  readonly onOurs?: (existing: T) => T | Promise<T>;
}

/**
 * Creates an object, or finds the one that an earlier try created.
 *
 * @param create @default - creates it without a time limit of its own
 * @throws SubmissionFailedError if another object is in the way, or the API server rejects it
 */
export async function ensure<T extends KubeObject>(
  { client, submission, signal }: Creator, resource: Resource<T>, object: T,
  { belongingOf, inTheWay, onOurs = (existing) => existing }: Existing<T>,
  create: () => Promise<T> = () => client.create(resource, object, { signal }),
): Promise<T> {
  const { namespace, name } = object.metadata;
  try {
    return await create();
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await client.get(resource, { namespace, name }, { signal });
      const belonging = belongingOf(existing);
      if (belonging === 'ours') return onOurs(existing);
      // A claim of the user is used unchanged, because its data matters. It still belongs to the
      // user.
      if (resource.kind === PERSISTENT_VOLUME_CLAIMS.kind && belonging === 'foreign') return existing;
      throw new SubmissionFailedError(inTheWay(belonging));
    }
    const failure = error instanceof ApiError ? refusalToCreate(error, `${resource.kind} ${name}`, submission) : undefined;
    throw failure ? new SubmissionFailedError(failure) : error;
  }
}
