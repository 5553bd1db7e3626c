import type { KubeObject } from './objects';
import { defineResource } from './resource';

/** Holder of a Lease and its times. All fields might be missing in a Lease created by hand. */
export interface LeaseSpec {
  /** Empty after a release. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds, by the holder's clock. */
  readonly acquireTime?: string;
  /** RFC 3339 with microseconds, by the holder's clock. */
  readonly renewTime?: string;
  /** Number of changes of the holder. */
  readonly leaseTransitions?: number;
}

/**
 * A Lease in the format of client-go's leader election, so that programs in Go can compete for the
 * same one.
 */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const LEASES = defineResource<Lease>({
  group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true,
});

/** Content of a write to a Lease; times in milliseconds. */
export interface LeaseRecord {
  readonly identity: string;
  readonly leaseDuration: number;
  readonly now: number;
}

/** Returns the holder of a Lease; undefined if it has none. */
export function holderOf(lease: Lease): string | undefined {
  return lease.spec?.holderIdentity || undefined;
}

/**
 * Returns milliseconds for which others respect a Lease without a renewal. The Lease's own duration
 * takes precedence, as its holder relies on it.
 */
export function validFor({ spec }: Lease, otherwise: number): number {
  const { leaseDurationSeconds = 0 } = spec ?? {};
  return leaseDurationSeconds > 0 ? leaseDurationSeconds * 1_000 : otherwise;
}

/** Returns a Lease with a new holder; with the same holder, a renewed one. */
export function acquired(lease: Lease, record: LeaseRecord): Lease {
  if (holderOf(lease) === record.identity) return renewed(lease, record);
  const transitions = lease.spec?.leaseTransitions;
  const isNew = lease.metadata.resourceVersion === undefined;
  const leaseTransitions = isNew ? 0 : (transitions ?? 0) + 1;
  return renewed({ ...lease, spec: { ...lease.spec, acquireTime: microTime(record.now), leaseTransitions } }, record);
}

/** Returns a Lease that its holder renews. */
export function renewed(lease: Lease, { identity, leaseDuration, now }: LeaseRecord): Lease {
  const spec = { holderIdentity: identity, leaseDurationSeconds: seconds(leaseDuration), renewTime: microTime(now) };
  return { ...lease, spec: { ...lease.spec, ...spec } };
}

/**
 * Returns a Lease that its holder releases. Candidates that do not support an empty holder wait for
 * one second.
 */
export function released(lease: Lease, now: number): Lease {
  const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: microTime(now), renewTime: microTime(now) };
  return { ...lease, spec: { ...lease.spec, ...spec } };
}

/** Rounds up: other candidates must not take over sooner than the holder assumes. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/** Formats a time as Kubernetes' MicroTime; JavaScript's clocks have milliseconds. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
