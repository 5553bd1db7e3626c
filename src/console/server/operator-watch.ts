import type { OperatorPresence } from '../../model/operator-presence';
import { toError } from '../../kube/errors';
import type { Clock, Timer } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/** Milliseconds between two checks. */
export const CHECK_PERIOD = 15_000;

/**
 * Checks whether an operator runs. Resolves to undefined if that is unknown, for example without
 * the permission to read its Lease.
 */
export type CheckOperator = (signal: AbortSignal) => Promise<OperatorPresence | undefined>;

/** Options of `OperatorWatch`. */
export interface OperatorWatchOptions {
  readonly check: CheckOperator;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the result changes. */
  readonly onChange: () => void;
}

/** Checks regularly whether an operator runs. */
export class OperatorWatch {
  private current?: OperatorPresence;
  private timer?: Timer;
  private readonly ended = new AbortController();

  constructor(private readonly options: OperatorWatchOptions) {}

  /** Latest result; undefined while it is unknown. */
  get presence(): OperatorPresence | undefined {
    return this.current;
  }

  start(): void {
    if (!this.ended.signal.aborted) void this.run();
  }

  stop(): void {
    this.ended.abort();
    this.options.clock.clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    const { check, clock, logger, onChange } = this.options;
    const found = await check(this.ended.signal).catch((error: unknown) => {
      if (!this.ended.signal.aborted) logger.debug({ err: toError(error) }, 'the console cannot check whether an operator runs');
      return undefined;
    });
    if (this.ended.signal.aborted) return;
    const before = this.current;
    // The evidence of an operator that runs changes with each renewal.
    const hasChanged = found?.isActive !== before?.isActive || (found?.isActive === false && found.evidence !== before?.evidence);
    this.current = found;
    if (hasChanged) onChange();
    this.timer = clock.setTimeout(() => void this.run(), CHECK_PERIOD);
    // The timer must not keep the process alive.
    (this.timer as Partial<NodeJS.Timeout>).unref?.();
  }
}
