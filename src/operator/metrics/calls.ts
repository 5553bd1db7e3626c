import type { Registry } from 'prom-client';
import type { CallStatistics, ReceivedBytes } from '../../kube/client-types';
import { Distribution } from './distribution';
import { addFamily, type Labels } from './family';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const REQUESTS = 'spark_operator_kubernetes_requests_total';
const RECEIVED = 'spark_operator_kubernetes_received_bytes_total';
const DURATION = 'spark_operator_kubernetes_request_duration_seconds';

/** Metrics of calls of the Kubernetes API. */
export class Calls {
  private readonly durations = new Map<string, { readonly labels: Labels; readonly seconds: Distribution }>();
  private readonly series = new Map<string, { readonly labels: Labels; readonly seconds: Distribution; count: number }>();
  private readonly received = new Map<string, { readonly labels: Labels; bytes: number }>();

  /** Adds the metrics about calls to a registry. */
  addTo(registry: Registry): void {
    addFamily(registry, {
      name: REQUESTS, type: 'counter', help: 'Calls of the Kubernetes API; status 0 is a call without an answer',
      labelNames: ['verb', 'resource', 'status'],
    },
    () => [...this.series.values()].map(({ labels, count }) => ({ sharedLabels: labels, value: count })));
    addFamily(registry, {
      name: DURATION, type: 'histogram', help: 'Seconds that calls of the Kubernetes API took, watches until they began',
      labelNames: ['verb', 'resource'],
    },
    () => [...this.durations.values()].flatMap(({ labels, seconds }) => seconds.histogram(DURATION, labels)));
    addFamily(registry, {
      name: RECEIVED, type: 'counter',
      help: 'Bytes that the Kubernetes API has answered, watches included, without the heads of HTTP',
      labelNames: ['verb', 'resource'],
    },
    () => [...this.received.values()].map(({ labels, bytes }) => ({ sharedLabels: labels, value: bytes })));
  }

  /** Counts a call with one look-up. */
  count({ verb, resource, status, seconds }: CallStatistics): void {
    const key = `${verb} ${resource} ${status}`;
    let series = this.series.get(key);
    if (!series) {
      this.series.set(
        key, series = { labels: { verb, resource, status: String(status) }, seconds: this.durationOf(verb, resource), count: 0 },
      );
    }
    series.count++;
    series.seconds.observe(seconds);
  }

  /** Counts a piece of an answer with one look-up. */
  receive({ verb, resource, bytes }: ReceivedBytes): void {
    const key = `${verb} ${resource}`;
    let received = this.received.get(key);
    if (!received) this.received.set(key, received = { labels: { verb, resource }, bytes: 0 });
    received.bytes += bytes;
  }

  private durationOf(verb: string, resource: string): Distribution {
    const key = `${verb} ${resource}`;
    let duration = this.durations.get(key);
    if (!duration) this.durations.set(key, duration = { labels: { verb, resource }, seconds: new Distribution(BUCKETS) });
    return duration.seconds;
  }
}
