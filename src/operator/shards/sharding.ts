import { type Clock, type Random, sleep, systemClock } from '../../kube/clock';
import { withDefaults } from '../../kube/defaults';
import { type Call, toError } from '../../kube/errors';
import { type ElectionHealth, LeaderElection, type LeaderElectionOptions, NotLeaderError } from '../../kube/leader-election';
import type { LeaseClient } from '../../kube/lease-lock';
import type { Logger } from '../../kube/logger';
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

/** Milliseconds between two looks of a replica that goes, at what the others ask for by now. */
const LEAVING_LOOK = 250;

/** Failures in a row after which it is no mishap any more. */
const MANY_FAILURES = 3;

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
   * Whether this replica knows enough to work. Until then it announces itself to nobody and gets no shard. Asked until it says so, and not again: what is lost later is no reason to have all
   * replicas move their shards at the same time. @default - it does from the beginning
   */
  readonly isReady?: () => boolean;
  /**
   * The work for a shard, called each time that this replica gets it. When `term` is aborted, it must end the work and then resolve; the shard is given to nobody until it has. The
   * reason is a `NotLeaderError` if the shard is lost, which leaves no time, and another if it is to be given to another replica, or the process is to stop. Work that was broken off rejects
   * with a `NotLeaderError`, as for `LeaderElectionOptions.lead`.
   */
  readonly lead: (shard: number, term: ShardTerm) => Promise<void>;
  /** Called when all shards were given up in order, while this replica still has the common Lease. @default - nothing is left to be done */
  readonly finish?: () => Promise<unknown>;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** A time in which a replica works for a shard. */
export interface ShardTerm {
  /** Aborted when the work has to end. */
  readonly signal: AbortSignal;
  /** Aborted when the shard is lost, also if that is while the work is ended in order: there is no time left then. */
  readonly lost: AbortSignal;
  /** To be called right before each write for this shard. @throws NotLeaderError if this replica does not have it */
  readonly guard: (call: Call) => void;
}

/** How the replicas stand, as far as this one knows. */
export interface ShardingHealth {
  /** Whether this replica works together with others. If not, `leader` tells what has the common Lease: a leader without shards, or replicas that agree on something else. */
  readonly group: ElectionHealth;
  /** Who has announced itself, this replica included. */
  readonly members: readonly string[];
  /** By number. Those that this replica does not ask for are neither `leading` nor `hasTerm`. */
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
  /** The time in which this replica has the common Lease. */
  private term?: { readonly signal: AbortSignal; readonly lost: AbortSignal };
  /** Aborted when this replica is to leave the others. */
  private readonly leaving = new AbortController();
  /** Aborted when nothing is left that others could ask for, or all has ended. */
  private readonly handedOver = new AbortController();
  /** Aborted when the common Lease is had, or not wanted any more. */
  private standingBy = new AbortController();
  private isReady = false;
  /** In a row, by what failed. */
  private readonly failures = new Map<string, number>();
  private tries = 0;

  /** @throws {RangeError} if the number of shards is none, or the times do not fit each other */
  constructor(options: ShardingOptions) {
    this.options = withDefaults(options, {
      leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, isReady: () => true, finish: async () => {}, clock: systemClock, random: Math.random,
    });
    const { shards, lockName, lockNamespace, identity, client, leaseDuration, renewDeadline, retryPeriod, clock } = this.options;
    if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS) throw new RangeError(`the number of shards is ${shards}; it must be an integer from 1 to ${MAX_SHARDS}`);
    this.clock = clock;
    this.logger = options.logger.child({ identity });
    this.period = Math.max(retryPeriod, Math.min(leaseDuration * RENEW_SHARE, renewDeadline * RENEW_SHARE_OF_DEADLINE));
    this.steady = new Steady(retryPeriod, leaseDuration);
    const agreement = agreementOf(shards, leaseDuration);
    const lock = { namespace: lockNamespace, name: lockName };
    this.group = this.election({ lock, identity: agreement, shared: true, lead: (signal, lost) => this.work({ signal, lost }) });
    this.members = new Members({ client, group: { lock, agreement }, identity, shards, leaseDuration, callTimeout: renewDeadline * CALL_SHARE, logger: this.logger, clock });
    this.seats = Array.from({ length: shards }, (_, shard) => new Seat(() => this.candidacy(shard)));
  }

  /** Begins; a second call does nothing. */
  start(): void {
    this.group.start();
    void this.standBy();
  }

  /**
   * Leaves the others and resolves. The work goes on until they ask for its shards: they need a moment to see and to agree. What nobody asks for in the time that this takes at most
   * is given back all the same.
   */
  async stop(): Promise<void> {
    const { retryPeriod } = this.options;
    this.leaving.abort(new Error('the process is stopping'));
    if (this.term) await sleep(this.clock, 2 * this.period + retryPeriod, this.handedOver.signal).catch(() => {});
    this.standingBy.abort();
    await this.group.stop();
  }

  /** To be called right before what belongs to no shard is written. @throws NotLeaderError if this replica does not work together with others */
  readonly guard = (call: Call): void => {
    if (!this.group.leading()) throw new NotLeaderError(call);
  };

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

  private async work(term: { readonly signal: AbortSignal; readonly lost: AbortSignal }): Promise<void> {
    const { signal, lost } = term;
    this.term = term;
    this.standingBy.abort();
    // Made once, as each has listeners for as long as the process runs.
    const ends = either(signal, this.leaving.signal);
    while (!signal.aborted) {
      const wantedBefore = this.wanted.join();
      if (this.isLeaving) await this.members.leave();
      else if (this.isReady ||= this.options.isReady()) await this.attempt('announced', () => this.members.announce(this.wanted, signal), signal);
      await this.attempt('looked for', async () => this.onMembers(await this.members.look(signal)), signal);
      // The others wait to be asked.
      if (!signal.aborted && this.wanted.join() === wantedBefore) await this.pause(this.isLeaving ? signal : ends);
    }
    this.known = [];
    await this.giveUpAll(lost);
    if (!lost.aborted) await this.options.finish().catch((error: unknown) => this.logger.error({ err: toError(error) }, 'what was left could not be finished'));
    this.term = undefined;
    if (this.isLeaving) return this.handedOver.abort();
    this.standingBy = new AbortController();
    void this.standBy();
  }

  /** With the common Lease lost, the work is broken off: a write may arrive late, so that the others, who may have the common Lease, must not have the shards at once. */
  private async giveUpAll(lost: AbortSignal): Promise<void> {
    const abandon = () => this.seats.forEach((seat) => void seat.abandon());
    if (lost.aborted) abandon();
    else lost.addEventListener('abort', abandon, { once: true });
    await Promise.all([this.members.leave(), ...this.seats.map((seat) => seat.stop())]);
    lost.removeEventListener('abort', abandon);
  }

  /** Looks at the Leases while others have the common one, so that the time for which a shard's has not changed counts from now on, and not only from when this replica may ask for it. */
  private async standBy(): Promise<void> {
    const { signal } = this.standingBy;
    while (!signal.aborted) {
      await this.attempt('looked for', async () => void await this.members.look(signal), signal);
      await sleep(this.clock, this.period, signal).catch(() => {});
    }
  }

  private async attempt(what: string, act: () => Promise<void>, term: AbortSignal): Promise<void> {
    try {
      await act();
      this.failures.delete(what);
    } catch (error) {
      if (term.aborted) return;
      const failures = (this.failures.get(what) ?? 0) + 1;
      this.failures.set(what, failures);
      this.logger[failures < MANY_FAILURES ? 'info' : 'warn']({ err: toError(error), failures }, `replicas could not be ${what}; trying again`);
    }
  }

  private get isLeaving(): boolean {
    return this.leaving.signal.aborted;
  }

  /** Waits for the next look, which is sooner if a change is to count by then. */
  private pause(end: AbortSignal): Promise<void> {
    if (this.isLeaving) return sleep(this.clock, LEAVING_LOOK, end).catch(() => {});
    const due = this.steady.dueIn(this.clock.monotonic()) ?? this.period;
    // What is overdue could not be looked at.
    return sleep(this.clock, due > 0 ? Math.min(this.period, due) : this.period, end).catch(() => {});
  }

  private onMembers(members: readonly Member[]): void {
    this.known = members;
    if (this.isLeaving) return this.handOver(members);
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

  /** Gives up what the others ask for. As this replica is none of the members any more, they share all shards out among themselves. */
  private handOver(members: readonly Member[]): void {
    const others = members.filter(({ identity }) => identity !== this.options.identity);
    const asked = new Set(others.flatMap(({ wants }) => wants));
    for (const [shard, seat] of this.seats.entries()) if (asked.has(shard)) seat.giveUp();
    const isDone = others.length === 0 || this.seats.every(({ isIdle }) => isIdle);
    if (isDone && !this.members.isAnnounced) this.handedOver.abort();
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
      lastSighting: this.members.sightingOf(shard),
      lead: (signal, lost) => lead(shard, { signal: either(common.signal, signal), lost: either(common.lost, lost), guard }),
    });
    const guard = (call: Call) => {
      this.guard(call);
      election.guard(call);
    };
    return election;
  }

  private election(particular: Pick<LeaderElectionOptions, 'lock' | 'identity' | 'shared' | 'labels' | 'lastSighting' | 'lead'>): LeaderElection {
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
