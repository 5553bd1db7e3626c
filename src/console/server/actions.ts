import { HttpError } from './http';
import { DELETE_APPLICATION, FORWARD_PORT, PATCH_APPLICATION, PATCH_SCHEDULE, type Viewer } from './viewer';
import { remove, rerun, resume, resumeSchedule, runNow, suspend, suspendSchedule, type ObjectRef } from '../../model/actions/actions';
import type { KubeClient } from '../../kube/client';
import { isConflict } from '../../kube/errors';
import type { Permissions } from '../wire';

type Action = (client: KubeClient, ref: ObjectRef, at: Date) => Promise<unknown>;

/** Actions by the resource that they change. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  applications: {
    suspend: (client, ref) => suspend(client, ref),
    resume: (client, ref) => resume(client, ref),
    rerun,
    delete: (client, ref) => remove(client, ref),
  },
  schedules: {
    suspend: (client, ref) => suspendSchedule(client, ref),
    resume: (client, ref) => resumeSchedule(client, ref),
    run: runNow,
  },
};

/**
 * Performs an action on an application or a schedule.
 *
 * @param ref with the uid of the object that the page showed; another object of that name is not
 * changed
 * @throws {HttpError} 403 in a read-only console, 404 for an unknown action, 409 if another object
 * has that name now
 */
export async function act(client: KubeClient, viewer: Viewer, kind: string, ref: ObjectRef, name: string, at: Date): Promise<void> {
  if (viewer.session.readOnly) throw new HttpError(403, 'this console is read-only; use sparkctl or kubectl to change objects');
  const actions = Object.hasOwn(ACTIONS, kind) ? ACTIONS[kind]! : {};
  if (!Object.hasOwn(actions, name)) throw new HttpError(404, `${kind} have no action ${name}`);
  try {
    await actions[name]!(client, ref, at);
  } catch (error) {
    if (ref.uid === undefined || !isConflict(error)) throw error;
    throw new HttpError(
      409, `nothing was changed: ${ref.name} was deleted, and a new object has its name; reload the page and repeat the action`,
    );
  }
}

/** Returns what a viewer is allowed to do in a namespace. */
export async function allowedIn(viewer: Viewer, namespace: string): Promise<Permissions> {
  if (viewer.session.readOnly) return { change: false, remove: false, changeSchedules: false, forward: false };
  const [change, mayRemove, changeSchedules, forward] = await Promise.all(
    [PATCH_APPLICATION, DELETE_APPLICATION, PATCH_SCHEDULE, FORWARD_PORT].map((right) => viewer.may({ ...right, namespace })),
  );
  return { change: change!, remove: mayRemove!, changeSchedules: changeSchedules!, forward: forward! };
}
