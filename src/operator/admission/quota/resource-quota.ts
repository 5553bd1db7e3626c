import type { PodSpec } from '../../../model/kubernetes-objects';
import type { KubeObject } from '../../../kube/objects';
import { containersOf, initContainersOf } from '../../../plan/pods/container';
import { amountsOf, type Amounts } from '../../../plan/demand/amounts';
import { resourcesOf } from '../../../plan/demand/pod-amounts';

/** A requirement of a quota about which pods it counts. */
interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A ResourceQuota, as far as it is compared with here. */
export interface ResourceQuota {
  /** `namespace/name`. */
  readonly name: string;
  /** Requirements that all have to be met. Empty: all pods, and other objects, too. */
  readonly scopes: readonly ScopeRequirement[];
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** Reads a ResourceQuota. One whose status is not there yet counts with what its specification says. */
export function readQuota({ metadata, ...quota }: KubeObject): ResourceQuota {
  const { spec = {}, status = {} } = quota as { readonly spec?: RawSpec; readonly status?: { readonly hard?: unknown; readonly used?: unknown } };
  return {
    name: `${metadata.namespace}/${metadata.name}`,
    scopes: [
      ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
      ...(spec.scopeSelector?.matchExpressions ?? []).map(({ scopeName, operator, values }) => ({ scopeName, operator, values: values ?? [] })),
    ],
    hard: amountsOf(status.hard ?? spec.hard),
    used: amountsOf(status.used),
  };
}

interface RawSpec {
  readonly hard?: unknown;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: { readonly matchExpressions?: readonly { readonly scopeName: string; readonly operator: string; readonly values?: readonly string[] }[] };
}

/** Whether a quota counts a pod (`podMatchesScopeFunc`). */
export function countsPod({ scopes }: ResourceQuota, pod: PodSpec): boolean {
  return scopes.every((scope) => matches(scope, pod));
}

/**
 * Whether a quota counts a pod, or does not, by its PriorityClass, and the pod names none: the cluster can have one for such pods (`globalDefault`), which is not known
 * here, and gives it to them before quotas are looked at.
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
    default: return false; // about other objects than pods
  }
}

function hasDeadline({ activeDeadlineSeconds: seconds }: PodSpec): boolean {
  return seconds !== undefined && seconds !== null && seconds >= 0;
}

/** No container asks for CPU or memory, and none is limited. */
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
  ].some(({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0 || (namespaceSelector !== undefined && namespaceSelector !== null)));
}
