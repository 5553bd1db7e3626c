import { ApplicationState } from '../../src/api/states';
import { Metrics } from '../../src/operator/metrics/registry';
import type { SparkApplication } from '../../src/operator/spark-application/model';

const NOW = Date.parse('2026-03-01T10:00:02Z');

function application(state: ApplicationState, executionAttempts?: number): SparkApplication {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', creationTimestamp: '2026-03-01T10:00:00Z' },
    spec: {} as SparkApplication['spec'],
    status: { driverInfo: {}, applicationState: { state }, executionAttempts },
  };
}

async function after(...transitions: [ApplicationState, ApplicationState, number?][]) {
  const metrics = new Metrics({
    applications: () => [application(ApplicationState.RUNNING), application(ApplicationState.RUNNING), application(ApplicationState.COMPLETED)],
    queue: { depth: 3 },
    namespaces: () => [{ namespace: 'jobs', watched: true }, { namespace: 'gone', watched: false }],
    events: () => 4,
  });
  for (const [from, to, executionAttempts] of transitions) metrics.onTransition(application(from), application(to, executionAttempts), NOW);
  for (const status of [201, 409, 201]) metrics.onCall({ verb: 'create', resource: 'pods', status, seconds: 0.1 });
  // Not the first time that Prometheus asks.
  await metrics.registry.metrics();
  const text = await metrics.registry.metrics();
  return (name: string) => new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1];
}

const NEW = ApplicationState.NEW;

test('an application from its submission to its success', async () => {
  const { SUBMITTED, RUNNING, COMPLETED } = ApplicationState;
  const value = await after([NEW, SUBMITTED, 1], [SUBMITTED, RUNNING, 1], [RUNNING, COMPLETED, 1]);
  expect(value('spark_application_count{namespace="jobs"}')).toBe('1');
  expect(value('spark_application_submit_count{namespace="jobs"}')).toBe('1');
  expect(value('spark_application_success_count{namespace="jobs"}')).toBe('1');
  expect(value('spark_application_failure_count{namespace="jobs"}')).toBeUndefined();
  expect(value('spark_application_failed_submission_count{namespace="jobs"}')).toBeUndefined();
  expect(value('spark_application_submit_latency_seconds_histogram_sum{namespace="jobs"}')).toBe('2');
});

test('a submission that failed is not one that was submitted', async () => {
  const value = await after([NEW, ApplicationState.FAILED]);
  expect(value('spark_application_count{namespace="jobs"}')).toBe('1');
  expect(value('spark_application_submit_count{namespace="jobs"}')).toBeUndefined();
  expect(value('spark_application_failed_submission_count{namespace="jobs"}')).toBe('1');
  expect(value('spark_application_failure_count{namespace="jobs"}')).toBe('1');
});

test('the gauges show what there is', async () => {
  const value = await after();
  expect(value('spark_application_running_count{namespace="jobs"}')).toBe('2');
  expect(value('spark_operator_queue_depth')).toBe('3');
  expect(value('spark_operator_namespace_watched{namespace="jobs"}')).toBe('1');
  expect(value('spark_operator_namespace_watched{namespace="gone"}')).toBe('0');
  expect(value('spark_operator_events_dropped')).toBe('4');
  expect(value('spark_operator_kubernetes_requests_total{verb="create",resource="pods",status="201"}')).toBe('2');
  expect(value('spark_operator_kubernetes_requests_total{verb="create",resource="pods",status="409"}')).toBe('1');
});
