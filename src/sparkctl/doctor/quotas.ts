import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import type { ResourceQuota } from './resources';
import { parseQuantity } from '../../rules/quantity';

const findings = findingsOf('Quotas');

/** Resources of a quota that applications need; if others are used up, applications still run. */
const USED_RESOURCES = /^((count\/)?(pods|services|configmaps|persistentvolumeclaims)|cpu|memory|ephemeral-storage|(requests|limits)\..+)$/;

/** Checks whether the quotas of a namespace are used up. */
export function quotaFindings(namespace: string, reading: Reading<readonly ResourceQuota[]>): Finding[] {
  if (isUnreadable(reading)) return [unreadable(findings, `the quotas of ${namespace}`, reading)];
  const quotas = reading.kind === 'found' ? reading.value : [];
  const full = quotas.flatMap((quota) => {
    const used = fullIn(quota);
    if (used.length === 0) return [];
    const { name } = quota.metadata;
    return [findings.warning(
      `ResourceQuota ${namespace}/${name} is used up: ${used.join(', ')}; applications wait there until something ends`,
      `kubectl describe resourcequota -n ${namespace} ${name}`,
    )];
  });
  if (full.length > 0) return full;
  return [findings.ok(quotas.length === 0
    ? `${namespace} has none`
    : `${quotas.length === 1 ? 'that' : `the ${quotas.length}`} of ${namespace} ${quotas.length === 1 ? 'leaves' : 'leave'} room`)];
}

function fullIn({ status: { hard = {}, used = {} } = {} }: ResourceQuota): string[] {
  return Object.entries(hard).filter(([name, limit]) => {
    const [most, now] = [parseQuantity(limit), parseQuantity(used[name] ?? '0')];
    return USED_RESOURCES.test(name) && most !== undefined && now !== undefined && now >= most;
  }).map(([name, limit]) => `${name} ${used[name] ?? '0'} of ${limit}`);
}
