import { isDeepStrictEqual } from 'node:util';
import { resourceOf } from './kinds';
import { adopted, FIELD_MANAGER, installationOf, labelled } from './labels';
import { readIfThere } from './wait';
import type { KubeClient } from '../../kube/client';
import { ApiError, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** Effect of applying an object. */
export type Outcome = 'created' | 'changed' | 'unchanged';

/** Result of applying an object, or of its dry run. */
export interface Applied {
  readonly outcome: Outcome;
  /** Reason why uninstalling keeps the object, for messages; undefined if it removes it. */
  readonly stays?: string;
}

/** Result of an object's dry run. */
export type DryRunResult =
  | Applied & { readonly object: KubeObject }
  /**
   * The object cannot be validated yet, as its namespace does not exist before the installation.
   */
  | { readonly object: KubeObject; readonly outcome: 'created'; readonly isUnchecked: true }
  | { readonly object: KubeObject; readonly refusal: ApiError };

/** Options of applying objects. */
export interface ApplyOptions {
  /** Namespace of the operator that the objects belong to. */
  readonly installation: string;
  /** Whether the server only validates the objects. */
  readonly dryRun: boolean;
  /** Whether to take over fields of other managers. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Methods of the client that applying needs. */
export type ApplyClient = Pick<KubeClient, 'get' | 'patch'>;

/**
 * Applies an object by server-side apply.
 *
 * @throws {ApiError} if the server rejects it
 */
export async function applyObject(
  client: ApplyClient, object: KubeObject, { installation, dryRun, force, signal }: ApplyOptions,
): Promise<Applied> {
  const resource = resourceOf(object);
  const { namespace, name } = object.metadata;
  const before = await readIfThere(client, resource, { namespace, name }, signal);
  const { body, stays } = withOwner(object, before, installation);
  const after = await client.patch(
    resource, { namespace, name }, { type: 'apply', body, fieldManager: FIELD_MANAGER, force }, { dryRun, signal },
  );
  if (!before) return { outcome: 'created' };
  const isUnchanged = isDeepStrictEqual(comparable(before), comparable(after)) || isUntouched(before, after);
  return { outcome: isUnchanged ? 'unchanged' : 'changed', ...(stays !== undefined && { stays }) };
}

/**
 * Whether our apply changed nothing, although another writer changed the object between our two
 * calls. The API server writes the time of our entry only if we change the object
 * (apimachinery: managedfields/internal/managedfieldsupdater.go).
 */
function isUntouched(before: KubeObject, after: KubeObject): boolean {
  const [entry, current] = [before, after].map(({ metadata }) => (
    (metadata as { readonly managedFields?: readonly { readonly manager?: string; readonly operation?: string }[] }).managedFields
      ?.find(({ manager, operation }) => manager === FIELD_MANAGER && operation === 'Apply')));
  return entry !== undefined && isDeepStrictEqual(entry, current);
}

/**
 * Validates all objects by dry runs before the first change, so that a rejected object does not
 * leave a partial installation.
 *
 * @returns results in the order of the objects
 */
export async function preflight(
  client: ApplyClient, objects: readonly KubeObject[], options: Omit<ApplyOptions, 'dryRun'>,
): Promise<DryRunResult[]> {
  const newNamespaces = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  return Promise.all(objects.map(async (object): Promise<DryRunResult> => {
    try {
      return { object, ...await applyObject(client, object, { ...options, dryRun: true }) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { namespace } = object.metadata;
      return isNotFound(error) && namespace !== undefined && newNamespaces.has(namespace) && !isUnknownKind(error)
        ? { object, outcome: 'created', isUnchecked: true }
        : { object, refusal: error };
    }
  }));
}

/**
 * Returns whether the API server does not know the kind of an object. A missing namespace also has
 * the status 404.
 */
export function isUnknownKind({ status, serverMessage }: ApiError): boolean {
  return status === 404 && serverMessage.includes('could not find the requested resource');
}

/**
 * Adds the ownership labels. Uninstalling keeps CRDs, which all operators of a cluster share, and
 * objects that existed before.
 */
function withOwner(
  object: KubeObject, before: KubeObject | undefined, installation: string,
): { readonly body: KubeObject; readonly stays?: string } {
  if (object.kind === 'CustomResourceDefinition') return { body: object };
  const owner = before === undefined ? installation : installationOf(before);
  if (owner === installation) return { body: labelled(object, installation) };
  if (owner === undefined) return { body: adopted(object, installation), stays: 'it existed before; `sparkctl uninstall` keeps it' };
  // Server-side apply would remove a label that is missing from the new manifest.
  return { body: labelled(object, owner), stays: `it belongs to the operator in the namespace ${owner}, and is removed with that one` };
}

/** Returns an object without the fields that the API server and controllers write. */
function comparable(
  { metadata, ...object }: KubeObject & { readonly status?: unknown; readonly metadata: { readonly managedFields?: unknown } },
): object {
  const { resourceVersion: _, generation: __, managedFields: ___, creationTimestamp: ____, uid: _____, ...others } = metadata;
  const { status: ______, ...rest } = object;
  return { ...rest, metadata: others };
}
