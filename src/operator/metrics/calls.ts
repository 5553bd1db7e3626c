import type { Registry } from 'prom-client';
import type { KubeClientOptions } from '../../kube/client-types';
import { counter, histogram, sums } from './counted';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Options of clients whose calls are counted. */
export type CountedCalls = Required<Pick<KubeClientOptions, 'onCall' | 'onReceived'>>;

/** HTTP methods of verbs. */
const METHODS: Readonly<Record<string, string>> = {
  get: 'GET', list: 'GET', watch: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE', deletecollection: 'DELETE',
};

/** Code of calls without an answer, as in client-go. */
const NO_ANSWER = '<error>';

/**
 * Adds the metrics of calls of the Kubernetes API to a registry.
 *
 * @param server URL of the API server
 */
export function countCalls(registry: Registry, server: string): CountedCalls {
  const requests = counter(registry, {
    name: 'spark_operator_kubernetes_requests_total',
    help: 'Calls of the Kubernetes API; status 0 is a call without an answer',
    labelNames: ['verb', 'resource', 'status'],
  });
  const host = hostOf(server);
  sums(registry, requests, {
    name: 'rest_client_requests_total',
    help: 'Calls of the Kubernetes API by code, method and host; the code of a call without an answer is `<error>`',
    labelNames: ['code', 'method', 'host'],
  }, ({ verb, status }) => ({ code: status === '0' ? NO_ANSWER : status!, method: METHODS[verb!] ?? verb!.toUpperCase(), host }));
  const durations = histogram(registry, BUCKETS, {
    name: 'spark_operator_kubernetes_request_duration_seconds',
    help: 'Seconds that calls of the Kubernetes API took, watches until they began',
    labelNames: ['verb', 'resource'],
  });
  const received = counter(registry, {
    name: 'spark_operator_kubernetes_received_bytes_total',
    help: 'Bytes that the Kubernetes API has answered, watches included, without the heads of HTTP',
    labelNames: ['verb', 'resource'],
  });
  return {
    onCall: ({ verb, resource, status, seconds }) => {
      requests.add({ verb, resource, status: String(status) });
      durations.observe({ verb, resource }, seconds);
    },
    onReceived: ({ verb, resource, bytes }) => received.add({ verb, resource }, bytes),
  };
}

/** Returns the host of a URL with its port, which the class URL omits if it is the usual one. */
function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? url;
}
