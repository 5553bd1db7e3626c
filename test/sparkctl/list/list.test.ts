/* Lists with the reason of each state. */
import { NetworkError } from '../../../src/kube/errors';
import { FakeCluster } from '../cluster';
import { NOW, sparkctl } from '../helpers';

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

/** Application whose status the operator of the namespace `ops` wrote. */
function application(name: string, state: string, { age = 600, message = '', labels = {}, spec = {}, status = {} as object, namespace = 'jobs' } = {}): any {
  return {
    metadata: {
      name, namespace, uid: name, generation: 1, creationTimestamp: ago(age), labels,
      managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: ago(age - 5) }],
    },
    spec: { driver: {}, executor: { instances: 2 }, ...spec },
    status: {
      applicationState: { state, ...(message && { errorMessage: message }) }, submissionAttempts: 1, lastSubmissionAttemptTime: ago(age - 5),
      driverInfo: { podName: `${name}-driver` }, observedGeneration: 1, ...status,
    },
  };
}

function pod(owner: string, role: string, name: string, status: object): any {
  return { metadata: { name, namespace: 'jobs', creationTimestamp: ago(60), labels: { 'spark-role': role, 'sparkoperator.k8s.io/app-name': owner } }, spec: { containers: [] }, status };
}

const lease = (seconds: number): any => ({
  metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: ago(seconds) },
});

const UNSCHEDULABLE = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] };

/** Cluster with one application in each of several situations. */
const cluster = (leaseAge = 2) => new FakeCluster()
  .put('leases', lease(leaseAge))
  .put('sparkapplications', application('daily-20260301-020000', 'SUBMITTED', { age: 5_000, message: 'driver does not start: ImagePullBackOff: Back-off pulling image "x"' }))
  .put('sparkapplications', application('failed-now', 'FAILED', { age: 4_000, message: 'driver container failed with ExitCode: 137, Reason: OOMKilled', status: { terminationTime: ago(3_000), lastSubmissionAttemptTime: ago(3_900) } }))
  .put('sparkapplications', application('failed-before', 'FAILED', { age: 200_000, message: 'driver container failed with ExitCode: 1, Reason: Error', status: { terminationTime: ago(190_000) } }))
  .put('sparkapplications', application('done', 'COMPLETED', { age: 100_000, status: { terminationTime: ago(90_000) } }))
  .put('sparkapplications', application('no-room', 'RUNNING', { status: { executorState: { e1: 'RUNNING', e2: 'PENDING' } } }))
  .put('sparkapplications', application('fine', 'RUNNING', { status: { executorState: { e1: 'RUNNING', e2: 'RUNNING' } } }))
  .put('pods', pod('no-room', 'driver', 'no-room-driver', { phase: 'Running' }))
  .put('pods', pod('fine', 'driver', 'fine-driver', { phase: 'Running' }))
  .put('pods', pod('no-room', 'executor', 'e2', UNSCHEDULABLE));

const statesIn = (text: string) => Object.fromEntries(text.trim().split('\n').slice(1).map((line) => {
  const [name, state] = line.split(/ {3,}/);
  return [name!, state!];
}));

test('the reason is next to the state; one call reads the Lease, and one the pending pods', async () => {
  const fake = cluster();
  const { stdout } = await sparkctl(['list'], { cluster: fake });
  expect(statesIn(stdout)).toEqual({
    'failed-before': 'FAILED (exit code 1)',
    'done': 'COMPLETED',
    'daily-20260301-020000': 'SUBMITTED (ImagePullBackOff)',
    'failed-now': 'FAILED (OOMKilled)',
    'fine': 'RUNNING',
    'no-room': 'RUNNING (1 executor unschedulable)',
  });
  expect(fake.reads).toEqual(['list sparkapplications', 'get leases', 'list pods']);
});

test('without an operator, applications that need one keep the reason that pods show', async () => {
  const stopped = cluster(3_180);
  expect(statesIn((await sparkctl(['list'], { cluster: stopped })).stdout)).toMatchObject({
    'fine': 'RUNNING (no operator)', 'no-room': 'RUNNING (no operator, 1 executor unschedulable)', 'daily-20260301-020000': 'SUBMITTED (no operator, driver is gone)', 'done': 'COMPLETED',
  });
});

test('an operator that has moved to another namespace is no missing operator', async () => {
  const elsewhere = lease(2);
  const moved = cluster(3_180).put('leases', { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'new-ops' } });
  expect(statesIn((await sparkctl(['list'], { cluster: moved })).stdout)).toMatchObject({ fine: 'RUNNING' });
});

test('after the operator was uninstalled, its Lease is missing', async () => {
  const lists = async (fake: FakeCluster) => statesIn((await sparkctl(['list'], { cluster: fake })).stdout);
  const without = () => new FakeCluster().put('sparkapplications', application('fine', 'RUNNING', { status: { driverInfo: {}, executorState: { a: 'RUNNING' } } }));
  expect(await lists(without().put('namespaces', { metadata: { name: 'ops' } }))).toEqual({ fine: 'RUNNING (no operator)' });
  // An operator without leader election writes under the name of its pod or host.
  expect(await lists(without())).toEqual({ fine: 'RUNNING' });
});

test('a user who can read neither Leases nor pods sees the reasons of the status', async () => {
  const closed = cluster(3_180);
  for (const action of ['get leases', 'list leases', 'list pods']) closed.forbidden.add(action);
  const { code, stdout } = await sparkctl(['list'], { cluster: closed });
  expect({ code, states: statesIn(stdout) }).toMatchObject({ code: 0, states: { 'fine': 'RUNNING', 'no-room': 'RUNNING (1 executor pending)', 'daily-20260301-020000': 'SUBMITTED (ImagePullBackOff)' } });
});

test('--attention reports that pods cannot be read', async () => {
  const closed = cluster();
  const attention = async (...args: string[]) => (await sparkctl(['list', '--attention', ...args], { cluster: closed })).stderr;
  expect(await attention()).toEqual([]);
  closed.forbidden.add('list pods');
  expect(await attention()).toEqual(['Applications might be missing, as you cannot read pods: `kubectl auth can-i list pods -n jobs`']);
  expect(await attention('-A', '-o', 'name')).toEqual([expect.stringMatching(/list pods -A`$/)]);
});

test('a deleted driver is visible where only pods can be read', async () => {
  const closed = cluster().put('sparkapplications', application('gone', 'RUNNING'));
  for (const action of ['get leases', 'list leases']) closed.forbidden.add(action);
  const { stdout } = await sparkctl(['list'], { cluster: closed });
  expect(statesIn(stdout)).toMatchObject({ gone: 'RUNNING (driver is gone)', fine: 'RUNNING' });
  expect(stdout).toMatch(/\ngone +RUNNING \(driver is gone\) +- /);
});

/** Removes the colours. */
// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\x1b\[\d+m/g, '');

test.each([80, 60])('reasons and whole names are visible at %d columns: other columns give way', async (columns) => {
  const { stdout } = await sparkctl(['list'], { cluster: cluster(), isTerminal: true, columns });
  const lines = plain(stdout).trimEnd().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(lines[0]!.split(/ +/)).toEqual(columns === 80 ? ['NAME', 'STATE', 'EXECUTORS', 'AGE'] : ['NAME', 'STATE', 'AGE']);
  for (const text of ['daily-20260301-020000', 'SUBMITTED (ImagePullBackOff)']) expect(stdout).toContain(text);
  if (columns === 80) expect(stdout).toContain('RUNNING (1 executor unschedulable)');
});

test('in a narrow terminal, whole reasons have lines of their own, and other columns stay', async () => {
  const { stdout } = await sparkctl(['list', '--wide'], { cluster: cluster(), isTerminal: true, columns: 80 });
  const lines = plain(stdout).trimEnd().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(lines[0]!.split(/ +/)).toEqual(['NAME', 'STATE', 'EXECUTORS', 'AGE']);
  const index = lines.findIndex((line) => line.startsWith('no-room'));
  expect(lines[index]).toContain('RUNNING (1 executor unschedulable)');
  expect(lines[index + 1]).toMatch(/^ {4}\S.{40}/);
});

test.each([80, 200])('--wide prints whole reasons and names at %d columns', async (columns) => {
  const message = `driver container failed: /a/${'long/'.repeat(30)}path is missing ${'and more is, too '.repeat(10)}`;
  const long = cluster().put('sparkapplications', application('nightly-import-of-20260301-02', 'FAILED', { age: 100, message, status: { terminationTime: ago(50) } }));
  const { stdout } = await sparkctl(['list', '--wide'], { cluster: long, isTerminal: true, columns });
  const lines = plain(stdout).trimEnd().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(stdout).toContain('nightly-import-of-20260301-02 ');
  const first = lines.findIndex((line) => line.startsWith('nightly'));
  const why = columns === 80 ? lines.slice(first + 1) : lines.slice(first).map((line) => line.slice(lines[0]!.indexOf('WHY')));
  expect(why.join('').replaceAll(' ', '')).toContain(message.replaceAll(' ', ''));
});

test('--wide: states that need attention are yellow, too', async () => {
  expect((await sparkctl(['list', '--wide'], { cluster: cluster(), isTerminal: true, columns: 200 })).stdout).toMatch(/\nno-room +\x1b\[33mRUNNING \(1 executor unschedulable\)\x1b/); // eslint-disable-line no-control-regex
});

test('what the user has suspended is not yellow', async () => {
  const held = new FakeCluster().put('sparkapplications', application('held', 'SUSPENDED', { spec: { suspend: true } }));
  expect((await sparkctl(['list'], { cluster: held, isTerminal: true })).stdout).not.toContain('\x1b[33m');
});

test('in a very narrow terminal, the state of all namespaces is visible', async () => {
  const { stdout } = await sparkctl(['list', '-A'], { cluster: cluster(), isTerminal: true, columns: 40 });
  expect(stdout).toMatch(/RUNNING \(1 …/);
});

test('schedules: an invalid one has no next run', async () => {
  const spec = { schedule: '0 0 30 2 *', template: {} };
  const schedules = new FakeCluster().put('scheduledsparkapplications', { metadata: { name: 'never', namespace: 'jobs', creationTimestamp: ago(60) }, spec } as any);
  const { stdout } = await sparkctl(['list', 'schedules', '--wide'], { cluster: schedules });
  expect(stdout).toMatch(/^never +0 0 30 2 \* .* invalid .*never has a run/m);
});

test('schedules: in a narrow terminal, the whole reason has lines of its own', async () => {
  const spec = { schedule: '0 0 30 2 *', template: {} };
  const schedules = new FakeCluster().put('scheduledsparkapplications', { metadata: { name: 'never-runs-at-all', namespace: 'jobs', creationTimestamp: ago(60) }, spec } as any);
  const { stdout } = await sparkctl(['list', 'schedules', '-A', '--wide'], { cluster: schedules, isTerminal: true, columns: 80 });
  expect(plain(stdout)).toMatch(/^jobs +never-runs-at-all .* invalid .*\n {4}\S.*never has a run/m);
});

test('schedules: a narrow terminal shows which are suspended, and the begin of the last failure', async () => {
  const run = { name: 'r', scheduledTime: ago(900), startTime: ago(900), endTime: ago(800), result: 'Failed', cause: 'the column amount does not exist in the table' };
  const schedules = new FakeCluster().put('scheduledsparkapplications', {
    metadata: { name: 'nightly-import', namespace: 'jobs', creationTimestamp: ago(5_000) }, spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin', suspend: true },
    status: { lastRun: ago(900), runHistory: [run] },
  } as any);
  const { stdout } = await sparkctl(['list', 'schedules'], { cluster: schedules, isTerminal: true, columns: 80 });
  expect(plain(stdout).split('\n')[0]).toMatch(/NEXT RUN .*LAST FAILURE/);
  expect(plain(stdout)).toContain(' suspended ');
  expect(stdout).toContain('the column ');
});

test('without the permission to list, the remedy checks all namespaces', async () => {
  const closed = cluster();
  closed.forbidden.add('list sparkapplications');
  expect((await sparkctl(['list', '-A'], { cluster: closed })).stderr[0]).toContain('`kubectl auth can-i list sparkapplications -A`');
});

test('what needs attention is yellow, failures are red, and the rest has the colour of its state', async () => {
  const { stdout } = await sparkctl(['list'], { cluster: cluster(), isTerminal: true });
  expect(stdout).toContain('\x1b[33mRUNNING (1 executor unschedulable)\x1b[39m');
  expect(stdout).toContain('\x1b[31mFAILED (OOMKilled)\x1b[39m');
  expect(stdout).toContain('\x1b[32mRUNNING\x1b[39m');
});

test.each<[string[], string[]]>([
  [['--attention'], ['daily-20260301-020000', 'failed-now', 'no-room']],
  [['--failed'], ['failed-before', 'failed-now']],
  [['--since=2h'], ['daily-20260301-020000', 'failed-now', 'fine', 'no-room']],
  [['--failed', '--since', '1d'], ['failed-now']],
  [['--attention', '-o', 'name'], ['daily-20260301-020000', 'failed-now', 'no-room']],
])('list %j', async (options, names) => {
  const { stdout } = await sparkctl(['list', ...options], { cluster: cluster() });
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('NAME')).map((line) => line.split(' ')[0]!.replace(/.*\//, ''))).toEqual(names);
});

test.each(['json', 'yaml'])('-o %s omits managed fields, as kubectl does', async (format) => {
  const { stdout } = await sparkctl(['list', '-o', format], { cluster: cluster() });
  expect(stdout).toContain('no-room');
  expect(stdout).not.toContain('managedFields');
});

test('--attention selects schedules that start no runs, or whose latest run failed', async () => {
  const schedules = new FakeCluster();
  const history = (...results: readonly string[]) => results.map((result, index) => ({ name: `run-${index}`, startTime: ago(50 - index), endTime: ago(49 - index), result }));
  for (const [name, suspend, ...results] of [['failing', false, 'Completed', 'Failed'], ['mended', false, 'Failed', 'Completed'], ['off', true, 'Failed']] as const) {
    schedules.put('scheduledsparkapplications', {
      metadata: { name, namespace: 'jobs', creationTimestamp: ago(60) }, spec: { schedule: '0 2 * * *', suspend, template: {} }, status: { runHistory: history(...results) },
    } as any);
  }
  for (const [name, schedule] of [['never', '0 0 30 2 *'], ['nightly', '0 2 * * *']] as const) {
    schedules.put('scheduledsparkapplications', { metadata: { name, namespace: 'jobs', creationTimestamp: ago(60) }, spec: { schedule, template: {} } } as any);
  }
  const { code, stdout } = await sparkctl(['list', 'schedules', '--attention', '-o', 'name'], { cluster: schedules });
  expect({ code, stdout }).toEqual({ code: 0, stdout: ['failing', 'never'].map((name) => `scheduledsparkapplication.sparkoperator.k8s.io/${name}\n`).join('') });
});

test.each([
  [['list', '--since=soon'], '--since=soon: write a duration longer than 0, such as 30m, 2h or 1d'],
  [['list', 'schedules', '--failed'], '--failed needs the kind applications'],
  [['list', '--failed', '--state=RUNNING'], '--failed selects states, and --state others; omit one of the two'],
  [['list', '--watch', '-ojson'], '--watch prints a table; omit --output=json'],
])('%j is rejected', async (args, message) => {
  expect(await sparkctl(args, { cluster: cluster() })).toMatchObject({ code: 2, stderr: [`sparkctl list: ${message}`, expect.anything()] });
});

test('--state without a state is rejected', async () => {
  const { code, stderr } = await sparkctl(['list', '--state='], { cluster: cluster() });
  expect({ code, first: stderr[0] }).toEqual({ code: 2, first: expect.stringMatching(/^sparkctl list: --state=: a state is missing; write some of NEW, SUBMITTED, /) });
});

test('an empty list names the selection', async () => {
  const empty = cluster().put('namespaces', { metadata: { name: 'empty' } });
  expect(await sparkctl(['list', '--failed', '--since=5s', '-n', 'empty'], { cluster: empty })).toMatchObject({
    code: 0, stderr: ['There are no SparkApplications that failed in the last 5s in the namespace empty.'],
  });
  expect(await sparkctl(['list', '-l', 'team=x', '-n', 'empty'], { cluster: empty })).toMatchObject({
    code: 0, stderr: ['There are no SparkApplications with the labels team=x in the namespace empty.'],
  });
});

test.each([['list'], ['list', 'schedules', '-oname']])('%s %s of a namespace that does not exist fails, if the user can read namespaces', async (...args) => {
  const fake = cluster();
  expect(await sparkctl([...args, '-n', 'nope'], { cluster: fake })).toMatchObject({
    code: 1, stdout: '', stderr: ['sparkctl list: there is no namespace nope; `kubectl get namespaces` lists existing ones'],
  });
  fake.forbidden.add('get namespaces');
  expect(await sparkctl([...args, '-n', 'nope'], { cluster: fake })).toMatchObject({ code: 0 });
  fake.forbidden.delete('get namespaces');
  expect(await sparkctl(['list', '--watch', '-n', 'nope'], { cluster: fake })).toMatchObject({ code: 1, stderr: [expect.stringContaining('there is no namespace nope')] });
  const client = Object.create(fake.client, { get: { value: async () => { throw new NetworkError({ verb: 'get', resource: 'namespaces' }, 'ECONNRESET', 'reset'); } } });
  expect(await sparkctl([...args, '-n', 'nope'], { cluster: { client } })).toMatchObject({ code: 0 });
});

test.each([['list', '--watch'], ['wait', 'pi']])('%s %s needs the permission to watch, and names it', async (...args) => {
  const fake = cluster().put('namespaces', { metadata: { name: 'jobs' } });
  fake.forbidden.add('watch sparkapplications');
  const message = `sparkctl ${args[0]}: you cannot watch sparkapplications in jobs; ask for the permission that \`kubectl auth can-i watch sparkapplications -n jobs\` checks`;
  expect(await sparkctl(args, { cluster: fake })).toMatchObject({ code: 1, stdout: '', stderr: [message] });
});

test('-A takes precedence over -n, as in kubectl', async () => {
  expect((await sparkctl(['list', '-A', '-n', 'nope'], { cluster: cluster() })).stdout).toMatch(/^NAMESPACE /);
});
