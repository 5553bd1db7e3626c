import type { PodSpec } from '../../model/kubernetes-objects';
import { UNIT, type Amounts } from '../demand/amounts';
import { podAmounts } from '../demand/pod-amounts';

/**
 * Returns the usage of a pod by the resource names of quotas (`PodUsageFunc` in Kubernetes'
 * pkg/quota/v1/evaluator/core). The pod is taken as written: additions by a RuntimeClass or
 * LimitRange are not known here.
 */
export function podUsage(spec: PodSpec): Amounts {
  const requests = podAmounts(spec, 'requests');
  const limits = podAmounts(spec, 'limits');
  const usage = new Map([['pods', UNIT], ['count/pods', UNIT]]);
  for (const [name, amount] of requests) {
    if (isCompute(name)) usage.set(name, amount);
    // Quotas support only requests of extended resources, such as GPUs.
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (isCompute(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function isCompute(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');
}
