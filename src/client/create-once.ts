import { createHash } from 'node:crypto';
import type { KubeClient } from '../kube/client';
import { ApiError, isAlreadyExists } from '../kube/errors';
import type { KubeObject } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { ANNOTATION_REQUEST_ID } from '../model/actions/annotations';
import { persist, type Dependencies } from '../model/actions/persist';

/** Names have at most 56 characters, so that that of the driver's Pod, `<name>-driver`, is one that hosts may have. */
const MAX_NAME_LENGTH = 56;

const HASH_LENGTH = 10;

/**
 * A name that nobody else has. It follows from the request, so that who asks again asks for the same one; with a name that the API server makes up, an object whose answer was lost could not be found.
 */
export function generatedName(prefix: string, requestId: string): string {
  const hash = createHash('sha256').update(requestId).digest('hex').slice(0, HASH_LENGTH);
  return `${prefix.slice(0, MAX_NAME_LENGTH - HASH_LENGTH)}${hash}`;
}

/** Milliseconds for the removal of what nobody waits for any more. */
const TAKE_BACK_TIMEOUT = 5_000;

/** How something is created once. */
export interface CreateOnceOptions extends Dependencies {
  readonly requestId: string;
  /** Whether others know the id, and can find the object again. What nobody could find is removed if this call ends without knowing whether it has created it. */
  readonly isFindable: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Creates an object, once: however often answers get lost, there is one object, and it is returned.
 *
 * @throws {ApiError} also when the name is taken by an object of another request
 * @throws {NetworkError} when there was no answer in the end, or the signal's reason. An object that has been created all the same is removed again, if the API server can be reached, unless it can be found
 */
export async function createOnce<T extends KubeObject>(
  client: KubeClient, resource: Resource<T>, object: T, { requestId, isFindable, signal, ...dependencies }: CreateOnceOptions,
): Promise<T> {
  const { metadata } = object;
  const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION_REQUEST_ID]: requestId } } };
  const isOurs = (found: T) => found.metadata.annotations?.[ANNOTATION_REQUEST_ID] === requestId;
  // Whether it may be there without anybody having said so.
  let isUncertain = false;
  try {
    return await persist(async () => {
      signal?.throwIfAborted();
      try {
        return await client.create(resource, marked, { signal });
      } catch (error) {
        if (!isAlreadyExists(error)) {
          isUncertain ||= !isRefusal(error);
          throw error;
        }
        const found = await client.get(resource, metadata, { signal });
        if (isOurs(found)) return found;
        throw error;
      }
    }, dependencies, signal);
  } catch (error) {
    if (isUncertain && !isFindable) await takeBack(client, resource, metadata, isOurs).catch(() => {});
    throw error;
  }
}

/** The server has said that it does not do it. With an error of its own, it may have. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

async function takeBack<T extends KubeObject>(client: KubeClient, resource: Resource<T>, ref: KubeObject['metadata'], isOurs: (found: T) => boolean): Promise<void> {
  const quickly = { timeout: TAKE_BACK_TIMEOUT, attempts: 1 };
  const found = await client.get(resource, ref, quickly);
  if (isOurs(found)) await client.delete(resource, ref, { ...quickly, propagationPolicy: 'Background', preconditions: { uid: found.metadata.uid } });
}
