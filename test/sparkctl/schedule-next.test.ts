/* The planned times that `schedule next` prints. */
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();

test('of an existing schedule, and of an expression', async () => {
  const scheduled = new FakeCluster().put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'jobs' }, spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' } } as any);
  const nextOf = async (timeZone: string) => (await sparkctl(['schedule', 'next', 'nightly', '-c', '1'], { cluster: scheduled, timeZone })).stdout;
  expect(await nextOf('UTC')).toBe([
    'TIME (Europe/Berlin)        YOUR TIME (UTC)        IN',
    '2026-03-02T02:30:00+01:00   2026-03-02T01:30:00Z   13h',
    '',
  ].join('\n'));
  // Its clocks are those of the schedule.
  expect(await nextOf('Europe/Paris')).toBe('TIME (Europe/Berlin)        IN\n2026-03-02T02:30:00+01:00   13h\n');
  expect((await sparkctl(['schedule', 'next', '--expression=0 3 * * 1-5'])).stdout.split('\n')).toHaveLength(7);
  const wrong = new FakeCluster().put('scheduledsparkapplications', { metadata: { name: 'wrong', namespace: 'jobs' }, spec: { schedule: '0 25 * * *' } } as any);
  expect(await sparkctl(['schedule', 'next', 'wrong'], { cluster: wrong })).toMatchObject({ code: 1, stderr: [expect.stringContaining('schedule = "0 25 * * *"')] });
  expect(await sparkctl(['schedule', 'next', '--expression=0 25 * * *'])).toMatchObject({ code: 2, stderr: [expect.stringContaining('schedule = "0 25 * * *"'), expect.anything()] });
});

test('those of @every fit the planned run', async () => {
  const nextOf = async (status: object, suspend = false) => {
    const metadata = { name: 'often', namespace: 'jobs', creationTimestamp: at(90) };
    const fake = new FakeCluster().put('scheduledsparkapplications', { metadata, spec: { schedule: '@every 50s', suspend, template: {} }, status } as any);
    return (JSON.parse((await sparkctl(['schedule', 'next', 'often', '-c', '2', '-o', 'json'], { cluster: fake })).stdout).runs as string[]).map((run) => (Date.parse(run) - Date.parse(at(0))) / 1_000);
  };
  expect(await nextOf({ nextRun: at(-20), lastRun: at(30) })).toEqual([20, 70]);
  expect(await nextOf({ lastRun: at(45) })).toEqual([5, 55]);
  expect(await nextOf({})).toEqual([10, 60]);
  expect(await nextOf({ lastRun: at(45) }, true)).toEqual([50, 100]);
});

test('-o: the times for a script', async () => {
  const suspended = new FakeCluster().put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'jobs' }, spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin', suspend: true } } as any);
  const { stdout, stderr } = await sparkctl(['schedule', 'next', 'nightly', '-c', '2', '-o', 'json'], { cluster: suspended });
  expect(JSON.parse(stdout)).toEqual({
    schedule: '30 2 * * *', timeZone: 'Europe/Berlin', suspend: true, runs: ['2026-03-02T02:30:00+01:00', '2026-03-03T02:30:00+01:00'],
  });
  expect(stderr).toEqual(['The schedule is suspended: these are the runs if it is resumed now.']);
  expect((await sparkctl(['schedule', 'next', '--expression=@daily', '-c', '1', '-o', 'yaml'])).stdout)
    .toBe('schedule: "@daily"\ntimeZone: UTC\nsuspend: false\nruns:\n  - "2026-03-02T00:00:00Z"\n');
});
