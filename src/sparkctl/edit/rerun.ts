import { SPARK_APPLICATION } from '../../api/spark-application';
import { apiVersionOf } from '../../api/kind';
import type { KubeClient } from '../../kube/client';
import { rerun, type NamespacedRef } from '../../model/actions/actions';
import { mergePatchOf } from '../../model/merge-patch';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { specSchema } from '../../rules/schemas';
import { printable } from '../../text/printable';
import { rejectDeletion } from '../action/deletion';
import { overridden, type Override } from '../create/override';
import { nothingChanged } from '../errors';
import { findingsOf } from '../manifests/findings';
import { changeLines } from './changes';

/** Changes of a specification for a run and those after it. */
export interface RunChanges {
  /** Arguments of the program, in place of all current ones. @default - unchanged */
  readonly args?: readonly string[];
  readonly overrides: readonly Override[];
}

/** Manager of the changed fields: `sparkctl apply` reports a conflict with them. */
const FIELD_MANAGER = 'sparkctl-rerun';

/**
 * Changes the specification of an application, and runs it again.
 *
 * @returns the application, and a line for each changed field
 * @throws {CommandError} if the result is invalid; nothing was changed then
 */
export async function rerunWithChanges(
  client: KubeClient, ref: NamespacedRef, at: Date, { args, overrides }: RunChanges, signal: AbortSignal,
): Promise<{ readonly application: WholeApplication; readonly lines: readonly string[] }> {
  const object = await client.get(SPARK_APPLICATIONS, ref, { signal });
  rejectDeletion(object);
  const { metadata, spec } = object;
  const changed = {
    ...overridden(spec, overrides, specSchema(SPARK_APPLICATION)) as WholeApplication['spec'], ...(args && { arguments: [...args] }),
  };
  const errorsOf = (each: object) => findingsOf({
    apiVersion: apiVersionOf(SPARK_APPLICATION), kind: SPARK_APPLICATION.kind, metadata, spec: each,
  }, 'application').filter(({ severity }) => severity === 'error').map(({ message }) => message);
  // The user does not change what was wrong before.
  const before = new Set(errorsOf(spec));
  const errors = errorsOf(changed).filter((message) => !before.has(message));
  if (errors.length > 0) throw nothingChanged(errors);
  const options = { fieldManager: FIELD_MANAGER, signal };
  const application = await rerun(client, { ...ref, uid: metadata.uid }, at, options, mergePatchOf(spec, changed));
  return { application, lines: changeLines(spec, changed, 'spec').map(printable) };
}
