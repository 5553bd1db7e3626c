import { type Clock, sleep, systemClock } from './clock';
import { withDefaults } from './defaults';
import { ApiError, isConflict, isTransient, toError } from './errors';
import type { Logger } from './logger';
import type { WorkQueue } from './work-queue';

/** Consecutive failures of a key after which conflicts and transient ones, too, are warnings. */
const MANY_FAILURES = 5;

/** Context of a reconciliation. */
export interface ReconcileContext {
  /** Aborted when the controller stops and the grace period is over; pass it to all calls. */
  readonly signal: AbortSignal;
  /** Logger that adds the controller's name and the key to each line. */
  readonly logger: Logger;
}

/** Result of a reconciliation. */
export interface ReconcileResult {
  /**
   * Milliseconds after which to reconcile again, even without an event.
   * @default - only after an event
   */
  readonly requeueAfter?: number;
}

/**
 * Moves the actual state one step closer to the desired state of the object with this key. It must
 * be level-triggered (independent of the event that caused it) and idempotent.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | void>;

/**
 * Outcome of a reconciliation.
 *
 * - `requeued`: success, and the key is added again after a time
 * - `conflict`: another client changed the object first; the key is requeued soon
 * - `transient`: the API server was not reachable, or had an internal problem
 * - `error`: any other exception, which is a fault of the operator or of its permissions
 * - `aborted`: the controller was stopped
 */
export type Outcome = 'success' | 'requeued' | 'conflict' | 'transient' | 'error' | 'aborted';

/** Settings of a controller. */
export interface ControllerOptions {
  /** Name in log lines. */
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  /** Concurrent reconciles. @default 10 */
  readonly workers?: number;
  /** Milliseconds after which a running reconciliation is logged as slow. @default 30000 */
  readonly slowAfter?: number;
  readonly logger: Logger;
  /** Receives every reconciliation's outcome, for metrics. @default - none */
  readonly onReconcile?: (outcome: Outcome) => void;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Workers that take keys from a queue and reconcile them. The controller logs every exception of a
 * reconciliation and requeues its key, later after each failure. A worker never ends because of an
 * exception.
 */
export class Controller {
  private readonly options;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly aborting = new AbortController();
  private started = false;

  constructor(options: ControllerOptions) {
    this.options = withDefaults(options, { workers: 10, slowAfter: 30_000, clock: systemClock });
    this.clock = this.options.clock;
    this.logger = options.logger.child({ controller: options.name });
  }

  /** Starts the workers; a second call has no effect. */
  start(): void {
    if (this.started) return;
    this.started = true;
    for (let worker = 0; worker < this.options.workers; worker++) {
      // Cannot reject: `process` catches every exception.
      void this.work();
    }
  }

  /**
   * Stops the controller permanently: workers take no more keys, and running reconciliations can
   * finish.
   *
   * @param grace milliseconds after which running reconciliations are aborted; 0 aborts at once
   * @returns whether all reconciliations finished in time
   */
  async stop(grace = 20_000): Promise<boolean> {
    const { queue } = this.options;
    queue.shutdown();
    const waiting = new AbortController();
    const inTime = await Promise.race([
      queue.drained().then(() => true),
      sleep(this.clock, grace, waiting.signal).then(() => false, () => false),
    ]);
    waiting.abort();
    this.aborting.abort(new Error(`the controller ${this.options.name} is stopping`));
    if (!inTime) this.logger.warn({ running: queue.running }, 'stopped before all work was done');
    return inTime;
  }

  private async work(): Promise<void> {
    const { queue } = this.options;
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      await this.process(key);
    }
  }

  private async process(key: string): Promise<void> {
    const { queue, reconcile, slowAfter } = this.options;
    const logger = this.logger.child({ key });
    const slow = this.clock.setTimeout(() => logger.warn({ slowAfter }, 'the reconciliation takes long'), slowAfter);
    let outcome: Outcome;
    try {
      const result = await reconcile(key, { signal: this.aborting.signal, logger });
      queue.forget(key);
      if (result?.requeueAfter !== undefined) queue.addAfter(key, result.requeueAfter);
      outcome = result?.requeueAfter === undefined ? 'success' : 'requeued';
    } catch (error) {
      outcome = this.fail(key, toError(error), logger);
    }
    this.clock.clearTimeout(slow);
    queue.done(key);
    try {
      this.options.onReconcile?.(outcome);
    } catch (error) {
      logger.error({ err: error }, 'onReconcile failed');
    }
  }

  private fail(key: string, error: Error, logger: Logger): Outcome {
    const { queue } = this.options;
    if (this.aborting.signal.aborted) {
      logger.debug({ err: error }, 'the reconciliation was aborted');
      return 'aborted';
    }
    queue.addRateLimited(key, error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0);
    const fields = { err: error, failures: queue.failures(key) };
    if (isConflict(error)) {
      // A conflict that stays hides that the work does not progress.
      logger[fields.failures < MANY_FAILURES ? 'debug' : 'warn'](fields, 'something else has changed the object; trying again');
      return 'conflict';
    }
    if (!isTransient(error)) {
      logger.error(fields, 'the reconciliation failed; trying again');
      return 'error';
    }
    if (fields.failures < MANY_FAILURES) {
      logger.info(fields, 'the API server cannot answer now; trying again');
    } else {
      logger.warn(fields, 'the API server still cannot answer; trying again');
    }
    return 'transient';
  }
}
