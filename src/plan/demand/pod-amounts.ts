import type { Container, PodSpec } from '../../model/kubernetes-objects';
import { containersOf, initContainersOf } from '../pods/container';
import { amountsOf, greatest, plus, type Amounts } from './amounts';

/** Requests or limits of a container. */
export type ResourceKind = 'requests' | 'limits';

/**
 * Returns the effective requests or limits of a pod: the sum of its concurrent containers, or the
 * maximum of its init containers if that is more (`PodRequests` and `PodLimits` of
 * k8s.io/component-helpers). Restartable init containers run together with all later containers.
 */
export function podAmounts(spec: PodSpec, kind: ResourceKind): Amounts {
  let staying: Amounts = new Map();
  let beforehand: Amounts = new Map();
  for (const container of initContainersOf(spec)) {
    const own = resourcesOf(container, kind);
    const isStaying = container.restartPolicy === 'Always';
    if (isStaying) staying = plus(staying, own);
    beforehand = greatest(beforehand, isStaying ? staying : plus(staying, own));
  }
  const together = plus(staying, ...containersOf(spec).map((container) => resourcesOf(container, kind)));
  return plus(ofPod(spec, kind, greatest(together, beforehand)), overhead(spec, kind, together));
}

/** Replaces amounts of containers by those of the pod level. */
function ofPod({ resources }: PodSpec, kind: ResourceKind, ofContainers: Amounts): Amounts {
  const whole = [...amountsOf(resources?.[kind])].filter(([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'));
  return new Map([...ofContainers, ...whole]);
}

/** Returns the overhead of the pod. For limits, it only applies to resources with a limit. */
function overhead(spec: PodSpec, kind: ResourceKind, together: Amounts): Amounts {
  const amounts = amountsOf(spec.overhead);
  return kind === 'requests' ? amounts : new Map([...amounts].filter(([name]) => together.has(name)));
}

/**
 * Returns the requests or limits of a container. A limit is the default of the request (Kubernetes'
 * defaults of a Pod).
 */
export function resourcesOf({ resources }: Container, kind: ResourceKind): Amounts {
  const limits = amountsOf(resources?.limits);
  return kind === 'limits' ? limits : new Map([...limits, ...amountsOf(resources?.requests)]);
}
