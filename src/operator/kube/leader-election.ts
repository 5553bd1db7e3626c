import type { CallOptions, KubeClient } from './client';
import { type Clock, type Random, sleep, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { type Call, isAlreadyExists, isConflict, isNotFound, toError } from './errors';
import { holderOf, type Lease, LEASES, renewed, released, taken, validFor } from './lease';
import type { Logger } from './logger';
import type { Ref } from './objects';

/** The share of the renew deadline that one call may take: one that hangs must leave time for another. */
const CALL_SHARE = 0.5;

/** What the election needs of the client. It should be one of its own: behind the calls of the controllers a renewal might come too late. */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update' | 'watch'>;

/** A Lease as it was seen, and since when it has been like that. */
export interface Sighting {
  readonly lease: Lease;
  /** By the candidate's own clock, the monotonic one: not before the end of the first call that told of this resource version. */
  readonly changed: number;
}

/** Settings of an election. Times are in milliseconds. */
export interface LeaderElectionOptions {
  readonly client: LeaseClient;
  /** The Lease that the candidates compete for. It is created if need be. */
  readonly lock: Required<Ref>;
  /** Names this candidate; no other, and no process before it, may have the same, unless they share it. */
  readonly identity: string;
  /**
   * Whether processes of the same identity have the Lease together. Each counts only its own renewals, so all of them have given up before a candidate of another identity
   * takes over. They must have the same `leaseDuration`, and none gives the Lease back, as the others may still work. @default false
   */
  readonly shared?: boolean;
  /** Labels that the Lease gets if it is created. @default - none */
  readonly labels?: Record<string, string>;
  /** How the Lease has been seen before, so that the time it has not changed for counts. @default - it has not been seen */
  readonly seen?: Sighting;
  /** For how long others leave a Lease alone that is not renewed; in whole seconds, as the Lease says it. @default 15000 */
  readonly leaseDuration?: number;
  /** After so long without a renewal a leader is none any more. Must be less than `leaseDuration`. @default 10000 */
  readonly renewDeadline?: number;
  /** Between two renewals, and two attempts of which the first failed. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * The work of the leader, called at the beginning of each term. When `term` is aborted, it must end its work and then resolve;
   * nothing else is done until it has. The reason is a `NotLeaderError` if the Lease is lost, which leaves no time, and another if this
   * process is to stop: then the Lease is still renewed until the work has ended.
   */
  readonly lead: (term: AbortSignal) => Promise<void>;
  /** Told who leads whenever that changes; `undefined` for nobody. Must not throw. @default - nobody is told */
  readonly onLeader?: (identity: string | undefined) => void;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** How an election stands. */
export interface ElectionHealth {
  /** Whether this process may write. */
  readonly leading: boolean;
  /** Whether this process has a term that has not ended yet. If it does not lead any more, its work is being ended. */
  readonly inOffice: boolean;
  /** For how many milliseconds it has been in office without leading; `undefined` if it is not. */
  readonly overdueFor?: number;
  /** The candidate that has the Lease, as far as known. */
  readonly leader?: string;
}

/** The time in which this process works as the leader. */
interface Term {
  readonly end: AbortController;
  /** Since when the Lease is lost. */
  lostAt?: number;
}

/** This process does not lead, so it must not change anything. */
export class NotLeaderError extends Error {
  constructor(call?: Call) {
    super(`${call ? `${call.verb} ${call.resource} was not sent: ` : ''}this process does not lead${call ? '' : ' any more'}`);
    this.name = 'NotLeaderError';
  }
}

/**
 * Makes sure that one process of several works, by a Lease that one of them holds and renews.
 *
 * The clocks of the candidates are never compared: a candidate takes a Lease over that has not changed for its duration by the
 * candidate's own clock. The holder counts from the moment *before* it sent its last renewal, and gives up after less than that
 * duration. So there is at most one leader, however slow calls are, as long as clocks run at about the same speed. Every write carries the
 * resource version that was read, so that of two candidates one succeeds.
 *
 * What a Lease cannot do is to stop a write that is on its way when the lease ends. Hence `leading` and `guard`, which go by the clock
 * and not by timers, and hence writes that are conditional.
 */
export class LeaderElection {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private running?: Promise<void>;
  private seen?: Sighting;
  private term?: Term;
  /** When the last successful renewal was begun. */
  private renewedAt = -Infinity;
  private leader?: string;

  /** @throws {RangeError} if the times do not fit each other */
  constructor(options: LeaderElectionOptions) {
    this.options = withDefaults(options, {
      shared: false, leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, clock: systemClock, random: Math.random,
    });
    const { leaseDuration, renewDeadline, retryPeriod } = this.options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod && retryPeriod > 0)) {
      throw new RangeError(`of the lease duration ${leaseDuration} ms, the renew deadline ${renewDeadline} ms and the retry period ${retryPeriod} ms each must be greater than the next`);
    }
    this.clock = this.options.clock;
    this.seen = options.seen;
    this.logger = options.logger.child({ lease: `${options.lock.namespace}/${options.lock.name}`, identity: options.identity });
  }

  /** Begins; a second call does nothing. */
  start(): void {
    this.running ??= this.run();
  }

  /** Ends the term, if there is one, gives the Lease back so that another can take it at once, and resolves. */
  async stop(): Promise<void> {
    const reason = new Error('the process is stopping');
    this.stopping.abort(reason);
    this.term?.end.abort(reason);
    await this.running;
  }

  /** The same at once, and as if the Lease were lost: it is not given back, as what has been sent may still be under way, and nobody is to have the Lease until it has run out. */
  async abandon(): Promise<void> {
    if (this.term) this.lose(this.term);
    await this.stop();
  }

  /**
   * Whether this process leads. It goes by the clock alone: a process that was paused for too long learns it from the first look,
   * before any timer or call has told it.
   */
  leading(): boolean {
    return this.term !== undefined && this.term.lostAt === undefined && this.holds();
  }

  /**
   * To be called right before each write: the `guard` of a `KubeClient`.
   *
   * @throws {NotLeaderError} if this process does not lead
   */
  readonly guard = (call: Call): void => {
    if (!this.leading()) throw new NotLeaderError(call);
  };

  /** How it stands, for the probes. */
  health(): ElectionHealth {
    const leading = this.leading();
    const lostAt = this.term && !leading ? this.term.lostAt ?? this.renewedAt + this.options.renewDeadline : undefined;
    return { leading, inOffice: this.term !== undefined, overdueFor: lostAt && this.clock.monotonic() - lostAt, leader: this.leader };
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!await this.acquire()) continue;
      if (!signal.aborted) await this.hold();
      if (this.holds() && !this.options.shared) await this.release();
      this.renewedAt = -Infinity;
    }
  }

  // --- Candidate ---

  /** Looks once, and waits until another look is worth while. @returns whether the Lease is ours now */
  private async acquire(): Promise<boolean> {
    try {
      const lease = await this.read(this.stopping.signal);
      if (!this.isFree()) {
        // One that was deleted is still its holder's until it would have run out.
        await (lease ? this.waitForChange(lease) : this.pause(Math.min(this.jittered(), this.untilFree())));
        return false;
      }
      const begun = this.clock.monotonic();
      // Not ended by `stop`: a Lease that is ours without our knowing could not be given back.
      this.observe(lease ? await this.write(taken(lease, this.record())) : await this.create());
      this.renewedAt = begun;
      return this.holds();
    } catch (error) {
      // After a conflict another candidate was quicker.
      if (this.stopping.signal.aborted || isConflict(error) || isAlreadyExists(error)) return false;
      this.logger.warn({ err: toError(error) }, 'the Lease could not be read or taken; trying again');
      await this.pause(this.jittered());
      return false;
    }
  }

  /** Follows the Lease until it is given back, has not been renewed for its duration, or cannot be followed any more. */
  private async waitForChange(lease: Lease): Promise<void> {
    const { client, lock } = this.options;
    const enough = new AbortController();
    const finish = () => enough.abort();
    this.stopping.signal.addEventListener('abort', finish, { once: true });
    // The watch may be dead without a word, so that what it did not tell is no reason to take the Lease, but to look.
    let timer = this.clock.setTimeout(finish, this.untilFree());
    try {
      const { resourceVersion } = lease.metadata;
      const fieldSelector = `metadata.name=${lock.name}`;
      await client.watch(LEASES, { namespace: lock.namespace, fieldSelector, resourceVersion: resourceVersion!, signal: enough.signal }, (event) => {
        if (event.type === 'BOOKMARK') return;
        if (event.type === 'DELETED') return finish();
        this.observe(event.object);
        this.clock.clearTimeout(timer);
        if (this.isFree()) finish();
        else timer = this.clock.setTimeout(finish, this.untilFree());
      });
    } catch (error) {
      if (!enough.signal.aborted) this.logger.debug({ err: toError(error) }, 'lost the watch of the Lease');
    } finally {
      this.clock.clearTimeout(timer);
      this.stopping.signal.removeEventListener('abort', finish);
    }
    if (!enough.signal.aborted) await this.pause(Math.min(this.jittered(), this.untilFree()));
  }

  /** Whether the Lease as last seen may be taken. */
  private isFree(): boolean {
    const holder = this.seen && holderOf(this.seen.lease);
    return holder === undefined || holder === this.options.identity || this.untilFree() <= 0;
  }

  /** Milliseconds until the Lease as last seen runs out. */
  private untilFree(): number {
    const { lease, changed } = this.seen!;
    return changed + validFor(lease, this.options.leaseDuration) - this.clock.monotonic();
  }

  // --- Leader ---

  /** Keeps the Lease while the leader works, and ends the work if it cannot be kept. */
  private async hold(): Promise<void> {
    const term: Term = this.term = { end: new AbortController() };
    this.logger.info({}, 'leading');
    const ended = new AbortController();
    const work = this.work(term).finally(() => ended.abort());
    const stopWatching = this.watchDeadline(term);
    while (!ended.signal.aborted && term.lostAt === undefined) {
      await sleep(this.clock, this.options.retryPeriod, ended.signal).catch(() => {});
      if (!ended.signal.aborted && !await this.renewInTime(ended.signal)) this.lose(term);
    }
    stopWatching();
    await work;
    this.term = undefined;
    // Work that ends by itself is a fault, which must not happen again and again at full speed.
    if (!term.end.signal.aborted) await this.pause(this.jittered());
  }

  /** Does the leader's work; never rejects. */
  private async work(term: Term): Promise<void> {
    try {
      await this.options.lead(term.end.signal);
    } catch (error) {
      this.logger.error({ err: toError(error) }, 'the work of the leader failed');
    }
  }

  /** Ends the term when its time is over, whatever has become of the call that is to renew the Lease. @returns how to end that */
  private watchDeadline(term: Term): () => void {
    const watch = () => this.clock.setTimeout(() => {
      if (this.holds()) timer = watch();
      else this.lose(term);
    }, this.untilDeadline());
    let timer: Timer = watch();
    return () => this.clock.clearTimeout(timer);
  }

  private lose(term: Term): void {
    if (term.lostAt !== undefined) return;
    term.lostAt = this.clock.monotonic();
    this.renewedAt = -Infinity;
    this.logger.warn({ leader: this.leader }, 'the Lease is lost; the work is ended');
    term.end.abort(new NotLeaderError());
  }

  /** Renews, again and again while there is time. @returns whether the Lease is still ours */
  private async renewInTime(ended: AbortSignal): Promise<boolean> {
    while (this.holds()) {
      const begun = this.clock.monotonic();
      try {
        // A leader for whom time ran out stays none, even if the answer comes after all: `leading` has said so to others.
        if (!await this.renew() || !this.holds()) return false;
        this.renewedAt = begun;
        return true;
      } catch (error) {
        // One of those who share it was quicker. Whoever waited would be as slow the next time, as all renew at the same pace.
        if (this.options.shared && isConflict(error)) continue;
        this.logger.info({ err: toError(error) }, 'the Lease could not be renewed; trying again');
      }
      await sleep(this.clock, Math.min(this.options.retryPeriod, this.untilDeadline()), ended).catch(() => {});
      if (ended.aborted) return true;
    }
    return false;
  }

  /** Renews once. @returns whether the Lease is still ours */
  private async renew(): Promise<boolean> {
    try {
      // What is shared has been renewed by others since.
      if (!this.options.shared) {
        this.observe(await this.write(renewed(this.seen!.lease, this.record())));
        return true;
      }
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // Either somebody else has written, or the answer to a renewal of ours was lost.
    const lease = await this.read();
    if (lease && holderOf(lease) !== this.options.identity) return false;
    this.observe(lease ? await this.write(renewed(lease, this.record())) : await this.create());
    return true;
  }

  /** Gives the Lease back. If that fails it runs out by itself. */
  private async release(): Promise<void> {
    try {
      this.observe(await this.write(released(this.seen!.lease, this.clock.now())).catch(async (error) => {
        if (!isConflict(error)) throw error;
        const lease = await this.read();
        return lease && holderOf(lease) === this.options.identity ? this.write(released(lease, this.clock.now())) : this.seen!.lease;
      }));
      this.logger.info({}, 'gave the Lease back');
    } catch (error) {
      this.logger.warn({ err: toError(error) }, 'the Lease could not be given back; it runs out by itself');
    }
  }

  /** Whether the Lease is ours for certain. */
  private holds(): boolean {
    return this.clock.monotonic() - this.renewedAt < this.options.renewDeadline;
  }

  private untilDeadline(): number {
    return Math.max(0, this.renewedAt + this.options.renewDeadline - this.clock.monotonic());
  }

  // --- The Lease ---

  private async read(signal?: AbortSignal): Promise<Lease | undefined> {
    const { client, lock } = this.options;
    try {
      const lease = await client.get(LEASES, lock, { ...this.callOptions(), signal });
      this.observe(lease);
      return lease;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return undefined;
    }
  }

  private write(lease: Lease): Promise<Lease> {
    return this.options.client.update(LEASES, lease, this.callOptions());
  }

  private create(): Promise<Lease> {
    const { client, lock, labels } = this.options;
    return client.create(LEASES, taken({ metadata: { ...lock, labels } }, this.record()), this.callOptions());
  }

  /** A holder's calls must be over when its time is; so a server that asks to come back later is asked again after the retry period, not by the client. */
  private callOptions(): CallOptions {
    const most = this.options.renewDeadline * CALL_SHARE;
    return { attempts: 1, timeout: this.holds() ? Math.max(1, Math.min(most, this.untilDeadline())) : most };
  }

  private record() {
    const { identity, leaseDuration } = this.options;
    return { identity, leaseDuration, now: this.clock.now() };
  }

  private observe(lease: Lease): void {
    const isChange = this.seen?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion;
    this.seen = { lease, changed: isChange ? this.clock.monotonic() : this.seen!.changed };
    this.announce(holderOf(lease));
  }

  private announce(leader: string | undefined): void {
    if (leader === this.leader) return;
    this.leader = leader;
    if (leader !== this.options.identity) this.logger.info({ leader }, leader ? 'another process leads' : 'nobody leads');
    this.options.onLeader?.(leader);
  }

  /** The retry period and up to a fifth more, so that candidates do not come at the same moment. */
  private jittered(): number {
    return this.options.retryPeriod * (1 + this.options.random() / 5);
  }

  private pause(ms: number): Promise<void> {
    return sleep(this.clock, ms, this.stopping.signal).catch(() => {});
  }
}
