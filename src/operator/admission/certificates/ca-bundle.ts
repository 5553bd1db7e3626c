import type { JsonPatchOperation, KubeClient } from '../../../kube/client';
import { isConflict, isInvalid, isNotFound } from '../../../kube/errors';
import type { Resource } from '../../../kube/resource';
import type { WebhookConfiguration } from '../../../model/kubernetes-objects';

/** A configuration of webhooks by its kind and name; it has no namespace. */
export interface ConfigurationRef {
  readonly resource: Resource<WebhookConfiguration>;
  readonly name: string;
}

/** A configuration as it was read; `undefined`: there is none, so that nobody calls by it. */
export interface ReadConfiguration {
  readonly ref: ConfigurationRef;
  readonly object: WebhookConfiguration | undefined;
}

/** Reads a configuration. */
export async function readConfiguration(client: Pick<KubeClient, 'get'>, ref: ConfigurationRef, signal: AbortSignal): Promise<ReadConfiguration> {
  try {
    return { ref, object: await client.get(ref.resource, { name: ref.name }, { signal }) };
  } catch (error) {
    if (isNotFound(error)) return { ref, object: undefined };
    throw error;
  }
}

/** Whether API servers that know a configuration trust a CA in each of its webhooks. `authority`: its PEM text. */
export function trusts({ object }: ReadConfiguration, authority: string): boolean {
  return (object?.webhooks ?? []).every(({ clientConfig: { caBundle } }) => caBundle !== undefined && Buffer.from(caBundle, 'base64').toString().includes(authority));
}

/**
 * Puts a bundle into all webhooks of a configuration, and changes nothing else.
 *
 * The patch holds for the version that was read, and for no other: a bundle that somebody has put there since is newer than what we know.
 *
 * @returns whether it did not have it
 * @throws errors of which `isOutdated` says whether the configuration has changed since
 */
export async function putBundle(
  client: Pick<KubeClient, 'patch'>, { ref: { resource, name }, object }: ReadConfiguration, bundle: string, signal: AbortSignal,
): Promise<boolean> {
  const body = bundlePatch(object, bundle);
  if (body.length > 0) await client.patch(resource, { name }, { type: 'json', body }, { signal });
  return body.length > 0;
}

/**
 * Whether an error may say that the object is not what it was when it was read: 422 for a test that does not hold, 409 for a write in between. A 422 is also the answer
 * to a configuration, or a bundle, that the API server does not take, so that only `hasChanged` tells.
 */
export function isOutdated(error: unknown): boolean {
  return isConflict(error) || isInvalid(error) || isNotFound(error);
}

/** Whether a configuration is another one than what was read; not if it cannot be read. */
export async function hasChanged(client: Pick<KubeClient, 'get'>, { ref, object }: ReadConfiguration, signal: AbortSignal): Promise<boolean> {
  const now = await readConfiguration(client, ref, signal).catch(() => undefined);
  return now !== undefined && now.object?.metadata.resourceVersion !== object?.metadata.resourceVersion;
}

function bundlePatch(object: WebhookConfiguration | undefined, bundle: string): JsonPatchOperation[] {
  const caBundle = Buffer.from(bundle).toString('base64');
  const changes = (object?.webhooks ?? []).flatMap(({ clientConfig }, index): JsonPatchOperation[] => (
    clientConfig.caBundle === caBundle ? [] : [{ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }]
  ));
  return changes.length === 0 ? [] : [{ op: 'test', path: '/metadata/resourceVersion', value: object!.metadata.resourceVersion }, ...changes];
}
