import { collectDefaultMetrics, Registry } from 'prom-client';
import { countReviews } from './admission';
import { countCalls } from './calls';
import { addWatchFamilies } from './operator-families';
import type { Metrics } from './registry';
import type { Observed } from './snapshot';

/** Metrics of a process that only serves the webhook: a part of docs/reference/metrics.md. */
export type WebhookMetrics = Pick<Metrics, 'registry' | 'calls' | 'onReview'>;

/** Returns new metrics of such a process. */
export function webhookMetrics(
  observed: Pick<Observed, 'namespaces' | 'defaults' | 'webhookCertificateEnd' | 'apiServer'>,
): WebhookMetrics {
  const registry = new Registry();
  addWatchFamilies(registry, observed);
  collectDefaultMetrics({ register: registry });
  return { registry, calls: countCalls(registry, observed.apiServer), onReview: countReviews(registry, observed.webhookCertificateEnd) };
}
