import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../cluster';
import { fieldConflicts } from '../conflicts';
import { KINDS } from '../target';
import type { KubeClient } from '../../kube/client';
import { ApiError, isAlreadyExists, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { ANNOTATION_RERUN_AT } from '../../model/actions/annotations';
import { asStored } from '../../rules/stored';
import { schemaOfKind } from '../../rules/schemas';
import type { KnownManifest } from './checked';
import { treeOf, withoutDropped, withoutField, type FieldTree } from './dropped-fields';
import { definitionOf } from './kinds';

/** Field manager of sparkctl. */
export const FIELD_MANAGER = 'sparkctl';

/** Effect of applying a manifest. */
export type Change = 'created' | 'configured' | 'unchanged';

/** Options of applying a manifest. */
export interface ApplyOptions {
  /** Whether the server only validates the change and reports its result. */
  readonly dryRun: boolean;
  /** Whether to take over fields of other managers. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Fields of metadata that only the server writes. */
const SERVER_FIELDS: readonly string[] = ['managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation', 'selfLink'];

/** Object with a namespace. */
export type SentObject = KubeObject & { readonly metadata: { readonly namespace: string } };

/**
 * Returns the object for a request: with its namespace, and without fields that only the server
 * writes.
 */
export function sentObject(manifest: Pick<KnownManifest, 'object'>, namespace: string): SentObject {
  return printedObject(manifest, namespace) as SentObject;
}

/**
 * Returns the same object for a dry run without a cluster, where only the file or the command line
 * name a namespace.
 */
export function printedObject({ object }: Pick<KnownManifest, 'object'>, namespace: string | undefined): KubeObject {
  const { status: _, apiVersion, kind, metadata, ...rest } = object;
  const kept = Object.fromEntries(Object.entries(metadata as Record<string, unknown>).filter(([name]) => !SERVER_FIELDS.includes(name)));
  const own = kept.namespace || namespace;
  return { apiVersion, kind, metadata: { ...kept, ...(own !== undefined && { namespace: own }) }, ...rest } as unknown as KubeObject;
}

/**
 * Applies a manifest by server-side apply. Fields that the manifest does not contain stay with
 * their managers.
 *
 * @returns the object before, which is undefined if there was none, and after the change
 * @throws {ApiError} if the server rejects it, such as a conflict with another manager of a field
 */
export async function applied(
  manifest: KnownManifest, { client, namespace }: Cluster, { dryRun, force, signal }: ApplyOptions,
): Promise<{ readonly before?: KubeObject; readonly object: KubeObject; readonly change: Change }> {
  const resource = KINDS[manifest.kind];
  const body = sentObject(manifest, namespace);
  const before = await client.get<KubeObject>(resource, body.metadata, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const creation = before === undefined ? -1 : creationIn(before);
  if (creation >= 0 && !dryRun) await takeOverCreation(client, resource, before!, creation, signal);
  const send = (isForced: boolean) => client.patch<KubeObject>(
    resource, body.metadata, { type: 'apply', body, fieldManager: FIELD_MANAGER, force: isForced }, { dryRun, signal },
  );
  // A dry run cannot take over first: it reports our own fields as a conflict, and keeps those that
  // the manifest does not contain any more.
  const patched = await send(force).catch((error: unknown) => {
    const others = dryRun && creation >= 0 ? withoutOwnFields(error) : error;
    if (others !== undefined) throw others;
    return send(true);
  });
  const object = dryRun && creation >= 0 ? withoutCreated(patched, before!, creation, manifest) : patched;
  const change = before === undefined ? 'created' : isSame(before, object) ? 'unchanged' : 'configured';
  return { before, object, change };
}

/** Returns an error without the conflicts with our own fields; undefined if it has no others. */
function withoutOwnFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const own = fieldConflicts(error).filter(({ manager }) => manager === FIELD_MANAGER).map(({ field }) => field);
  if (own.length === 0) return error;
  const causes = error.details!.causes!.filter(({ field = '' }) => !own.includes(field.replace(/^\./, '')));
  if (causes.length === 0) return undefined;
  const { call, status, reason, serverMessage: message, details } = error;
  return new ApiError(call, status, { reason, message, details: { ...details, causes } });
}

/** An entry of `metadata.managedFields`; only the parts that are read. */
interface ManagedFields {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: string;
  /**
   * The managed fields, as a tree of names with `f:` before each; `.` marks the manager that wrote
   * the object that has them.
   */
  readonly fieldsV1?: FieldTree & { readonly 'f:spec'?: FieldTree & { readonly '.'?: object } };
}

function managedFieldsOf({ metadata }: KubeObject): readonly ManagedFields[] {
  return (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}

/**
 * Position of the entry that `sparkctl create` wrote; -1 if there is none. The API server names a
 * manager that names none by its `User-Agent`.
 */
function creationIn(object: KubeObject): number {
  return managedFieldsOf(object).findIndex(({ manager, operation, subresource, fieldsV1 }) => (
    manager === FIELD_MANAGER && operation === 'Update' && !subresource && fieldsV1?.['f:spec']?.['.']
  ));
}

/**
 * Fields that `sparkctl suspend` and `sparkctl rerun` write, as the manager of `sparkctl create`.
 * Applying a manifest without them must neither resume an application nor stop its rerun.
 */
const ACTION_FIELDS: readonly (readonly string[])[] = [
  ['f:spec', 'f:suspend'], ['f:spec', 'f:driver', 'f:annotations', `f:${ANNOTATION_RERUN_AT}`],
];

/**
 * Returns the fields that `sparkctl create` wrote, without those that later commands can have
 * written.
 */
function createdFields({ fieldsV1 }: ManagedFields): FieldTree {
  return ACTION_FIELDS.reduce<FieldTree>(withoutField, fieldsV1!);
}

/**
 * Records the fields that `sparkctl create` wrote as applied, as `kubectl apply --server-side` does
 * for `kubectl apply`. To the API server, creating and applying are two managers: edited fields
 * would conflict, and removed ones would stay. Fields of actions get no manager.
 *
 * @throws {ApiError} 422 if the entry has changed meanwhile
 */
async function takeOverCreation(
  client: KubeClient, resource: Resource, object: KubeObject, index: number, signal: AbortSignal,
): Promise<void> {
  const path = `/metadata/managedFields/${index}`;
  const entry = managedFieldsOf(object)[index]!;
  const value = { ...entry, operation: 'Apply', fieldsV1: createdFields(entry) };
  await client.patch(resource, object.metadata, {
    type: 'json', body: [{ op: 'test', path, value: entry }, { op: 'replace', path, value }],
  }, { signal });
}

/**
 * Returns the result of a dry run without the fields that `sparkctl create` wrote and the manifest
 * does not contain: `applied` would remove them after it has taken them over.
 */
function withoutCreated(patched: KubeObject, before: KubeObject, index: number, { kind, object }: KnownManifest): KubeObject {
  const entries = managedFieldsOf(before);
  const others = entries.flatMap(({ fieldsV1 }, position) => (position === index || !fieldsV1 ? [] : [fieldsV1]));
  const written = entries[index]!.fieldsV1!;
  const ofActions = ACTION_FIELDS.filter((path) => withoutField(written, path) !== written).map(treeOf);
  const kept = withoutDropped(patched, object, createdFields(entries[index]!), [...others, ...ofActions]);
  return asStored(schemaOfKind(definitionOf(kind)), kept) as KubeObject;
}

/**
 * Returns whether two versions of an object are equal for users. A dry run does not change the
 * resourceVersion, so the objects are compared; their managed fields can differ.
 */
function isSame(before: KubeObject, after: KubeObject): boolean {
  return isDeepStrictEqual(userPart(before), userPart(after));
}

function userPart({ metadata: { labels, annotations, finalizers, ownerReferences }, ...rest }: KubeObject): object {
  const { status: _, ...own } = rest as KubeObject & { readonly status?: unknown };
  return { ...own, labels, annotations, finalizers, ownerReferences };
}

/** Status codes that do not depend on the object that was sent. */
const UNRELATED_STATUS: readonly number[] = [401, 429, 503, 504];

/**
 * Asks the cluster, with its webhooks, to validate a manifest by a dry run; undefined if it would
 * accept it.
 *
 * @throws {ApiError | NetworkError} if the answer does not depend on the manifest
 */
export async function refusal(manifest: KnownManifest, { client, namespace }: Cluster, signal: AbortSignal): Promise<ApiError | undefined> {
  const resource = KINDS[manifest.kind];
  const body = sentObject(manifest, namespace);
  try {
    await client.create<KubeObject>(resource, body, { dryRun: true, signal }).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      await client.patch<KubeObject>(
        resource, body.metadata, { type: 'apply', body, fieldManager: FIELD_MANAGER, force: true }, { dryRun: true, signal },
      );
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && !UNRELATED_STATUS.includes(error.status)) return error;
    throw error;
  }
}
