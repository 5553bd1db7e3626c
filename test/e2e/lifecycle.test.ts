/* Events in the middle of an application's life, with real Spark. Two replicas of the operator, both of which get lost on the way. */
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, Monitoring, RestartPolicy, SparkApplication, SparkApplicationType, type SparkApplicationProps } from '../../src';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { DASHBOARDS } from '../helpers/kubeflow-dashboards';
import { apply, get, kubectl, list, only, SOON, SPARK_TIME, waitFor, waitForState, waitForStatus, watch } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { eventsOf, inventory } from '../helpers/traces';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };
const ATTEMPT = { name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } };
const ONCE_MORE = RestartPolicy.onFailure({ retries: 1, interval: Duration.seconds(5) });
const LEASE = 'spark-operator-controller-lock';
const LEASE_SECONDS = 15;
const JMX_PORT = 8090;

let installation: Installation;
let jobs: string;
let before: string[];

beforeAll(async () => {
  installation = await install('e2e-lifecycle', {
    image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT, replicas: 2, flags: ['--ingress-url-format=spark.test/{{$appNamespace}}/{{$appName}}'],
  });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');
  before = await inventory(jobs);

  const chart = new Chart(Testing.app(), 'jobs', { namespace: jobs });
  const application = (name: string, props: Partial<SparkApplicationProps>) => new SparkApplication(chart, name, {
    metadata: { name },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    fastStart: FAST_START,
    mainApplicationFile: 'local:///opt/spark/applications/attempts.py',
    sparkConf: PATIENT,
    ...props,
    driver: { ...SMALL, extraEnv: [ATTEMPT] },
    executor: { instances: 1, ...SMALL },
  });
  application('retried', { arguments: ['fail', 'done'], restartPolicy: ONCE_MORE });
  application('paused', { arguments: ['work'] });
  application('served', {
    arguments: ['work'],
    image: process.env.SPARK_JMX_IMAGE,
    monitoring: Monitoring.of({ jmxExporter: { jar: '/opt/jmx-exporter/jmx_prometheus_javaagent.jar', port: JMX_PORT }, prometheusServlet: true }),
  });
  application('changed', { arguments: ['fail', 'work'], restartPolicy: ONCE_MORE });
  application('robbed', { arguments: ['wait', 'done'], restartPolicy: ONCE_MORE });
  application('greedy', { mainApplicationFile: 'local:///opt/spark/applications/greedy.py', arguments: ['2000'] });
  application('overdue', { arguments: ['wait'], activeDeadline: Duration.seconds(30) });
  application('brief', { arguments: ['done'], timeToLive: Duration.seconds(5) });
  // All at once, as on a real cluster; the tests then follow one each.
  await apply(Testing.synth(chart));
});

afterAll(() => installation?.remove());

test('a driver that fails is followed by another one; conditions and events report it', async () => {
  const { status } = await waitForState(jobs, 'retried', 'COMPLETED', SPARK_TIME);
  await waitFor(jobs, 'sparkapp/retried', 'condition=Completed');

  expect(status).toMatchObject({ executionAttempts: 2, submissionAttempts: 2, applicationState: { state: 'COMPLETED' } });
  expect(status.conditions.map(({ type, status: is, reason }: any) => `${type} ${is} ${reason}`)).toEqual([
    'Submitted True DriverCreated', 'Running False Completed', 'Completed True Completed',
  ]);
  expect(await logOfDriver('retried')).toMatch(/^Attempt 2: done$/m);

  const story = [
    ['SparkDriverFailed', 1, /^Driver retried-driver failed: driver container failed with ExitCode: 1, Reason: Error; RuntimeError: the input table is not there yet \(\S+\.py:\d+\)$/],
    ['SparkApplicationPendingRerun', 1, /^SparkApplication retried runs again: attempt 1 has failed$/],
    ['SparkApplicationSubmitted', 2, /^SparkApplication retried was submitted as driver pod retried-driver$/],
    ['SparkDriverRunning', 2, /^Driver retried-driver is running$/],
    ['SparkDriverCompleted', 1, /^Driver retried-driver completed$/],
    ['SparkApplicationCompleted', 1, /^SparkApplication retried completed$/],
  ] as const;
  const last: string[] = [];
  for (const [reason, count, message] of story) {
    const event = await eventOf('retried', reason, count);
    expect(event.message).toMatch(message);
    last.push(event.lastTimestamp);
  }
  expect([...last].sort()).toEqual(last);
});

test('a suspended application has no objects left; then it continues', async () => {
  const { status: first } = await runningWithExecutor('paused');
  await patch('paused', { suspend: true });
  await waitForState(jobs, 'paused', 'SUSPENDED', SPARK_TIME);
  // Executors end with their driver, and may take a moment longer.
  const executors = `spark-app-selector=${first.sparkApplicationId}`;
  await kubectl(['wait', 'pods,configmaps', '-l', executors, '-n', jobs, '--for=delete', '--timeout=180s']);
  for (const selector of [executors, 'sparkoperator.k8s.io/app-name=paused']) expect(await list(jobs, 'pods,services,configmaps,ingresses', selector)).toEqual([]);

  await patch('paused', { suspend: false });
  const { status: second } = await runningWithExecutor('paused');
  expect(second.sparkApplicationId).not.toBe(first.sparkApplicationId);
  await letEnd('paused');
  const { status } = await waitForState(jobs, 'paused', 'COMPLETED', SPARK_TIME);
  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
});

test('another specification in the middle of a run: it is run as it is written by now, and attempts are counted anew', async () => {
  const { status: old } = await runningWithExecutor('changed');
  expect(old).toMatchObject({ executionAttempts: 2, submissionAttempts: 2 });
  await patch('changed', { arguments: ['done'] });
  const { status } = await waitForState(jobs, 'changed', 'COMPLETED', SPARK_TIME);

  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
  expect(await logOfDriver('changed')).toMatch(/^Attempt 1: done$/m);
  expect((await eventsOf(jobs, 'SparkApplicationSpecChanged', 'changed'))).toHaveLength(1);
  expect(await list(jobs, 'pods', `spark-app-selector=${old.sparkApplicationId}`)).toEqual([]);
});

test('the web UI answers, through its Service and below the path of its Ingress', async () => {
  const { status } = await runningWithExecutor('served');
  const { webUIServiceName, webUIPort, webUIIngressAddress } = status.driverInfo;
  expect(webUIIngressAddress).toBe(`http://spark.test/${jobs}/served`);

  const ui = `services/${webUIServiceName}:${webUIPort}`;
  expect(JSON.parse(await answer(`${ui}/proxy/api/v1/applications`))).toMatchObject([{ id: status.sparkApplicationId, name: 'served', attempts: [{ completed: false }] }]);
  expect(await answer(`${ui}/proxy/jobs/`)).toContain(`/${jobs}/served/static/webui.css`);
});

test("metrics: the JMX exporter's of driver and executor, and those of Spark's own servlet", async () => {
  const { status } = await runningWithExecutor('served');
  const labels = `app_id="served",app_namespace="${jobs}"`;
  const [executor] = await list(jobs, 'pods', 'spark-role=executor,sparkoperator.k8s.io/app-name=served');
  const { annotations } = (await get(jobs, 'pod', 'served-driver')).metadata;
  const ui = `services/${status.driverInfo.webUIServiceName}:${status.driverInfo.webUIPort}`;

  expect(await answer(`pods/served-driver:${annotations['prometheus.io/port']}/proxy${annotations['prometheus.io/path']}`)).toContain(`spark_driver_blockmanager_memory_maxmem_mb_type_gauges{${labels}} `);
  const ofExecutor = await answer(`pods/${executor.metadata.name}:${JMX_PORT}/proxy/metrics`);
  expect(ofExecutor).toContain(`spark_executor_threadpool_activetasks_type_gauges{${labels},executor_id="1"} `);
  expect(ofExecutor).toContain(`spark_executor_bytesread_type_counters_count_total{${labels},executor_id="1"} `);
  // The agent's own, on which kubeflow's documentation of JMX metrics has a dashboard.
  for (const name of DASHBOARDS.flatMap(({ agent }) => agent)) expect(ofExecutor).toMatch(new RegExp(`^${name}(\\{.*\\})? \\S+$`, 'm'));
  expect(await answer(`${ui}/proxy/metrics/prometheus/`)).toContain(`metrics_${jobs.replaceAll('-', '_')}_served_driver_BlockManager_memory_maxMem_MB_Value{`);
  expect(await answer(`${ui}/proxy/metrics/executors/prometheus`)).toContain(`metrics_executor_totalCores{application_id="${status.sparkApplicationId}", application_name="served", executor_id="1"} `);
});

describe('the leader is lost', () => {
  test('in order, and a driver at the same time: another replica works on, and does what is due', async () => {
    await waitForState(jobs, 'robbed', 'RUNNING', SPARK_TIME);
    const { metadata: { uid } } = await get(jobs, 'pod', 'served-driver');
    await kubectl(['delete', 'pod', 'robbed-driver', '-n', jobs, '--wait=false']);
    const seconds = await failover([]);
    console.info(`another replica leads ${seconds} s after the leader was asked to stop`);
    // It does not wait for the end of the Lease.
    expect(seconds).toBeLessThan(LEASE_SECONDS);

    const { status } = await waitForState(jobs, 'robbed', 'COMPLETED', SPARK_TIME);
    expect(status).toMatchObject({ executionAttempts: 2, submissionAttempts: 2 });
    // Whether its pod is still seen with its end, or found to be gone.
    const told = (await Promise.all(['SparkDriverFailed', 'SparkDriverNotFound'].map((reason) => eventsOf(jobs, reason, 'robbed')))).flat();
    expect(told).toMatchObject([{ message: expect.stringMatching(/; its pod was deleted|driver pod not found: it was deleted/) }]);
    await expectToBeTheSame('served', uid);
  });

  test('by force, and an application ends at the same time: another replica finds out', async () => {
    const { metadata: { uid } } = await get(jobs, 'pod', 'served-driver');
    const seconds = await failover(['--grace-period=0', '--force'], () => letEnd('served'));
    console.info(`another replica leads ${seconds} s after the leader was deleted by force`);

    await waitForState(jobs, 'served', 'COMPLETED', SPARK_TIME);
    await expectToBeTheSame('served', uid);
  });

  /** Running applications do not notice. */
  async function expectToBeTheSame(name: string, uid: string): Promise<void> {
    expect((await get(jobs, 'sparkapp', name)).status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
    expect((await get(jobs, 'pod', `${name}-driver`)).metadata.uid).toBe(uid);
  }
});

test('when an application has ended, there is no web UI of it any more, and no configuration of metrics', async () => {
  expect((await get(jobs, 'sparkapp', 'served')).status.driverInfo).toEqual({ podName: 'served-driver' });
  // They go after the status is written.
  const created = 'sparkoperator.k8s.io/app-name=served,sparkoperator.k8s.io/created-by-spark-operator=true';
  await kubectl(['wait', 'configmaps', '-l', created, '-n', jobs, '--for=delete', '--timeout=60s']);
  await kubectl(['wait', 'services,ingresses', '-l', 'sparkoperator.k8s.io/app-name=served', '-n', jobs, '--for=delete', '--timeout=60s']);
});

test('a driver that takes more memory than it has: FAILED, and it says so', async () => {
  const { status } = await waitForState(jobs, 'greedy', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toMatch(/^driver container failed with ExitCode: \d+, Reason: OOMKilled; the driver's container exceeded its memory limit of \d+\w+( \(\S+ \S+ \+ overhead \d+m\))?$/);
});

test('an attempt that takes longer than it may: its driver is deleted, and it has FAILED', async () => {
  const { status } = await waitForState(jobs, 'overdue', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toBe('the attempt took longer than activeDeadlineSeconds allows (30 s)');
  expect(await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=overdue')).toEqual([]);
});

test('a time to live that was there from the start', async () => {
  await waitFor(jobs, 'sparkapp/brief', 'delete', SPARK_TIME);

  expect(await eventsOf(jobs, 'SparkApplicationCompleted', 'brief')).toHaveLength(1);
});

test('a time to live that comes later: applications are not run again, and go with all that is theirs', async () => {
  const submissions = await eventsOf(jobs, 'SparkApplicationSubmitted');
  const made = (await inventory(jobs)).filter((name) => !before.includes(name));
  const names = (await list(jobs, 'sparkapp')).map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['changed', 'greedy', 'overdue', 'paused', 'retried', 'robbed', 'served']);

  for (const name of names) await patch(name, { timeToLiveSeconds: 1 });
  await kubectl(['wait', '--for=delete', ...names.map((name) => `sparkapp/${name}`), ...made, '-n', jobs, '--timeout=180s']);
  expect((await inventory(jobs)).filter((name) => !before.includes(name))).toEqual([]);
  expect(await eventsOf(jobs, 'SparkApplicationSubmitted')).toEqual(submissions);
});

function patch(name: string, spec: object): Promise<string> {
  return kubectl(['patch', 'sparkapp', name, '-n', jobs, '--type=merge', '-p', JSON.stringify({ spec })]);
}

function runningWithExecutor(name: string): Promise<any> {
  return waitForStatus(jobs, name, ({ applicationState, executorState }) => applicationState?.state === 'RUNNING' && Object.values(executorState ?? {}).includes('RUNNING'), SPARK_TIME);
}

/** Ends a run of attempts.py that works or waits. */
function letEnd(name: string): Promise<string> {
  return kubectl(['exec', `${name}-driver`, '-n', jobs, '--', 'touch', '/tmp/enough']);
}

function logOfDriver(name: string): Promise<string> {
  return kubectl(['logs', `${name}-driver`, '-n', jobs]);
}

/** The last event of a reason, of which there were so many: both are written in the background, the count only now and then, and a leader that takes over begins a new one. */
async function eventOf(name: string, reason: string, count: number): Promise<any> {
  const selector = `reason=${reason},involvedObject.name=${name}`;
  const counts = new Map<string, number>();
  const found = await watch(['events', '-n', jobs, '--field-selector', selector, '-o', 'jsonpath={.count} {.metadata.name}{"\\n"}'], (line) => {
    const [times, event] = line.split(' ') as [string, string];
    counts.set(event, Number(times));
    return [...counts.values()].reduce((sum, one) => sum + one, 0) === count ? event : undefined;
  }, SOON);
  if (!found) throw new Error(`there is no event ${reason} of ${name}, ${count} times, but ${JSON.stringify([...counts])}`);
  return get(jobs, 'event', found);
}

/** Returns the answer of a pod or Service to a GET through the API server. */
function answer(path: string): Promise<string> {
  return kubectl(['get', '--raw', `/api/v1/namespaces/${jobs}/${path}`]);
}

/** Deletes the pod that leads. @returns seconds until another one leads */
async function failover(how: readonly string[], meanwhile?: () => Promise<unknown>): Promise<number> {
  const { spec: { holderIdentity } } = await get(installation.namespace, 'lease', LEASE);
  const [pod] = holderIdentity.split('_');
  const begin = Date.now();
  await kubectl(['delete', 'pod', pod, '-n', installation.namespace, '--wait=false', ...how]);
  const [next] = await Promise.all([
    watch(['lease', only(LEASE), '-n', installation.namespace, '-o', 'jsonpath={.spec.holderIdentity}{"\\n"}'], (line) => (line && line !== holderIdentity ? line : undefined), SOON),
    meanwhile?.(),
  ]);
  if (!next) throw new Error(`no replica leads after ${pod} was deleted`);
  return (Date.now() - begin) / 1000;
}
