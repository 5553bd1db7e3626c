import type { PodSpec } from '../../model/kubernetes-objects';
import type { KubeObject } from '../../kube/objects';
import { containersOf, initContainersOf } from '../pods/container';
import { amountsOf, type Amounts } from '../demand/amounts';
import { resourcesOf } from '../demand/pod-amounts';

/** A requirement of a quota on the pods that it counts. */
interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The parts of a ResourceQuota that the webhook compares with. */
export interface ResourceQuota {
  /** `namespace/name`. */
  readonly name: string;
  /** Requirements that a pod has to meet. Empty: the quota counts all pods, and other objects. */
  readonly scopes: readonly ScopeRequirement[];
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** Reads a ResourceQuota. Without a status, its specification applies. */
export function readQuota({ metadata, ...quota }: KubeObject): ResourceQuota {
  const { spec = {}, status = {} } = quota as {
    readonly spec?: RawSpec;
    readonly status?: { readonly hard?: unknown; readonly used?: unknown };
  };
  return {
    name: `${metadata.namespace}/${metadata.name}`,
    scopes: [
      ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
      ...(spec.scopeSelector?.matchExpressions ?? []).map(({ scopeName, operator, values }) => ({
        scopeName, operator, values: values ?? [],
      })),
    ],
    hard: amountsOf(status.hard ?? spec.hard),
    used: amountsOf(status.used),
  };
}

interface RawSpec {
  readonly hard?: unknown;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: {
    readonly matchExpressions?: readonly { readonly scopeName: string; readonly operator: string; readonly values?: readonly string[] }[];
  };
}

/** Whether a quota counts a pod (`podMatchesScopeFunc`). */
export function countsPod({ scopes }: ResourceQuota, pod: PodSpec): boolean {
  return scopes.every((scope) => matches(scope, pod));
}

/**
 * Whether a quota selects by PriorityClass and the pod names none. The cluster can have a default
 * class (`globalDefault`), which is not known here. Kubernetes sets it before it checks quotas.
 */
export function isCountedByDefaultClass({ scopes }: ResourceQuota, pod: PodSpec): boolean {
  return !pod.priorityClassName && scopes.some(({ scopeName }) => scopeName === 'PriorityClass');
}

function matches(scope: ScopeRequirement, pod: PodSpec): boolean {
  switch (scope.scopeName) {
    case 'Terminating': return hasDeadline(pod);
    case 'NotTerminating': return !hasDeadline(pod);
    case 'BestEffort': return isBestEffort(pod);
    case 'NotBestEffort': return !isBestEffort(pod);
    case 'PriorityClass': return matchesPriority(scope, pod.priorityClassName || undefined);
    case 'CrossNamespacePodAffinity': return namesOtherNamespaces(pod);
    default: return false; // applies to other objects than pods
  }
}

function hasDeadline({ activeDeadlineSeconds: seconds }: PodSpec): boolean {
  return seconds !== undefined && seconds !== null && seconds >= 0;
}

/** Whether no container requests or limits CPU or memory. */
function isBestEffort(pod: PodSpec): boolean {
  const asks = (amounts: Amounts) => (amounts.get('cpu') ?? 0n) > 0n || (amounts.get('memory') ?? 0n) > 0n;
  const all = [...containersOf(pod), ...initContainersOf(pod)];
  const ofPod = [pod.resources?.requests, pod.resources?.limits].some((quantities) => asks(amountsOf(quantities)));
  return !ofPod && !all.some((container) => asks(resourcesOf(container, 'requests')));
}

function matchesPriority({ operator, values }: ScopeRequirement, name: string | undefined): boolean {
  switch (operator) {
    case 'Exists': return name !== undefined;
    case 'DoesNotExist': return name === undefined;
    case 'In': return name !== undefined && values.includes(name);
    case 'NotIn': return name === undefined || !values.includes(name);
    default: return false;
  }
}

function namesOtherNamespaces({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((terms) => [
    ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ].some(({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0
    || (namespaceSelector !== undefined && namespaceSelector !== null)));
}
