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

/** Reference to an object of a namespace. */
export type NamespacedRef = Ref & { readonly namespace: string };

/**
 * Reference by name, or with a uid to one particular object: for another object of that name, calls
 * reject with a conflict (`isConflict`).
 */
export type ObjectRef = NamespacedRef & { readonly uid?: string };

/*
 * User actions on existing objects, for the console, the command line and pipelines. Each is one
 * idempotent call that sets the desired value. All of them reject with an `ApiError` or a
 * `NetworkError`, as the client does.
 */

/**
 * Suspends an application: the operator stops the current run, and starts none until it is resumed.
 * The application and its specification remain; resuming resets the count of attempts.
 */
export function suspend(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<WholeApplication> {
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { suspend: true } }, options);
}

/**
 * Resumes a suspended application, which starts from the beginning. Does nothing to other
 * applications.
 */
export function resume(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<WholeApplication> {
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { suspend: false } }, options);
}

/**
 * Runs an application again, in any state: the operator stops the current run first and resets the
 * count of attempts. A suspended application runs when it is resumed.
 *
 * Every operator of this API supports it, because it is an edit of the specification (as `kubectl
 * rollout restart` is).
 *
 * @param at the current time; a repeated value has no effect
 * @param changes merge patch of the specification for this run and later ones @default - none
 */
export function rerun(
  client: KubeClient, ref: ObjectRef, at: Date, options?: PatchOptions, changes: SpecPatch = {},
): Promise<WholeApplication> {
  const driver = { ...changes.driver, annotations: { ...changes.driver?.annotations, [ANNOTATION_RERUN_AT]: at.toISOString() } };
  return merge(client, SPARK_APPLICATIONS, ref, { spec: { ...changes, driver } }, options);
}

/** JSON merge patch of a specification. */
export interface SpecPatch {
  readonly driver?: { readonly annotations?: object };
}

/**
 * Deletes an application at once. Kubernetes deletes its driver and other objects in the
 * background, and executors after their driver.
 */
export function remove(client: KubeClient, ref: ObjectRef, options?: DeleteOptions): Promise<void> {
  return client.delete(SPARK_APPLICATIONS, ref, {
    propagationPolicy: 'Background', ...(ref.uid !== undefined && { preconditions: { uid: ref.uid } }), ...options,
  });
}

/** Suspends a schedule: it starts no further runs. Current runs continue. */
export function suspendSchedule(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(client, SCHEDULED_SPARK_APPLICATIONS, ref, { spec: { suspend: true } }, options);
}

/** Resumes a schedule, which starts runs from its next scheduled time. */
export function resumeSchedule(client: KubeClient, ref: ObjectRef, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(client, SCHEDULED_SPARK_APPLICATIONS, ref, { spec: { suspend: false } }, options);
}

/**
 * Requests one run of a schedule now, also while it is suspended. The operator ignores requests
 * that are older than its first reconcile of the schedule (no `status.observedGeneration`).
 *
 * @param at the current time; a repeated value has no effect
 */
export function runNow(client: KubeClient, ref: ObjectRef, at: Date, options?: PatchOptions): Promise<ScheduledSparkApplication> {
  return merge(
    client, SCHEDULED_SPARK_APPLICATIONS, ref, { metadata: { annotations: { [ANNOTATION_RUN_NOW]: at.toISOString() } } }, options,
  );
}

/**
 * Changes an object by a JSON merge patch. The API server rejects it if the reference has another
 * uid.
 */
export async function merge<T extends KubeObject>(
  client: Pick<KubeClient, 'patch'>, resource: Resource<T>, ref: ObjectRef,
  body: { readonly metadata?: object; readonly spec?: object }, options?: PatchOptions,
): Promise<T> {
  const guarded = ref.uid === undefined ? body : { ...body, metadata: { ...body.metadata, uid: ref.uid } };
  try {
    return await client.patch(resource, ref, { type: 'merge', body: guarded }, options);
  } catch (error) {
    throw ref.uid !== undefined && isOfOtherUid(error)
      ? new ApiError(error.call, 409, { reason: 'Conflict', message: 'another object has this name now' })
      : error;
  }
}

/** Whether the API server rejected the uid, which it treats as an attempt to change a field. */
function isOfOtherUid(error: unknown): error is ApiError {
  return isInvalid(error) && ((error as ApiError).details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}
