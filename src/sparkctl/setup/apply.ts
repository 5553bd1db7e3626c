import { isDeepStrictEqual } from 'node:util';
import { resourceOf } from './kinds';
import { adopted, FIELD_MANAGER, installationOf, labelled } from './labels';
import { readIfThere } from './wait';
import type { KubeClient } from '../../kube/client';
import { ApiError, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** What becomes of an object that is applied. */
export type Outcome = 'created' | 'changed' | 'unchanged';

/** What has become of an object that is applied, or would. */
export interface Applied {
  readonly outcome: Outcome;
  /** Why an uninstallation leaves it, for people; undefined if it does not. */
  readonly stays?: string;
}

/** What would become of an object. */
export type Foreseen =
  | Applied & { readonly object: KubeObject }
  /** It cannot be known yet: its namespace is only about to be created. */
  | { readonly object: KubeObject; readonly outcome: 'created'; readonly isUnchecked: true }
  | { readonly object: KubeObject; readonly refusal: ApiError };

/** How objects are applied. */
export interface ApplyOptions {
  /** The namespace of the operator that they belong to. */
  readonly installation: string;
  /** Nothing is kept. */
  readonly dryRun: boolean;
  /** Fields that others manage are taken over. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** What applying needs of the client. */
export type ApplyClient = Pick<KubeClient, 'get' | 'patch'>;

/**
 * Applies an object on the side of the server.
 *
 * @throws {ApiError} if it is refused
 */
export async function applyObject(client: ApplyClient, object: KubeObject, { installation, dryRun, force, signal }: ApplyOptions): Promise<Applied> {
  const resource = resourceOf(object);
  const { namespace, name } = object.metadata;
  const before = await readIfThere(client, resource, { namespace, name }, signal);
  const { body, stays } = claimed(object, before, installation);
  const after = await client.patch(resource, { namespace, name }, { type: 'apply', body, fieldManager: FIELD_MANAGER, force }, { dryRun, signal });
  if (!before) return { outcome: 'created' };
  return { outcome: isDeepStrictEqual(comparable(before), comparable(after)) ? 'unchanged' : 'changed', ...(stays !== undefined && { stays }) };
}

/**
 * Asks the server what would become of objects, all at once: so nothing is done by halves.
 *
 * @returns in the order of the objects
 */
export async function preflight(client: ApplyClient, objects: readonly KubeObject[], options: Omit<ApplyOptions, 'dryRun'>): Promise<Foreseen[]> {
  const toCome = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  return Promise.all(objects.map(async (object): Promise<Foreseen> => {
    try {
      return { object, ...await applyObject(client, object, { ...options, dryRun: true }) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { namespace } = object.metadata;
      return isNotFound(error) && namespace !== undefined && toCome.has(namespace) && !isUnknownKind(error) ? { object, outcome: 'created', isUnchecked: true } : { object, refusal: error };
    }
  }));
}

/** Whether the API server does not know the kind of an object, as opposed to the namespace. */
export function isUnknownKind({ status, serverMessage }: ApiError): boolean {
  return status === 404 && serverMessage.includes('could not find the requested resource');
}

/** CRDs are shared by all operators of a cluster, and what was there before is somebody's: an uninstallation leaves them. */
function claimed(object: KubeObject, before: KubeObject | undefined, installation: string): { readonly body: KubeObject; readonly stays?: string } {
  if (object.kind === 'CustomResourceDefinition') return { body: object };
  const owner = before === undefined ? installation : installationOf(before);
  if (owner === installation) return { body: labelled(object, installation) };
  if (owner === undefined) return { body: adopted(object, installation), stays: 'it was there before; `sparkctl uninstall` leaves it' };
  // A label that is not said again would be taken away.
  return { body: labelled(object, owner), stays: `it was installed for the operator in the namespace ${owner}, and goes with that` };
}

/** An object without what the API server and controllers write. */
function comparable({ metadata, ...object }: KubeObject & { readonly status?: unknown; readonly metadata: { readonly managedFields?: unknown } }): object {
  const { resourceVersion: _, generation: __, managedFields: ___, creationTimestamp: ____, uid: _____, ...others } = metadata;
  const { status: ______, ...rest } = object;
  return { ...rest, metadata: others };
}
