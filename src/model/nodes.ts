import type { KubeClient } from '../kube/client';
import { isForbidden } from '../kube/errors';
import type { KubeObject } from '../kube/objects';
import { defineResource } from '../kube/resource';

/** Taint of a node; only the fields that are read. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  /** NoSchedule, PreferNoSchedule or NoExecute. */
  readonly effect: string;
}

/** Node; only the fields that are read. */
export interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    /** Amounts that pods can request together, by resource. */
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

export const NODES = defineResource<Node>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false });

/** Objects in one page of a list. */
const PAGE_SIZE = 500;

/** Maximum number of nodes that are compared with a pod. */
const MAX_NODES = 5_000;

/**
 * Lists the fields of nodes that decide whether a pod fits.
 *
 * @returns undefined without the permission, which few users have
 */
export async function readNodes(client: Pick<KubeClient, 'list'>, signal?: AbortSignal): Promise<readonly Node[] | undefined> {
  const nodes: Node[] = [];
  try {
    for await (const node of client.list(NODES, { limit: PAGE_SIZE, signal })) {
      if (nodes.push(fitFields(node)) === MAX_NODES) break;
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
  return nodes;
}

/** Returns the fields of a node that decide whether a pod fits; a whole node lists its images. */
function fitFields({ metadata: { name, labels }, spec, status }: Node): Node {
  const { unschedulable, taints } = spec ?? {};
  const { allocatable, conditions } = status ?? {};
  return { metadata: { name, labels }, spec: { unschedulable, taints }, status: { allocatable, conditions } };
}

/** Whether a node is ready. */
export function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}
