import type { CallOptions, KubeClient } from './client';
import type { Clock, Timer } from './clock';
import { isConflict, isNotFound } from './errors';
import { holderOf, type Lease, LEASES, released, renewed, taken, validFor } from './lease';
import type { Logger } from './logger';
import type { Ref } from './objects';

/** What the election needs of the client. It should be one of its own: behind the calls of the controllers a renewal might come too late. */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update' | 'watch'>;

/** A Lease as it was seen, and since when it has been like that. */
export interface Sighting {
  readonly lease: Lease;
  /** By the candidate's own clock, the monotonic one: not before the end of the first call that told of this resource version, or of its being gone. */
  readonly changed: number;
  /** When it was looked for last and was not there, by the same clock; undefined if it was there. */
  readonly missedAt?: number;
}

/** How many times a Lease's duration may pass between two looks that miss it, so that it counts as missing all the time. More than looks that fail take, or none would ever lead. */
const LONGEST_BLINK = 2;

/**
 * Whether a Lease counts as missing since it was found to be.
 *
 * @param leaseDuration milliseconds
 */
export function isMissing({ missedAt }: Sighting, now: number, leaseDuration: number): boolean {
  return missedAt !== undefined && now - missedAt < LONGEST_BLINK * leaseDuration;
}

/**
 * Returns how a Lease is seen that does not exist any more. Between two reads anything can have
 * happened to it: if the last read is long ago, its absence counts from now on.
 *
 * @param leaseDuration milliseconds
 */
function missing(before: Sighting, now: number, leaseDuration: number): Sighting {
  return { lease: before.lease, changed: isMissing(before, now, leaseDuration) ? before.changed : now, missedAt: now };
}

/**
 * Returns the milliseconds until a Lease with a holder can be taken. One that is missing can have any
 * holder, however it was seen last: another candidate could have taken it right before it was deleted.
 *
 * @param leaseDuration milliseconds, for Leases that name none
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

/** A Lease as one candidate sees it, follows it and writes it. Whoever writes it says in each call how long that may take. */
export class LeaseLock {
  private sighting?: Sighting;
  private holder?: string;

  constructor(private readonly options: LeaseLockOptions) {}

  /** The candidate that has the Lease, as far as known. */
  get leader(): string | undefined {
    return this.holder;
  }

  /** Looks. @returns undefined if there is none */
  async read(call: CallOptions): Promise<Lease | undefined> {
    const { client, lock, clock, leaseDuration } = this.options;
    try {
      return this.observe(await client.get(LEASES, lock, call));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (this.sighting) this.sighting = missing(this.sighting, clock.monotonic(), leaseDuration);
      return undefined;
    }
  }

  /** Writes the candidate into the Lease, or keeps it there. @param lease as it was read; undefined to create it */
  async take(lease: Lease | undefined, call: CallOptions): Promise<void> {
    const { client, lock } = this.options;
    this.observe(lease
      ? await client.update(LEASES, taken(lease, this.record()), call)
      : await client.create(LEASES, taken({ metadata: lock }, this.record()), call));
  }

  /** Keeps the Lease, as it was seen last. */
  async renew(call: CallOptions): Promise<void> {
    this.observe(await this.options.client.update(LEASES, renewed(this.sighting!.lease, this.record()), call));
  }

  /** Gives the Lease back, as it was seen last, or as it is by now if it is still the candidate's. */
  async release(call: CallOptions): Promise<void> {
    try {
      await this.writeReleased(this.sighting!.lease, call);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      const lease = await this.read(call);
      if (lease && this.isOurs(lease)) await this.writeReleased(lease, call);
    }
  }

  /** Whether the candidate stands in a Lease. */
  isOurs(lease: Lease): boolean {
    return holderOf(lease) === this.options.identity;
  }

  /** Whether the Lease as last seen may be taken. One that was deleted is left to whoever may have it until it would have run out. */
  isFree(): boolean {
    if (this.sighting === undefined) return true;
    const { lease, missedAt } = this.sighting;
    const isNobodyElses = missedAt === undefined && (holderOf(lease) === undefined || this.isOurs(lease));
    return isNobodyElses || this.untilFree() <= 0;
  }

  /** Milliseconds until the Lease as last seen runs out. */
  untilFree(): number {
    const { clock, leaseDuration } = this.options;
    return untilFree(this.sighting!, clock.monotonic(), leaseDuration);
  }

  /**
   * Follows the Lease until it is free, is deleted, or time is over in which nothing was heard of it.
   *
   * @throws what ended the watch, if it was not that, nor `signal`
   */
  async follow({ metadata: { resourceVersion } }: Lease, signal: AbortSignal): Promise<void> {
    const { client, lock, clock } = this.options;
    const enough = new AbortController();
    const finish = () => enough.abort();
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
    // The watch may be dead without a word, so that what it did not tell is no reason to take the Lease, but to look.
    let timer: Timer = clock.setTimeout(finish, this.untilFree());
    try {
      const fieldSelector = `metadata.name=${lock.name}`;
      await client.watch(LEASES, { namespace: lock.namespace, fieldSelector, resourceVersion: resourceVersion!, signal: enough.signal }, (event) => {
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
    const isSame = this.sighting?.missedAt === undefined && this.sighting?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
    this.sighting = { lease, changed: isSame ? this.sighting!.changed : this.options.clock.monotonic() };
    this.report(holderOf(lease));
    return lease;
  }

  private report(leader: string | undefined): void {
    const { identity, onLeader, logger } = this.options;
    if (leader === this.holder) return;
    this.holder = leader;
    if (leader !== identity) logger.info({ leader }, leader ? 'another process leads' : 'nobody leads');
    onLeader?.(leader);
  }
}
