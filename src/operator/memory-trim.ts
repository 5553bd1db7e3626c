import type { Clock, Timer } from '../kube/clock';
import type { Logger } from '../kube/logger';

/** Milliseconds until the first check, when caches are filled, and between two checks. */
const [FIRST_CHECK, INTERVAL] = [30_000, 300_000];

/**
 * Growth since the last collection that justifies an interruption, in bytes and as a share. V8's
 * old heap grows by 20 % between two of its own collections (`--heap-growing-percent`).
 */
const MIN_GROWTH = { bytes: 32 * 1024 * 1024, share: 0.25 } as const;

/** Dependencies of `trimMemory`. */
export interface MemoryTrimOptions {
  /** Returns the physical memory of the process, in bytes. */
  readonly rss: () => number;
  /** Collects all garbage and returns free pages. Takes some 20 ms for each 10 MB that stay. */
  readonly collect: () => void;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Returns memory to the machine after bursts, such as when caches are filled or thousands of
 * applications start.
 *
 * V8 keeps the pages of a burst until it has been idle for a while. An operator with thousands of
 * running applications never is: it would keep twice what it needs.
 *
 * @returns a function that ends it
 */
export function trimMemory({ rss, collect, logger, clock }: MemoryTrimOptions): () => void {
  let floor = rss();
  const check = () => {
    const before = rss();
    floor = Math.min(floor, before);
    if (before - floor < Math.max(MIN_GROWTH.bytes, MIN_GROWTH.share * floor)) return;
    const begun = clock.monotonic();
    collect();
    floor = rss();
    logger.info(
      { before: mebibytes(before), after: mebibytes(floor), milliseconds: Math.round(clock.monotonic() - begun) },
      'gave back memory that a burst had needed, in MiB',
    );
  };
  let timer: Timer;
  const wait = (delay: number) => {
    timer = clock.setTimeout(() => {
      try {
        check();
      } catch (error) {
        // For example, there might be no free file descriptor to ask the kernel.
        logger.warn({ err: error }, 'the memory of the process cannot be read; trying again');
      }
      wait(INTERVAL);
    }, delay);
    // The timer must not keep the process alive.
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  wait(FIRST_CHECK);
  return () => clock.clearTimeout(timer);
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** Returns a function that collects all garbage, if this process was started with `--expose-gc`. */
export function garbageCollector(): (() => void) | undefined {
  const collect = (globalThis as { readonly gc?: (options: object) => void }).gc;
  // Only this flavor returns pages to the machine.
  return collect && (() => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
