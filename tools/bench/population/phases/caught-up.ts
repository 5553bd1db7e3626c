import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../../operator.ts';
import type { LoadMeter } from '../load-meter.ts';
import { NAMESPACES, type Stage } from '../stage.ts';

const DEADLINE_SECONDS = 120;
/** How often an operator is asked how far it is, in milliseconds. */
const INTERVAL = 250;

/** What an operator says in its log, and when. */
export class Log {
  private readonly entries: LogEntry[] = [];

  readonly add = (entry: LogEntry): void => {
    if (entry.controller === undefined || entry.controller === 'spark-application') this.entries.push(entry);
  };

  /** When it said so, in milliseconds since the epoch. */
  times(message: string): number[] {
    return this.entries.filter(({ msg }) => msg === message).map(({ time }) => Date.parse(time));
  }
}

/** In the log, for each namespace. */
export const AT_WORK = 'caches are filled, at work';
export const STANDING_BY = 'caches are filled, standing by';

/**
 * Waits until an operator has looked at all applications: all were put into its queue, and nothing waits there any more.
 *
 * @returns when that was, by `performance.now()`, and how many objects its caches have
 */
export async function caughtUp(log: Log, meter: LoadMeter, stage: Stage): Promise<{ readonly at: number; readonly cached: number }> {
  for (const end = performance.now() + DEADLINE_SECONDS * 1000; ; await sleep(INTERVAL)) {
    stage.check();
    if (performance.now() > end) throw new Error(`an operator that was started again has not caught up after ${DEADLINE_SECONDS} s`);
    if (log.times('serving health and metrics').length === 0) continue;
    const isAtWork = log.times(AT_WORK).length >= NAMESPACES.length;
    const { queue, cached } = await meter.look();
    if (isAtWork && queue === 0) return { at: performance.now(), cached };
  }
}

/** Waits until an operator says something about all namespaces. */
export async function untilSaid(log: Log, message: string, stage: Stage, count = NAMESPACES.length): Promise<void> {
  for (const end = performance.now() + DEADLINE_SECONDS * 1000; log.times(message).length < count; await sleep(20)) {
    stage.check();
    if (performance.now() > end) throw new Error(`an operator does not say "${message}" within ${DEADLINE_SECONDS} s`);
  }
}
