import type { CallOptions, KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isAlreadyExists, isConflict, isNotFound, toError } from '../../kube/errors';
import type { Sighting } from '../../kube/lease-lock';
import { type Lease, LEASES } from '../../kube/lease';
import type { Logger } from '../../kube/logger';
import { announcement, type Group, groupSelector, type Member, memberLeaseName, memberOf, shardLeaseName } from '../../model/member-lease';
import { Sightings } from './sightings';

/**
 * How many times its duration a Lease that has run out is left before it is deleted: that of a member, or of a shard of which there is none any more. It is no matter of safety: what has run
 * out may be taken, too, and a member that wakes up announces itself again. The sooner it is gone, the fewer replicas that have just started take it for a member's. Those of the shards that there
 * are stay: one that is missing must be left alone for its duration.
 */
const ABANDONED = 2;

/** What the members need of the client. */
export type MemberClient = Pick<KubeClient, 'listPage' | 'create' | 'update' | 'delete'>;

/** Settings of `Members`. */
export interface MembersOptions {
  readonly client: MemberClient;
  readonly group: Group;
  readonly identity: string;
  /** How many there are. */
  readonly shards: number;
  /** Milliseconds. */
  readonly leaseDuration: number;
  /** Milliseconds that a call may take. */
  readonly callTimeout: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * The replicas, which announce themselves to each other by a Lease each. That says nothing about who may write: it is only for the assignment of shards, and wrong or late news does no
 * harm.
 *
 * The Leases are listed again and again and not watched: they change all the time, so that a watch would tell each replica as much as a list, and one that is dead
 * without a word would look like the death of all others.
 */
export class Members {
  private readonly sightings: Sightings;
  /** The Lease of this replica as last seen. */
  private own?: Lease;
  /** The names of the Leases of all shards. */
  private readonly ofShards: ReadonlySet<string>;

  constructor(private readonly options: MembersOptions) {
    this.sightings = new Sightings(options.leaseDuration);
    this.ofShards = new Set(Array.from({ length: options.shards }, (_, shard) => shardLeaseName(options.group.lock.name, shard)));
  }

  /** Whether this replica has announced itself, as far as it knows. */
  get isAnnounced(): boolean {
    return this.own !== undefined;
  }

  /** Announces this replica, or renews that. It is to be followed by `look`, which finds out what has become of it if the answer is lost. */
  async announce(wants: readonly number[], signal: AbortSignal): Promise<void> {
    const { client, group, identity, leaseDuration, clock } = this.options;
    const lease = announcement(group, { identity, wants }, { leaseDuration, now: clock.now() }, this.own);
    try {
      this.own = this.own ? await client.update(LEASES, lease, this.callOptions(signal)) : await client.create(LEASES, lease, this.callOptions(signal));
    } catch (error) {
      // A write of this replica whose answer was lost, or somebody has deleted it.
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
    }
  }

  /**
   * @returns the members whose Leases are kept, in the order of their identities. Whether this replica is among them depends on its own Lease alone: the others do not know more,
   * and all should come to the same
   */
  async look(signal: AbortSignal): Promise<readonly Member[]> {
    const { client, group, identity, leaseDuration, clock } = this.options;
    const { lock: { namespace, name } } = group;
    const { items } = await client.listPage(LEASES, { namespace, labelSelector: groupSelector(name), ...this.callOptions(signal) });
    // What has ended meanwhile must not undo what was seen since.
    signal.throwIfAborted();
    const now = clock.monotonic();
    this.sightings.look(items, now);
    this.own = items.find((lease) => lease.metadata.name === memberLeaseName(name, identity));
    const overdueFor = (lease: Lease) => this.sightings.overdueFor(lease, now);
    const members = items.filter((lease) => overdueFor(lease) < 0).flatMap((lease) => memberOf(group, lease) ?? []).sort((a, b) => (a.identity < b.identity ? -1 : 1));
    // One is enough to tidy up.
    if (members[0]?.identity === identity) {
      const abandoned = items.filter((lease) => !this.ofShards.has(lease.metadata.name) && overdueFor(lease) >= ABANDONED * leaseDuration);
      await Promise.all(abandoned.map((lease) => this.remove(lease, signal)));
    }
    return members;
  }

  /** How the Lease of a shard was at the last look. */
  sightingOf(shard: number): Sighting | undefined {
    return this.sightings.of(shardLeaseName(this.options.group.lock.name, shard));
  }

  /**
   * Tells the others that this replica goes. It is to be followed by `look`, and repeated while that finds the announcement: an answer may have been lost, to this or to the announcement. If that
   * does not help, they find out when the Lease runs out.
   */
  async leave(): Promise<void> {
    if (this.own) await this.remove(this.own);
    this.own = undefined;
  }

  private async remove({ metadata }: Lease, signal?: AbortSignal): Promise<void> {
    // Not if it has been renewed since; of the own one there is no such doubt.
    const preconditions = { uid: metadata.uid, ...signal && { resourceVersion: metadata.resourceVersion } };
    try {
      await this.options.client.delete(LEASES, metadata, { preconditions, ...this.callOptions(signal) });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) this.options.logger.info({ err: toError(error), lease: metadata.name }, 'the Lease of a replica could not be deleted');
    }
  }

  private callOptions(signal?: AbortSignal): CallOptions {
    return { attempts: 1, timeout: this.options.callTimeout, signal };
  }
}
