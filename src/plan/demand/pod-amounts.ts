import type { Container, PodSpec } from '../../model/kubernetes-objects';
import { containersOf, initContainersOf } from '../pods/container';
import { amountsOf, greatest, plus, type Amounts } from './amounts';

/** What a container asks for, or what it must not exceed. */
export type ResourceKind = 'requests' | 'limits';

/**
 * What a pod has of a node: the sum of what runs at the same time, or what one of the containers before them needs, if that is more (`PodRequests` and
 * `PodLimits` of k8s.io/component-helpers). Init containers that are restarted stay beside those that come after them.
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

/** What is said of the pod as a whole counts in place of its containers. */
function ofPod({ resources }: PodSpec, kind: ResourceKind, ofContainers: Amounts): Amounts {
  const whole = [...amountsOf(resources?.[kind])].filter(([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'));
  return new Map([...ofContainers, ...whole]);
}

/** Of limits only where there is one. */
function overhead(spec: PodSpec, kind: ResourceKind, together: Amounts): Amounts {
  const amounts = amountsOf(spec.overhead);
  return kind === 'requests' ? amounts : new Map([...amounts].filter(([name]) => together.has(name)));
}

/** Without a request the limit is the request (Kubernetes' defaults of a Pod). */
export function resourcesOf({ resources }: Container, kind: ResourceKind): Amounts {
  const limits = amountsOf(resources?.limits);
  return kind === 'limits' ? limits : new Map([...limits, ...amountsOf(resources?.requests)]);
}
