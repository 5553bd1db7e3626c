import type { KubeObject } from '../../kube/objects';

/** Fields that show which generation a status describes. */
export type WithGeneration = KubeObject & { readonly status?: { readonly observedGeneration?: number } };

/**
 * Whether the status of an object describes its current specification. After a rerun, the status
 * describes the previous run until the operator has observed the change.
 *
 * Kubeflow's operator does not report observed generations; its status is treated as current.
 *
 * @param least minimum generation, if the object might be an older version
 * @default 0
 */
export function isCurrent({ metadata: { generation = 0 }, status }: WithGeneration, least = 0): boolean {
  return (status?.observedGeneration ?? Infinity) >= Math.max(generation, least);
}
