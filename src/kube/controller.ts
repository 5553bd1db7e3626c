import { type Clock, sleep, systemClock } from './clock';
import { withDefaults } from './defaults';
import { ApiError, isConflict, isTransient, toError } from './errors';
import type { Logger } from './logger';
import type { WorkQueue } from './work-queue';

/** A key that fails this often in a row, even for passing reasons, deserves a louder line in the log. */
const MANY_FAILURES = 5;

/** What a reconciliation is given besides the key. */
export interface ReconcileContext {
  /** Aborted when the controller stops and the time of grace is over; pass it to all calls. */
  readonly signal: AbortSignal;
  /** Adds the controller's name and the key to each line. */
  readonly logger: Logger;
}

/** What a reconciliation may return. */
export interface ReconcileResult {
  /** Milliseconds after which to look again, even if nothing happens. @default - only when something happens */
  readonly requeueAfter?: number;
}

/**
 * Brings the world one step closer to what the object of this key wants. It must not depend on which event caused it, and
 * must do no harm when repeated.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult | void>;

/**
 * How a reconciliation ended.
 *
 * - `conflict`: something else was quicker to write; the key comes back soon
 * - `transient`: the API server could not be reached, or had a problem of its own
 * - `error`: anything else that was thrown, which is a fault of the operator or of its permissions
 * - `aborted`: the controller was stopped
 */
export type Outcome = 'success' | 'conflict' | 'transient' | 'error' | 'aborted';

/** Settings of a controller. */
export interface ControllerOptions {
  /** For log lines. */
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  /** Keys to work on at once. @default 10 */
  readonly workers?: number;
  /** Milliseconds after which a reconciliation that is not done is worth a warning. @default 30000 */
  readonly slowAfter?: number;
  readonly logger: Logger;
  /** Told of every reconciliation, for metrics. @default - nobody is told */
  readonly onReconcile?: (result: { readonly outcome: Outcome; readonly seconds: number }) => void;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Workers that take keys from a queue and reconcile them. Whatever a reconciliation throws is logged, and its key comes
 * back, later after each failure; a worker never ends because of it.
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

  /** Begins; a second call does nothing. */
  start(): void {
    if (this.started) return;
    this.started = true;
    for (let worker = 0; worker < this.options.workers; worker++) {
      // Cannot reject: `process` catches everything.
      void this.work();
    }
  }

  /**
   * Ends for good: no key is begun any more, and those begun may end.
   *
   * @param grace milliseconds after which what is still under way is aborted; 0 aborts at once
   * @returns whether all was done in time
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
    const started = this.clock.monotonic();
    const logger = this.logger.child({ key });
    const slow = this.clock.setTimeout(() => logger.warn({ slowAfter }, 'the reconciliation takes long'), slowAfter);
    let outcome: Outcome;
    try {
      const result = await reconcile(key, { signal: this.aborting.signal, logger });
      queue.forget(key);
      if (result?.requeueAfter !== undefined) queue.addAfter(key, result.requeueAfter);
      outcome = 'success';
    } catch (error) {
      outcome = this.fail(key, toError(error), logger);
    }
    this.clock.clearTimeout(slow);
    queue.done(key);
    try {
      this.options.onReconcile?.({ outcome, seconds: (this.clock.monotonic() - started) / 1_000 });
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
      logger.debug(fields, 'something else has changed the object; trying again');
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
