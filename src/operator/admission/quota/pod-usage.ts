import type { Container, PodSpec } from '../../kubernetes-objects';
import { containersOf, initContainersOf } from '../../pods/container';
import { amountsOf, greatest, plus, UNIT, type Amounts } from './amounts';

/**
 * What a pod takes of quotas, by the names that they have for it (Kubernetes' pkg/quota/v1/evaluator/core: `PodUsageFunc`), as it is written: what a
 * RuntimeClass, or a LimitRange of the namespace, adds is not known here.
 */
export function podUsage(spec: PodSpec): Amounts {
  const requests = effective(spec, 'requests');
  const limits = effective(spec, 'limits');
  const usage = new Map([['pods', UNIT], ['count/pods', UNIT]]);
  for (const [name, amount] of requests) {
    if (isCompute(name)) usage.set(name, amount);
    // Of extended resources, such as GPUs, quotas know the requests only.
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (isCompute(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function isCompute(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');
}

type Kind = 'requests' | 'limits';

/**
 * What a pod has of a node: the sum of what runs at the same time, or what one of the containers before them needs, if that is more (`PodRequests` and
 * `PodLimits` of k8s.io/component-helpers). Init containers that are restarted stay beside those that come after them.
 */
function effective(spec: PodSpec, kind: Kind): Amounts {
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
function ofPod({ resources }: PodSpec, kind: Kind, ofContainers: Amounts): Amounts {
  const whole = [...amountsOf(resources?.[kind])].filter(([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'));
  return new Map([...ofContainers, ...whole]);
}

/** Of limits only where there is one. */
function overhead(spec: PodSpec, kind: Kind, together: Amounts): Amounts {
  const amounts = amountsOf(spec.overhead);
  return kind === 'requests' ? amounts : new Map([...amounts].filter(([name]) => together.has(name)));
}

/** Without a request the limit is the request (Kubernetes' defaults of a Pod). */
export function resourcesOf({ resources }: Container, kind: Kind): Amounts {
  const limits = amountsOf(resources?.limits);
  return kind === 'limits' ? limits : new Map([...limits, ...amountsOf(resources?.requests)]);
}
