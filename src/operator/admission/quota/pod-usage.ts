import type { PodSpec } from '../../../model/kubernetes-objects';
import { UNIT, type Amounts } from '../../../plan/demand/amounts';
import { podAmounts } from '../../../plan/demand/pod-amounts';

/**
 * What a pod takes of quotas, by the names that they have for it (Kubernetes' pkg/quota/v1/evaluator/core: `PodUsageFunc`), as it is written: what a
 * RuntimeClass, or a LimitRange of the namespace, adds is not known here.
 */
export function podUsage(spec: PodSpec): Amounts {
  const requests = podAmounts(spec, 'requests');
  const limits = podAmounts(spec, 'limits');
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
