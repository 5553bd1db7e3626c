/* Commands that change objects: suspend, resume, rerun, delete. run-again.test.ts tests waiting. */
import { FakeCluster } from './cluster';
import { manifest, sparkctl } from './helpers';

const cluster = () => new FakeCluster()
  .put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs', labels: { team: 'data' } }, spec: { driver: { cores: 1 } } } as any)
  .put('sparkapplications', { metadata: { name: 'etl', namespace: 'jobs', labels: { team: 'data' } }, spec: {} } as any)
  .put('sparkapplications', { metadata: { name: 'paused', namespace: 'jobs' }, spec: { suspend: true }, status: { applicationState: { state: 'SUSPENDED' } } } as any)
  .put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'jobs' }, spec: {} } as any);

test.each([
  [['suspend', 'pi', 'schedule/nightly'], ['patch sparkapplications jobs/pi {"spec":{"suspend":true}}', 'patch scheduledsparkapplications jobs/nightly {"spec":{"suspend":true}}']],
  [['resume', 'paused'], ['patch sparkapplications jobs/paused {"spec":{"suspend":false}}']],
  [['rerun', 'pi'], ['patch sparkapplications jobs/pi {"spec":{"driver":{"annotations":{"sparkoperator.k8s.io/rerun-at":"2026-03-01T12:00:00.000Z"}}}}']],
  [['delete', 'pi', 'schedule/nightly'], ['delete sparkapplications jobs/pi', 'delete scheduledsparkapplications jobs/nightly']],
  [['delete', '-l', 'team=data'], ['delete sparkapplications jobs/pi', 'delete sparkapplications jobs/etl']],
])('%j', async (args, changes) => {
  const world = cluster();
  expect(await sparkctl(args, { cluster: world })).toMatchObject({ code: 0, stderr: [] });
  expect(world.changes).toEqual(changes);
});

test('resume: an application that is not suspended stays unchanged, and is an error; the others are resumed', async () => {
  const world = cluster().put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs' }, spec: {}, status: { applicationState: { state: 'RUNNING' } } } as any);
  expect(await sparkctl(['resume', 'pi', 'schedule/nightly', 'paused'], { cluster: world })).toMatchObject({
    code: 1,
    stdout: 'SparkApplication jobs/paused resumed\n',
    stderr: [
      'sparkctl resume: SparkApplication jobs/pi: it is not suspended, its state is RUNNING; nothing was changed',
      'sparkctl resume: ScheduledSparkApplication jobs/nightly: it is not suspended; nothing was changed',
    ],
  });
  expect(world.changes).toEqual(['patch sparkapplications jobs/paused {"spec":{"suspend":false}}']);
});

describe('an application that has ended', () => {
  const ended = (suspend: boolean) => cluster().put('sparkapplications', {
    metadata: { name: 'pi', namespace: 'jobs', generation: 2 }, spec: { suspend }, status: { applicationState: { state: 'COMPLETED' }, observedGeneration: 2 },
  } as any);

  test('has nothing to suspend', async () => {
    const world = ended(false);
    expect(await sparkctl(['suspend', 'pi'], { cluster: world })).toMatchObject({ code: 1, stderr: ['sparkctl suspend: SparkApplication jobs/pi: it has ended and is COMPLETED; nothing was changed'] });
    expect(world.changes).toEqual([]);
  });

  test('in a terminal, the result wraps, and its command stays whole', async () => {
    const { stdout } = await sparkctl(['resume', 'pi'], { cluster: ended(true), isTerminal: true, columns: 40 });
    expect(stdout).toBe('SparkApplication jobs/pi resumed, but it\n  has ended and is COMPLETED;\n  `sparkctl rerun pi -n jobs` runs it\n  again\n');
  });

  test('is not run again by resume, nor waited for', async () => {
    expect(await sparkctl(['resume', 'pi', '--wait'], { cluster: ended(true) })).toMatchObject({
      code: 0, stdout: 'SparkApplication jobs/pi resumed, but it has ended and is COMPLETED; `sparkctl rerun pi -n jobs` runs it again\n', stderr: [],
    });
  });
});

describe('an object that is being deleted', () => {
  const deletion = { deletionTimestamp: '2026-03-01T11:55:00Z', finalizers: ['example.org/backup'] };
  const text = 'is being deleted, and remains until its finalizers are removed: example.org/backup';
  const deleted = () => new FakeCluster().put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs', ...deletion }, spec: { driver: {}, executor: {} }, status: { applicationState: { state: 'SUBMITTED' } } } as any);

  test.each([['suspend'], ['resume'], ['rerun'], ['rerun', '--override=driver.cores=2'], ['edit']])(
    'cannot be changed: %s %s', async (command, ...options) => {
      const world = deleted();
      const { code, stdout, stderr } = await sparkctl([command, 'pi', ...options], { cluster: world });
      expect(world.changes).toEqual([]);
      expect([code, stdout, stderr]).toEqual([1, '', [expect.stringMatching(new RegExp(`^sparkctl ${command}: .*it ${text}; nothing was changed$`))]]);
    },
  );

  test('keeps the cause of its failure', async () => {
    const failed = new FakeCluster().put('sparkapplications', {
      metadata: { name: 'pi', namespace: 'jobs', ...deletion }, spec: { driver: {}, executor: {} }, status: { applicationState: { state: 'FAILED', errorMessage: 'no luck' } },
    } as any);
    expect((await sparkctl(['status', 'pi'], { cluster: failed })).stdout).toContain('Why:       It failed: no luck; it is being deleted.\n');
  });

  test('is not reported as deleted while its finalizers keep it', async () => {
    const world = deleted();
    // The API server keeps it.
    const client = Object.create(world.client, { delete: { value: async () => {} } });
    expect(await sparkctl(['delete', 'pi'], { cluster: { client } })).toMatchObject({ code: 0, stdout: `SparkApplication jobs/pi ${text}\n` });
  });

  test('has no other reason in lists and in its status', async () => {
    expect((await sparkctl(['list'], { cluster: deleted() })).stdout).toMatch(/^pi +SUBMITTED \(being deleted\)/m);
    const { stdout } = await sparkctl(['status', 'pi'], { cluster: deleted() });
    expect(stdout).toContain(
      'Why:       Its deletion was requested 5m ago, and its status is not updated any more. It remains until its finalizers are removed: example.org/backup.\n',
    );
    expect(stdout).toContain('To do:     find out why the programs that have added its finalizers do not remove them\n');
  });
});

test('suspend: an object that is suspended already stays unchanged', async () => {
  const world = cluster().put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'jobs' }, spec: { suspend: true } } as any);
  expect(await sparkctl(['suspend', 'paused', 'schedule/nightly'], { cluster: world })).toMatchObject({
    code: 0, stdout: 'SparkApplication jobs/paused is already suspended\nScheduledSparkApplication jobs/nightly is already suspended\n', stderr: [],
  });
  expect(world.changes).toEqual([]);
});

test.each(['suspend', 'rerun'])('%s reports that no operator runs, which would act on the change', async (command) => {
  const writer = { manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: '2026-03-01T11:00:00Z' };
  const world = cluster()
    .put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs', managedFields: [writer] }, spec: {}, status: { applicationState: { state: 'RUNNING' } } } as any)
    .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: '2026-03-01T11:07:00Z' } } as any);
  expect(await sparkctl([command, 'pi'], { cluster: world })).toMatchObject({
    code: 0,
    stderr: ['No operator handles the namespace jobs: the Lease ops/spark-operator-controller-lock was last renewed 53m ago. The change has no effect until one does.'],
  });
});

test('create reports that no operator runs, which others in the namespace show', async () => {
  const writer = { manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: '2026-03-01T11:00:00Z' };
  const world = cluster()
    .put('sparkapplications', { metadata: { name: 'done', namespace: 'jobs', managedFields: [writer] }, spec: {}, status: { applicationState: { state: 'COMPLETED' } } } as any)
    .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: '2026-03-01T11:07:00Z' } } as any);
  expect(await sparkctl(['create', 'new.yaml'], { cluster: world, files: { 'new.yaml': manifest({ name: 'new' }) } })).toMatchObject({
    code: 0, stdout: 'SparkApplication jobs/new created\n',
    stderr: ['No operator handles the namespace jobs: the Lease ops/spark-operator-controller-lock was last renewed 53m ago. The change has no effect until one does.'],
  });
});

test('rerun: a suspended application is not run yet', async () => {
  expect(await sparkctl(['rerun', 'paused'], { cluster: cluster() })).toMatchObject({
    code: 0, stdout: 'SparkApplication jobs/paused is suspended, and runs again when it is resumed\n',
  });
});

test('a missing object does not prevent the action on the others', async () => {
  const world = cluster();
  const { code, stdout, stderr } = await sparkctl(['suspend', 'absent', 'pi'], { cluster: world });
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'SparkApplication jobs/pi suspended\n' });
  expect(stderr).toEqual([expect.stringMatching(/^sparkctl suspend: there is no SparkApplication jobs\/absent; /)]);
});

test.each([
  [['suspend', 'nightly', 'pi'], 'sparkctl suspend: there is no SparkApplication jobs/nightly; did you mean schedule/nightly?'],
  [['delete', 'schedule/paused', 'pi'], 'sparkctl delete: there is no ScheduledSparkApplication jobs/paused; did you mean paused?'],
  [['status', 'nightly', 'pi'], 'sparkctl status: there is no SparkApplication jobs/nightly; did you mean schedule/nightly?'],
  [['describe', 'nightly'], 'sparkctl describe: there is no SparkApplication jobs/nightly; did you mean schedule/nightly?'],
  [['edit', 'shared'], 'sparkctl edit: there is no SparkApplication jobs/shared; did you mean connect/shared?'],
  // It only takes applications.
  [['rerun', 'nightly'], 'sparkctl rerun: there is no SparkApplication jobs/nightly; `sparkctl list -n jobs` lists existing ones'],
])('%j names an object of another kind that has the name', async (args, message) => {
  const world = cluster().put('sparkconnects', { metadata: { name: 'shared', namespace: 'jobs' }, spec: {} } as any);
  expect(await sparkctl(args, { cluster: world })).toMatchObject({ code: 1, stderr: [message] });
});

test('without permission, the cause comes after the name of the object', async () => {
  const world = cluster();
  world.forbidden.add('patch sparkapplications');
  expect(await sparkctl(['suspend', 'pi'], { cluster: world })).toMatchObject({
    code: 1, stderr: [expect.stringMatching(/^sparkctl suspend: SparkApplication jobs\/pi: you cannot patch sparkapplications in jobs; /)],
  });
});

test('rejects a wrong word before the first change', async () => {
  const world = cluster();
  expect(await sparkctl(['delete', 'pi', 'pod/x'], { cluster: world })).toMatchObject({ code: 2 });
  expect(await sparkctl(['delete', '--selector=', '-n', 'jobs'], { cluster: world })).toMatchObject({ code: 2, stderr: [expect.stringContaining('--selector is empty'), expect.anything()] });
  expect(world.changes).toEqual([]);
});
