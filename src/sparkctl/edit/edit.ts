import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '../../kube/client';
import { ApiError } from '../../kube/errors';
import { apiVersionOf } from '../../kube/resource';
import { merge } from '../../model/actions/actions';
import { mergePatchOf } from '../../model/merge-patch';
import { yamlText } from '../../text/yaml';
import { rejectDeletion } from '../action/deletion';
import { CommandError, Interrupted, nothingChanged } from '../errors';
import { titleOf } from '../output/title';
import { userPartOf } from '../output/user-part';
import { problemText } from '../problem';
import type { Target } from '../target';
import { commentOf, editedObject, messagesOf, withoutComment } from './text';

/** Field manager of changed fields: `sparkctl apply` reports a conflict with them. */
const FIELD_MANAGER = 'sparkctl-edit';

/** Status codes of answers about the object, which another edit can avoid. */
const CORRECTABLE: readonly number[] = [400, 403, 409, 413, 422];

/** Dependencies of editing. */
export interface EditDependencies {
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  /** Opens a file in an editor, and resolves at its end. */
  readonly open: (path: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Lets the user edit an object. While the text has errors, or the cluster rejects it, the editor
 * opens again with the reasons as a comment on top.
 *
 * @returns whether something was changed
 * @throws {CommandError} if the user gives up after an error, or the editor fails. Like after each
 * other error, a changed text stays in a file, which the message names
 */
export async function editObject({ resource, ref, kind }: Target, { client, open, signal }: EditDependencies): Promise<boolean> {
  const object = await client.get(resource, ref, { signal });
  rejectDeletion(object);
  const { metadata, ...rest } = object;
  const original = userPartOf({ ...rest, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata });
  const send = (patch: object) => merge(client, resource, { ...ref, uid: metadata.uid }, patch, { fieldManager: FIELD_MANAGER, signal });
  // Only the user can read the folder.
  const folder = await mkdtemp(join(tmpdir(), 'sparkctl-edit-'));
  const path = join(folder, `${ref.name}.yaml`);
  const unchanged = yamlText(original);
  let text = unchanged;
  let problems: readonly string[] = [];
  let isKept = false;
  try {
    for (;;) {
      await writeFile(path, `${commentOf(titleOf(original), problems)}${text}`, { mode: 0o600 });
      await open(path);
      signal.throwIfAborted();
      const edited = withoutComment(await readFile(path, 'utf8'));
      if (edited.trim() === '' || edited === unchanged) return false;
      if (edited === text) throw nothingChanged(problems);
      text = edited;
      const outcome = await sentOrProblems(text);
      if (typeof outcome === 'boolean') return outcome;
      problems = outcome;
    }
  } catch (error) {
    // The editor might have removed the file.
    isKept = withoutComment(await readFile(path, 'utf8').catch(() => unchanged)) !== unchanged;
    throw isKept ? withPlace(error, path, signal) : error;
  } finally {
    if (!isKept) await rm(folder, { recursive: true });
  }

  /** Sends an edited text. @returns whether it has changes, or the reasons to edit it again */
  async function sentOrProblems(edited: string): Promise<boolean | readonly string[]> {
    const read = await editedObject(edited, original, kind);
    if ('problems' in read) return messagesOf(titleOf(original), read.problems);
    const patch = mergePatchOf(original, userPartOf(read.object));
    if (patch === undefined) return false;
    try {
      await send(patch);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || !CORRECTABLE.includes(error.status)) throw error;
      return [problemText(error)!];
    }
  }
}

/** Adds the file with the edited text to an error. */
function withPlace(error: unknown, path: string, signal: AbortSignal): unknown {
  if (signal.aborted) return new Interrupted(`nothing was changed; the edited text is in ${path}`);
  const problem = problemText(error);
  return problem === undefined ? error : new CommandError(`${problem}\nThe edited text is in ${path}`);
}
