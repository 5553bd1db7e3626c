import { ApplicationState as State, ExecutorState } from '../../../src/api/states';
import { application, at, executor, metricsOf, nonZero, scrape, time } from './helpers';

const JOBS = '{namespace="jobs"}';

describe('the names and types of kubeflow/spark-operator v2', () => {
  const CONTRACT = {
    spark_application_count: 'counter',
    spark_application_submit_count: 'counter',
    spark_application_failed_submission_count: 'counter',
    spark_application_running_count: 'gauge',
    spark_application_success_count: 'counter',
    spark_application_failure_count: 'counter',
    spark_application_success_execution_time_seconds: 'summary',
    spark_application_failure_execution_time_seconds: 'summary',
    spark_application_submit_latency_seconds: 'summary',
    spark_application_submit_latency_seconds_histogram: 'histogram',
    spark_application_start_latency_seconds: 'summary',
    spark_application_start_latency_seconds_histogram: 'histogram',
    spark_executor_running_count: 'gauge',
    spark_executor_success_count: 'counter',
    spark_executor_failure_count: 'counter',
  };

  test.each(['', 'team-a-'])('with the prefix %p', async (prefix) => {
    const text = await metricsOf({}, { prefix }).registry.metrics();
    const types = Object.fromEntries([
      ...text.matchAll(/^# TYPE (\S*spark_(?:application|executor)_\S+) (\w+)$/gm),
    ].map(([, name, type]) => [name, type]));
    expect(types).toEqual(Object.fromEntries(Object.entries(CONTRACT).map(([name, type]) => [prefix.replaceAll('-', '_') + name, type])));
  });

  test('known failure 24: they are zero before the first event', async () => {
    const values = await scrape(metricsOf({
      namespaces: () => ['a', 'b'].map((namespace) => ({
        namespace, watched: true, silentFor: 0,
      })),
    }, { labels: ['namespace', 'app-type'] }));
    for (const [name, type] of Object.entries(CONTRACT)) {
      for (const namespace of ['a', 'b']) {
        const labels = `namespace="${namespace}",app_type="Unknown"`;
        const series = { histogram: `${name}_bucket{le="+Inf",${labels}}`, summary: `${name}_count{${labels}}` }[type]
          ?? `${name}{${labels}}`;
        expect([series, values.get(series)]).toEqual([series, 0]);
      }
    }
  });

  test('without labels, there is one series', async () => {
    const values = await scrape(metricsOf({ namespaces: () => [{ namespace: '*', watched: true, silentFor: 0 }] }, { labels: [] }));
    expect(values.get('spark_application_failure_count')).toBe(0);
    expect(values.get('spark_application_submit_latency_seconds_histogram_bucket{le="0.5"}')).toBe(0);
  });

  test('the watch of all namespaces does not create a namespace of applications', async () => {
    const values = await scrape(metricsOf({ namespaces: () => [{ namespace: '*', watched: true, silentFor: 0 }] }));
    expect([...values.keys()].filter((name) => name.includes('namespace="*"'))).toEqual([
      'spark_operator_namespace_watched{namespace="*"}', 'spark_operator_watch_silence_seconds{namespace="*"}',
    ]);
  });
});

test('an application is counted with its labels, and its latencies in the configured buckets', async () => {
  const metrics = metricsOf({}, { labels: ['team'], submitLatencyBuckets: [1, 4], startLatencyBuckets: [10] });
  const owner = { labels: { team: 'etl' } };
  const [intended, submitted] = [
    application(State.NEW, { submissionAttempts: 1 }, owner),
    application(State.SUBMITTED, { submissionAttempts: 1, executionAttempts: 1 }, owner),
  ];
  metrics.onTransition(application(undefined, {}, owner), intended, [], at(1));
  metrics.onTransition(intended, submitted, [State.SUBMITTED], at(2));
  const lost = {
    ...submitted, status: {
      ...submitted.status!, lastSubmissionAttemptTime: time(1), terminationTime: time(7.5),
      executorState: { a: ExecutorState.FAILED },
    },
  };
  metrics.onTransition(submitted, lost, [State.FAILING, State.FAILED], at(9));

  const ETL = '{team="etl"}';
  expect(await nonZero(metrics, 'spark_')).toMatchObject({
    [`spark_application_count${ETL}`]: 1,
    [`spark_application_submit_count${ETL}`]: 1,
    [`spark_application_failure_count${ETL}`]: 1,
    [`spark_executor_failure_count${ETL}`]: 1,
    [`spark_application_failure_execution_time_seconds_sum${ETL}`]: 6.5,
    [`spark_application_failure_execution_time_seconds_count${ETL}`]: 1,
    [`spark_application_submit_latency_seconds_sum${ETL}`]: 2,
    'spark_application_submit_latency_seconds_histogram_bucket{le="4",team="etl"}': 1,
    'spark_application_submit_latency_seconds_histogram_bucket{le="+Inf",team="etl"}': 1,
    [`spark_application_submit_latency_seconds_histogram_count${ETL}`]: 1,
  });
  expect((await scrape(metrics)).get('spark_application_submit_latency_seconds_histogram_bucket{le="1",team="etl"}')).toBe(0);
});

test('failed attempts are counted by the class of their cause, each once', async () => {
  const metrics = metricsOf();
  const failing = (state: State, errorMessage: string) => {
    const attempt = application(state, { submissionAttempts: 1 });
    return { ...attempt, status: { ...attempt.status!, applicationState: { state, errorMessage } } };
  };
  const message = "driver container failed with ExitCode: 137, Reason: OOMKilled; the driver's container exceeded its memory limit of 1408Mi";
  metrics.onTransition(application(State.RUNNING), failing(State.FAILING, message), [State.FAILING], at(1), [message]);
  metrics.onTransition(failing(State.FAILING, message), failing(State.FAILED, message), [State.FAILED], at(2));
  const quota = 'pods "x" is forbidden: exceeded quota: compute';
  metrics.onTransition(application(), failing(State.SUBMISSION_FAILED, quota), [State.SUBMISSION_FAILED], at(3), [quota]);
  expect(await nonZero(metrics, 'spark_operator_failed_attempts')).toEqual({
    'spark_operator_failed_attempts_total{namespace="jobs",cause="OOMKilled"}': 1,
    'spark_operator_failed_attempts_total{namespace="jobs",cause="Quota"}': 1,
  });
});

test('known failure 24: the gauges have every state and are right after a deletion', async () => {
  const applications = [
    application(State.RUNNING, {}, { name: 'a' }), application(State.RUNNING, {}, { name: 'b' }),
    application(State.PENDING_RERUN, {}, { name: 'c' }),
    application(undefined, {}, { name: 'd' }), application('LATER' as State, {}, { name: 'e' }),
  ];
  const pods = [executor('1', 'Running', 'a'), executor('2', 'Pending', 'a'), executor('3', 'Running', 'gone', 'elsewhere')];
  const metrics = metricsOf({ applications: () => applications, pods: () => pods });
  expect(await nonZero(metrics, 'spark_')).toMatchObject({
    [`spark_application_running_count${JOBS}`]: 2,
    [`spark_executor_running_count${JOBS}`]: 1,
    'spark_executor_running_count{namespace="elsewhere"}': 1,
    'spark_operator_applications{namespace="jobs",state="RUNNING"}': 2,
    'spark_operator_applications{namespace="jobs",state="PENDING_RERUN"}': 1,
    'spark_operator_applications{namespace="jobs",state="NEW"}': 1,
    'spark_operator_applications{namespace="jobs",state="other"}': 1,
    'spark_operator_cached_objects{resource="sparkapplications"}': 5,
    'spark_operator_cached_objects{resource="pods"}': 3,
  });
  applications.splice(0);
  pods.splice(0);
  const values = await scrape(metrics);
  expect(values.get(`spark_application_running_count${JOBS}`)).toBe(0);
  expect(values.get('spark_executor_running_count{namespace="elsewhere"}')).toBe(0);
  expect(values.get('spark_operator_applications{namespace="jobs",state="RUNNING"}')).toBe(0);
});

test('only the leader reports the state of the caches', async () => {
  let leading = false;
  const metrics = metricsOf({
    applications: () => [application(State.RUNNING)], pods: () => [executor('1', 'Running')], leading: () => leading,
  });
  expect(await nonZero(metrics, 'spark_')).toEqual({
    'spark_operator_cached_objects{resource="sparkapplications"}': 1,
    'spark_operator_cached_objects{resource="pods"}': 1,
    [`spark_operator_namespace_watched${JOBS}`]: 1,
  });
  expect([...(await scrape(metrics)).keys()].filter((name) => name.startsWith('spark_operator_applications'))).toEqual([]);
  expect((await scrape(metrics)).get('leader_election_master_status{name="lock"}')).toBe(0);
  leading = true;
  expect((await scrape(metrics)).get('leader_election_master_status{name="lock"}')).toBe(1);
  expect(await nonZero(metrics, 'spark_')).toMatchObject({
    [`spark_application_running_count${JOBS}`]: 1, [`spark_executor_running_count${JOBS}`]: 1,
  });
});

test('the state of the operator', async () => {
  const metrics = metricsOf({
    events: () => 4,
    namespaces: () => [{ namespace: 'jobs', watched: true, silentFor: 2_500 }, { namespace: 'gone', watched: false, silentFor: 90_000 }],
    kinds: () => [{ controller: 'spark-connect', namespace: 'jobs', watched: true }],
    defaults: () => [{ namespace: 'operator', watched: true }, { namespace: 'jobs', watched: false }],
  });
  for (const status of [201, 409, 201]) metrics.calls.onCall({ verb: 'create', resource: 'pods', status, seconds: 0.25 });
  for (const bytes of [1_000, 24]) metrics.calls.onReceived({ verb: 'watch', resource: 'pods', bytes });
  // Not the first scrape.
  await scrape(metrics);
  expect(await nonZero(metrics, 'spark_operator_')).toMatchObject({
    'spark_operator_events_dropped_total': 4,
    'spark_operator_namespace_watched{namespace="jobs"}': 1,
    'spark_operator_kind_watched{controller="sparkconnect",namespace="jobs"}': 1,
    'spark_operator_defaults_watched{namespace="operator"}': 1,
    'spark_operator_watch_silence_seconds{namespace="jobs"}': 2.5,
    'spark_operator_watch_silence_seconds{namespace="gone"}': 90,
    'spark_operator_kubernetes_requests_total{verb="create",resource="pods",status="201"}': 2,
    'spark_operator_kubernetes_requests_total{verb="create",resource="pods",status="409"}': 1,
    'spark_operator_kubernetes_received_bytes_total{verb="watch",resource="pods"}': 1_024,
    'spark_operator_kubernetes_request_duration_seconds_bucket{le="0.25",verb="create",resource="pods"}': 3,
    'spark_operator_kubernetes_request_duration_seconds_bucket{le="0.5",verb="create",resource="pods"}': 3,
    'spark_operator_kubernetes_request_duration_seconds_sum{verb="create",resource="pods"}': 0.75,
  });
  const values = await scrape(metrics);
  expect(values.get('spark_operator_namespace_watched{namespace="gone"}')).toBe(0);
  expect(values.get('spark_operator_kubernetes_request_duration_seconds_bucket{le="0.1",verb="create",resource="pods"}')).toBe(0);
});

test('an application that another replica started is not counted here, even after a change of the leader', async () => {
  const [mine, others] = ['mine', 'others'];
  let isLeading = true;
  const metrics = metricsOf({ leading: () => isLeading });
  for (const uid of [mine, others]) {
    isLeading = uid === mine;
    const [before, after] = [
      application(undefined, {}, { name: uid, uid }), application(State.NEW, { submissionAttempts: 1 }, { name: uid, uid }),
    ];
    metrics.onApplication({ type: 'added', object: before }, at(0.25));
    metrics.onApplication({ type: 'updated', object: after, old: before }, at(0.5));
    isLeading = true;
    metrics.onTransition(before, application(State.SUBMITTED, { submissionAttempts: 1 }, { name: uid, uid }), [State.SUBMITTED], at(1.25));
  }
  const values = await scrape(metrics);
  expect(values.get('spark_operator_submission_duration_seconds_count')).toBe(1);
  expect(values.get('spark_operator_submission_duration_seconds_sum')).toBe(1);
});

test('the time from the first observation to the driver: in milliseconds, and only for new applications', async () => {
  const metrics = metricsOf();
  const submit = (uid: string, seconds: number, begin = State.NEW) => {
    const after = application(State.SUBMITTED, { submissionAttempts: 1, executionAttempts: 1 }, { uid });
    metrics.onTransition(application(begin, { submissionAttempts: 1 }, { uid }), after, [State.SUBMITTED], at(seconds));
  };
  metrics.onApplication({ type: 'added', object: application(undefined, {}, { uid: 'new' }) }, at(0.25));
  metrics.onApplication({ type: 'added', object: application(undefined, {}, { uid: 'gone' }) }, at(0.25));
  metrics.onApplication({ type: 'deleted', object: application(undefined, {}, { uid: 'gone' }) }, at(0.3));
  metrics.onApplication({ type: 'added', object: application(State.NEW, { submissionAttempts: 1 }, { uid: 'begun' }) }, at(0.25));
  metrics.onApplication({ type: 'added', object: application(undefined, {}, { uid: 'of another leader' }) }, at(0.25));
  submit('new', 0.375);
  submit('new', 9);
  submit('gone', 9);
  submit('begun', 9);
  submit('of another leader', 9, State.PENDING_RERUN);
  const values = await scrape(metrics);
  expect(values.get('spark_operator_submission_duration_seconds_count')).toBe(1);
  expect(values.get('spark_operator_submission_duration_seconds_sum')).toBe(0.125);
});
