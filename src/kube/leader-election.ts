import type { CallOptions } from './client';
import { type Clock, type Random, sleep, systemClock, type Timer } from './clock';
import { withDefaults } from './defaults';
import { type Call, isAlreadyExists, isConflict, isNotFound, toError } from './errors';
import type { Lease } from './lease';
import { type LeaseClient, LeaseLock } from './lease-lock';
import type { Logger } from './logger';
import type { Ref } from './objects';

/**
 * Share of the renew deadline that one call can take, so that after a hanging call there is time
 * for another.
 */
const CALL_SHARE = 0.5;

/** Milliseconds between two attempts to release a Lease, for which another candidate might wait. */
const RELEASE_PAUSE = 250;

/** Settings of an election. Times are in milliseconds. */
export interface LeaderElectionOptions {
  readonly client: LeaseClient;
  /** The Lease that the candidates compete for. A candidate creates it if it does not exist. */
  readonly lock: Required<Ref>;
  /** Name of this candidate. No other candidate and no previous process can have the same name. */
  readonly identity: string;
  /**
   * Milliseconds for which others respect a Lease without a renewal; whole seconds, as in the
   * Lease.
   * @default 15000
   */
  readonly leaseDuration?: number;
  /**
   * Milliseconds without a renewal after which a leader stops leading. Must be less than
   * `leaseDuration`.
   * @default 10000
   */
  readonly renewDeadline?: number;
  /** Milliseconds between two renewals, and before a retry. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * The leader's work, called at the start of each term. When `term` is aborted, it must end its
   * work and then resolve; the election waits for that.
   *
   * The reason is a `NotLeaderError` if the Lease is lost; the work must then end at once. With any
   * other reason this process is stopping: the election renews the Lease until the work has ended,
   * and then releases it. Work that was aborted, so that its calls might still be processed,
   * rejects with a `NotLeaderError`: the Lease is then not released, but expires.
   *
   * @param lost aborted when the Lease is lost, also while the work ends in order: it must then end
   * at once
   */
  readonly lead: (term: AbortSignal, lost: AbortSignal) => Promise<void>;
  /**
   * Receives the leader's identity on each change; `undefined` for none. Must not throw.
   * @default - none
   */
  readonly onLeader?: (identity: string | undefined) => void;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** State of an election, for health checks. */
export interface ElectionHealth {
  /** Whether this process leads and can write. */
  readonly leading: boolean;
  /**
   * Whether this process has a term that has not ended yet. If it no longer leads, its work is
   * ending.
   */
  readonly hasTerm: boolean;
  /** Milliseconds for which the term has outlasted the Lease; `undefined` if it has not. */
  readonly overdueFor?: number;
  /** The candidate that holds the Lease, as far as known. */
  readonly leader?: string;
}

/** The time in which this process works as the leader. */
interface Term {
  readonly end: AbortController;
  /** Aborted when the Lease is lost. */
  readonly lost: AbortController;
  /** When the Lease was lost. */
  lostAt?: number;
}

/** A moment by both clocks of a machine. */
interface Moment {
  readonly monotonic: number;
  readonly now: number;
}

/** Earlier than any duration can reach back. */
const NEVER: Moment = { monotonic: -Infinity, now: -Infinity };

/** A write was rejected because this process does not lead. */
export class NotLeaderError extends Error {
  constructor(call?: Call) {
    super(`${call ? `${call.verb} ${call.resource} was not sent: ` : ''}this process does not lead${call ? '' : ' any more'}`);
    this.name = 'NotLeaderError';
  }
}

/**
 * Ensures that one of several processes works, by a Lease that one of them holds and renews.
 *
 * The algorithm never compares the candidates' clocks. A candidate takes over a Lease that has not
 * changed for its duration, by the candidate's own clock. The holder measures from the moment
 * *before* it sent its last renewal, and stops leading after less than that duration. So at most
 * one process leads, however slow calls are, as long as clocks run at about the same speed. Every
 * write has the resource version that was read, so only one of two candidates succeeds.
 *
 * A Lease cannot stop a write that is under way when the Lease expires. So `leading` and `guard`
 * check the clocks instead of timers, and writes are conditional.
 */
export class LeaderElection {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private running?: Promise<void>;
  private readonly lock: LeaseLock;
  private term?: Term;
  /** When the last successful renewal was sent. */
  private renewedAt = NEVER;

  /** @throws {RangeError} if the times are not in descending order */
  constructor(options: LeaderElectionOptions) {
    this.options = withDefaults(options, {
      leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000, clock: systemClock, random: Math.random,
    });
    const { leaseDuration, renewDeadline, retryPeriod } = this.options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod && retryPeriod > 0)) {
      throw new RangeError(
        `lease duration ${leaseDuration} ms, renew deadline ${renewDeadline} ms and retry period ${retryPeriod} ms: `
        + 'each must be greater than the next',
      );
    }
    this.clock = this.options.clock;
    this.logger = options.logger.child({ lease: `${options.lock.namespace}/${options.lock.name}`, identity: options.identity });
    this.lock = new LeaseLock({ ...this.options, logger: this.logger });
  }

  /** Starts the election; a second call has no effect. */
  start(): void {
    this.running ??= this.run();
  }

  /**
   * Ends a term, releases the Lease so that another candidate can take it at once, and resolves.
   */
  async stop(): Promise<void> {
    const reason = new Error('the process is stopping');
    this.stopping.abort(reason);
    this.term?.end.abort(reason);
    await this.running;
  }

  /**
   * Whether this process leads. It checks only the clocks: after a long pause or a suspended
   * virtual machine it returns `false` at once, before any timer or call reports the loss.
   */
  leading(): boolean {
    return this.term !== undefined && this.term.lostAt === undefined && this.holdsLease();
  }

  /**
   * Fences writes: the `guard` of a `KubeClient`, called right before each write.
   *
   * @throws {NotLeaderError} if this process does not lead
   */
  readonly guard = (call: Call): void => {
    if (!this.leading()) throw new NotLeaderError(call);
  };

  /** Returns the state of the election, for health checks. */
  health(): ElectionHealth {
    const leading = this.leading();
    const lostAt = this.term && !leading ? this.term.lostAt ?? this.renewedAt.monotonic + this.options.renewDeadline : undefined;
    return {
      leading,
      hasTerm: this.term !== undefined,
      overdueFor: lostAt && Math.max(0, this.clock.monotonic() - lostAt),
      leader: this.lock.leader,
    };
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!await this.acquire()) continue;
      const isToBeReleased = signal.aborted || await this.keepLease();
      this.renewedAt = NEVER;
      if (isToBeReleased) await this.release();
    }
  }

  // --- Candidate ---

  /**
   * Tries to take the Lease once, then waits until another attempt makes sense.
   * @returns whether this process holds the Lease now; once it stops, whether to release it
   */
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
      // `stop` does not abort this call: a Lease taken without our knowledge could not be released.
      await this.lock.take(lease, this.callOptions());
      this.renewedAt = begun;
      return this.holdsLease() || signal.aborted;
    } catch (error) {
      // A conflict: another candidate was faster.
      if (isConflict(error) || isAlreadyExists(error)) return false;
      // Without an answer this process might hold the Lease.
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
      this.logger.warn({ err: toError(error) }, 'the Lease could not be read; if this process holds it, it expires by itself');
      return false;
    }
  }

  /** Watches the Lease until it is released, has expired, or the watch fails. */
  private async waitForChange(lease: Lease): Promise<void> {
    try {
      await this.lock.follow(lease, this.stopping.signal);
    } catch (error) {
      this.logger.debug({ err: toError(error) }, 'lost the watch of the Lease');
      await this.pause(Math.min(this.jittered(), this.lock.untilFree()));
    }
  }

  // --- Leader ---

  /**
   * Renews the Lease while the leader works, and ends the work if it cannot renew it.
   * @returns whether the work ended in order, so that the Lease can be released
   */
  private async keepLease(): Promise<boolean> {
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
    // Work that ends by itself is a fault; the pause keeps it from a busy loop.
    if (!term.end.signal.aborted) await this.pause(this.jittered());
    return isComplete && term.lostAt === undefined;
  }

  /** Does the leader's work; never rejects. @returns whether it has ended completely */
  private async work(term: Term): Promise<boolean> {
    try {
      await this.options.lead(term.end.signal, term.lost.signal);
    } catch (error) {
      if (error instanceof NotLeaderError) return false;
      this.logger.error({ err: toError(error) }, 'the work of the leader failed');
    }
    return true;
  }

  /**
   * Ends the term at the renew deadline, even while a renewal is under way.
   * @returns a function that stops this
   */
  private watchDeadline(term: Term): () => void {
    const watch = () => this.clock.setTimeout(() => {
      if (this.holdsLease()) timer = watch();
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

  /** Renews repeatedly until the deadline. @returns whether this process still holds the Lease */
  private async renewInTime(ended: AbortSignal): Promise<boolean> {
    while (this.holdsLease()) {
      const begun = this.moment();
      try {
        // A leader past its deadline stays without the Lease, even if the answer arrives later:
        // `leading` has already returned `false` to others.
        if (!await this.renew() || !this.holdsLease()) return false;
        this.renewedAt = begun;
        return true;
      } catch (error) {
        this.logger.info({ err: toError(error) }, 'the Lease could not be renewed; trying again');
      }
      // Repeats a call that hung for longer at once, as another must fit in before the deadline.
      const untilRetry = begun.monotonic + this.options.retryPeriod - this.clock.monotonic();
      await sleep(this.clock, Math.max(0, Math.min(untilRetry, this.untilDeadline())), ended).catch(() => {});
      if (ended.aborted) return true;
    }
    return false;
  }

  /** Renews once. @returns whether this process still holds the Lease */
  private async renew(): Promise<boolean> {
    try {
      await this.lock.renew(this.callOptions());
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    // Either another client wrote the Lease, or the answer to our renewal was lost.
    const lease = await this.lock.read(this.callOptions());
    if (lease && !this.lock.isOurs(lease)) return false;
    await this.lock.take(lease, this.callOptions());
    return true;
  }

  /**
   * Releases the Lease, for which no call is under way any more. Retries while that is much faster
   * than expiry. It needs no check of the clocks, as it writes the Lease only if this process still
   * holds it.
   */
  private async release(): Promise<void> {
    const { leaseDuration, renewDeadline } = this.options;
    const most = leaseDuration - renewDeadline;
    const end = this.clock.monotonic() + most;
    for (;;) {
      try {
        await this.lock.release({ attempts: 1, timeout: Math.max(1, Math.min(most * CALL_SHARE, end - this.clock.monotonic())) });
        this.logger.info({}, 'released the Lease');
        return;
      } catch (error) {
        const isLast = this.clock.monotonic() + RELEASE_PAUSE >= end;
        const consequence = isLast ? 'it expires by itself' : 'trying again';
        this.logger[isLast ? 'warn' : 'info']({ err: toError(error) }, `the Lease could not be released; ${consequence}`);
        if (isLast) return;
      }
      await sleep(this.clock, RELEASE_PAUSE);
    }
  }

  /**
   * Whether this process certainly holds the Lease. Both clocks must agree: the monotonic one does
   * not advance while a virtual machine is suspended, and the wall clock can be set back. A wall
   * clock set forward costs only a term.
   */
  private holdsLease(): boolean {
    const { renewDeadline } = this.options;
    return this.clock.monotonic() - this.renewedAt.monotonic < renewDeadline && this.clock.now() - this.renewedAt.now < renewDeadline;
  }

  private moment(): Moment {
    return { monotonic: this.clock.monotonic(), now: this.clock.now() };
  }

  private untilDeadline(): number {
    return Math.max(0, this.renewedAt.monotonic + this.options.renewDeadline - this.clock.monotonic());
  }

  /**
   * A holder's calls must end with its time. So on a Retry-After the election retries after the
   * retry period, not the client.
   */
  private callOptions(): CallOptions {
    const most = this.options.renewDeadline * CALL_SHARE;
    return { attempts: 1, timeout: this.holdsLease() ? Math.max(1, Math.min(most, this.untilDeadline())) : most };
  }

  /** Retry period plus up to a fifth, so that candidates do not retry at the same moment. */
  private jittered(): number {
    return this.options.retryPeriod * (1 + this.options.random() / 5);
  }

  private pause(ms: number): Promise<void> {
    return sleep(this.clock, ms, this.stopping.signal).catch(() => {});
  }
}
