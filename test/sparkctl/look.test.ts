/* Commands that only read: list, status, describe, event. */
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';
import { attemptsText } from '../../src/sparkctl/view/application';

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();

function application(name: string, { state = 'RUNNING', namespace = 'jobs', age = 60, labels = {}, spec = {}, status = {} as object, message = '' } = {}) {
  return {
    metadata: { name, namespace, uid: name, creationTimestamp: at(age), labels },
    spec: { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: { instances: 2 }, ...spec },
    ...(state !== '' && {
      status: {
        applicationState: { state, ...(message && { errorMessage: message }) }, submissionAttempts: 1, executionAttempts: 1, lastSubmissionAttemptTime: at(age - 5),
        driverInfo: { podName: `${name}-driver` }, executorState: { [`${name}-exec-1`]: 'RUNNING', [`${name}-exec-2`]: 'PENDING' }, ...status,
      },
    }),
  };
}

const driver = (name: string, status: object, spec: object = {}) => ({
  metadata: { name: `${name}-driver`, namespace: 'jobs', labels: { 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': name } },
  spec: { containers: [{ name: 'spark-kubernetes-driver' }], ...spec }, status,
});

function event(name: string, secondsAgo: number, fields: object, kind = 'SparkApplication') {
  return { metadata: { name: `${kind}.${name}.${secondsAgo}`, namespace: 'jobs' }, lastTimestamp: at(secondsAgo), involvedObject: { kind, name }, ...fields };
}

const cluster = () => new FakeCluster()
  .put('sparkapplications', application('pi', { age: 400 }))
  .put('pods', driver('pi', { phase: 'Running' }))
  .put('sparkapplications', application('etl', { state: 'FAILED', age: 7_300, labels: { team: 'data' }, message: 'driver container failed: exit code 137, OOMKilled', status: { terminationTime: at(7_000), executorState: {} } }))
  .put('sparkapplications', application('new', { state: '', age: 90 }))
  .put('sparkapplications', application('elsewhere', { namespace: 'other', age: 3 }));

test('list: the oldest first, with running executors', async () => {
  expect((await sparkctl(['list'], { cluster: cluster() })).stdout).toBe([
    'NAME   STATE                  EXECUTORS   ATTEMPTS   DURATION   AGE',
    'etl    FAILED (OOMKilled)     -           1          4m55s      2h1m',
    'pi     RUNNING                1/2         1          6m35s      6m40s',
    'new    NEW (not reconciled)   0/2         0          -          1m30s',
    '',
  ].join('\n'));
});

test('list: no duration between two attempts, such as of a suspended application', async () => {
  const states = ['SUSPENDED', 'RESUMING', 'PENDING_RERUN', 'INVALIDATING'];
  const suspended = states.reduce((fake, state, index) => fake.put('sparkapplications', application(`a${index}`, { state, age: 400 + index })), new FakeCluster());
  const { stdout } = await sparkctl(['list'], { cluster: suspended });
  expect(stdout.trim().split('\n').slice(1).map((line) => line.split(/ +/)[4])).toEqual(states.map(() => '-'));
});

test('list: no executors while the pods are removed, of which the status has no states', async () => {
  const removing = ['SUSPENDING', 'INVALIDATING', 'PENDING_RERUN', 'SUSPENDED']
    .reduce((fake, state, index) => fake.put('sparkapplications', application(`a${index}`, { state, age: 400 - index })), new FakeCluster());
  removing.put('sparkapplications', application('a4', { state: 'PENDING_RERUN', age: 390, message: 'driver cannot be created yet: exceeded quota', status: { executorState: {} } }));
  const { stdout } = await sparkctl(['list', '-o', 'wide'], { cluster: removing });
  expect(stdout.trim().split('\n').slice(1).map((line) => line.split(/ {2,}/)[2])).toEqual(['-', '-', '-', '1/2', '0/2']);
  removing.forbidden.add('list pods');
  expect((await sparkctl(['status', 'a0'], { cluster: removing })).stdout).not.toContain('Executors:');
});

test('list: after a rerun the duration is that of the new run', async () => {
  const rerun = (observedGeneration: number, state: string, status: object) => {
    const { metadata, ...rest } = application('pi', { state, age: 400_000, status: { observedGeneration, ...status } });
    return new FakeCluster().put('sparkapplications', { ...rest, metadata: { ...metadata, generation: 2 } } as any);
  };
  const durationIn = async (fake: FakeCluster) => (await sparkctl(['list'], { cluster: fake })).stdout.split('\n')[1]!.split(/ {3,}/)[4];
  expect(await durationIn(rerun(1, 'COMPLETED', { terminationTime: at(399_000) }))).toBe('-');
  expect(await durationIn(rerun(2, 'RUNNING', { lastSubmissionAttemptTime: at(20) }))).toBe('20s');
  expect(await durationIn(rerun(2, 'COMPLETED', { lastSubmissionAttemptTime: at(20), terminationTime: at(5) }))).toBe('15s');
});

describe('status: the cause of a failure', () => {
  const failed = (message: string, log: string) => {
    const fake = new FakeCluster().put('sparkapplications', application('pi', { state: 'FAILED', message })).put('pods', driver('pi', { phase: 'Failed' }));
    fake.logs.set('pi-driver', log);
    return fake;
  };
  const frames = Array.from({ length: 30 }, (_, index) => `\tat org.apache.spark.rdd.RDD.iterator(RDD.scala:${index})`);
  const log = ['26/03/01 10:00:00 INFO A: x', 'Exception in thread "main" java.lang.IllegalStateException: no rows', '\tat com.acme.Job.main(Job.java:3)', ...frames].join('\n');
  const ended = 'driver container failed with ExitCode: 1, Reason: Error';
  const whyOf = async (fake: FakeCluster) => /^Why: +(.*)$/m.exec((await sparkctl(['status', 'pi'], { cluster: fake })).stdout)?.[1];

  test('is in the log of the driver, if the end that the kubelet keeps only has frames', async () => {
    expect(await whyOf(failed(ended, log))).toBe('It failed: IllegalStateException: no rows (Job.java:3).');
  });

  test('is in the status, if the user cannot read logs', async () => {
    const fake = failed(`${ended}; RuntimeError: no rows (job.py:3)`, log);
    fake.forbidden.add('get pods/log');
    expect(await whyOf(fake)).toBe('It failed: RuntimeError: no rows (job.py:3).');
  });

  test.each(['get pods', 'get pods/log'])('was not looked up without the permission to %s, and no command needs it', async (permission) => {
    const fake = failed(ended, log);
    fake.forbidden.add(permission);
    const { stdout } = await sparkctl(['status', 'pi'], { cluster: fake });
    expect(stdout).toMatch(/^To do: +ask for the permission to read the driver's log \(get pods and pods\/log in jobs\): it was not searched for the cause$/m);
    expect(stdout).not.toContain('sparkctl log');
  });

  test('is not the output of a driver that exceeded its memory limit', async () => {
    const fake = failed('driver container failed with ExitCode: 137, Reason: OOMKilled; -driver-svc.jobs.svc, 7079, None)\nrow 1\nrow 2', log);
    const { stdout } = await sparkctl(['status', 'pi'], { cluster: fake });
    expect(stdout).toMatch(/^Why: +It failed: the driver's container exceeded its memory limit\.$/m);
    expect(stdout).toMatch(/^To do: +raise spec\.driver\.memoryOverhead/m);
  });
});

test('list: all namespaces, filters by state and label, the reason, and formats for scripts', async () => {
  expect((await sparkctl(['list', '-A'], { cluster: cluster() })).stdout.split('\n')[4]).toMatch(/^other +elsewhere +RUNNING/);
  const { stdout } = await sparkctl(['list', '--state=failed,FAILING', '-l', 'team=data', '--wide'], { cluster: cluster() });
  expect(stdout.split('\n').slice(1)).toEqual([expect.stringMatching(/^etl .* It failed after 4m55s: driver container failed: exit code 137, OOMKilled$/), '']);
  expect((await sparkctl(['list', '--state=FAILED', '-o', 'wide'], { cluster: cluster() })).stdout).toContain('WHY\n');
  expect((await sparkctl(['list', '-o', 'name'], { cluster: cluster() })).stdout).toContain('sparkapplication.sparkoperator.k8s.io/pi\n');
  expect(JSON.parse((await sparkctl(['list', '-ojson'], { cluster: cluster() })).stdout)).toMatchObject({ kind: 'List', items: [{ kind: 'SparkApplication' }, {}, {}] });
  const empty = cluster().put('namespaces', { metadata: { name: 'empty' } });
  expect(await sparkctl(['list', '-n', 'empty'], { cluster: empty })).toMatchObject({ code: 0, stdout: '', stderr: ['There are no SparkApplications in the namespace empty.'] });
});

test('list: escapes texts of the cluster on a terminal, and cuts lines to its width', async () => {
  const evil = cluster().put('sparkapplications', application('evil', { state: 'FAILED', age: 1, message: `\x1b]0;owned\x07\x1b[2J${'x'.repeat(200)}` }));
  const { stdout } = await sparkctl(['list', '--wide'], { cluster: evil, isTerminal: true });
  // eslint-disable-next-line no-control-regex
  expect(stdout.replace(/\x1b\[\d+m/g, '')).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  // eslint-disable-next-line no-control-regex
  for (const line of stdout.replace(/\x1b\[\d+m/g, '').split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  expect(stdout).toContain('\x1b[31mFAILED\x1b[39m');
});

test('status: the reason why a job does not start, and the remedy', async () => {
  const waits = cluster()
    .put('sparkapplications', application('stuck', { state: 'SUBMITTED', age: 100 }))
    .put('pods', driver('stuck', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient memory.' }] }));
  const { code, stdout } = await sparkctl(['status', 'stuck'], { cluster: waits });
  expect(code).toBe(0);
  expect(stdout).toContain('Why:       The driver has waited for 1m35s: Unschedulable: no node has enough memory; the operator waits without a limit.\n');
  expect(stdout).toContain('State:     SUBMITTED (no node has enough memory)\n');
  expect(stdout).toContain('To do:     ask for less in spec.driver');
});

test('status: in a terminal, long values continue in their column', async () => {
  const words = Array.from({ length: 40 }, () => 'word').join(' ');
  const fake = new FakeCluster().put('sparkapplications', application('pi', { state: 'FAILED', message: words }));
  const lines = (await sparkctl(['status', 'pi'], { cluster: fake, isTerminal: true, columns: 60 })).stdout.split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.filter((line) => /^ {11}word/.test(line)).length).toBeGreaterThan(2);
});

test('status: what a pod asks for, and what the largest node offers', async () => {
  const resources = { requests: { cpu: '4', memory: '16Gi' } };
  const waits = cluster()
    .put('sparkapplications', application('stuck', { state: 'SUBMITTED', age: 100 }))
    .put('pods', driver('stuck', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient memory.' }] }, { containers: [{ name: 'spark-kubernetes-driver', resources }] }))
    .put('nodes', { metadata: { name: 'n' }, status: { allocatable: { cpu: '2', memory: '7970148Ki' }, conditions: [{ type: 'Ready', status: 'True' }] } } as any);
  expect((await sparkctl(['status', 'stuck'], { cluster: waits })).stdout).toContain('the driver asks for 4 CPUs and 16Gi; the largest node offers 2 CPUs and 7.6Gi\n');
  waits.forbidden.add('list nodes');
  expect((await sparkctl(['status', 'stuck'], { cluster: waits })).stdout).toContain('give the cluster more nodes: the driver asks for 4 CPUs and 16Gi\n');
});

test('status: without an operator it reports that, and how old the status is', async () => {
  const writer = { manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: at(3_180) };
  const { metadata, ...others } = application('pi', { age: 3_600 });
  const lease = { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: at(3_175) } };
  const stopped = new FakeCluster().put('leases', lease as any).put('sparkapplications', { metadata: { ...metadata, managedFields: [writer] }, ...others } as any);
  const { stdout } = await sparkctl(['status', 'pi'], { cluster: stopped });
  expect(stdout).toContain('State:     RUNNING (no operator, driver is gone)\n');
  expect(stdout).toContain('Why:       No operator handles the namespace jobs: the Lease ops/spark-operator-controller-lock was last renewed 52m ago. '
    + 'Its status has been RUNNING for 59m; the pod of its driver does not exist any more.\n');
  expect(stdout).not.toContain('The driver runs');
  expect(stdout).toContain('Executors: unknown, as its driver is gone\n');
});

test('status: a new application has no operator if that of others in its namespace has ended', async () => {
  const { metadata, ...others } = application('old', { state: 'COMPLETED' });
  const writer = { manager: 'cdk8s-spark-operator.ops', operation: 'Update', subresource: 'status', time: at(3_000) };
  const lease = { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: '', leaseDurationSeconds: 15, renewTime: at(3_000) } };
  const fake = new FakeCluster().put('leases', lease as any).put('sparkapplications', { metadata: { ...metadata, managedFields: [writer] }, ...others } as any)
    .put('sparkapplications', application('fresh', { state: '', age: 5 }));
  const { stdout } = await sparkctl(['status', 'fresh'], { cluster: fake });
  expect(stdout).toMatch(/State: +NEW \(no operator\)/);
  expect(stdout).toContain('no replica has held the Lease ops/spark-operator-controller-lock for 50m');
});

test('status: how to open the Spark UI, while the driver runs', async () => {
  const status = { submissionID: 'a', driverInfo: { podName: 'ui-driver', webUIServiceName: 'ui', webUIPort: 4040 } };
  const fake = cluster().put('sparkapplications', application('ui', { status })).put('pods', driver('ui', { phase: 'Running' }));
  const textOf = async () => (await sparkctl(['status', 'ui'], { cluster: fake })).stdout;
  expect(await textOf()).toContain('Web UI:    service ui:4040; `sparkctl forward ui -n jobs` opens it here\n');
  fake.put('pods', driver('ui', { phase: 'Pending' }));
  expect(await textOf()).not.toContain('Web UI');
});

test('status: an application whose driver cannot be created yet is not submitted', async () => {
  const message = 'driver cannot be created yet: no account';
  const { metadata, spec, status } = application('new', { age: 80, message });
  const fake = new FakeCluster().put('sparkapplications', { metadata, spec, status: { ...status, applicationState: { state: '', errorMessage: message }, executorState: {} } } as any);
  const { stdout } = await sparkctl(['status', 'new'], { cluster: fake });
  expect(stdout).toContain(`Submitted: not yet; the attempt began 1m15s ago (${at(75)})\n`);
  expect(stdout).toContain('Driver:    new-driver (does not exist)\nExecutors: 0/2 run\n');
  expect(stdout).not.toContain('Duration');
});

test('status: a retry whose driver cannot be created yet is not submitted', async () => {
  const retry = application('retry', { state: 'PENDING_RERUN', age: 80, message: 'driver cannot be created yet: exceeded quota: tiny' });
  const { stdout } = await sparkctl(['status', 'retry'], { cluster: cluster().put('sparkapplications', retry) });
  expect(stdout).toContain(`Submitted: not yet; the attempt began 1m15s ago (${at(75)})\n`);
  expect(stdout).toMatch(/To do: +ask for less, or for a larger ResourceQuota/);
});

test('status: the time of a delayed submission is that of its driver', async () => {
  const condition = (age: number) => ({ type: 'Submitted', status: 'True', reason: 'DriverCreated', message: '', lastTransitionTime: at(age) });
  const textOf = async (conditions: readonly object[]) => {
    const fake = cluster().put('sparkapplications', application('late', { age: 80, status: { conditions } as any }));
    return (await sparkctl(['status', 'late'], { cluster: fake })).stdout;
  };
  expect(await textOf([condition(40)])).toContain(`Submitted: 40s ago (${at(40).replace('.000', '')}); the attempt began 1m15s ago (${at(75)})\n`);
  for (const others of [[condition(74)], [{ ...condition(40), status: 'False' }], []]) {
    expect(await textOf(others)).toContain(`Submitted: 1m15s ago (${at(75)})\n`);
  }
});

test('status: a driver that was deleted has no web UI', async () => {
  const ui = { webUIServiceName: 'ui', webUIPort: 4040, webUIIngressAddress: 'https://spark.example.org/pi' };
  const given = (state: string) => new FakeCluster()
    .put('sparkapplications', application('pi', { state, status: { driverInfo: { podName: 'pi-driver', ...ui }, terminationTime: at(10) } }));
  const textOf = async (fake: FakeCluster) => (await sparkctl(['status', 'pi'], { cluster: fake })).stdout;
  const deleted = await textOf(given('FAILED'));
  expect(deleted).toContain('Driver:    pi-driver (does not exist)\n');
  expect(deleted).not.toContain('Web UI');
  const running = await textOf(given('RUNNING').put('pods', driver('pi', { phase: 'Running' }, { nodeName: 'node-1' })));
  expect(running).toContain('Driver:    pi-driver on node-1\n');
  expect(running).toContain('Web UI:    https://spark.example.org/pi\n');
  const hidden = given('FAILED');
  hidden.forbidden.add('list pods');
  expect(await textOf(hidden)).toContain('Driver:    pi-driver\n');
});

test('status: a driver that never existed, and executors that have ended, are not shown', async () => {
  const status = { submissionID: 'a', executionAttempts: 0, attemptHistory: [{ number: 1, submissionID: 'a', submissionTime: at(50), result: 'SubmissionFailed' }] };
  const { stdout } = await sparkctl(['status', 'no'], { cluster: cluster().put('sparkapplications', application('no', { state: 'FAILED', message: 'x', status })) });
  expect(stdout).not.toMatch(/Driver:|Executors:|Duration:/);
  expect(stdout).toContain('Attempts:  1, without a driver\n');
  expect(stdout).toContain('Submitted: no; the attempt began 55s ago');
});

test('status: an application that was suspended before it had a driver was not submitted', async () => {
  const record = (number: number, more: object = {}) => ({ number, submissionID: `s${number}`, submissionTime: at(50), result: 'Stopped', ...more });
  const textOf = async (...attemptHistory: object[]) => {
    const none = { submissionID: undefined, submissionAttempts: undefined, executionAttempts: undefined };
    const status = { ...none, lastSubmissionAttemptTime: at(50), driverInfo: {}, attemptHistory } as any;
    return (await sparkctl(['status', 'off'], { cluster: cluster().put('sparkapplications', application('off', { state: 'SUSPENDED', status })) })).stdout;
  };
  const created = { driverCreationTime: at(49), driverPodName: 'off-driver' };
  expect(await textOf(record(1))).toMatch(/^Attempts: +1, without a driver\nSubmitted: no; the attempt began 50s ago \(\S+\)\nAge:/m);
  expect(await textOf(record(1, created), record(2, { trigger: 'RestartPolicy' })))
    .toMatch(/^Attempts: +2, 1 of them without a driver\nSubmitted: no; the attempt began 50s ago/m);
  expect(await textOf(record(1), record(2, { ...created, trigger: 'Resume' }))).toMatch(/^Attempts: +1; with earlier runs 2\nSubmitted: 50s ago/m);
});

test('status and list of a schedule: without an operator they report that; a suspended one needs none', async () => {
  const schedule = (name: string, suspend: boolean) => ({
    metadata: { name, namespace: 'jobs', uid: name, creationTimestamp: at(9_000), managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: at(3_180) }] },
    spec: { schedule: '@hourly', suspend }, status: { scheduleState: 'Scheduled', nextRun: at(-60) },
  }) as any;
  const given = (renewed: number) => new FakeCluster()
    .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: at(renewed) } } as any)
    .put('scheduledsparkapplications', schedule('hourly', false)).put('scheduledsparkapplications', schedule('off', true));
  const { stdout } = await sparkctl(['status', 'schedule/hourly'], { cluster: given(3_175) });
  expect((await sparkctl(['describe', 'schedule/hourly'], { cluster: given(3_175) })).stdout).toContain(stdout.slice(0, stdout.indexOf('Schedule:')));
  expect(stdout).toMatch(/^State: +Scheduled \(no operator\)$/m);
  expect(stdout).toMatch(/^Why: +No operator handles the namespace jobs: the Lease ops\/\S+ was last renewed 52m ago\. It starts no runs until one does\.$/m);
  expect(stdout).toMatch(/^To do: +sparkctl doctor -n jobs$/m);
  expect((await sparkctl(['status', 'schedule/off'], { cluster: given(3_175) })).stdout).not.toContain('operator');
  expect((await sparkctl(['status', 'schedule/hourly'], { cluster: given(2) })).stdout).not.toContain('operator');
  const nextRuns = async (renewed: number) => (await sparkctl(['list', 'schedules'], { cluster: given(renewed) })).stdout.trim().split('\n').slice(1).map((line) => line.split(/ {2,}/)[4]);
  expect(await nextRuns(3_175)).toEqual(['no operator', 'suspended']);
  expect(await nextRuns(2)).toEqual(['in 1m', 'suspended']);
});

test('status: an executor that waits for a missing Secret has the cause and the remedy, which only its events have', async () => {
  const executor = {
    metadata: { name: 'pi-exec-1', namespace: 'jobs', uid: 'e1', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'executor', 'spark-exec-id': '1' } },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Pending', startTime: at(30), containerStatuses: [{ name: 'spark-kubernetes-executor', state: { waiting: { reason: 'ContainerCreating' } } }] },
  } as any;
  const failedMount = {
    metadata: { name: 'pi-exec-1.1', namespace: 'jobs' }, involvedObject: { kind: 'Pod', name: 'pi-exec-1', namespace: 'jobs', uid: 'e1' },
    type: 'Warning', reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "key" : secret "key" not found', lastTimestamp: at(20),
  } as any;
  const given = cluster().put('pods', executor).put('events', failedMount);
  expect((await sparkctl(['status', 'pi'], { cluster: given })).stdout)
    .toMatch(/Why: +The driver runs; 0 of 2 executors run, 1 waits: FailedMount: secret "key" not found\.\nTo do: +create the Secret key, /);
  given.forbidden.add('list events');
  expect((await sparkctl(['status', 'pi'], { cluster: given })).stdout).toMatch(/Why: +The driver runs; 0 of 2 executors run, 1 waits\.\n/);
});

test('status: a user who cannot read Pods sees the status of the application', async () => {
  const closed = cluster();
  closed.forbidden.add('list pods');
  const { stdout } = await sparkctl(['status', 'pi'], { cluster: closed });
  expect(stdout).toContain('The driver runs; 1 of 2 executors runs, 1 waits.');
  expect(stdout).toMatch(/^Pods: +you cannot read them: `kubectl auth can-i list pods -n jobs`$/m);
  expect((await sparkctl(['status', 'pi'], { cluster: cluster() })).stdout).not.toMatch(/^Pods:/m);
});

test('status: several names, of which a missing one does not hide the others', async () => {
  const { code, stdout, stderr } = await sparkctl(['status', 'pi', 'absent', 'etl'], { cluster: cluster() });
  expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringMatching(/^sparkctl status: there is no SparkApplication jobs\/absent; /)] });
  expect(stdout).toMatch(/^Name: +pi\n(.+\n)+\nName: +etl\n(.+\n)+$/);
  const { stdout: json } = await sparkctl(['status', 'pi', 'etl', '-o', 'json'], { cluster: cluster() });
  expect(JSON.parse(json)).toMatchObject({ kind: 'List', items: [{ kind: 'SparkApplication', metadata: { name: 'pi' } }, { metadata: { name: 'etl' } }] });
  expect((await sparkctl(['status', 'pi', 'etl', '-o', 'name'], { cluster: cluster() })).stdout).toBe('sparkapplication.sparkoperator.k8s.io/pi\nsparkapplication.sparkoperator.k8s.io/etl\n');
});

test.each([
  [['status', 'absent'], 1, 'sparkctl status: there is no SparkApplication jobs/absent; `sparkctl list -n jobs` lists existing ones'],
  [['status', 'schedule/absent'], 1, 'sparkctl status: there is no ScheduledSparkApplication jobs/absent; `sparkctl list schedules -n jobs` lists existing ones'],
  [['describe', 'connect/absent'], 1, 'sparkctl describe: there is no SparkConnect jobs/absent; `sparkctl list connects -n jobs` lists existing ones'],
  [['wait', 'pi', '--for=NEW'], 2, expect.stringMatching(/^sparkctl wait: --for=NEW: an application leaves this state, and never returns to it; write some of SUBMITTED, /)],
  [['wait', 'pi', '--for='], 2, expect.stringMatching(/^sparkctl wait: --for=: there is no such state; write some of SUBMITTED, /)],
  [['status'], 2, 'sparkctl status: NAME is missing; `sparkctl list` lists existing ones'],
  [['schedule', 'next'], 2, 'sparkctl schedule: NAME is missing; `sparkctl list schedules` lists existing ones'],
  [['describe', 'pi', 'etl'], 2, 'sparkctl describe: the command takes one NAME, not 2'],
  [['status', 'pod/pi'], 2, 'sparkctl status: there is no kind pod; write application, schedule, connect'],
  [['list', 'pods'], 2, 'sparkctl list: there is no kind pods; write applications, schedules, connects'],
  [['list', 'applicatoins'], 2, 'sparkctl list: there is no kind applicatoins; did you mean applications?'],
])('%j: the message names the remedy', async (args, code, message) => {
  const result = await sparkctl(args, { cluster: cluster() });
  expect({ code: result.code, first: result.stderr[0] }).toEqual({ code, first: message });
});

test('describe: all details, with events of the application and its Pods', async () => {
  const described = cluster()
    .put('pods', driver('pi', { phase: 'Running', startTime: at(390) }, { nodeName: 'node-1' }))
    .put('events', event('pi', 395, { type: 'Normal', reason: 'SparkApplicationSubmitted', message: 'submitted' }))
    .put('events', event('pi-driver', 393, { type: 'Warning', reason: 'FailedMount', message: 'a\nb', count: 3 }, 'Pod'))
    .put('events', event('etl', 10, { type: 'Normal', reason: 'Other', message: 'not of it' }))
    .put('events', event('pi', 11, { type: 'Normal', reason: 'ScalingReplicaSet', message: 'not of it either' }, 'Deployment'));
  const { stdout } = await sparkctl(['describe', 'pi'], { cluster: described });
  expect(stdout).toContain('Pods:\n  POD         STATE     NODE     SINCE   WHY\n  pi-driver   RUNNING   node-1   6m30s\n');
  expect(stdout).toContain('\nSpecification:\n  type: Python\n');
  expect(stdout).toContain('  6m33s (x3)   Warning   FailedMount                 pod/pi-driver         a b\n');
  expect(stdout).not.toContain('not of it');
});

test('describe: conditions, Pods and events fit into a terminal of 80 columns', async () => {
  const name = 'monthly-report-of-orders';
  const message = 'driver container failed with ExitCode: 1, Reason: Error; AnalysisException: [UNRESOLVED_COLUMN] A column with name `id` cannot be resolved';
  const conditions = [{ type: 'Failed', status: 'True', reason: 'DriverFailed', message, lastTransitionTime: at(70) }];
  const described = new FakeCluster()
    .put('sparkapplications', application(name, { state: 'FAILED', status: { conditions } }))
    .put('pods', driver(name, { phase: 'Failed' }, { nodeName: 'ip-10-0-1-1.eu-central-1.compute.internal' }))
    .put('events', event(name, 40, { type: 'Warning', reason: 'SparkApplicationPendingRerun', message, count: 12 }));
  const { stdout } = await sparkctl(['describe', name], { cluster: described, isTerminal: true, columns: 80 });
  // eslint-disable-next-line no-control-regex
  const lines = stdout.replace(/\x1b\[\d+m/g, '').split('\n');
  const section = (title: string) => lines.slice(lines.indexOf(`${title}:`) + 1, lines.indexOf('', lines.indexOf(`${title}:`)));
  expect(section('Conditions')).toEqual([
    '  Failed=True, 1m10s ago, DriverFailed: AnalysisException:',
    '      [UNRESOLVED_COLUMN] A column with name `id` cannot be resolved',
  ]);
  expect(section('Pods').slice(0, 2)).toEqual([
    '  POD                               STATE    NODE                          SINCE',
    '  monthly-report-of-orders-driver   FAILED   ip-10-0-1-1.e…pute.internal   -',
  ]);
  expect(section('Events').slice(0, 3)).toEqual([
    '  LAST SEEN   TYPE      REASON                         OBJECT',
    '  40s (x12)   Warning   SparkApplicationPendingRerun   sparkapplica…rt-of-orders',
    '      driver container failed with ExitCode: 1, Reason: Error;',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test('describe: why a node does not start a Pod, and since when it waits', async () => {
  const waits = cluster()
    .put('pods', driver('pi', { phase: 'Pending', startTime: at(390) }, { nodeName: 'node-1' }))
    .put('events', event('pi-driver', 393, { type: 'Warning', reason: 'FailedMount', message: 'configmap "x" not found' }, 'Pod'));
  expect((await sparkctl(['describe', 'pi'], { cluster: waits })).stdout).toMatch(/\n {2}pi-driver +PENDING +node-1 +6m30s +FailedMount: configmap "x" not found\n/);
  const { metadata, ...others } = driver('pi', { phase: 'Pending' });
  waits.put('pods', { metadata: { ...metadata, creationTimestamp: at(70) }, ...others } as any);
  expect((await sparkctl(['describe', 'pi'], { cluster: waits })).stdout).toMatch(/\n {2}pi-driver +PENDING +- +1m10s /);
});

test('describe: shows all other details without the permission to list events', async () => {
  const closed = cluster();
  closed.forbidden.add('list events');
  const { code, stdout } = await sparkctl(['describe', 'pi'], { cluster: closed });
  expect(code).toBe(0);
  expect(stdout).toContain('\nSpecification:\n  type: Python\n');
  expect(stdout).toContain('\nEvents:\n  not shown: you cannot list events in this namespace\n');
});

test('event: prints remaining events of a deleted application', async () => {
  const deleted = cluster().put('events', event('gone', 20, { type: 'Warning', reason: 'SparkApplicationFailed', message: 'exit code 1' }));
  const { code, stdout, stderr } = await sparkctl(['event', 'gone'], { cluster: deleted });
  expect({ code, stderr }).toEqual({ code: 0, stderr: ['There is no SparkApplication jobs/gone any more; these are the events of an object that had this name.'] });
  expect(stdout).toContain('SparkApplicationFailed   sparkapplication/gone   exit code 1\n');
  expect(await sparkctl(['event', 'never'], { cluster: deleted })).toMatchObject({ code: 1, stdout: '', stderr: [expect.stringContaining('there is no SparkApplication jobs/never')] });
});

test.each(['event', 'describe'])('%s: events of Pods that do not exist any more', async (command) => {
  const hash = '1a2b3c4d5e6f7a8b';
  const ended = application('etl', { state: 'FAILED', age: 200, status: { driverInfo: { podName: 'own-name' }, executorState: { 'prefix-exec-7': 'FAILED' } } });
  const fake = [
    'own-name', 'etl-driver', 'prefix-exec-7', `etl-${hash}-exec-1`,
    `etl-two-${hash}-exec-1`, 'etl-two-driver', 'prefix-exec-8', // of others
  ].reduce((all, name, index) => all.put('events', event(name, 100 - index, { reason: 'Killing', message: `stops ${name}` }, 'Pod')), new FakeCluster())
    .put('sparkapplications', ended);
  const stopped = async () => [...(await sparkctl([command, 'etl'], { cluster: fake })).stdout.matchAll(/stops (\S+)/g)].map(([, name]) => name);
  expect(await stopped()).toEqual(['own-name', 'etl-driver', 'prefix-exec-7', `etl-${hash}-exec-1`]);
  const deleted = (await sparkctl(['event', 'etl-two'], { cluster: fake })).stdout;
  expect(deleted).toContain('pod/etl-two-driver ');
  expect(deleted).toContain(`pod/etl-two-${hash}-exec-1 `);
});

test('event: without those of a deleted application of the same name', async () => {
  const again = application('etl', { state: 'RUNNING' });
  const fake = new FakeCluster().put('sparkapplications', { ...again, metadata: { ...again.metadata, creationTimestamp: new Date(NOW - 60_000).toISOString() } })
    .put('events', event('etl', 90, { reason: 'SparkApplicationCompleted', message: 'the old one' }))
    .put('events', event('etl', 50, { reason: 'SparkApplicationSubmitted', message: 'the new one' }));
  const { stdout } = await sparkctl(['event', 'etl'], { cluster: fake });
  expect(stdout).toContain('the new one');
  expect(stdout).not.toContain('the old one');
});

test('event: those of the same second are in the order in which they happened', async () => {
  const many = [['12', 'third'], ['9', 'first'], ['11', 'second']].reduce((fake, [resourceVersion, message]) => {
    const { metadata, ...others } = event('pi', 20, { reason: 'A', message });
    return fake.put('events', { metadata: { ...metadata, name: message, resourceVersion }, ...others } as any);
  }, cluster());
  expect((await sparkctl(['event', 'pi'], { cluster: many })).stdout).toMatch(/first\n.* second\n.* third\n$/);
});

test('event: those of the same second are in the order in which they were recorded, which can differ from that of their writes', async () => {
  const second = NOW - 10_000;
  const named = (ms: number) => `pi.${((second + ms) * 256).toString(16).padStart(14, '0')}ab12`;
  const ofKubelet = (ms: number) => `pi-driver.${(BigInt(second + ms) * 1_000_000n).toString(16)}`;
  const many = ([[named(900), '9', 'fourth'], [named(100), '11', 'first'], [ofKubelet(600), '10', 'third']] as const).reduce((fake, [name, resourceVersion, message]) => {
    const { metadata, ...others } = event('pi', 10, { type: 'Normal', reason: 'X', message });
    return fake.put('events', { metadata: { ...metadata, name, resourceVersion }, ...others } as any);
  }, new FakeCluster().put('sparkapplications', application('pi')));
  many.put('events', { ...event('pi', 0, { type: 'Normal', reason: 'X', message: 'second' }), lastTimestamp: null, eventTime: new Date(second + 300).toISOString() } as any);
  expect((await sparkctl(['event', 'pi'], { cluster: many })).stdout.match(/first|second|third|fourth/g)).toEqual(['first', 'second', 'third', 'fourth']);
});

test('event: has those of the executors of earlier attempts, whatever names the program gave to them', async () => {
  const ofPod = (name: string, message: string) => event(name, 30, { type: 'Normal', reason: 'Scheduled', message }, 'Pod');
  const retried = new FakeCluster().put('sparkapplications', application('retry', { age: 400 }))
    .put('events', event('retry', 40, { type: 'Normal', reason: 'SparkExecutorPending', message: '2 executors are pending: etl-e5556ca229ce9500-exec-1, etl-e5556ca229ce9500-exec-2' }))
    .put('events', ofPod('etl-e5556ca229ce9500-exec-2', 'of an earlier attempt'))
    .put('events', ofPod('etl-f564080000000000-exec-1', 'of another application'));
  const { stdout } = await sparkctl(['event', 'retry'], { cluster: retried });
  expect(stdout).toContain('of an earlier attempt');
  expect(stdout).not.toContain('of another application');
});

test('event: no events are no error', async () => {
  expect(await sparkctl(['event', 'pi'], { cluster: cluster() })).toMatchObject({ code: 0, stdout: '', stderr: ['There are no events; the API server keeps them for an hour.'] });
});

test.each([[1, 1, '1'], [3, 3, '3'], [1, 0, '1, without a driver so far'], [1, undefined, '1, without a driver so far'], [3, 2, '3, 1 of them without a driver'], [2, 0, '2, none of them with a driver']])('%d attempts, %p drivers: %s', (attempts, drivers, text) => {
  expect(attemptsText(attempts, drivers)).toBe(text);
});
