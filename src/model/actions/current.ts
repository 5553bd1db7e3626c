import type { KubeObject } from '../../kube/objects';

/** What tells of which specification a status is. */
export type Observed = KubeObject & { readonly status?: { readonly observedGeneration?: number } };

/**
 * Whether the status of an object is about its specification as it is now: of one that was just told to run again it says for a while still how the run before has ended.
 *
 * kubeflow's operator does not say what it has seen; it is believed.
 *
 * @param least the generation that is meant at least, if the object may be an older one @default 0
 */
export function isCurrent({ metadata: { generation = 0 }, status }: Observed, least = 0): boolean {
  return (status?.observedGeneration ?? Infinity) >= Math.max(generation, least);
}
