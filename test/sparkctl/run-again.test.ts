/* Commands that start applications (run, rerun, resume), and waiting for them. */
import { application, FakeCluster } from '../console/helpers/fake-cluster';
import rerun from '../../src/sparkctl/commands/rerun';
import resume from '../../src/sparkctl/commands/resume';
import runCommand from '../../src/sparkctl/commands/run';
import wait from '../../src/sparkctl/commands/wait';
import { runNowName } from '../../src/model/run-names';
import { Running } from './log/fake-kube';

const COMMANDS = { run: runCommand, rerun, resume, wait };
const schedule = (name: string) => ({ metadata: { name, namespace: 'jobs' }, spec: {}, status: { observedGeneration: 1 } });

/** Returns an application whose status is about this generation of its specification. */
const seen = (state: string, generation: number, observedGeneration = generation) => {
  const { status, ...others } = application('pi', { namespace: 'jobs', state });
  const spec = { ...others.spec, suspend: state === 'SUSPENDED' };
  return { ...others, spec, metadata: { name: 'pi', namespace: 'jobs', generation }, status: { ...status, observedGeneration } };
};

let cluster: FakeCluster;
/** Schedules whose runs the operator skips. */
let skipped: string[];

beforeEach(async () => {
  cluster = await FakeCluster.start();
  skipped = [];
  const { put } = cluster;
  cluster.put = function answering(this: FakeCluster, plural: string, object: any) {
    // The API server increments the generation, and the operator starts runs.
    const { 'sparkoperator.k8s.io/run-now': token } = object.metadata.annotations ?? {};
    const isAsked = token !== undefined && object.status.lastRunNow !== token;
    const isEdited = plural === 'sparkapplications' && object.metadata.resourceVersion !== undefined;
    const stored = put.call(this, plural, isEdited ? { ...object, metadata: { ...object.metadata, generation: object.metadata.generation + 1 } } : object);
    if (isAsked) {
      const name = runNowName(stored, token);
      if (!skipped.includes(object.metadata.name)) put.call(this, 'sparkapplications', application(name, { namespace: 'jobs', state: 'COMPLETED' }));
      put.call(this, plural, { ...stored, status: { ...stored.status, lastRunNow: token } });
    }
    return stored;
  };
});

afterEach(() => cluster.stop());

const start = (name: keyof typeof COMMANDS, ...args: string[]) => (
  // Each command closes its client.
  new Running({ client: () => Object.create(cluster.client, { close: { value: () => {} } }), connection: { server: 'http://x', credentials: () => ({ headers: {}, tls: {} }) } }, { name, summary: '', load: async () => ({ default: COMMANDS[name] }) }, args)
);

test('run: prints the run as text, and for scripts', async () => {
  cluster.put('scheduledsparkapplications', schedule('nightly'));
  const first = start('run', 'nightly');
  expect(await first.code).toBe(0);
  expect(first.out).toMatch(/^ScheduledSparkApplication jobs\/nightly has started SparkApplication jobs\/nightly-\S+\n$/);
});

test('run: without an operator it requests the run, and reports that it starts later', async () => {
  const renewed = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const writer = { manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: renewed(3_200) };
  cluster.put('scheduledsparkapplications', { ...schedule('nightly'), metadata: { name: 'nightly', namespace: 'jobs', managedFields: [writer] } });
  cluster.put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: renewed(3_190) } });
  skipped = ['nightly'];
  const running = start('run', 'nightly', '--wait');
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(new RegExp('^! sparkctl run: ScheduledSparkApplication jobs/nightly: no operator handles the namespace jobs: the Lease '
    + 'ops/spark-operator-controller-lock was last renewed 53m ago\\. The run is requested, and starts as SparkApplication jobs/nightly-\\S+ when one does\n$'));
  expect(cluster.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => Object.keys(body.metadata.annotations))).toEqual([['sparkoperator.k8s.io/run-now']]);
});

test('run: the exit code with --wait shows the outcome', async () => {
  cluster.put('scheduledsparkapplications', schedule('nightly'));
  const running = start('run', 'nightly', '-o', 'name', '--wait');
  expect(await running.code).toBe(0);
  expect(running.out).toMatch(/^sparkapplication\.sparkoperator\.k8s\.io\/(nightly-\S+)\n! .*SparkApplication jobs\/\1 is COMPLETED/);
});

test('run: reports a run that the operator skips, and starts the others', async () => {
  for (const name of ['nightly', 'hourly']) cluster.put('scheduledsparkapplications', schedule(name));
  skipped = ['nightly'];
  const running = start('run', 'nightly', 'hourly');
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(/^! sparkctl run: ScheduledSparkApplication jobs\/nightly: the operator has not started the run SparkApplication jobs\/nightly-.*concurrencyPolicy forbids a second one.*\nScheduledSparkApplication jobs\/hourly has started /);
});

test('run: names the active run because of which the operator skips another', async () => {
  cluster.put('scheduledsparkapplications', { ...schedule('nightly'), metadata: { name: 'nightly', namespace: 'jobs', uid: 'schedule' } });
  const run = application('nightly-first', { namespace: 'jobs', state: 'RUNNING' });
  const owner = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', name: 'nightly', uid: 'schedule', controller: true };
  cluster.put('sparkapplications', { ...run, metadata: { ...run.metadata, labels: { 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' }, ownerReferences: [owner] } });
  skipped = ['nightly'];
  const running = start('run', 'nightly');
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(/: the run nightly-first is active, and the schedule's concurrencyPolicy forbids a second one\n$/);
});

test.each([
  ['rerun', 'COMPLETED', 'will run again'],
  ['resume', 'SUSPENDED', 'resumed'],
] as const)('%s --wait: what the application was before does not count', async (command, state, done) => {
  cluster.put('sparkapplications', seen(state, 1));
  const running = start(command, 'pi', '--wait');
  await running.printed(` jobs/pi ${state}`);
  cluster.put('sparkapplications', seen('FAILED', 2));
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(new RegExp(`^SparkApplication jobs/pi ${done}\n(! .*\n)*! . SparkApplication jobs/pi is FAILED`));
});

test('rerun --wait: does not wait for a suspended application', async () => {
  cluster.put('sparkapplications', seen('SUSPENDED', 1));
  const running = start('rerun', 'pi', '--wait');
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(/^SparkApplication jobs\/pi is suspended, and runs again when it is resumed\n! ✗ SparkApplication jobs\/pi is suspended, so --wait does not wait for it; `sparkctl resume pi -n jobs --wait` runs it\n$/);
});

test('rerun --wait: waits for an application that Kueue resumes', async () => {
  const { metadata, ...others } = seen('SUSPENDED', 1);
  cluster.put('sparkapplications', { ...others, metadata: { ...metadata, labels: { 'kueue.x-k8s.io/queue-name': 'spark' } } } as any);
  const running = start('rerun', 'pi', '--wait');
  await running.printed(' jobs/pi SUSPENDED');
  cluster.put('sparkapplications', seen('COMPLETED', 2));
  expect(await running.code).toBe(0);
});

test('rerun and then wait have the same result', async () => {
  cluster.put('sparkapplications', seen('COMPLETED', 1));
  expect(await start('rerun', 'pi').code).toBe(0);
  const running = start('wait', 'pi');
  await running.printed(' jobs/pi COMPLETED');
  cluster.put('sparkapplications', seen('RUNNING', 2));
  await running.printed(' jobs/pi RUNNING');
  cluster.put('sparkapplications', seen('FAILED', 2));
  expect(await running.code).toBe(1);
});

test('wait: accepts the status of an operator that sets no observedGeneration', async () => {
  const { status: { observedGeneration: _, ...status }, ...others } = seen('COMPLETED', 2);
  cluster.put('sparkapplications', { ...others, status });
  const running = start('wait', 'pi', 'sparkapp/pi');
  expect(await running.code).toBe(0);
  expect(running.out.match(/is COMPLETED/g)).toHaveLength(1);
});

test.each(['run', 'rerun', 'resume'] as const)('%s: --timeout without --wait is no command line', async (command) => {
  const running = start(command, 'pi', '--timeout=5m');
  expect(await running.code).toBe(2);
  expect(running.out).toContain('--timeout needs --wait; add it');
  expect(cluster.calls).toEqual([]);
});
