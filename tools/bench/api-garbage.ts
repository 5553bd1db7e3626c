import type { ApiClient } from './api-client.ts';
import { apiMetrics } from './api-counts.ts';

/** What a program written in Go has done for its own garbage. */
export interface Garbage {
  /** How often it was collected. */
  readonly collections: number;
  /** Processor time that this took, as Go estimates it, in milliseconds. */
  readonly cpu: number;
}

/** Reads it from the API server's metrics. @throws Error if the metrics are not there, so that nobody takes that for none */
export function parseGarbage(metrics: string): Garbage {
  const read = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
    if (value === undefined) throw new Error(`the API server does not show ${name}`);
    return Number(value);
  };
  return { collections: read('go_gc_cycles_total_gc_cycles_total'), cpu: read('go_cpu_classes_gc_total_cpu_seconds_total') * 1000 };
}

/** Begins to count what the API server does. @returns what tells what came since */
export async function countGarbage(admin: Pick<ApiClient, 'call'>): Promise<() => Promise<Garbage>> {
  const before = parseGarbage(await apiMetrics(admin));
  return async () => {
    const { collections, cpu } = parseGarbage(await apiMetrics(admin));
    return { collections: collections - before.collections, cpu: cpu - before.cpu };
  };
}
