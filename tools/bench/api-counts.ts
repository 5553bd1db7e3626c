import type { ApiClient } from './api-client.ts';

/** Calls to numbers: `POST pods`, `PUT sparkapplications/status`. */
export type CallCounts = ReadonlyMap<string, number>;

/** What the API server tells Prometheus. */
export async function apiMetrics(admin: Pick<ApiClient, 'call'>): Promise<string> {
  const { status, text } = await admin.call('GET', '/metrics');
  if (status !== 200) throw new Error(`the API server does not show its metrics: ${status} ${text.slice(0, 200)}`);
  return text;
}

/** Reads the API server's metric `apiserver_request_total`. Watches count when they end, so that they are left out. */
export async function countCalls(admin: ApiClient): Promise<CallCounts> {
  return parseCalls(await apiMetrics(admin));
}

export function parseCalls(metrics: string): CallCounts {
  const counts = new Map<string, number>();
  for (const [, labels, value] of metrics.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const { verb, resource, subresource } = Object.fromEntries([...labels!.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
    if (verb === 'WATCH' || !resource) continue;
    const call = `${verb} ${resource}${subresource ? `/${subresource}` : ''}`;
    counts.set(call, (counts.get(call) ?? 0) + Number(value));
  }
  return counts;
}

/** What came between two counts, for one application. */
export function callsBetween(before: CallCounts, after: CallCounts, applications: number): CallCounts {
  return new Map([...after].map(([call, count]) => [call, (count - (before.get(call) ?? 0)) / applications] as const).filter(([, count]) => count >= 0.005));
}
