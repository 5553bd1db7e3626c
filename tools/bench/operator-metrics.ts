/** What the operator tells Prometheus, as far as it is read here. */
export interface Scraped {
  /** Calls since its start, in the words of HTTP, such as `POST pods`; without watches, and without those for its Lease. */
  readonly calls: ReadonlyMap<string, number>;
  /** Bytes that it read since its start, such as `watch pods`. */
  readonly received: ReadonlyMap<string, number>;
  /** Objects that wait to be looked at. */
  readonly queue: number;
  /** Objects in its caches. */
  readonly cached: number;
  /** In milliseconds, at the 99th percentile since it was asked last. */
  readonly eventLoopDelay: number;
  /** The same, the longest: a single block is less than a hundredth of what the percentile counts. */
  readonly eventLoopBlocked: number;
}

/** What prom-client has Node measure the event loop by, in milliseconds. It tells the time from one look to the next, and that these are so far apart is no lateness. */
const RESOLUTION = 10;

/** Where the operator counts in the words of RBAC. */
const METHODS: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/** What an operator has to tell that has just been started. */
export const NOTHING: Scraped = { calls: new Map(), received: new Map(), queue: 0, cached: 0, eventLoopDelay: 0, eventLoopBlocked: 0 };

/** Reads the text for Prometheus. */
export function readMetrics(text: string): Scraped {
  const calls = new Map<string, number>();
  const received = new Map<string, number>();
  let [queue, cached, eventLoopDelay, eventLoopBlocked] = [0, 0, 0, 0];
  for (const [, name, labels = '', value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const label = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(labels)?.[1] ?? '';
    switch (name) {
      case 'spark_operator_kubernetes_requests_total':
        if (label('verb') !== 'watch' && label('resource') !== 'leases') add(calls, `${METHODS[label('verb')] ?? label('verb').toUpperCase()} ${label('resource')}`, Number(value));
        break;
      case 'spark_operator_kubernetes_received_bytes_total':
        add(received, `${label('verb')} ${label('resource')}`, Number(value));
        break;
      case 'spark_operator_queue_depth':
        queue += Number(value);
        break;
      case 'spark_operator_cached_objects':
        cached += Number(value);
        break;
      case 'nodejs_eventloop_lag_p99_seconds':
        eventLoopDelay = lateness(value!);
        break;
      case 'nodejs_eventloop_lag_max_seconds':
        eventLoopBlocked = lateness(value!);
    }
  }
  return { calls, received, queue, cached, eventLoopDelay, eventLoopBlocked };
}

/** What came between two looks; what did not is left out. */
export function countsBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...after].map(([key, count]) => [key, count - (before.get(key) ?? 0)] as const).filter(([, count]) => count > 0));
}

function lateness(seconds: string): number {
  return Math.max(0, Number(seconds) * 1000 - RESOLUTION);
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
