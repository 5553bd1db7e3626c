import { ANNOTATION_RUN_NOW } from '../../api/labels';
import type { DeleteOptions, KubeClient, PatchOptions } from '../../kube/client';
import { ApiError, isInvalid } from '../../kube/errors';
import type { KubeObject, Ref } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../resources';
import type { ScheduledSparkApplication } from '../scheduled-spark-application';
import type { WholeApplication } from '../spark-application';
import { ANNOTATION_RERUN_AT } from './annotations';

export { ANNOTATION_RERUN_AT };

/** Where an object of a namespace is. */
export type NamespacedRef = Ref & { readonly namespace: string };

/** Which object of a namespace. With a uid that very one is meant: for another one of its name, what is asked for is a conflict (`isConflict`). */
export type ObjectRef = NamespacedRef & { readonly uid?: string };

/*
 * What people do with what is there, as the console, the command line and pipelines do it. Each is one call that may be repeated: it says what is wanted, not what is to change.
 * All of them reject with an `ApiError` or a `NetworkError`, as the client does.
 */

/** Ends what runs of an application, and lets nothing of it begin until it is resumed. The application stays, with its specification; its attempts are counted anew. */
export function suspend(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<WholeApplication> {
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { suspend: true } }, options);
}

/** Runs a suspended application from its beginning. One that is not suspended stays as it is. */
export function resume(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<WholeApplication> {
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { suspend: false } }, options);
}

/**
 * Runs an application again, whatever state it is in: what runs of it is ended first, and attempts are counted anew. One that is suspended is run when it is resumed.
 *
 * Any operator of this API understands it, as it is an edit of the specification (as `kubectl rollout restart` is one).
 *
 * @param at the time; one that was given before asks for nothing
 */
export function rerun(client: KubeClient, ref: ObjectRef, at: Date, options?: PatchOptions): Promise<WholeApplication> {
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { driver: { annotations: { [ANNOTATION_RERUN_AT]: at.toISOString() } } } }, options);
}

/** Deletes an application. It is gone at once; its driver and what else belongs to it follow in the background, executors after their driver. */
export function remove(client: KubeClient, ref: ObjectRef, options?: DeleteOptions): Promise<void> {
  return client.delete(SPARK_APPLICATIONS, ref, { propagationPolicy: 'Background', ...(ref.uid !== undefined && { preconditions: { uid: ref.uid } }), ...options });
}

/** Lets a schedule start no further runs. Those that have begun go on. */
export function suspendSchedule(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(client, SCHEDULED_SPARK_APPLICATIONS, ref, { spec: { suspend: true } }, options);
}

/** Lets a schedule start runs again, from its next time on. */
export function resumeSchedule(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(client, SCHEDULED_SPARK_APPLICATIONS, ref, { spec: { suspend: false } }, options);
}

/**
 * Asks for one run of a schedule now, also while it is suspended. A schedule that the operator has not seen yet (no `status.observedGeneration`) does not start it.
 *
 * @param at the time; one that was given before asks for nothing
 */
export function runNow(client: KubeClient, ref: ObjectRef, at: Date, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(client, SCHEDULED_SPARK_APPLICATIONS, ref, { metadata: { annotations: { [ANNOTATION_RUN_NOW]: at.toISOString() } } }, options);
}

async function merge<T extends KubeObject>(
  client: KubeClient, resource: Resource<T>, ref: ObjectRef, body: { readonly metadata?: object; readonly spec?: object }, options?: PatchOptions,
): Promise<T> {
  const guarded = ref.uid === undefined ? body : { ...body, metadata: { ...body.metadata, uid: ref.uid } };
  try {
    return await client.patch(resource, ref, { type: 'merge', body: guarded }, options);
  } catch (error) {
    throw ref.uid !== undefined && isOfOtherUid(error) ? new ApiError(error.call, 409, { reason: 'Conflict', message: 'another object has this name by now' }) : error;
  }
}

/** The API server takes the uid for a field that somebody wants to change. */
function isOfOtherUid(error: unknown): error is ApiError {
  return isInvalid(error) && ((error as ApiError).details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}
