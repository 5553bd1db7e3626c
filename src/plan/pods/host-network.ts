import type { Change, Concern } from './pod-template';
import { fieldOf } from './pod-template';
import { replaceInPod } from './replace';

/** DNS policy with which pods in their node's network find Services. */
const DNS_POLICY = 'ClusterFirstWithHostNet';

/**
 * `hostNetwork`, and the DNS policy that it needs. An explicit `false` also takes precedence over
 * the template.
 */
export const hostNetwork: Concern = (spec, request): Change => {
  const wanted = request.spec.hostNetwork;
  const by = fieldOf(request, 'hostNetwork');
  if (!wanted) {
    return wanted === false && spec.hostNetwork ? replaceInPod(spec, request, 'hostNetwork', false, by) : { spec };
  }
  const network = replaceInPod(spec, request, 'hostNetwork', true, by);
  const policy = replaceInPod(network.spec, request, 'dnsPolicy', DNS_POLICY, by);
  return { spec: policy.spec, warnings: [...network.warnings ?? [], ...policy.warnings ?? []] };
};
