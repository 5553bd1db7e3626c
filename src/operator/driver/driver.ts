import { LABEL_LAUNCHED_BY } from '../../api/labels';
import type { KubeObject } from '../../kube/objects';
import type { Store } from '../../kube/store';
import type { Belonging } from '../../model/belonging';
import { viewOf, type PodView } from '../../model/pod-view';

/** Pod with the driver's name. */
export type Driver =
  | { readonly kind: Belonging; readonly pod: PodView }
  | { readonly kind: 'absent' };

/**
 * Returns a driver that a call has returned, and stores it if the watch selects it. Any other pod
 * would stay in the store forever.
 */
export function storeIfWatched(pods: Store<PodView>, pod: KubeObject): PodView {
  const driver = viewOf(pod);
  if (pod.metadata.labels?.[LABEL_LAUNCHED_BY] === 'true') pods.upsert(driver);
  return driver;
}
