import type { CustomResourceDefinition, Deployment } from './objects';
import { remedyFor } from '../../explain/remedy';
import type { KubeObject } from '../../kube/objects';
import { reasonWithMessage } from '../../model/obstacle';

/** Returns whether the API server serves a CRD. */
export function isEstablished(crd: CustomResourceDefinition | undefined): boolean {
  return isTrue(crd?.status?.conditions, 'Established') && isTrue(crd?.status?.conditions, 'NamesAccepted');
}

/** Returns whether all replicas of a Deployment are available and have its newest version. */
export function isAvailable(deployment: Deployment | undefined): boolean {
  if (!deployment) return false;
  const { metadata: { generation = 0 }, spec: { replicas = 1 }, status = {} } = deployment;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas: all = 0 } = status;
  return observedGeneration >= generation && updatedReplicas >= replicas && availableReplicas >= replicas && all === updatedReplicas;
}

/** Pod; only the fields that show why it is not ready. */
export interface WaitingPod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly containerStatuses?: readonly {
      readonly ready?: boolean;
      readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
  };
}

/**
 * Explains why pods are not ready, with Kubernetes' reason and the remedy if known.
 *
 * @returns undefined if the status of the pods has no reason
 */
export function whyNotReady(pods: readonly WaitingPod[]): string | undefined {
  for (const { metadata: { name }, status } of pods) {
    if (isTrue(status?.conditions, 'Ready')) continue;
    const waiting = status?.containerStatuses
      ?.map(({ state }) => state?.waiting)
      .find((each) => each?.reason !== undefined && each.reason !== 'ContainerCreating');
    const unscheduled = status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False');
    const problem = waiting ?? unscheduled;
    if (!problem) continue;
    const reason = reasonWithMessage(problem);
    const remedy = remedyFor(reason);
    return `pod ${name}: ${reason}${remedy === undefined ? '' : `; ${remedy}`}`;
  }
  return undefined;
}

function isTrue(conditions: readonly { readonly type: string; readonly status: string }[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
