import type { KubeObject } from './objects';
import { defineResource } from './resource';

/** What a Lease says: who has it, and since when. All of it may be missing in one that somebody made by hand. */
export interface LeaseSpec {
  /** Empty if it was given back. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds, by the holder's clock. */
  readonly acquireTime?: string;
  /** RFC 3339 with microseconds, by the holder's clock. */
  readonly renewTime?: string;
  /** How often the holder has changed. */
  readonly leaseTransitions?: number;
}

/** A Lease, in the form in which client-go's leader election keeps it, so that programs in Go and this one can compete for one. */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const LEASES = defineResource<Lease>({ group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true });

/** Who writes a Lease, and when; times in milliseconds. */
export interface LeaseRecord {
  readonly identity: string;
  readonly leaseDuration: number;
  readonly now: number;
}

/** Who has a Lease; undefined if nobody does. */
export function holderOf(lease: Lease): string | undefined {
  return lease.spec?.holderIdentity || undefined;
}

/** For how many milliseconds a Lease that is not renewed is to be left alone. Its own word holds: its holder goes by that. */
export function validFor({ spec }: Lease, otherwise: number): number {
  const { leaseDurationSeconds = 0 } = spec ?? {};
  return leaseDurationSeconds > 0 ? leaseDurationSeconds * 1_000 : otherwise;
}

/** A Lease with a new holder; with the same holder as before, one that is kept. */
export function taken(lease: Lease, record: LeaseRecord): Lease {
  if (holderOf(lease) === record.identity) return renewed(lease, record);
  const transitions = lease.spec?.leaseTransitions;
  const isNew = lease.metadata.resourceVersion === undefined;
  return renewed({ ...lease, spec: { ...lease.spec, acquireTime: microTime(record.now), leaseTransitions: isNew ? 0 : (transitions ?? 0) + 1 } }, record);
}

/** A Lease that its holder keeps. */
export function renewed(lease: Lease, { identity, leaseDuration, now }: LeaseRecord): Lease {
  return { ...lease, spec: { ...lease.spec, holderIdentity: identity, leaseDurationSeconds: seconds(leaseDuration), renewTime: microTime(now) } };
}

/** A Lease that its holder gives back. Candidates that do not know an empty holder wait for one second. */
export function released(lease: Lease, now: number): Lease {
  return { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: microTime(now), renewTime: microTime(now) } };
}

/** At least what was asked for: the others must not be quicker than the holder thinks. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/** As Kubernetes' MicroTime; JavaScript's clocks have milliseconds. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
