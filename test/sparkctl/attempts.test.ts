/* The attempts of an application, and the runs of a schedule, as `status`, `describe` and `list` show them. */
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString().replace('.000Z', 'Z');

/** An attempt that began so many seconds ago, and ran for a minute. */
function attempt(number: number, secondsAgo: number, more: object = {}) {
  return {
    number, submissionID: `id-${number}`, trigger: number === 1 ? 'Creation' : 'RestartPolicy', submissionTime: at(secondsAgo),
    driverCreationTime: at(secondsAgo), driverScheduledTime: at(secondsAgo - 2), driverStartTime: at(secondsAgo - 10), endTime: at(secondsAgo - 70),
    driverPodName: 'etl-driver', nodeName: `ip-10-0-1-${number}.eu-central-1.compute.internal`, exitCode: 1, result: 'Failed',
    cause: 'AnalysisException: column no_such_column not found (fail.py:5)', executors: { requested: 2, peak: 2 }, ...more,
  };
}

function application(attemptHistory: readonly object[], status: object = {}) {
  return {
    metadata: { name: 'etl', namespace: 'jobs', uid: 'etl', creationTimestamp: at(4_000) },
    spec: { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///etl.py', driver: {}, executor: { instances: 2 } },
    status: {
      applicationState: { state: 'FAILED', errorMessage: 'boom' }, submissionAttempts: 3, executionAttempts: 3, submissionID: 'id-3',
      lastSubmissionAttemptTime: at(1_000), terminationTime: at(930), driverInfo: { podName: 'etl-driver' }, attemptHistory, ...status,
    },
  };
}

/** Kubernetes has folded the failures into one event with a count. */
const folded = {
  metadata: { name: 'failed', namespace: 'jobs' }, lastTimestamp: at(930), involvedObject: { kind: 'SparkApplication', name: 'etl' },
  type: 'Warning', reason: 'SparkDriverFailed', message: 'Driver etl-driver failed', count: 2,
};

const retried = () => new FakeCluster().put('events', folded).put('sparkapplications', application([
  attempt(1, 3_600), attempt(2, 2_000, { executors: { requested: 2, peak: 1, failed: 3, failures: [{ reason: 'OOMKilled', exitCode: 137, count: 2 }, { reason: 'Evicted', count: 1 }] } }),
  attempt(3, 1_000, { result: 'SubmissionFailed', driverScheduledTime: undefined, driverStartTime: undefined, nodeName: undefined, exitCode: undefined, executors: { requested: 2 }, cause: 'the quota is used up' }),
], { applicationState: { state: 'FAILED', errorMessage: 'the quota is used up' } }));

test('describe: three retries are three attempts, at 80 columns', async () => {
  const { stdout } = await sparkctl(['describe', 'etl'], { cluster: retried(), isTerminal: true, columns: 80 });
  // eslint-disable-next-line no-control-regex
  const lines = stdout.replace(/\x1b\[\d+m/g, '').split('\n');
  const first = lines.indexOf('Attempts:');
  expect(lines.slice(first, first + 12)).toEqual([
    'Attempts:',
    '  #   STARTED (UTC)    TOOK    QUEUED   STARTING   RAN   EXECUTORS',
    '  1   03-01 11:00:00   1m10s   2s       8s         1m    2/2',
    '      Failed on ip-10-0-1-1.eu-central-1.compute.internal, exit code 1:',
    '      AnalysisException: column no_such_column not found (fail.py:5)',
    '  2   03-01 11:26:40   1m10s   2s       8s         1m    1/2',
    '      Failed on ip-10-0-1-2.eu-central-1.compute.internal, exit code 1:',
    '      AnalysisException: column no_such_column not found (fail.py:5); 3',
    '      executors failed: OOMKilled, exit code 137 (2); Evicted',
    '  3   03-01 11:43:20   1m10s   1m10s    -          -     0/2',
    '      Submission failed: the quota is used up',
    '',
  ]);
  for (const line of lines.slice(first, first + 12)) expect(line.length).toBeLessThanOrEqual(80);
});

test('status: executors that have just started are counted in all lines, although the status lacks them', async () => {
  const pod = (role: string, name: string) => ({
    metadata: { name, namespace: 'jobs', labels: { 'spark-role': role, 'sparkoperator.k8s.io/app-name': 'etl' } },
    spec: { containers: [{ name: 'spark' }] }, status: { phase: 'Running' },
  });
  const { endTime: _, result: __, exitCode: ___, ...active } = attempt(2, 60, { executors: { requested: 2 } }) as any;
  const running = new FakeCluster()
    .put('sparkapplications', application([attempt(1, 3_600), active], { applicationState: { state: 'RUNNING' }, submissionID: 'id-2', terminationTime: undefined }))
    .put('pods', pod('driver', 'etl-driver')).put('pods', pod('executor', 'etl-exec-1'));
  const { stdout } = await sparkctl(['status', 'etl'], { cluster: running });
  expect(stdout).toMatch(/^Why: +The driver runs; 1 of 2 executors runs\.$/m);
  expect(stdout).toMatch(/^Executors: +1\/2 run$/m);
  expect(stdout).toMatch(/^2 .* 1\/2 +restart policy$/m);
  expect(stdout).toMatch(/^1 .* 2\/2 +creation$/m);
});

test('status: the attempts if there are several, in whole lines for scripts, and those that are not recorded', async () => {
  const { stdout } = await sparkctl(['status', 'etl'], { cluster: retried() });
  expect(stdout.split('\n').filter((line) => / Failed on /.test(line))).toHaveLength(2);
  expect(stdout).toMatch(/\n1 {3}03-01 11:00:00 .* creation\n/);
  const many = new FakeCluster().put('sparkapplications', application([attempt(1, 3_600), attempt(999, 2_000), attempt(1_000, 1_000)], { omittedAttempts: 997 }));
  expect((await sparkctl(['status', 'etl'], { cluster: many })).stdout).toMatch(/fail\.py:5\)\n… {3}997 attempts are not recorded\n999 {3}/);
  const once = new FakeCluster().put('sparkapplications', application([attempt(1, 3_600)]));
  expect((await sparkctl(['status', 'etl'], { cluster: once })).stdout).not.toContain('STARTING');
});

test('list and status: a suspension keeps the number of attempts, although the status does not', async () => {
  const suspended = { submissionID: undefined, submissionAttempts: undefined, executionAttempts: undefined, driverInfo: {}, applicationState: { state: 'SUSPENDED' } };
  const stopped = attempt(2, 1_000, { trigger: 'SpecChange', result: 'Stopped', exitCode: undefined, cause: undefined });
  const { spec, ...others } = application([attempt(1, 3_600), stopped], suspended);
  const cluster = new FakeCluster().put('sparkapplications', { ...others, spec: { ...spec, suspend: true } } as any);
  expect((await sparkctl(['status', 'etl'], { cluster })).stdout).toMatch(/^Attempts: +1; with earlier runs 2$/m);
  expect((await sparkctl(['list'], { cluster })).stdout).toMatch(/^etl +SUSPENDED +0\/2 +1 /m);
});

test('describe: an active attempt lasts until now, and texts of the cluster are escaped', async () => {
  const active = attempt(1, 60, { endTime: undefined, result: undefined, exitCode: undefined, cause: undefined, driverStartTime: undefined, nodeName: 'node\x1b[2J' });
  const cluster = new FakeCluster().put('sparkapplications', application([active], { applicationState: { state: 'SUBMITTED' }, terminationTime: undefined }));
  expect((await sparkctl(['describe', 'etl'], { cluster })).stdout).toContain('\n      Lost its driver on node');
  const labels = { 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'etl' };
  cluster.put('pods', { metadata: { name: 'etl-driver', namespace: 'jobs', labels }, spec: { containers: [] }, status: { phase: 'Pending' } } as any);
  const { stdout } = await sparkctl(['describe', 'etl'], { cluster });
  expect(stdout).toContain('  1   03-01 11:59:00   1m     2s       58s        -     2/2         creation\n      Submitted on node');
  expect(stdout).not.toContain('\x1b');
});

test('describe: an active attempt has the state of the application, and why it waits', async () => {
  const active = attempt(1, 60, { endTime: undefined, result: undefined, exitCode: undefined, cause: undefined, nodeName: undefined });
  const line = async (state: string, phase: string, conditions: readonly object[] = [], record: object = active) => {
    const cluster = new FakeCluster().put('sparkapplications', application([record], {
      submissionID: 'id-1', applicationState: { state }, terminationTime: undefined, executorState: { a: 'RUNNING' },
    }));
    cluster.put('pods', {
      metadata: { name: 'etl-driver', namespace: 'jobs', labels: { 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'etl' } }, spec: { containers: [] }, status: { phase, conditions },
    } as any);
    const lines = (await sparkctl(['describe', 'etl'], { cluster })).stdout.split('\n');
    return lines[lines.indexOf('Attempts:') + 3];
  };
  expect(await line('RUNNING', 'Running', [], { ...active, nodeName: 'node1' })).toBe('      Running on node1');
  expect(await line('SUBMITTED', 'Pending', [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }]))
    .toBe('      Submitted: no node has enough CPU');
});

test('describe: the latest attempt has the cause in the log of its driver, as the state has', async () => {
  const failed = { cause: 'the driver ended with exit code 1', executors: { peak: 1, failed: 2, failures: [{ reason: 'Error', exitCode: 52, count: 2 }] } };
  const cluster = new FakeCluster().put('sparkapplications', application([attempt(1, 3_600, failed), attempt(2, 1_000, failed)], {
    submissionID: 'id-2', applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error' },
  }));
  const labels = { 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': 'etl', 'sparkoperator.k8s.io/submission-id': 'id-2' };
  cluster.put('pods', { metadata: { name: 'etl-driver', namespace: 'jobs', labels }, spec: { containers: [] }, status: { phase: 'Failed' } } as any);
  cluster.logs.set('etl-driver', 'Traceback (most recent call last):\n  File "/opt/job.py", line 3, in <module>\nValueError: no rows\n');
  const { stdout } = await sparkctl(['describe', 'etl'], { cluster });
  const executors = '2 executors failed: exit code 52: out of memory: a Java OutOfMemoryError';
  expect(stdout).toMatch(/^Why: .*: ValueError: no rows \(job\.py:3\)\.$/m);
  expect(stdout.split('\n').filter((line) => line.includes('Failed on ')).map((line) => line.replace(/^.*?, exit code 1: /, ''))).toEqual([
    `the driver ended with exit code 1; ${executors}`, `ValueError: no rows (job.py:3); ${executors}`,
  ]);
});

test('the end of a lost driver is unknown: it took less than until an operator noticed it', async () => {
  const LOST = 'driver pod not found: it was deleted, or its node is gone';
  const lost = new FakeCluster().put('sparkapplications', application([attempt(2, 2_000), attempt(3, 1_000, { cause: LOST, exitCode: undefined })], { applicationState: { state: 'FAILED', errorMessage: LOST } }));
  expect((await sparkctl(['status', 'etl'], { cluster: lost })).stdout).toMatch(/^3 .* <1m10s +2s +8s +<1m /m);
  expect((await sparkctl(['list', '-n', 'jobs'], { cluster: lost })).stdout).toContain('<1m10s');
});

describe('runs of a schedule', () => {
  const record = (hoursAgo: number, result = 'Completed') => ({
    name: `nightly-${hoursAgo}`, scheduledTime: at(hoursAgo * 3_600), startTime: at(hoursAgo * 3_600), endTime: at(hoursAgo * 3_600 - 90), result,
    ...(result === 'Failed' && { cause: 'AnalysisException: column no_such_column not found (fail.py:5)' }),
  });
  const schedule = (status: object = {}) => ({
    metadata: { name: 'nightly', namespace: 'jobs', uid: 'nightly', creationTimestamp: at(90_000) },
    spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin', template: {} },
    status: {
      scheduleState: 'Scheduled', lastRun: at(3_600), lastRunName: 'nightly-1', nextRun: '2026-03-02T01:30:00Z',
      runHistory: [record(4), record(3), record(2, 'Failed')], ...status,
    },
  });
  const active = {
    metadata: {
      name: 'nightly-1', namespace: 'jobs', uid: 'run', creationTimestamp: at(3_600), labels: { 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' },
      annotations: { 'sparkoperator.k8s.io/scheduled-at': at(3_600) },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'nightly', controller: true }],
    },
    spec: {}, status: { applicationState: { state: 'RUNNING' }, driverInfo: {} },
  };
  const cluster = () => new FakeCluster().put('scheduledsparkapplications', schedule() as any).put('sparkapplications', active as any);

  test('list: the results of the last runs, also of deleted ones, and the cause of the last failure, at 80 columns', async () => {
    const { stdout } = await sparkctl(['list', 'schedules'], { cluster: cluster(), isTerminal: true, columns: 80, isUnicode: true });
    // eslint-disable-next-line no-control-regex
    expect(stdout.replace(/\x1b\[\d+m/g, '')).toBe([
      'NAME      SCHEDULE     NEXT RUN   LAST RUN   RESULTS   LAST FAILURE',
      'nightly   30 2 * * *   in 13h     1h ago     ✓✓✗►      1h58m ago: AnalysisExcep…',
      '',
    ].join('\n'));
  });

  test('list: letters where the output is no terminal, or its locale has no UTF-8', async () => {
    expect((await sparkctl(['list', 'schedules'], { cluster: cluster() })).stdout).toContain(' SSFR ');
    expect((await sparkctl(['list', 'schedules'], { cluster: cluster(), isTerminal: true })).stdout).not.toContain('✓');
  });

  test('list --help: the meaning of the marks and letters', async () => {
    const help = (await sparkctl(['list', '--help'])).stdout.replace(/\s+/g, ' ');
    expect(help).toContain('RESULTS of a schedule are its latest runs, the oldest first: ✓ or S succeeded, ✗ or F failed, ► or R active.');
  });

  test('list: finished runs without the permission to list applications', async () => {
    const closed = cluster();
    closed.forbidden.add('list sparkapplications');
    expect((await sparkctl(['list', 'schedules'], { cluster: closed })).stdout).toContain(' SSF ');
  });

  test('describe: the state, the next run and the results of a schedule', async () => {
    const { stdout } = await sparkctl(['describe', 'schedule/nightly'], { cluster: cluster() });
    expect(stdout).toMatch(/^State: +Scheduled$/m);
    expect(stdout).toMatch(/^Next run: +in 13h$/m);
    expect(stdout).toMatch(/^nightly-2 .* failed /m);
    const { spec, ...others } = schedule();
    const suspended = new FakeCluster().put('scheduledsparkapplications', { ...others, spec: { ...spec, suspend: true } } as any);
    expect((await sparkctl(['status', 'schedule/nightly'], { cluster: suspended })).stdout).toMatch(/^To do: +sparkctl resume schedule\/nightly -n jobs$/m);
  });

  test('status: a run that was requested has the time of its start, and a time in UTC has its zone once', async () => {
    const { stdout } = await sparkctl(['status', 'schedule/nightly'], {
      cluster: new FakeCluster().put('scheduledsparkapplications', schedule({ runHistory: [{ ...record(4), name: 'nightly-now-1', scheduledTime: undefined }] }) as any), timeZone: 'UTC',
    });
    expect(stdout).toMatch(/^nightly-now-1 +2026-03-01 09:00 +2026-03-01 08:00 +succeeded/m);
    expect(stdout).toMatch(/^ +2026-03-02T01:30:00Z$/m);
  });

  test('status: an unknown time zone is shown, with what to do', async () => {
    const { spec, ...others } = schedule({ scheduleState: 'FailedValidation', reason: 'spec.timeZone = "Mars/Olympus" is no time zone', nextRun: undefined }) as any;
    const invalid = new FakeCluster().put('scheduledsparkapplications', { ...others, spec: { ...spec, timeZone: 'Mars/Olympus' } });
    const { stdout } = await sparkctl(['status', 'schedule/nightly'], { cluster: invalid });
    expect(stdout).toMatch(/^Schedule: +30 2 \* \* \* \(Mars\/Olympus\)$/m);
    expect(stdout).toMatch(/^To do: +correct it: `sparkctl edit schedule\/nightly -n jobs`$/m);
  });

  test('status and list: a run that cannot be created is a reason, and needs attention', async () => {
    const message = 'the API server does not create SparkApplication nightly-9: sparkapplications.sparkoperator.k8s.io "nightly-9" is forbidden: exceeded quota: q, requested: count/sparkapplications=1';
    const full = () => new FakeCluster().put('scheduledsparkapplications', schedule({ conditions: [{ type: 'Waiting', status: 'True', reason: 'CannotStart', message, lastTransitionTime: at(60) }] }) as any);
    const { stdout } = await sparkctl(['status', 'schedule/nightly'], { cluster: full() });
    expect(stdout).toMatch(/^State: +Scheduled \(cannot start\)\nWhy: +.*exceeded quota: q.*\nTo do: +.*ResourceQuota/m);
    const list = await sparkctl(['list', 'schedules', '--attention'], { cluster: full() });
    expect(list.stdout).toMatch(/^nightly .* cannot start /m);
  });

  test('status: without an operator, an invalid schedule is the reason, and there is no next run', async () => {
    const { spec, metadata, ...others } = schedule() as any;
    const managedFields = [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: at(300) }];
    const invalid = new FakeCluster().put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { renewTime: at(300) } } as any)
      .put('scheduledsparkapplications', { ...others, metadata: { ...metadata, managedFields }, spec: { ...spec, timeZone: 'Mars/Olympus' } });
    const { stdout } = await sparkctl(['status', 'schedule/nightly'], { cluster: invalid });
    expect(stdout).toMatch(/^Why: +spec\.timeZone.*\n +No operator handles the namespace jobs/m);
    expect(stdout).not.toContain('Next run');
    expect(stdout).toMatch(/^To do: +correct it: /m);
  });

  test('status: the latest run that was skipped, as long as its event exists', async () => {
    const skipped = (name: string, secondsAgo: number) => ({
      metadata: { name, namespace: 'jobs' }, lastTimestamp: at(secondsAgo), reason: 'ScheduledRunSkipped',
      involvedObject: { kind: 'ScheduledSparkApplication', name: 'nightly' },
      message: `Skipped the run of ${at(secondsAgo)}: nightly-1 has not ended, and spec.concurrencyPolicy is Forbid`,
    });
    const existing = () => cluster().put('events', skipped('a', 900)).put('events', skipped('b', 240));
    expect((await sparkctl(['status', 'schedule/nightly'], { cluster: existing() })).stdout).toContain(
      `\nLast skipped: 4m ago: the run of ${at(240)}: nightly-1 has not ended, and spec.concurrencyPolicy is Forbid\n`,
    );
    const ofDeleted = cluster().put('events', skipped('a', 100_000));
    expect((await sparkctl(['status', 'schedule/nightly'], { cluster: ofDeleted })).stdout).not.toContain('skipped');
    const closed = existing();
    closed.forbidden.add('list events');
    const { code, stdout } = await sparkctl(['status', 'schedule/nightly'], { cluster: closed });
    expect([code, /skipped/.test(stdout)]).toEqual([0, false]);
  });

  test('status: no count of a single run', async () => {
    const once = new FakeCluster().put('scheduledsparkapplications', schedule({ runHistory: [record(4)] }) as any);
    expect((await sparkctl(['status', 'schedule/nightly'], { cluster: once })).stdout).toMatch(/\nResults: +S\n/);
  });

  test('status: each run with its result, in the time zones of the schedule and of the user', async () => {
    const { stdout } = await sparkctl(['status', 'schedule/nightly'], { cluster: cluster(), timeZone: 'America/New_York', isTerminal: true, columns: 80, isUnicode: true });
    // eslint-disable-next-line no-control-regex
    const lines = stdout.replace(/\x1b\[\d+m/g, '').split('\n');
    expect(lines).toEqual([
      'Name:         nightly',
      'Namespace:    jobs',
      'State:        Scheduled',
      'Schedule:     30 2 * * * (Europe/Berlin)',
      'Next run:     in 13h',
      '              2026-03-02T02:30:00+01:00 Europe/Berlin',
      '              2026-03-01T20:30:00-05:00 America/New_York',
      'Results:      ✓✓✗► (1 of 3 ended runs failed)',
      'Last failure: 1h58m ago: AnalysisException: column no_such_column not found',
      '              (fail.py:5)',
      'Age:          1d1h',
      '',
      'RUN         Europe/Berlin      America/New_York   RESULT      TOOK',
      'nightly-4   2026-03-01 09:00   2026-03-01 03:00   succeeded   1m30s',
      'nightly-3   2026-03-01 10:00   2026-03-01 04:00   succeeded   1m30s',
      'nightly-2   2026-03-01 11:00   2026-03-01 05:00   failed      1m30s',
      '    AnalysisException: column no_such_column not found (fail.py:5)',
      'nightly-1   2026-03-01 12:00   2026-03-01 06:00   active      1h',
      '',
    ]);
  });
});
