import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../cluster';
import { KINDS } from '../target';
import type { KubeClient } from '../../kube/client';
import { ApiError, isAlreadyExists, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import type { KnownManifest } from './checked';

/** Under this name the API server keeps which fields of an object are ours. */
export const FIELD_MANAGER = 'sparkctl';

/** What an application of a manifest has done. */
export type Change = 'created' | 'configured' | 'unchanged';

/** How a manifest is applied. */
export interface ApplyOptions {
  /** Whether the server only says what it would do. */
  readonly dryRun: boolean;
  /** Whether fields that others have set become ours. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Whether an object stands in a namespace other than the one that the command line names. */
export function isElsewhere({ object }: Pick<KnownManifest, 'object'>, namespace: string | undefined): boolean {
  const own = (object.metadata as { readonly namespace?: string | null } | undefined)?.namespace;
  return namespace !== undefined && own !== undefined && own !== null && own !== namespace;
}

/** What only the server writes of metadata. */
const OF_SERVER: readonly string[] = ['managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation', 'selfLink'];

/** An object that is about to be sent. */
export type SentObject = KubeObject & { readonly metadata: { readonly namespace: string } };

/** The object as it is sent: in its namespace, and without what only the server writes. */
export function sentObject({ object }: Pick<KnownManifest, 'object'>, namespace: string): SentObject {
  const { status: _, metadata, ...rest } = object;
  const kept = Object.fromEntries(Object.entries(metadata as Record<string, unknown>).filter(([name]) => !OF_SERVER.includes(name)));
  return { ...rest, metadata: { ...kept, namespace: kept.namespace || namespace } } as unknown as SentObject;
}

/**
 * Makes the cluster's object what the manifest says, by server-side apply: fields that the manifest does not have stay with whom they belong to.
 *
 * @throws {ApiError} as the server refuses it: a conflict if fields are somebody else's
 */
export async function applied(
  manifest: KnownManifest, { client, namespace }: Cluster, { dryRun, force, signal }: ApplyOptions,
): Promise<{ readonly object: KubeObject; readonly change: Change }> {
  const resource = KINDS[manifest.kind];
  const body = sentObject(manifest, namespace);
  const before = await client.get<KubeObject>(resource, body.metadata, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const creation = before === undefined ? -1 : creationIn(before);
  if (creation >= 0 && !dryRun) await takeOverCreation(client, resource, before!, creation, signal);
  // A dry run cannot take over first: it would report our own fields as a conflict.
  const object = await client.patch<KubeObject>(resource, body.metadata, { type: 'apply', body, fieldManager: FIELD_MANAGER, force: force || (dryRun && creation >= 0) }, { dryRun, signal });
  const change = before === undefined ? 'created' : isSame(before, object) ? 'unchanged' : 'configured';
  return { object, change };
}

/** An entry of `metadata.managedFields`; only the parts that are read. */
interface ManagedFields {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: string;
  /** The managed fields, as a tree of names with `f:` before each; `.` marks the manager that wrote the object that has them. */
  readonly fieldsV1?: { readonly 'f:spec'?: { readonly '.'?: object; readonly 'f:suspend'?: object } };
}

function managedFieldsOf({ metadata }: KubeObject): readonly ManagedFields[] {
  return (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}

/** Position of the entry that `sparkctl create` wrote; -1 if there is none. The API server names a manager that names none by its `User-Agent`. */
function creationIn(object: KubeObject): number {
  return managedFieldsOf(object).findIndex(({ manager, operation, subresource, fieldsV1 }) => manager === FIELD_MANAGER && operation === 'Update' && !subresource && fieldsV1?.['f:spec']?.['.']);
}

/**
 * Records the fields that `sparkctl create` wrote as applied, as `kubectl apply --server-side` does for `kubectl apply`. To the API server, creating and applying
 * are two managers: edited fields would conflict, and removed ones would stay. `suspend` can be of a later `sparkctl suspend` and gets no manager, so that applying
 * a manifest without it resumes nothing.
 *
 * @throws {ApiError} 422 if the entry has changed meanwhile
 */
async function takeOverCreation(client: KubeClient, resource: Resource, object: KubeObject, index: number, signal: AbortSignal): Promise<void> {
  const path = `/metadata/managedFields/${index}`;
  const entry = managedFieldsOf(object)[index]!;
  const { 'f:suspend': _, ...spec } = entry.fieldsV1!['f:spec']!;
  const value = { ...entry, operation: 'Apply', fieldsV1: { ...entry.fieldsV1, 'f:spec': spec } };
  await client.patch(resource, object.metadata, { type: 'json', body: [{ op: 'test', path, value: entry }, { op: 'replace', path, value }] }, { signal });
}

/** A dry run does not change the version of an object, so that it is compared itself. Who manages which field may change all the same. */
function isSame(before: KubeObject, after: KubeObject): boolean {
  return isDeepStrictEqual(userPart(before), userPart(after));
}

function userPart({ metadata: { labels, annotations, finalizers, ownerReferences }, ...rest }: KubeObject): object {
  const { status: _, ...own } = rest as KubeObject & { readonly status?: unknown };
  return { ...own, labels, annotations, finalizers, ownerReferences };
}

/** Answers that say nothing about what was sent. */
const NO_VERDICT: readonly number[] = [401, 429, 503, 504];

/**
 * Why the cluster would not take a manifest, now and with its webhooks; undefined if it would.
 *
 * @throws {ApiError | NetworkError} if it has not said so
 */
export async function refusal(manifest: KnownManifest, { client, namespace }: Cluster, signal: AbortSignal): Promise<ApiError | undefined> {
  const resource = KINDS[manifest.kind];
  const body = sentObject(manifest, namespace);
  try {
    await client.create<KubeObject>(resource, body, { dryRun: true, signal }).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      await client.patch<KubeObject>(resource, body.metadata, { type: 'apply', body, fieldManager: FIELD_MANAGER, force: true }, { dryRun: true, signal });
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && !NO_VERDICT.includes(error.status)) return error;
    throw error;
  }
}
