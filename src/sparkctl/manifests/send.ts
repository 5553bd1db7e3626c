import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../cluster';
import { KINDS } from '../target';
import { ApiError, isAlreadyExists, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
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
  const object = await client.patch<KubeObject>(resource, body.metadata, { type: 'apply', body, fieldManager: FIELD_MANAGER, force }, { dryRun, signal });
  const change = before === undefined ? 'created' : isSame(before, object) ? 'unchanged' : 'configured';
  return { object, change };
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
