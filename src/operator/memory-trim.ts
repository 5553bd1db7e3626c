import type { Clock, Timer } from '../kube/clock';
import type { Logger } from '../kube/logger';

/** How often it is looked whether there is something to give back, in milliseconds. */
const INTERVAL = 5_000;

/** A process that grows by more in that time, as a share of what it has, is in the middle of something: what it needs now is not too much. */
const GROWING = 0.02;

/** What is worth an interruption: so much more than was left the last time, in bytes and as a share. V8's old heap grows by 20 % from one of its own collections to the next (`--heap-growing-percent`): that is no burst. */
const WORTHWHILE = { bytes: 32 * 1024 * 1024, share: 0.25 } as const;

/** Not more often than this, in milliseconds, and only half as often each time that it gave back less than half of what is worth it: then the process needs it. */
const [LEAST_PAUSE, GREATEST_PAUSE] = [60_000, 3_600_000];

/** What giving back memory works with. */
export interface MemoryTrimOptions {
  /** The physical memory of the process, in bytes. */
  readonly rss: () => number;
  /** Collects all garbage and gives back what is free. Takes some 20 ms for each 10 MB that stay. */
  readonly collect: () => void;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Gives memory back to the machine after bursts, such as when caches are filled or thousands of applications start.
 *
 * V8 keeps the pages that a burst needed, for the next one, until it has been idle for a while. An operator with thousands of running applications never is: it would keep twice what it needs for good.
 */
export class MemoryTrim {
  /** What was left the last time, or less that there has been since. */
  private floor: number;
  private last: number;
  /** When it may happen again, by the monotonic clock, and how long after that once more. */
  private next = -Infinity;
  private pause = LEAST_PAUSE;
  private timer: Timer;

  constructor(private readonly options: MemoryTrimOptions) {
    this.floor = this.last = options.rss();
    this.wait();
  }

  /** Ends it. */
  stop(): void {
    this.options.clock.clearTimeout(this.timer);
  }

  private wait(): void {
    const { clock } = this.options;
    this.timer = clock.setTimeout(() => {
      try {
        this.look();
      } catch (error) {
        // As when there are no file descriptors left to ask the kernel: others have more to say about that.
        this.options.logger.warn({ err: error }, 'how much memory there is cannot be read; trying on');
      }
      this.wait();
    }, INTERVAL);
    // It is no reason for a process to stay.
    (this.timer as Partial<NodeJS.Timeout>).unref?.();
  }

  private look(): void {
    const { rss, collect, logger, clock } = this.options;
    const now = rss();
    const isGrowing = now > this.last * (1 + GROWING);
    this.last = now;
    this.floor = Math.min(this.floor, now);
    const worthwhile = Math.max(WORTHWHILE.bytes, WORTHWHILE.share * this.floor);
    const began = clock.monotonic();
    if (isGrowing || began < this.next || now - this.floor < worthwhile) return;
    collect();
    this.floor = this.last = rss();
    const ended = clock.monotonic();
    this.pause = now - this.floor < worthwhile / 2 ? Math.min(2 * this.pause, GREATEST_PAUSE) : LEAST_PAUSE;
    this.next = ended + this.pause;
    logger.info({ before: mebibytes(now), after: mebibytes(this.floor), milliseconds: Math.round(ended - began) }, 'gave back memory that a burst had needed, in MiB');
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** What collects all garbage, if this process was started with `--expose-gc`. */
export function garbageCollector(): (() => void) | undefined {
  const collect = (globalThis as { readonly gc?: (options: object) => void }).gc;
  // Only this flavor gives pages back.
  return collect && (() => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
