import { HttpError } from './http';
import { DELETE_APPLICATION, FORWARD_PORT, PATCH_APPLICATION, PATCH_SCHEDULE, type Viewer } from './viewer';
import { remove, rerun, resume, resumeSchedule, runNow, suspend, suspendSchedule, type ObjectRef } from '../../model/actions/actions';
import type { KubeClient } from '../../kube/client';
import { isConflict } from '../../kube/errors';
import type { Allowed } from '../wire';

type Action = (client: KubeClient, ref: ObjectRef, at: Date) => Promise<unknown>;

/** What can be done, by what it is done to. */
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
 * Does something to an application or a schedule.
 *
 * @param ref with the uid of what the user has looked at: another object of its name is not meant
 * @throws {HttpError} 403 where nothing can be changed, 404 for what there is not, 409 if another object has the name by now
 */
export async function act(client: KubeClient, viewer: Viewer, kind: string, ref: ObjectRef, name: string, at: Date): Promise<void> {
  if (viewer.session.readOnly) throw new HttpError(403, 'this console only shows; change things with sparkctl or kubectl');
  const actions = Object.hasOwn(ACTIONS, kind) ? ACTIONS[kind]! : {};
  if (!Object.hasOwn(actions, name)) throw new HttpError(404, `${kind} have no action ${name}`);
  try {
    await actions[name]!(client, ref, at);
  } catch (error) {
    if (ref.uid === undefined || !isConflict(error)) throw error;
    throw new HttpError(409, `nothing was done: ${ref.name} was deleted in the meantime, and another object has its name; look at that one first`);
  }
}

/** What a viewer may do in a namespace. */
export async function allowedIn(viewer: Viewer, namespace: string): Promise<Allowed> {
  if (viewer.session.readOnly) return { change: false, remove: false, changeSchedules: false, forward: false };
  const [change, mayRemove, changeSchedules, forward] = await Promise.all(
    [PATCH_APPLICATION, DELETE_APPLICATION, PATCH_SCHEDULE, FORWARD_PORT].map((right) => viewer.may({ ...right, namespace })),
  );
  return { change: change!, remove: mayRemove!, changeSchedules: changeSchedules!, forward: forward! };
}
