import { Duration } from 'cdk8s';
import { PrometheusMonitor } from '../../src';

test('a scrape timeout above the interval is rejected, as in Prometheus', () => {
  expect(() => PrometheusMonitor.podMonitor({ interval: Duration.seconds(10), scrapeTimeout: Duration.seconds(11) }))
    .toThrow('PrometheusMonitor: scrapeTimeout is 11s, which is longer than interval, 10s');
});

test("fractions of a second have Prometheus' form", () => {
  expect(PrometheusMonitor.podMonitor({ interval: Duration.millis(1500) })._toManifest('o', 'ns', {}, 'metrics').spec).toMatchObject({
    podMetricsEndpoints: [{ interval: '1500ms' }],
  });
});
