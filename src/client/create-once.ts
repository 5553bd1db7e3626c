import { createHash } from 'node:crypto';
import type { KubeClient } from '../kube/client';
import { ApiError, isAlreadyExists } from '../kube/errors';
import type { KubeObject } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { ANNOTATION_REQUEST_ID } from '../model/actions/annotations';
import { retry, type Dependencies } from '../model/actions/retry';

/** Maximum length of a name, so that the driver's Pod, `<name>-driver`, has a valid host name. */
const MAX_NAME_LENGTH = 56;

const HASH_LENGTH = 10;

/**
 * Returns a unique name that follows from the request, so a repeated request uses the same name.
 * With a name that the API server generates, an object could not be found after a lost answer.
 */
export function generatedName(prefix: string, requestId: string): string {
  const hash = createHash('sha256').update(requestId).digest('hex').slice(0, HASH_LENGTH);
  return `${prefix.slice(0, MAX_NAME_LENGTH - HASH_LENGTH)}${hash}`;
}

/** Maximum length of a request id, in characters; it is an annotation. */
const MAX_ID_LENGTH = 1_024;

/**
 * Checks the id of a request. An empty one is rejected: it is that of a missing variable, and all
 * such submissions would be the same.
 *
 * @throws {TypeError}
 */
export function checkRequestId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || id.trim() === '') {
    throw new TypeError(`requestId = ${JSON.stringify(id)} must be a text that is not empty, such as the id of the pipeline's run; `
      + 'omit it to create an application with each call');
  }
  if (id.length > MAX_ID_LENGTH) throw new TypeError(`requestId has ${id.length} characters; it can have at most ${MAX_ID_LENGTH}`);
}

/** Timeout of the deletion of an object that no caller can find, in milliseconds. */
const DELETE_TIMEOUT = 5_000;

/** Options of `createOnce`. */
export interface CreateOnceOptions extends Dependencies {
  readonly requestId: string;
  /**
   * Whether callers know the id and can find the object by it. Without that, an object is deleted
   * if this call ends without knowing whether it was created.
   */
  readonly isFindable: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Creates an object exactly once, also after lost answers, and returns it.
 *
 * @throws {ApiError} also when an object of another request has the name
 * @throws {NetworkError} after the last attempt without an answer, or the signal's reason. The call
 * then deletes an object that might have been created, if the API server is reachable and callers
 * cannot find the object
 */
export async function createOnce<T extends KubeObject>(
  client: KubeClient, resource: Resource<T>, object: T, { requestId, isFindable, signal, ...dependencies }: CreateOnceOptions,
): Promise<T> {
  const { metadata } = object;
  const marked = { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION_REQUEST_ID]: requestId } } };
  const isOurs = (found: T) => found.metadata.annotations?.[ANNOTATION_REQUEST_ID] === requestId;
  // Whether the object might exist although no answer confirmed it.
  let isUncertain = false;
  try {
    return await retry(async () => {
      signal?.throwIfAborted();
      try {
        return await client.create(resource, marked, { signal });
      } catch (error) {
        if (!isAlreadyExists(error)) {
          isUncertain ||= !isRejection(error);
          throw error;
        }
        const found = await client.get(resource, metadata, { signal });
        if (isOurs(found)) return found;
        throw error;
      }
    }, dependencies, signal);
  } catch (error) {
    if (isUncertain && !isFindable) await deleteUncertain(client, resource, metadata, isOurs).catch(() => {});
    throw error;
  }
}

/** Whether the server has rejected the request. A server error leaves it open. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

async function deleteUncertain<T extends KubeObject>(
  client: KubeClient, resource: Resource<T>, ref: KubeObject['metadata'], isOurs: (found: T) => boolean,
): Promise<void> {
  const quickly = { timeout: DELETE_TIMEOUT, attempts: 1 };
  const found = await client.get(resource, ref, quickly);
  if (isOurs(found)) {
    await client.delete(resource, ref, { ...quickly, propagationPolicy: 'Background', preconditions: { uid: found.metadata.uid } });
  }
}
