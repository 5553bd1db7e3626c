import { createHash } from 'node:crypto';
import { ANNOTATION_SHARD_AGREEMENT, ANNOTATION_SHARDS_WANTED, LABEL_SHARD_GROUP } from '../api/labels';
import { holderOf, type Lease, type LeaseRecord, taken } from '../kube/lease';
import type { Ref } from '../kube/objects';
import { HASH_VERSION } from './shard-hash';

/** More would be renewed all the time for nothing. */
export const MAX_SHARDS = 256;

/** The longest value that a label may have. */
const MAX_LABEL = 63;

/** What a replica tells the others of itself. */
export interface Member {
  readonly identity: string;
  /** The shards that it asks for, whoever has them. */
  readonly wants: readonly number[];
}

/** By what names replicas that belong together find each other. */
export interface Group {
  /** The Lease that the replicas have together. */
  readonly lock: Required<Ref>;
  /** See `agreementOf`. */
  readonly agreement: string;
}

/**
 * What replicas must agree on to work side by side, as a text. With other numbers of shards the shards overlap; with other durations one would run out while another still
 * counts on it.
 *
 * @param leaseDuration milliseconds
 */
export function agreementOf(shards: number, leaseDuration: number): string {
  return `shards=${shards},lease=${leaseDuration}ms,hash=v${HASH_VERSION}`;
}

/** The name of a shard's Lease. */
export function shardLeaseName(lockName: string, shard: number): string {
  return `${lockName}-shard-${shard}`;
}

/** The name of the Lease by which a replica announces itself. */
export function memberLeaseName(lockName: string, identity: string): string {
  return `${lockName}-member-${hexOf(identity)}`;
}

/** The labels of the Leases of all members, whatever they agree on, and of all shards. */
export function groupLabels(lockName: string): Record<string, string> {
  return { [LABEL_SHARD_GROUP]: lockName.length <= MAX_LABEL ? lockName : hexOf(lockName) };
}

/** Selects these Leases. */
export function groupSelector(lockName: string): string {
  return Object.entries(groupLabels(lockName)).map(([label, value]) => `${label}=${value}`).join();
}

/** The Lease by which a replica announces itself, to be created or, over the one as it was last seen, renewed. */
export function announcement(group: Group, { identity, wants }: Member, record: Omit<LeaseRecord, 'identity'>, before?: Lease): Lease {
  const { lock: { namespace, name }, agreement } = group;
  const metadata = {
    ...before?.metadata,
    namespace,
    name: memberLeaseName(name, identity),
    labels: { ...before?.metadata.labels, ...groupLabels(name) },
    annotations: { ...before?.metadata.annotations, [ANNOTATION_SHARD_AGREEMENT]: agreement, [ANNOTATION_SHARDS_WANTED]: wants.join(',') },
  };
  return taken({ ...before, metadata }, { ...record, identity });
}

/** Who has announced itself by a Lease; undefined if it is nobody who agrees with this group. */
export function memberOf({ agreement }: Group, lease: Lease): Member | undefined {
  const { [ANNOTATION_SHARD_AGREEMENT]: agreed, [ANNOTATION_SHARDS_WANTED]: wanted = '' } = lease.metadata.annotations ?? {};
  const identity = holderOf(lease);
  if (identity === undefined || agreed !== agreement) return undefined;
  return { identity, wants: wanted.split(',').filter((text) => /^\d+$/.test(text)).map(Number) };
}

function hexOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
