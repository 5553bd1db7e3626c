import { Duration } from 'cdk8s';
import { PrometheusMonitor } from '../../src';

test('a scrape that may take longer than the time to the next one is refused, as Prometheus does', () => {
  expect(() => PrometheusMonitor.podMonitor({ interval: Duration.seconds(10), scrapeTimeout: Duration.seconds(11) }))
    .toThrow('PrometheusMonitor: scrapeTimeout is 11s, which is longer than interval, 10s');
});

test('parts of a second are written as Prometheus reads them', () => {
  expect(PrometheusMonitor.podMonitor({ interval: Duration.millis(1500) })._toManifest('o', 'ns', {}, 'metrics').spec).toMatchObject({ podMetricsEndpoints: [{ interval: '1500ms' }] });
});
