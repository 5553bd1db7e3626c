import { type Clock, type Random, sleep, systemClock } from '../kube/clock';
import { withDefaults } from '../kube/defaults';
import { type Call, toError } from '../kube/errors';
import { type ElectionHealth, LeaderElection, type LeaderElectionOptions, type LeaseClient, NotLeaderError } from '../kube/leader-election';
import type { Logger } from '../kube/logger';
import { assign } from './assign';
import { shardOf } from './hash';
import { agreementOf, groupLabels, type Member, shardLeaseName } from './member-lease';
import { type MemberClient, Members } from './members';
import { Seat } from './seat';
import { Steady } from './steady';

/** More would be renewed all the time for nothing. */
export const MAX_SHARDS = 256;

/** The share of its duration after which a Lease is renewed, if the retry period is not longer. Each shard's costs a write. */
const RENEW_SHARE = 0.2;

/** The share of the renew deadline after which a Lease is renewed at the latest, so that there is time to try again. */
const RENEW_SHARE_OF_DEADLINE = 1 / 3;

/** The share of the renew deadline that a call about members may take. */
const CALL_SHARE = 0.5;

/** Settings of `Sharding`. Times are in milliseconds. */
export interface ShardingOptions {
  /** How many shards there are: at least as many as there will be replicas, better three times as many, from 1 to 256. Replicas of which this differs never work at the same time. */
  readonly shards: number;
  /** The Lease that all replicas have together. It is the one of a leader that works without shards, so that never both work. The names of the other Leases begin with it. */
  readonly lockName: string;
  readonly lockNamespace: string;
  /** Names this process; no other, and no process before it, may have the same. */
  readonly identity: string;
  /** Should be one of its own: behind the calls of the controllers a renewal might come too late. */
  readonly client: LeaseClient & MemberClient;
  /** For how long others leave a Lease alone that is not renewed. Replicas of which this differs never work at the same time. @default 15000 */
  readonly leaseDuration?: number;
  /** After so long without a renewal a Lease does not count any more. Must be less than `leaseDuration`. @default 10000 */
  readonly renewDeadline?: number;
  /** Between two attempts of which the first failed; also for how long the members must stay the same before shards move. Leases are renewed after a fifth of their duration, if that is more. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * The work for a shard, called each time that this replica gets it. When `term` is aborted, it must end the work and then resolve; the shard is given to nobody until it has. The
   * reason is a `NotLeaderError` if the shard is lost, which leaves no time, and another if it is to be given to another replica, or the process is to stop.
   *
   * @param guard to be called right before each write for this shard; throws a `NotLeaderError` if this replica does not have it
   */
  readonly lead: (shard: number, term: AbortSignal, guard: (call: Call) => void) => Promise<void>;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** How the replicas stand, as far as this one knows. */
export interface ShardingHealth {
  /** Whether this replica works together with others. If not, `leader` tells what has the common Lease: a leader without shards, or replicas that agree on something else. */
  readonly group: ElectionHealth;
  /** Who has announced itself, this replica included. */
  readonly members: readonly string[];
  /** By number. Those that this replica does not ask for are neither `leading` nor `inOffice`. */
  readonly shards: readonly ElectionHealth[];
}

/**
 * Splits the applications among several replicas that work at the same time, with never two for one application.
 *
 * An application belongs to a shard, by its key alone. There are two locks above each other, both held like a leader's (see `LeaderElection`), and this replica may write for a shard while it has both:
 * - the common Lease, of which the holder is not a replica but what the replicas agree on, above all how many shards there are. All who agree have it together; a
 *   leader without shards, or replicas with another number of them, wait until the last has gone. So all who work at any moment mean the same by a shard.
 * - the Lease of the shard, which one replica has.
 *
 * All the rest is about who should ask for which shard, and may be wrong for a while without harm: replicas announce themselves to each other, and each follows from that by itself
 * what it is to have (see `assign`). A shard that is to go to another is only given up when that one asks for it, so that it is not without an owner for long.
 */
export class Sharding {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly period: number;
  private readonly group: LeaderElection;
  private readonly members: Members;
  private readonly seats: readonly Seat[];
  private known: readonly Member[] = [];
  private readonly steady: Steady;
  /** Which member is to have which shard. */
  private assigned: readonly string[] = [];
  /** Aborted when the common Lease is lost, or is not wanted any more. */
  private term?: AbortSignal;
  private tries = 0;

  /** @throws {RangeError} if the number of shards is none, or the times do not fit each other */
  constructor(options: ShardingOptions) {
    this.options = withDefaults(options, { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, clock: systemClock, random: Math.random });
    const { shards, lockName, lockNamespace, identity, client, leaseDuration, renewDeadline, retryPeriod, clock } = this.options;
    if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) throw new RangeError(`the number of shards is ${shards}; it must be an integer from 1 to ${MAX_SHARDS}`);
    this.clock = clock;
    this.logger = options.logger.child({ identity });
    this.period = Math.max(retryPeriod, Math.min(leaseDuration * RENEW_SHARE, renewDeadline * RENEW_SHARE_OF_DEADLINE));
    this.steady = new Steady(retryPeriod, leaseDuration);
    const agreement = agreementOf(shards, leaseDuration);
    const lock = { namespace: lockNamespace, name: lockName };
    this.group = this.election({ lock, identity: agreement, shared: true, lead: (term) => this.work(term) });
    this.members = new Members({ client, group: { lock, agreement }, identity, leaseDuration, callTimeout: renewDeadline * CALL_SHARE, logger: this.logger, clock });
    this.seats = Array.from({ length: shards }, (_, shard) => new Seat(() => this.candidacy(shard)));
  }

  /** Begins; a second call does nothing. */
  start(): void {
    this.group.start();
  }

  /** Ends the work for all shards, gives them back so that the others can take them at once, and resolves. */
  async stop(): Promise<void> {
    await this.group.stop();
  }

  /** Whether this replica has a shard. It goes by the clock alone, like `LeaderElection.leading`. */
  leads(shard: number): boolean {
    return this.group.leading() && (this.seats[shard]?.leading() ?? false);
  }

  /** The shard of an application, or of what else has a key: `namespace/name`. */
  shardOf(key: string): number {
    return shardOf(key, this.options.shards);
  }

  /** Whether this replica may write for an application. */
  owns(key: string): boolean {
    return this.leads(this.shardOf(key));
  }

  /** The shards that this replica has, in order. */
  get held(): readonly number[] {
    return [...this.seats.keys()].filter((shard) => this.leads(shard));
  }

  /** How it stands, for the probes. */
  health(): ShardingHealth {
    const shards = this.seats.map((seat, shard) => ({ ...seat.health(), leading: this.leads(shard) }));
    return { group: this.group.health(), members: this.known.map(({ identity }) => identity), shards };
  }

  // --- While this replica has the common Lease together with others ---

  private async work(term: AbortSignal): Promise<void> {
    this.term = term;
    while (!term.aborted) {
      const wantedBefore = this.wanted.join();
      await this.attempt('announced', () => this.members.announce(this.wanted, term), term);
      await this.attempt('looked for', async () => this.onMembers(await this.members.look(term)), term);
      // The others wait to be asked.
      if (!term.aborted && this.wanted.join() === wantedBefore) await this.pause(term);
    }
    this.known = [];
    // With the common Lease lost, the work was broken off: a write may arrive late, so that the others, who may have the common Lease, must not have the shards at once.
    const isLost = term.reason instanceof NotLeaderError;
    await Promise.all([this.members.leave(), ...this.seats.map((seat) => (isLost ? seat.abandon() : seat.stop()))]);
  }

  private async attempt(what: string, act: () => Promise<void>, term: AbortSignal): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!term.aborted) this.logger.info({ err: toError(error) }, `replicas could not be ${what}; trying again`);
    }
  }

  /** Waits for the next look, which is sooner if a change is to count by then. */
  private pause(term: AbortSignal): Promise<void> {
    const due = this.steady.dueIn(this.clock.monotonic()) ?? this.period;
    // What is overdue could not be looked at.
    return sleep(this.clock, due > 0 ? Math.min(this.period, due) : this.period, term).catch(() => {});
  }

  private onMembers(members: readonly Member[]): void {
    this.known = members;
    const identities = members.map(({ identity }) => identity);
    if (this.steady.see(JSON.stringify(identities), this.clock.monotonic())) {
      this.assigned = assign(this.options.shards, identities);
      this.logger.info({ members: identities, shards: this.wanted }, 'the shards of this replica');
    }
    const asked = new Map(members.map(({ identity, wants }) => [identity, new Set(wants)]));
    for (const [shard, seat] of this.seats.entries()) {
      const isAsked = asked.get(this.assigned[shard] ?? '')?.has(shard) ?? false;
      if (this.assigned[shard] === this.options.identity) seat.take();
      else if (isAsked) seat.giveUp();
    }
  }

  /** The shards that this replica is to have. */
  private get wanted(): readonly number[] {
    return [...this.seats.keys()].filter((shard) => this.assigned[shard] === this.options.identity);
  }

  // --- Elections ---

  /** A try to get a shard. */
  private candidacy(shard: number): LeaderElection {
    const { identity, lockName, lockNamespace: namespace, lead } = this.options;
    const common = this.term!;
    const election: LeaderElection = this.election({
      lock: { namespace, name: shardLeaseName(lockName, shard) },
      labels: groupLabels(lockName),
      identity: `${identity}_${this.tries++}`,
      // That of a replica that is gone has been seen to run out already.
      seen: this.members.sightingOf(shard),
      lead: (term) => lead(shard, either(common, term), guard),
    });
    const guard = (call: Call) => {
      if (!this.group.leading()) throw new NotLeaderError(call);
      election.guard(call);
    };
    return election;
  }

  private election(particular: Pick<LeaderElectionOptions, 'lock' | 'identity' | 'shared' | 'labels' | 'seen' | 'lead'>): LeaderElection {
    const { client, leaseDuration, renewDeadline, logger, clock, random } = this.options;
    return new LeaderElection({ client, leaseDuration, renewDeadline, retryPeriod: this.period, logger, clock, random, ...particular });
  }
}

/** Aborted as soon as one of two signals is, with its reason. */
function either(first: AbortSignal, second: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [first, second]) {
    if (signal.aborted) both.abort(signal.reason);
    else signal.addEventListener('abort', () => both.abort(signal.reason), { signal: both.signal });
  }
  return both.signal;
}
