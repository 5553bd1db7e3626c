import type { CallOptions } from './client';
import { type Clock, type Random, sleep, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { type Call, isAlreadyExists, isConflict, isNotFound, toError } from './errors';
import type { Lease } from './lease';
import { type LeaseClient, LeaseLock } from './lease-lock';
import type { Logger } from './logger';
import type { Ref } from './objects';

/** The share of the renew deadline that one call may take: one that hangs must leave time for another. */
const CALL_SHARE = 0.5;

/** Between two attempts to give a Lease back, in milliseconds. Somebody waits for it. */
const RELEASE_PAUSE = 250;

/** Settings of an election. Times are in milliseconds. */
export interface LeaderElectionOptions {
  readonly client: LeaseClient;
  /** The Lease that the candidates compete for. It is created if need be. */
  readonly lock: Required<Ref>;
  /** Identifies this candidate: no other one, and no earlier process, can have the same. */
  readonly identity: string;
  /** For how long others leave a Lease alone that is not renewed; in whole seconds, as the Lease says it. @default 15000 */
  readonly leaseDuration?: number;
  /** After so long without a renewal a leader is none any more. Must be less than `leaseDuration`. @default 10000 */
  readonly renewDeadline?: number;
  /** Between two renewals, and two attempts of which the first failed. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * The work of the leader, called at the beginning of each term. When `term` is aborted, it must end its work and then resolve;
   * nothing else is done until it has. The reason is a `NotLeaderError` if the Lease is lost, which leaves no time, and another if this
   * process is to stop: then the Lease is still renewed until the work has ended, and given back. Work that was broken off, so that what it has sent may still be under way, rejects with a
   * `NotLeaderError`: then the Lease is not given back, but runs out.
   *
   * @param lost aborted when the Lease is lost, whatever came before: also while the work is ended in order, for which there is no time left then
   */
  readonly lead: (term: AbortSignal, lost: AbortSignal) => Promise<void>;
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
  /** Aborted when the Lease is lost. */
  readonly lost: AbortController;
  /** Since when the Lease is lost. */
  lostAt?: number;
}

/** A moment by both clocks of a machine. */
interface Moment {
  readonly monotonic: number;
  readonly now: number;
}

/** So long ago that no duration reaches back to it. */
const NEVER: Moment = { monotonic: -Infinity, now: -Infinity };

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
 * What a Lease cannot do is to stop a write that is on its way when the lease ends. Hence `leading` and `guard`, which go by the clocks
 * and not by timers, and hence writes that are conditional.
 */
export class LeaderElection {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private running?: Promise<void>;
  private readonly lock: LeaseLock;
  private term?: Term;
  /** When the last successful renewal was begun. */
  private renewedAt = NEVER;

  /** @throws {RangeError} if the times do not fit each other */
  constructor(options: LeaderElectionOptions) {
    this.options = withDefaults(options, {
      leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, clock: systemClock, random: Math.random,
    });
    const { leaseDuration, renewDeadline, retryPeriod } = this.options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod && retryPeriod > 0)) {
      throw new RangeError(`of the lease duration ${leaseDuration} ms, the renew deadline ${renewDeadline} ms and the retry period ${retryPeriod} ms each must be greater than the next`);
    }
    this.clock = this.options.clock;
    this.logger = options.logger.child({ lease: `${options.lock.namespace}/${options.lock.name}`, identity: options.identity });
    this.lock = new LeaseLock({ ...this.options, logger: this.logger });
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

  /**
   * Whether this process leads. It goes by the clocks alone: a process that was paused for too long, or whose virtual machine was suspended, learns it from the
   * first look, before any timer or call has told it.
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
    const lostAt = this.term && !leading ? this.term.lostAt ?? this.renewedAt.monotonic + this.options.renewDeadline : undefined;
    return { leading, inOffice: this.term !== undefined, overdueFor: lostAt && Math.max(0, this.clock.monotonic() - lostAt), leader: this.lock.leader };
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!await this.acquire()) continue;
      const isToBeReleased = signal.aborted || await this.hold();
      this.renewedAt = NEVER;
      if (isToBeReleased) await this.release();
    }
  }

  // --- Candidate ---

  /** Looks once, and waits until another look is worth while. @returns whether the Lease is ours now; once this process stops, whether it is to be given back */
  private async acquire(): Promise<boolean> {
    const { signal } = this.stopping;
    let isTaking = false;
    try {
      const lease = await this.lock.read({ ...this.callOptions(), signal });
      if (!this.lock.isFree()) {
        await (lease ? this.waitForChange(lease) : this.pause(Math.min(this.jittered(), this.lock.untilFree())));
        return false;
      }
      const begun = this.moment();
      isTaking = true;
      // Not ended by `stop`: a Lease that is ours without our knowing could not be given back.
      await this.lock.take(lease, this.callOptions());
      this.renewedAt = begun;
      return this.holds() || signal.aborted;
    } catch (error) {
      // After a conflict another candidate was quicker.
      if (isConflict(error) || isAlreadyExists(error)) return false;
      // Without an answer it may be ours.
      if (signal.aborted) return isTaking && this.isOurs();
      this.logger.warn({ err: toError(error) }, 'the Lease could not be read or taken; trying again');
      await this.pause(this.jittered());
      return false;
    }
  }

  private async isOurs(): Promise<boolean> {
    try {
      const lease = await this.lock.read(this.callOptions());
      return lease !== undefined && this.lock.isOurs(lease);
    } catch (error) {
      this.logger.warn({ err: toError(error) }, 'the Lease could not be read; if it is that of this process it runs out by itself');
      return false;
    }
  }

  /** Follows the Lease until it is given back, has not been renewed for its duration, or cannot be followed any more. */
  private async waitForChange(lease: Lease): Promise<void> {
    try {
      await this.lock.follow(lease, this.stopping.signal);
    } catch (error) {
      this.logger.debug({ err: toError(error) }, 'lost the watch of the Lease');
      await this.pause(Math.min(this.jittered(), this.lock.untilFree()));
    }
  }

  // --- Leader ---

  /** Keeps the Lease while the leader works, and ends the work if it cannot be kept. @returns whether the work has ended in order, so that the Lease can be given back */
  private async hold(): Promise<boolean> {
    const term: Term = this.term = { end: new AbortController(), lost: new AbortController() };
    this.logger.info({}, 'leading');
    const ended = new AbortController();
    const work = this.work(term).finally(() => ended.abort());
    const stopWatching = this.watchDeadline(term);
    while (!ended.signal.aborted && term.lostAt === undefined) {
      await sleep(this.clock, this.options.retryPeriod, ended.signal).catch(() => {});
      if (!ended.signal.aborted && !await this.renewInTime(ended.signal)) this.lose(term);
    }
    stopWatching();
    const isComplete = await work;
    this.term = undefined;
    // Work that ends by itself is a fault, which must not happen again and again at full speed.
    if (!term.end.signal.aborted) await this.pause(this.jittered());
    return isComplete && term.lostAt === undefined;
  }

  /** Does the leader's work; never rejects. @returns whether nothing of it is under way any more */
  private async work(term: Term): Promise<boolean> {
    try {
      await this.options.lead(term.end.signal, term.lost.signal);
    } catch (error) {
      if (error instanceof NotLeaderError) return false;
      this.logger.error({ err: toError(error) }, 'the work of the leader failed');
    }
    return true;
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
    this.renewedAt = NEVER;
    this.logger.warn({ leader: this.lock.leader }, 'the Lease is lost; the work is ended');
    const reason = new NotLeaderError();
    term.lost.abort(reason);
    term.end.abort(reason);
  }

  /** Renews, again and again while there is time. @returns whether the Lease is still ours */
  private async renewInTime(ended: AbortSignal): Promise<boolean> {
    while (this.holds()) {
      const begun = this.moment();
      try {
        // A leader for whom time ran out stays none, even if the answer comes after all: `leading` has said so to others.
        if (!await this.renew() || !this.holds()) return false;
        this.renewedAt = begun;
        return true;
      } catch (error) {
        this.logger.info({ err: toError(error) }, 'the Lease could not be renewed; trying again');
      }
      // A call that hung for longer than that is repeated at once: another must fit in before time is over.
      await sleep(this.clock, Math.max(0, Math.min(begun.monotonic + this.options.retryPeriod - this.clock.monotonic(), this.untilDeadline())), ended).catch(() => {});
      if (ended.aborted) return true;
    }
    return false;
  }

  /** Renews once. @returns whether the Lease is still ours */
  private async renew(): Promise<boolean> {
    try {
      await this.lock.renew(this.callOptions());
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // Either somebody else has written, or the answer to a renewal of ours was lost.
    const lease = await this.lock.read(this.callOptions());
    if (lease && !this.lock.isOurs(lease)) return false;
    await this.lock.take(lease, this.callOptions());
    return true;
  }

  /**
   * Gives the Lease back, for which nothing is under way any more; in several attempts, for as long as that is much better than to let it run out. No look at the clock is needed, as only
   * what is still ours is written.
   */
  private async release(): Promise<void> {
    const { leaseDuration, renewDeadline } = this.options;
    const most = leaseDuration - renewDeadline;
    const end = this.clock.monotonic() + most;
    for (;;) {
      try {
        await this.lock.release({ attempts: 1, timeout: Math.max(1, Math.min(most * CALL_SHARE, end - this.clock.monotonic())) });
        this.logger.info({}, 'gave the Lease back');
        return;
      } catch (error) {
        const isLast = this.clock.monotonic() + RELEASE_PAUSE >= end;
        this.logger[isLast ? 'warn' : 'info']({ err: toError(error) }, `the Lease could not be given back; ${isLast ? 'it runs out by itself' : 'trying again'}`);
        if (isLast) return;
      }
      await sleep(this.clock, RELEASE_PAUSE);
    }
  }

  /**
   * Whether the Lease is ours for certain. Both clocks have to say so: the monotonic one stands still while a virtual machine is suspended, and the other one may be set back. If that is
   * only set forward, it costs a term.
   */
  private holds(): boolean {
    const { renewDeadline } = this.options;
    return this.clock.monotonic() - this.renewedAt.monotonic < renewDeadline && this.clock.now() - this.renewedAt.now < renewDeadline;
  }

  private moment(): Moment {
    return { monotonic: this.clock.monotonic(), now: this.clock.now() };
  }

  private untilDeadline(): number {
    return Math.max(0, this.renewedAt.monotonic + this.options.renewDeadline - this.clock.monotonic());
  }

  /** A holder's calls must be over when its time is; so a server that asks to come back later is asked again after the retry period, not by the client. */
  private callOptions(): CallOptions {
    const most = this.options.renewDeadline * CALL_SHARE;
    return { attempts: 1, timeout: this.holds() ? Math.max(1, Math.min(most, this.untilDeadline())) : most };
  }

  /** The retry period and up to a fifth more, so that candidates do not come at the same moment. */
  private jittered(): number {
    return this.options.retryPeriod * (1 + this.options.random() / 5);
  }

  private pause(ms: number): Promise<void> {
    return sleep(this.clock, ms, this.stopping.signal).catch(() => {});
  }
}
