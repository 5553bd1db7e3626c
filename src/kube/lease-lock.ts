import type { CallOptions, KubeClient } from './client';
import type { Clock, Timer } from './clock';
import { isConflict, isNotFound } from './errors';
import { holderOf, type Lease, LEASES, released, renewed, acquired, validFor } from './lease';
import type { Logger } from './logger';
import type { Ref } from './objects';

/**
 * The part of the client that the election needs. It should be a client of its own: a renewal
 * behind the calls of the controllers might be late.
 */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update' | 'watch'>;

/** A Lease as last read, and since when it has been unchanged. */
export interface Sighting {
  readonly lease: Lease;
  /**
   * Monotonic time of the candidate's own clock: when the first call returned that reported this
   * resource version, or the deletion.
   */
  readonly changed: number;
  /** When a read last missed the Lease, by the same clock; undefined if the Lease exists. */
  readonly missedAt?: number;
}

/**
 * Multiple of a Lease's duration that can be between two reads that miss it, so that it is assumed
 * to be missing in between. It must exceed the time that failing reads take, or no candidate would
 * ever lead.
 */
const MAX_READ_GAP = 2;

/**
 * Whether a missing Lease is assumed to have been missing since the first read that missed it.
 *
 * @param leaseDuration milliseconds
 */
export function isMissing({ missedAt }: Sighting, now: number, leaseDuration: number): boolean {
  return missedAt !== undefined && now - missedAt < MAX_READ_GAP * leaseDuration;
}

/**
 * Returns the sighting of a missing Lease. Its state between two reads is unknown: after a long gap
 * its absence is measured from now on.
 *
 * @param leaseDuration milliseconds
 */
function sightingOfMissing(before: Sighting, now: number, leaseDuration: number): Sighting {
  return { lease: before.lease, changed: isMissing(before, now, leaseDuration) ? before.changed : now, missedAt: now };
}

/**
 * Returns milliseconds until a candidate can take a held Lease. A missing Lease might have any
 * holder, whatever the last read reported: right before the deletion another candidate might have
 * renewed or taken it.
 *
 * @param leaseDuration milliseconds, for Leases without a duration
 */
function untilFree({ lease, changed, missedAt }: Sighting, now: number, leaseDuration: number): number {
  const valid = validFor(lease, leaseDuration);
  return changed + (missedAt === undefined ? valid : Math.max(valid, leaseDuration)) - now;
}

/** Settings of `LeaseLock`; see `LeaderElectionOptions`. */
export interface LeaseLockOptions {
  readonly client: LeaseClient;
  readonly lock: Required<Ref>;
  readonly identity: string;
  /** Milliseconds. */
  readonly leaseDuration: number;
  readonly onLeader?: (identity: string | undefined) => void;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * A Lease that one candidate reads, watches and writes. Callers set the time limit of each call.
 */
export class LeaseLock {
  private sighting?: Sighting;
  private holder?: string;

  constructor(private readonly options: LeaseLockOptions) {}

  /** The candidate that holds the Lease, as far as known. */
  get leader(): string | undefined {
    return this.holder;
  }

  /** Reads the Lease. @returns undefined if there is none */
  async read(call: CallOptions): Promise<Lease | undefined> {
    const { client, lock, clock, leaseDuration } = this.options;
    try {
      return this.observe(await client.get(LEASES, lock, call));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (this.sighting) this.sighting = sightingOfMissing(this.sighting, clock.monotonic(), leaseDuration);
      return undefined;
    }
  }

  /**
   * Writes the candidate as holder into the Lease, or keeps it.
   * @param lease as read; undefined to create it
   */
  async take(lease: Lease | undefined, call: CallOptions): Promise<void> {
    const { client, lock } = this.options;
    this.observe(lease
      ? await client.update(LEASES, acquired(lease, this.record()), call)
      : await client.create(LEASES, acquired({ metadata: lock }, this.record()), call));
  }

  /** Renews the Lease as last read. */
  async renew(call: CallOptions): Promise<void> {
    this.observe(await this.options.client.update(LEASES, renewed(this.sighting!.lease, this.record()), call));
  }

  /** Releases the Lease as last read, or as it is now if the candidate still holds it. */
  async release(call: CallOptions): Promise<void> {
    try {
      await this.writeReleased(this.sighting!.lease, call);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      const lease = await this.read(call);
      if (lease && this.isOurs(lease)) await this.writeReleased(lease, call);
    }
  }

  /** Whether the candidate holds a Lease. */
  isOurs(lease: Lease): boolean {
    return holderOf(lease) === this.options.identity;
  }

  /**
   * Whether the candidate can take the Lease as last read. For a deleted Lease it waits until the
   * Lease would have expired, as another candidate might hold it.
   */
  isFree(): boolean {
    if (this.sighting === undefined) return true;
    const { lease, missedAt } = this.sighting;
    const isAvailable = missedAt === undefined && (holderOf(lease) === undefined || this.isOurs(lease));
    return isAvailable || this.untilFree() <= 0;
  }

  /** Milliseconds until the Lease as last read expires. */
  untilFree(): number {
    const { clock, leaseDuration } = this.options;
    return untilFree(this.sighting!, clock.monotonic(), leaseDuration);
  }

  /**
   * Watches the Lease until it is released, is deleted, or expires without a new event.
   *
   * @throws the error that ended the watch, unless `signal` or one of these did
   */
  async follow({ metadata: { resourceVersion } }: Lease, signal: AbortSignal): Promise<void> {
    const { client, lock, clock } = this.options;
    const enough = new AbortController();
    const finish = () => enough.abort();
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
    // The watch might be dead without an error. So missing events are a reason to read the Lease,
    // not to take it.
    let timer: Timer = clock.setTimeout(finish, this.untilFree());
    try {
      const fieldSelector = `metadata.name=${lock.name}`;
      const selection = { namespace: lock.namespace, fieldSelector, resourceVersion: resourceVersion! };
      await client.watch(LEASES, { ...selection, signal: enough.signal }, (event) => {
        if (event.type === 'BOOKMARK') return;
        if (event.type === 'DELETED') return finish();
        this.observe(event.object);
        clock.clearTimeout(timer);
        if (this.isFree()) finish();
        else timer = clock.setTimeout(finish, this.untilFree());
      });
      if (!enough.signal.aborted) throw new Error('the watch has ended');
    } catch (error) {
      if (!enough.signal.aborted) throw error;
    } finally {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', finish);
    }
  }

  private async writeReleased(lease: Lease, call: CallOptions): Promise<void> {
    const { client, clock } = this.options;
    this.observe(await client.update(LEASES, released(lease, clock.now()), call));
  }

  private record() {
    const { identity, leaseDuration, clock } = this.options;
    return { identity, leaseDuration, now: clock.now() };
  }

  private observe(lease: Lease): Lease {
    const { missedAt, lease: previous } = this.sighting ?? {};
    const isSame = missedAt === undefined && previous?.metadata.resourceVersion === lease.metadata.resourceVersion;
    this.sighting = { lease, changed: isSame ? this.sighting!.changed : this.options.clock.monotonic() };
    this.report(holderOf(lease));
    return lease;
  }

  private report(leader: string | undefined): void {
    const { identity, onLeader, logger } = this.options;
    if (leader === this.holder) return;
    this.holder = leader;
    if (leader !== identity) logger.info({ leader }, leader ? 'another process leads' : 'no process leads');
    onLeader?.(leader);
  }
}
