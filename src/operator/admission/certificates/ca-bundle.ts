import type { JsonPatchOperation, KubeClient } from '../../../kube/client';
import { isConflict, isInvalid, isNotFound } from '../../../kube/errors';
import type { Resource } from '../../../kube/resource';
import type { WebhookConfiguration } from '../../../model/kubernetes-objects';

/** A webhook configuration by its kind and name. It has no namespace. */
export interface ConfigurationRef {
  readonly resource: Resource<WebhookConfiguration>;
  readonly name: string;
}

/**
 * A configuration as it was read. `undefined` means that it does not exist, so no API server calls
 * the webhook through it.
 */
export interface ReadConfiguration {
  readonly ref: ConfigurationRef;
  readonly object: WebhookConfiguration | undefined;
}

/** Reads a configuration. */
export async function readConfiguration(
  client: Pick<KubeClient, 'get'>, ref: ConfigurationRef, signal: AbortSignal,
): Promise<ReadConfiguration> {
  try {
    return { ref, object: await client.get(ref.resource, { name: ref.name }, { signal }) };
  } catch (error) {
    if (isNotFound(error)) return { ref, object: undefined };
    throw error;
  }
}

/** Whether all webhooks of a configuration trust a CA. `authority` is its PEM text. */
export function trusts({ object }: ReadConfiguration, authority: string): boolean {
  return (object?.webhooks ?? []).every(({ clientConfig: { caBundle } }) => caBundle !== undefined
    && Buffer.from(caBundle, 'base64').toString().includes(authority));
}

/**
 * Puts a bundle into all webhooks of a configuration, and changes nothing else.
 *
 * The patch applies only to the version that was read. A bundle that another client has written
 * since is newer than ours.
 *
 * @returns whether the configuration lacked the bundle
 * @throws an error; `isOutdated` returns whether a changed configuration can be its cause
 */
export async function putBundle(
  client: Pick<KubeClient, 'patch'>, { ref: { resource, name }, object }: ReadConfiguration, bundle: string, signal: AbortSignal,
): Promise<boolean> {
  const body = bundlePatch(object, bundle);
  if (body.length > 0) await client.patch(resource, { name }, { type: 'json', body }, { signal });
  return body.length > 0;
}

/**
 * Whether an error can mean that the object has changed since it was read. The API server returns
 * 422 for a failed test of the patch, and 409 for a concurrent write. It also returns 422 if it
 * rejects the configuration or the bundle, so only `hasChanged` is conclusive.
 */
export function isOutdated(error: unknown): boolean {
  return isConflict(error) || isInvalid(error) || isNotFound(error);
}

/** Whether a configuration has changed since it was read; false if it cannot be read. */
export async function hasChanged(
  client: Pick<KubeClient, 'get'>, { ref, object }: ReadConfiguration, signal: AbortSignal,
): Promise<boolean> {
  const now = await readConfiguration(client, ref, signal).catch(() => undefined);
  return now !== undefined && now.object?.metadata.resourceVersion !== object?.metadata.resourceVersion;
}

function bundlePatch(object: WebhookConfiguration | undefined, bundle: string): JsonPatchOperation[] {
  const caBundle = Buffer.from(bundle).toString('base64');
  const changes = (object?.webhooks ?? []).flatMap(({ clientConfig }, index): JsonPatchOperation[] => (
    clientConfig.caBundle === caBundle ? [] : [{ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }]
  ));
  return changes.length === 0 ? [] : [
    { op: 'test', path: '/metadata/resourceVersion', value: object!.metadata.resourceVersion }, ...changes,
  ];
}
