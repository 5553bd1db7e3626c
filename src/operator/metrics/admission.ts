import type { Registry } from 'prom-client';
import type { AnsweredReview } from '../admission/server';
import { Distribution } from './distribution';
import { addFamily, type Labels } from './family';

const REQUESTS = 'spark_operator_admission_requests_total';
const DURATION = 'spark_operator_admission_request_duration_seconds';
const EXPIRATION = 'spark_operator_webhook_certificate_expiration_timestamp_seconds';

/** Upper bounds of durations. The API server's timeouts are 5 or 8 s by default. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of the admission webhook. */
export class AdmissionMetrics {
  private readonly requests = new Map<string, { readonly labels: Labels; count: number }>();
  private readonly durations = new Map<string, { readonly labels: Labels; readonly seconds: Distribution }>();

  /**
   * Adds the metrics to a registry. `expiration` returns the end of the serving certificate;
   * undefined if there is none.
   */
  addTo(registry: Registry, expiration: () => Date | undefined): void {
    addFamily(registry, {
      name: REQUESTS, type: 'counter',
      help: 'Reviews that the admission webhook has answered, with 200 or why not; without `allowed` it was an HTTP error, which the failure policy decides about',
      labelNames: ['path', 'operation', 'allowed', 'code'],
    }, () => [...this.requests.values()].map(({ labels, count }) => ({ sharedLabels: labels, value: count })));
    addFamily(registry, {
      name: DURATION, type: 'histogram', help: 'Seconds from the head of a review to its answer', labelNames: ['path'],
    },
    () => [...this.durations.values()].flatMap(({ labels, seconds }) => seconds.histogram(DURATION, labels)));
    addFamily(registry, {
      name: EXPIRATION, type: 'gauge',
      help: 'When the certificate ends that the admission webhook serves, in seconds since the epoch; nothing if there is none',
    }, () => {
      const date = expiration();
      return date ? [{ value: date.getTime() / 1000 }] : [];
    });
  }

  /** Counts an answer. All labels are bounded: unknown paths share one. */
  onAnswer({ path, operation, allowed, code, seconds }: AnsweredReview): void {
    const labels = { path, operation: operation ?? '', allowed: allowed === undefined ? '' : String(allowed), code: String(code) };
    const key = Object.values(labels).join(' ');
    let series = this.requests.get(key);
    if (!series) this.requests.set(key, series = { labels, count: 0 });
    series.count++;
    let duration = this.durations.get(path);
    if (!duration) this.durations.set(path, duration = { labels: { path }, seconds: new Distribution(BUCKETS) });
    duration.seconds.observe(seconds);
  }
}
