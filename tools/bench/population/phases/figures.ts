import { callsBetween, countCalls, type CallCounts } from '../../api-counts.ts';
import type { ApiClient } from '../../api-client.ts';
import type { Lag } from '../measurements.ts';
import { spreadOf, type Timeline } from '../timeline.ts';

/** From phases of drivers to the statuses that say so. @param others of other applications, whose drivers ended */
export function lagOf(timeline: Timeline, others?: Timeline): Lag {
  const running = timeline.between('driverRunning', 'running');
  const ended = [...timeline.between('driverEnded', 'ended'), ...others?.between('driverEnded', 'ended') ?? []];
  return { all: spreadOf([...running, ...ended]), running: spreadOf(running), ended: spreadOf(ended) };
}

/** Counts the calls of anybody, by the API server's own count. @returns what ends the count */
export async function countAllCalls(admin: ApiClient): Promise<() => Promise<number>> {
  const before: CallCounts = await countCalls(admin);
  return async () => [...callsBetween(before, await countCalls(admin), 1).values()].reduce((sum, count) => sum + count, 0);
}
