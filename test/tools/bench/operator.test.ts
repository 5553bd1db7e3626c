import { withFlags } from '../../../tools/bench/installation.ts';
import { callsBetween, parseMetrics } from '../../../tools/bench/operator.ts';

test('metrics: calls by HTTP method without watches and Leases, bytes and queues of all kinds', () => {
  const metrics = parseMetrics([
    '# TYPE workqueue_depth gauge',
    'workqueue_depth{name="sparkapplication",controller="sparkapplication"} 12',
    'workqueue_depth{name="sparkconnect",controller="sparkconnect"} 3',
    'spark_operator_kubernetes_requests_total{verb="update",resource="sparkapplications/status",status="200"} 7',
    'spark_operator_kubernetes_requests_total{verb="update",resource="sparkapplications/status",status="409"} 1',
    'spark_operator_kubernetes_requests_total{verb="update",resource="leases",status="200"} 99',
    'spark_operator_kubernetes_requests_total{verb="watch",resource="pods",status="200"} 2',
    'spark_operator_kubernetes_received_bytes_total{verb="watch",resource="pods"} 1.5e+6',
    'spark_operator_kubernetes_received_bytes_total{verb="list",resource="pods"} 500',
  ].join('\n'));
  expect(metrics).toEqual({ calls: { 'PUT sparkapplications/status': 8 }, received: 1_500_500, queue: 15 });
  expect(callsBetween({ 'PUT sparkapplications/status': 6, 'GET pods': 1 }, { ...metrics.calls, 'GET pods': 1, 'POST pods': 2 }))
    .toEqual({ 'PUT sparkapplications/status': 2, 'POST pods': 2 });
});

test('flags of the Deployment are kept unless the benchmark sets them', () => {
  expect(withFlags(['--zap-log-level=info', '--namespaces=a', '--namespaces-too=b'], { namespaces: 'c', kubeconfig: 'k' }))
    .toEqual(['--zap-log-level=info', '--namespaces-too=b', '--namespaces=c', '--kubeconfig=k']);
});
