import type { Registry } from 'prom-client';
import type { AnsweredReview } from '../admission/server';
import { counter, histogram, sums } from './counted';
import { addGauge } from './family';

/** Upper bounds of durations. The API server's timeouts are 5 or 8 s by default. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Adds the metrics of the admission webhook to a registry.
 *
 * @param expiration returns the end of the serving certificate; undefined if there is none
 * @returns a function that counts an answer
 */
export function countReviews(registry: Registry, expiration: () => Date | undefined): (review: AnsweredReview) => void {
  const requests = counter(registry, {
    name: 'spark_operator_admission_requests_total',
    help: 'Reviews that the admission webhook has answered, with 200 or why not; without `allowed` it was an HTTP error, which the '
      + 'failure policy decides about',
    labelNames: ['path', 'operation', 'allowed', 'code'],
  });
  sums(registry, requests, {
    name: 'controller_runtime_webhook_requests_total',
    help: 'Reviews by the path of the webhook and the HTTP status of the answer, which is 200 also for a rejection',
    labelNames: ['webhook', 'code'],
  }, ({ path, allowed, code }) => ({ webhook: path!, code: allowed === '' ? code! : '200' }));
  const durations = histogram(registry, BUCKETS, {
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'Seconds from the head of a review to its answer; `webhook` is the path',
    labelNames: ['webhook'],
  });
  addGauge(registry, {
    name: 'spark_operator_webhook_certificate_expiration_timestamp_seconds',
    help: 'When the certificate ends that the admission webhook serves, in seconds since the epoch; nothing if there is none',
  }, () => [expiration() ?? []].flat(), (date) => date.getTime() / 1000);
  // All labels are bounded: unknown paths share one.
  return ({ path, operation = '', allowed, code, seconds }) => {
    requests.add({ path, operation, allowed: allowed === undefined ? '' : String(allowed), code: String(code) });
    durations.observe({ webhook: path }, seconds);
  };
}
