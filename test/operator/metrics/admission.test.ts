import { webhookMetrics } from '../../../src/operator/metrics/webhook-registry';
import { metricsOf } from './helpers';

const END = new Date('2026-06-01T00:00:00Z');
const ANSWERED = { path: '/validate', operation: 'CREATE', allowed: true, code: 200, seconds: 0.003 } as const;

test.each([
  ['an operator that serves it', () => metricsOf({ webhookCertificateEnd: () => END })],
  [
    'a process that serves it alone',
    () => webhookMetrics({ namespaces: () => [], defaults: () => [], webhookCertificateEnd: () => END, apiServer: 'https://10.96.0.1' }),
  ],
])('answers of the webhook of %s', async (_, make) => {
  const metrics = make();
  metrics.onReview(ANSWERED);
  metrics.onReview(ANSWERED);
  metrics.onReview({ ...ANSWERED, allowed: false, code: 422 });
  metrics.onReview({ path: 'other', code: 404, seconds: 0.001 });
  const text = await metrics.registry.metrics();
  expect(text).toContain('spark_operator_admission_requests_total{path="/validate",operation="CREATE",allowed="true",code="200"} 2');
  expect(text).toContain('spark_operator_admission_requests_total{path="/validate",operation="CREATE",allowed="false",code="422"} 1');
  expect(text).toContain('spark_operator_admission_requests_total{path="other",operation="",allowed="",code="404"} 1');
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/validate",code="200"} 3');
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="other",code="404"} 1');
  expect(text).toContain('controller_runtime_webhook_latency_seconds_bucket{le="0.005",webhook="/validate"} 3');
  expect(text).toContain(`spark_operator_webhook_certificate_expiration_timestamp_seconds ${END.getTime() / 1000}`);
});

test('without a certificate, there is no metric of its end', async () => {
  expect(await metricsOf().registry.metrics()).not.toMatch(/^spark_operator_webhook_certificate_expiration_timestamp_seconds /m);
});
