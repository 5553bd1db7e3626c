import type { Lease } from '../../kube/lease';
import { memberLeaseName, shardLeaseName } from '../../model/member-lease';

/** The number of the shard that a Lease is for; undefined if it is for none. */
export function shardNumberOf(lock: string, { metadata: { name } }: Lease): number | undefined {
  const digits = /\d+$/.exec(name)?.[0];
  return digits !== undefined && shardLeaseName(lock, Number(digits)) === name ? Number(digits) : undefined;
}

/** Whether a replica announces itself by a Lease. */
export function memberOfAny(lock: string, { metadata: { name }, spec }: Lease): boolean {
  return spec?.holderIdentity ? memberLeaseName(lock, spec.holderIdentity) === name : false;
}
