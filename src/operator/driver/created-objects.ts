import { all, remove, type Deleter } from './objects';
import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { CONFIG_MAPS, NETWORK_POLICIES, PERSISTENT_VOLUME_CLAIMS, SERVICES } from '../../model/resources';
import type { ServerResource } from '../../plan/connect/plan';

/** Resources of the objects that every driver can need, other than its Pod and a PodGroup. */
export const RESOURCES: { readonly [kind in ServerResource['kind']]: Resource<any> } = {
  ConfigMap: CONFIG_MAPS,
  Service: SERVICES,
  PersistentVolumeClaim: PERSISTENT_VOLUME_CLAIMS,
  NetworkPolicy: NETWORK_POLICIES,
};

/** Object that was created for a driver, as the API server returned it. */
export interface CreatedObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/**
 * Removes the objects of a failed submission. A failure to remove them must not hide the
 * submission's failure from the user. Kubernetes deletes them with their owner.
 *
 * @param note about an object that cannot be removed, for the log
 */
export async function removeCreated(
  deleter: Deleter & { readonly logger: Logger }, created: readonly CreatedObject[], note: string,
): Promise<void> {
  await all(created.map(({ resource, object }) => remove(deleter, resource, object).catch((error: unknown) => {
    deleter.logger.warn({ err: error, resource: resource.plural, name: object.metadata.name }, note);
  })));
}
