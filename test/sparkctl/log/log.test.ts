/* `sparkctl log` with a fake API server that can break connections and delay drivers. */
import log from '../../../src/sparkctl/commands/log';
import { application, ended, FakeKube, FakeLog, pod, Running, RUNNING, WAITING } from './fake-kube';

let kube: FakeKube;

beforeEach(async () => {
  kube = await FakeKube.start();
});

afterEach(() => kube.stop());

function run(args: string, options?: { isTerminal?: boolean }): Running {
  return new Running(kube, { name: 'log', summary: '', load: async () => ({ default: log }) }, args.split(' '), options);
}

/** Output and exit code of a command. */
async function result(args: string, options?: { isTerminal?: boolean }): Promise<[code: number, out: string]> {
  const running = run(args, options);
  return [await running.code, running.out];
}

/** Log of a pod. */
function logOf(name: string, ...lines: string[]): FakeLog {
  const made = new FakeLog();
  kube.logs.set(name, made);
  for (const line of lines) made.line(line);
  return made;
}

describe('without --follow', () => {
  test("prints the driver's log unchanged, or a part of it; escapes it on a terminal", async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'one', 'two \x1b[2J\r', 'three');
    expect(await result('pi')).toEqual([0, 'one\ntwo \x1b[2J\r\nthree\n']);
    expect(await result('sparkapp/pi --tail=1 --timestamps')).toEqual([0, '2026-03-01T12:00:03.000000000Z three\n']);
    expect(await result('pi', { isTerminal: true })).toEqual([0, 'one\ntwo \\u001b[2J\nthree\n']);
  });

  test('--previous of a container that was not restarted explains why there is no log', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'one');
    expect(await result('pi -p')).toEqual([1, '! sparkctl log: the container of the pod pi-driver has not been restarted, so it has no previous log; omit --previous\n']);
  });

  test('prints the log of one executor, or of all with the driver', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    for (const executor of [10, 2]) {
      kube.put('pods', pod(RUNNING, { executor }));
      logOf(`pi-exec-${executor}`, `I am ${executor}`);
    }
    kube.put('pods', pod(WAITING, { executor: 11 }));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'I drive');
    expect(await result('pi --executor=2')).toEqual([0, 'I am 2\n']);
    expect(await result('pi --executor=pi-exec-10')).toEqual([0, 'I am 10\n']);
    expect(await result('pi --all')).toEqual([0, '[driver] I drive\n[exec-2] I am 2\n[exec-10] I am 10\n! sparkctl log: exec-11 has not started yet\n']);
    expect(await result('pi --executor=3')).toEqual([1, expect.stringMatching(/^! sparkctl log: there is no executor 3 \(existing: 2, 10, 11\)\. Spark removes executors that have ended, unless .*deleteOnTermination/)]);
  });

  test('--all prints the other logs if one cannot be read; a deleted executor is no error', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'I drive');
    for (const executor of [1, 2, 3]) kube.put('pods', pod(RUNNING, { executor }));
    logOf('pi-exec-3', 'I am 3');
    // Pods 1 and 2 are listed, but their logs do not exist.
    expect(await result('pi --all')).toEqual([0, [
      '[driver] I drive', '! sparkctl log: exec-1 has been deleted with its log', '! sparkctl log: exec-2 has been deleted with its log', '[exec-3] I am 3', '',
    ].join('\n')]);
    kube.forbidden.push('/pi-exec-2/log');
    expect(await result('pi --all')).toEqual([1, expect.stringMatching(/the log of exec-2 cannot be read: .*403 Forbidden.*\n\[exec-3\] I am 3\n! sparkctl log: not all logs could be read: exec-2\n$/)]);
    kube.logs.delete('pi-driver');
    expect(await result('pi --all')).toEqual([1, expect.stringMatching(/^! sparkctl log: the log of driver cannot be read: .*404[^]*\[exec-3\] I am 3\n[^]*: driver, exec-2\n$/)]);
  });

  test('prints the newest run of a schedule, or the server of a SparkConnect', async () => {
    const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule' };
    kube.put('scheduledsparkapplications', { metadata: { name: 'nightly', uid: 'schedule' }, spec: {} });
    for (const [name, creationTimestamp] of [['nightly-1', '2026-03-01T01:00:00Z'], ['nightly-2', '2026-03-02T01:00:00Z'], ['foreign', '2026-03-03T01:00:00Z']] as const) {
      const made = application('COMPLETED', { name, labels: { 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' }, owner: name === 'foreign' ? undefined : owner });
      kube.put('sparkapplications', { ...made, metadata: { ...made.metadata, creationTimestamp } });
      kube.put('pods', pod(ended(0), { name, uid: name }));
      logOf(`${name}-driver`, `log of ${name}`);
    }
    expect(await result('schedule/nightly')).toEqual([0, '! sparkctl log: the newest run of ScheduledSparkApplication jobs/nightly is SparkApplication jobs/nightly-2\nlog of nightly-2\n']);

    kube.put('sparkconnects', { metadata: { name: 'notebooks' }, spec: { server: {}, executor: {} }, status: { state: 'Ready' } });
    const server = pod(RUNNING, { role: 'connect-server', labels: { 'sparkoperator.k8s.io/connect-name': 'notebooks' } });
    kube.put('pods', { ...server, metadata: { ...server.metadata, name: 'notebooks-server' } });
    logOf('notebooks-server', 'serving');
    expect(await result('connect/notebooks')).toEqual([0, 'serving\n']);
  });

  test.each([
    ['the server cannot be created: no account (the operator gave up after 5m)', 'SparkConnect jobs/notebooks never had a server, so there is no log. It failed'],
    ['the server does not start: ImagePullBackOff: x (the operator gave up after 5m)', 'the server of SparkConnect jobs/notebooks never started, so there is no log. It failed'],
    ['the server container ended with exit code 1', 'the server of SparkConnect jobs/notebooks does not exist any more, and its log was deleted with it. It failed'],
  ])('no log of a failed server: %s', async (message, text) => {
    const conditions = [{ type: 'ServerPodReady', status: 'False', reason: 'ServerFailed', message }];
    kube.put('sparkconnects', { metadata: { name: 'notebooks' }, spec: { server: {}, executor: {} }, status: { state: 'Failed', conditions } });
    expect(await result('connect/notebooks')).toEqual([1, expect.stringContaining(text)]);
  });

  test.each([
    ['SUBMITTED', [WAITING], 'pi', /^there is no log of SparkApplication jobs\/pi\. The driver has waited.*\. With --follow, this command waits for it$/],
    ['SUSPENDED', [], 'pi', /^there is no driver of SparkApplication jobs\/pi\. It is suspended and has no pods\nTo do: sparkctl resume pi -n jobs$/],
    ['COMPLETED', [], 'pi', /^the driver of SparkApplication jobs\/pi does not exist any more, and its log was deleted with it\. It completed[^;]*\. A log collector might have it, and .* \(SparkHistoryServer\)$/],
    ['FAILED', [], 'pi', /^the driver of SparkApplication jobs\/pi does not exist any more, and its log was deleted with it\. It failed[^;]*\. A log collector [^;]*$/],
    ['RUNNING', [RUNNING], 'pi --attempt=1', /^the log of attempt 1 was deleted with its pods\. SparkApplication jobs\/pi is at attempt 2 now\. .*SparkHistoryServer/],
    ['RUNNING', [RUNNING], 'pi --attempt=3', /^there is no attempt 3 of SparkApplication jobs\/pi, and the last one is 2\. .*\. With --follow, this command waits for it$/],
    ['RUNNING', [RUNNING], 'pi --executor=all', /^there are no executors of SparkApplication jobs\/pi\. The driver runs; .*\. With --follow, this command waits for it$/],
    ['SUBMITTED', [WAITING], 'pi --executor=all', /^there are no executors of SparkApplication jobs\/pi\. The driver has waited.*\. With --follow, this/],
    ['FAILING', [ended(1)], 'pi --executor=1', /^there is no executor 1 \(existing: none\)\. Spark removes executors/],
    ['SUSPENDED', [], 'pi --executor=1', /^there are no executors of SparkApplication jobs\/pi\. It is suspended and has no pods\nTo do: sparkctl resume/],
    ['FAILED', [], 'pi --executor=1', /^SparkApplication jobs\/pi had no executors\. It failed/],
    ['RUNNING', [RUNNING], 'nothing', /there is no SparkApplication .*sparkctl list/],
  ])('no log (%s, %j, %s): the message names reason and remedy', async (state, drivers, args, message) => {
    kube.put('sparkapplications', application(state, { attempt: 2 }));
    for (const driver of drivers) kube.put('pods', pod(driver, { attempt: 2 }));
    const [code, out] = await result(args);
    expect(code).toBe(1);
    expect(out.replace('! sparkctl log: ', '').trim()).toMatch(message);
  });

  test.each([
    [{}, 'SparkApplication jobs/pi never had a driver'], [{ driverPodName: 'pi-driver' }, 'the driver of SparkApplication jobs/pi never started'],
    [{ number: 2 }, 'attempt 2 of SparkApplication jobs/pi never had a driver'],
  ])('no log of a driver that never ran (%j)', async (record, text) => {
    const failed = application('FAILED', { message: 'no luck' });
    failed.status.attemptHistory = [{ submissionID: 's1', result: 'Failed', ...record }];
    kube.put('sparkapplications', failed);
    expect(await result('pi')).toEqual([1, `! sparkctl log: ${text}, so there is no log. It failed: no luck\nTo do: sparkctl event pi -n jobs\n`]);
  });

  test('--attempt is the number of the status, which counts on after a rerun', async () => {
    const again: any = application('RUNNING', { submission: 's2', attempt: 1 });
    again.status.attemptHistory = [{ number: 1, submissionID: 's1', result: 'Failed', exitCode: 1 }, { number: 2, submissionID: 's2' }];
    kube.put('sparkapplications', again);
    kube.put('pods', pod(RUNNING, { submission: 's2', attempt: 1 }));
    logOf('pi-driver', 'the second');
    expect(await result('pi --attempt=2')).toEqual([0, 'the second\n']);
    expect(await result('pi --attempt=1')).toEqual([1, expect.stringContaining('the log of attempt 1 was deleted with its pods. SparkApplication jobs/pi is at attempt 2 now.')]);
    expect(await result('pi --attempt=3')).toEqual([1, expect.stringContaining('there is no attempt 3 of SparkApplication jobs/pi, and the last one is 2.')]);
    kube.remove('pods', 'pi-driver');
    expect(await result('pi --attempt=1')).toEqual([1, expect.stringContaining('the log of attempt 1 was deleted with its pods')]);
    again.status.attemptHistory[0] = { number: 1, submissionID: 's1', result: 'Failed', driverPodName: 'pi-driver', cause: 'driver pod not found: it was deleted' };
    kube.put('sparkapplications', again);
    expect(await result('pi --attempt=1')).toEqual([1, expect.stringContaining('the log of attempt 1 was deleted with its pods')]);
    again.status.attemptHistory[0] = { number: 1, submissionID: 's1', result: 'Failed', driverPodName: 'pi-driver' };
    kube.put('sparkapplications', again);
    expect(await result('pi --attempt=1')).toEqual([1, expect.stringContaining(
      'the driver of attempt 1 of SparkApplication jobs/pi never started, so there is no log. SparkApplication jobs/pi is at attempt 2 now',
    )]);
    expect(await result('pi --attempt=2')).toEqual([1, expect.stringMatching(/^! sparkctl log: the driver of SparkApplication jobs\/pi does not exist any more, and its log was deleted with it/)]);
  });

  test('a driver that is gone does not run', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    const [, out] = await result('pi');
    expect(out).toMatch(/does not exist any more, and its log was deleted with it\. The pod pi-driver of its driver does not exist any more[^;]*\nTo do: sparkctl doctor -n jobs$/m);
    expect(out).not.toContain('The driver runs');
  });

  test.each([
    ['', 'NAME is missing; `sparkctl list` lists existing ones'],
    ['pi --tail=-1', '--tail=-1: write a whole number of lines, or omit it for all'],
    ['pi --since=0s', '--since=0s: write a duration longer than 0, such as 90s, 10m or 1h30m'],
    ['pi --since=yesterday', '--since=yesterday: write a duration longer than 0, such as 90s, 10m or 1h30m'],
    ['pi --attempt=0', '--attempt=0: write a whole number of at least 1'],
    ['pi --all --executor=1', '--all includes the executors; omit --executor'],
    ['pi -f --previous', '--previous prints a log that has ended; omit --follow'],
    ['connect/x --attempt=1', 'a Spark Connect server has no attempts; omit --attempt'],
  ])('rejects sparkctl log %s', async (args, message) => {
    const running = new Running(kube, { name: 'log', summary: '', load: async () => ({ default: log }) }, args.split(' ').filter(Boolean));
    expect(await running.code).toBe(2);
    expect(running.out).toContain(`! sparkctl log: ${message}\n`);
  });
});

describe('--follow', () => {
  test('waits for the driver, survives a lost connection and a restart, and ends with the application', async () => {
    kube.put('sparkapplications', application('SUBMITTED'));
    kube.put('pods', pod(WAITING));
    const following = run('pi -f --tail=0');
    await following.printed('waiting for the driver: ');
    const first = logOf('pi-driver', 'before');
    kube.put('pods', pod(RUNNING));
    kube.put('sparkapplications', application('RUNNING'));
    await following.printed('before\n');
    first.line('broken in the middle', 6);
    await following.printed('the log of driver is interrupted (');
    first.line('last words');
    await following.printed('last words\n');

    kube.put('pods', pod(ended(1)));
    first.end();
    kube.put('sparkapplications', application('FAILING', { message: 'exit code 1' }));
    await following.printed('Attempt 1 failed: exit code 1');
    kube.remove('pods', 'pi-driver');
    const second = logOf('pi-driver', 'once more');
    // The watch of pods can be ahead of the one of applications: the pod comes before its
    // submission's status.
    kube.put('pods', pod(RUNNING, { uid: 'd2', submission: 's2', attempt: 2 }));
    kube.put('sparkapplications', application('RUNNING', { submission: 's2', attempt: 2 }));
    await following.printed('once more\n');
    kube.put('pods', pod(ended(0), { uid: 'd2', submission: 's2', attempt: 2 }));
    second.line('done');
    second.end();
    kube.put('sparkapplications', application('COMPLETED', { submission: 's2', attempt: 2 }));

    expect(await following.code).toBe(0);
    expect(following.out.split('\n').filter((line) => !line.startsWith('! sparkctl log: waiting'))).toEqual([
      'before',
      'broken',
      expect.stringMatching(/^! sparkctl log: the log of driver is interrupted \(get pods\/log jobs\/pi-driver: the answer was cut off: .*\); it continues when the connection is restored$/),
      ' in the middle',
      'last words',
      '! sparkctl log: another driver of SparkApplication jobs/pi has started (attempt 2); its log follows',
      'once more',
      'done',
      expect.stringMatching(/^! sparkctl log: It completed/),
      '',
    ]);
  });

  test('the node of a driver dies, so that its log never ends: it continues with the next driver', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'I drive');
    const following = run('pi -f');
    await following.printed('I drive\n');
    kube.remove('pods', 'pi-driver');
    logOf('pi-driver', 'so do I');
    kube.put('pods', pod(RUNNING, { uid: 'd2', submission: 's2' }));
    kube.put('sparkapplications', application('RUNNING', { submission: 's2' }));
    await following.printed('so do I\n');
    following.interrupt();
    await following.code;
  });

  test('failed application: prints the log and the reason; exit code 1', async () => {
    kube.put('sparkapplications', application('FAILED', { message: 'exit code 1' }));
    kube.put('pods', pod(ended(1)));
    logOf('pi-driver', 'oh no').end();
    expect(await result('pi -f')).toEqual([1, expect.stringMatching(/^oh no\n! sparkctl log: It failed: exit code 1\n$/)]);
  });

  test('--all reads new executors as they start', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    const driver = logOf('pi-driver', 'I drive');
    const following = run('pi --all -f');
    await following.printed('[driver] I drive\n');
    const executor = logOf('pi-exec-1', 'I work');
    kube.put('pods', pod(RUNNING, { executor: 1 }));
    await following.printed('[exec-1] I work\n');
    kube.put('pods', pod(ended(0)));
    driver.end();
    kube.remove('pods', 'pi-exec-1');
    executor.end();
    kube.put('sparkapplications', application('COMPLETED'));
    expect(await following.code).toBe(0);
  });

  test('--attempt ends with that attempt and its outcome', async () => {
    kube.put('sparkapplications', application('FAILING', { message: 'exit code 1' }));
    kube.put('pods', pod(ended(1)));
    logOf('pi-driver', 'oh no').end();
    expect(await result('pi -f --attempt=1')).toEqual([1, 'oh no\n! sparkctl log: attempt 1 has ended\n']);
  });

  test('reports what it waits for: a driver that is gone, an executor that has not started', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    const gone = run('pi -f');
    await gone.printed('waiting for the driver: The pod pi-driver of its driver does not exist any more');
    gone.interrupt();
    kube.put('pods', pod(RUNNING));
    kube.put('pods', pod(WAITING, { executor: 1 }));
    const pending = run('pi -f --executor=1');
    await pending.printed('waiting for executor 1: its pod has not started');
    pending.interrupt();
    expect([await gone.code, await pending.code]).toEqual([130, 130]);
  });

  test('deleted application: exit code 1', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    const driver = logOf('pi-driver', 'I drive');
    const following = run('pi -f');
    await following.printed('I drive\n');
    kube.remove('sparkapplications', 'pi');
    kube.remove('pods', 'pi-driver');
    driver.end();
    expect(await following.code).toBe(1);
    expect(following.out).toContain('! sparkctl log: SparkApplication jobs/pi has been deleted, with its pods\n');
  });

  test('Ctrl-C ends it immediately; it reports a missing permission', async () => {
    kube.put('sparkapplications', application('RUNNING'));
    kube.put('pods', pod(RUNNING));
    logOf('pi-driver', 'I drive');
    const following = run('pi -f');
    await following.printed('I drive\n');
    following.interrupt();
    expect(await following.code).toBe(130);

    kube.forbidden.push('/pods');
    expect(await result('pi -f')).toEqual([1, expect.stringContaining('403 Forbidden: cannot read pods; ask for the permission')]);
  });
});
