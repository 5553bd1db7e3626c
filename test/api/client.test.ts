/* The client as it ships, with the rights of a pipeline, beside the operator and a real API server, over a network that loses answers and connections. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart, Duration, Testing } from 'cdk8s';
import { ApiServer } from '../helpers/api-server';
import { Cast } from './helpers/cast';
import { AccessSubject, ConcurrencyPolicy, RestartPolicy, Schedule, SparkApplicationType, SparkJobNamespace, SparkOperator, type SparkApplicationProps } from '../../src';
import type { SparkApplicationObject, SparkClient as Client } from '../../src/client';
import { kubeconfigOfAccount, type AccountFile } from '../helpers/account';
import { established } from '../helpers/definitions';
import { FaultProxy, type Exchange } from '../helpers/fault-proxy';
import { apply, get, kubectl, list, waitForDriver, waitForState, waitForStatus } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';

const { SparkClient, isAlreadyExists, isForbidden, isInvalid } = createRequire(__filename)(join(__dirname, '../../runtime/client.cjs')) as typeof import('../../src/client');

const OPERATOR = 'client-operator';
const JOBS = 'client-jobs';
const PROPS: SparkApplicationProps = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };
const MINUTE = { timeout: Duration.minutes(1) };
const folder = mkdtempSync(join(tmpdir(), 'client-'));

let api: ApiServer;
let cast: Cast;
let accounts: AccountFile[] = [];
let proxy: FaultProxy;
let operator: OperatorProcess;
let client: Client;

beforeAll(async () => {
  const chart = new Chart(Testing.app(), 'client');
  const installed = new SparkOperator(chart, 'operator', { namespace: OPERATOR, jobNamespaces: [] });
  new SparkJobNamespace(chart, 'jobs', { name: JOBS, operator: installed, users: [AccessSubject.serviceAccount(OPERATOR, 'pipeline')] });
  await apply(Testing.synth(chart));
  await established(180);
  await kubectl(['create', 'serviceaccount', 'pipeline', '-n', OPERATOR]);
  accounts = await Promise.all(['pipeline', 'spark-operator'].map((name) => kubeconfigOfAccount(OPERATOR, name)));
  const [pipeline, ofOperator] = accounts;
  proxy = await FaultProxy.start(pipeline!.file);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, proxy.kubeconfig());
  client = await SparkClient.connect({ kubeconfig, namespace: JOBS });
  operator = await new OperatorProcess([`--kubeconfig=${ofOperator!.file}`, `--namespaces=${JOBS}`]).ready();
  api = new ApiServer();
  cast = new Cast(api, JOBS);
});

afterEach(() => { proxy.rule = (exchange) => exchange.pass(); });
afterAll(async () => {
  client?.close();
  await operator?.stop();
  await proxy?.close();
  api?.close();
  accounts.forEach((account) => account.remove());
  rmSync(folder, { recursive: true });
  await kubectl(['delete', 'namespace', OPERATOR, JOBS, '--ignore-not-found', '--wait=false']);
});

/** The next call of a verb meets a fault; all others are passed on. */
function next(verb: string, fault: (exchange: Exchange) => Promise<void> | void): void {
  let isDone = false;
  proxy.rule = (exchange) => {
    if (isDone || exchange.call.verb !== verb) return exchange.pass();
    isDone = true;
    return fault(exchange);
  };
}

/** The API server does it, but its answer is lost. */
const loseAnswer = async (exchange: Exchange) => {
  await exchange.forward();
  exchange.drop();
};

/** The driver of an application, when the operator has created it. */
async function driverOf(application: SparkApplicationObject): Promise<any> {
  await waitForState(JOBS, application.metadata.name, 'SUBMITTED');
  return get(JOBS, 'pod', `${application.metadata.name}-driver`);
}

test('a submission whose answer is lost makes one application', async () => {
  next('create', loseAnswer);
  const application = await client.submit({ generateName: 'lost-', labels: { test: 'lost' } }, PROPS);

  expect((await list(JOBS, 'sparkapp', 'test=lost')).map(({ metadata }) => metadata.uid)).toEqual([application.metadata.uid]);
  const error = await client.submit(application.metadata.name, PROPS).catch((thrown: unknown) => thrown);
  expect(isAlreadyExists(error)).toBe(true);
  await client.cancel(application);
});

test('one that is aborted while its answer is under way leaves nothing behind', async () => {
  const abortion = new AbortController();
  next('create', async (exchange) => {
    await exchange.forward();
    abortion.abort(new Error('enough'));
  });

  await expect(client.submit({ name: 'aborted' }, PROPS, { signal: abortion.signal })).rejects.toThrow('enough');
  await expect(get(JOBS, 'sparkapp', 'aborted')).rejects.toThrow('not found');
});

test('it is waited for an end over two attempts, broken watches, and an API server that is away for a while', async () => {
  const application = await client.submit('retried', { ...PROPS, restartPolicy: RestartPolicy.onFailure({ retries: 1, interval: Duration.seconds(1) }) });
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { status } of client.watch(application)) seen.push(status?.applicationState?.state ?? '');
  })();
  const waiting = client.wait(application, MINUTE);
  const first = await driverOf(application);
  await cast.runs(first);
  await client.wait(application, { until: 'running', ...MINUTE });
  proxy.watches.forEach((watch) => watch.drop());
  await cast.ends(first, 3);
  await client.wait(application, { until: ({ status }) => status?.submissionAttempts === 2 && status.applicationState?.state === 'SUBMITTED', ...MINUTE });
  await waitForDriver(JOBS, await get(JOBS, 'sparkapp', 'retried'));
  await proxy.refuse();
  await cast.ends(await get(JOBS, 'pod', 'retried-driver'), 7);
  await proxy.listen();

  expect(await waiting).toMatchObject({ outcome: 'failed', exitCode: 7, attempts: 2, submissions: 2 });
  await client.cancel(application);
  await watching;
  expect(seen.at(-1)).toBe('FAILED');
});

test('suspended, resumed, run again; but not another application of the same name', async () => {
  const application = await client.submit('twice', PROPS);
  await cast.ends(await driverOf(application), 0);
  expect(await client.wait(application, MINUTE)).toMatchObject({ outcome: 'completed', attempts: 1 });
  const again = await client.rerun(application);
  const waiting = client.wait(again, MINUTE);
  await waitForStatus(JOBS, 'twice', ({ observedGeneration }) => observedGeneration === again.metadata.generation);
  await cast.ends(await driverOf(application), 0);
  expect(await waiting).toMatchObject({ outcome: 'completed', attempts: 1 });
  await client.suspend(application);
  await client.cancel(application);
  const other = await client.submit('twice', PROPS);

  await expect(client.suspend(application)).rejects.toMatchObject({ status: 409 });
  await client.cancel(application);
  expect((await client.get('twice')).metadata.uid).toBe(other.metadata.uid);
  expect((await client.resume(other)).spec.suspend).toBe(false);
  await client.cancel(other);
});

test('a schedule becomes as it is written, and is run now; one that forbids a second run beside it says so', async () => {
  const props = { schedule: Schedule.cron('0 3 * * *'), template: PROPS };
  await client.submitSchedule('nightly', props);
  const schedule = await client.submitSchedule('nightly', { ...props, concurrency: ConcurrencyPolicy.FORBID });
  next('patch', loseAnswer);
  const run = await client.runNow(schedule, MINUTE);

  expect(run.metadata.labels).toMatchObject({ 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' });
  await expect(client.runNow(schedule, MINUTE)).rejects.toMatchObject({ name: 'RunNotStartedError', reason: 'skipped' });
  await cast.ends(await driverOf(run), 0);
  expect(await client.wait(run, MINUTE)).toMatchObject({ outcome: 'completed' });
  expect((await client.submitSchedule('nightly', props)).spec.concurrencyPolicy).toBeUndefined();
});

test('what the API server refuses, it says', async () => {
  const [invalid, forbidden] = await Promise.all([
    client.submit({ metadata: { name: 'wrong' }, spec: { ...PROPS, type: 'Cobol' } as any }).catch((thrown: unknown) => thrown),
    client.submit({ name: 'elsewhere', namespace: 'default' }, PROPS).catch((thrown: unknown) => thrown),
  ]);
  expect([isInvalid(invalid), isForbidden(forbidden)]).toEqual([true, true]);
});
