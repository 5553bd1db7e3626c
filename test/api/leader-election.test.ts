/* Several operators, one Lease, a real API server. The operators have the rights that SparkOperator gives them. */
import { ApiServer } from '../helpers/api-server';
import { apply, kubectl, list, waitForState } from '../helpers/kubectl';
import { install, type Installation } from '../helpers/installation';
import { OperatorProcess } from '../helpers/operator-process';

const LOCK = 'spark-operator-controller-lock';
/** Short enough for a test; the proportions are those of the defaults. */
const LEASE_SECONDS = 3;
const RETRY_SECONDS = 0.4;

let installation: Installation;
let api: ApiServer;
const operators: OperatorProcess[] = [];

beforeAll(async () => {
  installation = await install('election');
  api = new ApiServer();
});

afterEach(async () => {
  await Promise.all(operators.splice(0).map((operator) => operator.stop('SIGKILL')));
  await kubectl(['delete', 'lease', LOCK, '-n', installation.namespace, '--ignore-not-found']);
});

afterAll(async () => {
  api?.close();
  await installation?.remove();
});

function start(name: string, flags: readonly string[] = []): OperatorProcess {
  const operator = new OperatorProcess([
    `--kubeconfig=${installation.kubeconfig}`, `--namespaces=${installation.jobs}`, '--leader-election', `--leader-election-lock-namespace=${installation.namespace}`, ...flags,
  ], { POD_NAME: name });
  operators.push(operator);
  return operator;
}

const SHORT = [`--leader-election-lease-duration=${LEASE_SECONDS}s`, '--leader-election-renew-deadline=2s', `--leader-election-retry-period=${RETRY_SECONDS}s`];

/** One operator that works, and one that has read all and stands by. */
async function pair(flags: readonly string[] = []): Promise<[leader: OperatorProcess, standby: OperatorProcess]> {
  const leader = start('first', flags);
  await leader.ready();
  const standby = start('second', flags);
  await standby.logged((line) => line.msg === 'caches are filled, standing by' && line.controller === 'spark-application');
  await standby.logged((line) => line.msg === 'another process leads');
  return [leader, standby];
}

/** When it began to lead, by its own clock, which is that of the test. */
async function ledAt(operator: OperatorProcess, seconds?: number): Promise<number> {
  return Date.parse((await operator.logged((line) => line.msg === 'leading', seconds)).time);
}

function application(name: string) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace: installation.jobs },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {} },
  };
}

const lease = () => api.must('GET', `/apis/coordination.k8s.io/v1/namespaces/${installation.namespace}/leases/${LOCK}`);

test('one works, the other stands by, ready, and does not touch anything', async () => {
  const [leader, standby] = await pair();
  await apply(application('one'));
  await waitForState(installation.jobs, 'one', 'SUBMITTED');

  expect((await lease()).spec).toMatchObject({ holderIdentity: expect.stringMatching(/^first_[-0-9a-f]{36}$/), leaseDurationSeconds: 15, leaseTransitions: 0 });
  expect(standby.log.filter(({ controller, msg }) => controller && msg !== 'caches are filled, standing by')).toEqual([]);
  for (const [operator, text] of [[leader, 'leading'], [standby, 'standing by, first_']] as const) {
    const { health } = await operator.ports();
    const answer = await fetch(`http://127.0.0.1:${health}/readyz`);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: expect.stringContaining(text) });
  }
});

test('an orderly end: the other one works long before the Lease has run out, with the usual durations', async () => {
  const [leader, standby] = await pair();
  const begun = Date.now();
  const ended = leader.stop();
  await apply(application('orderly'));
  const seconds = (await ledAt(standby) - begun) / 1000;
  await waitForState(installation.jobs, 'orderly', 'SUBMITTED');
  console.info(`orderly failover: ${seconds} s`);

  expect(await ended).toBe(0);
  // Of 15 s. It takes less than two on an idle machine.
  expect(seconds).toBeLessThan(14);
  expect((await lease()).spec).toMatchObject({ holderIdentity: expect.stringMatching(/^second_/), leaseTransitions: 1 });
});

test('a crash: the other one works when the Lease has run out, not before', async () => {
  const [leader, standby] = await pair(SHORT);
  await leader.stop('SIGKILL');
  const { spec } = await lease();
  const seconds = (await ledAt(standby) - Date.parse(spec.renewTime)) / 1000;
  console.info(`failover after a crash: ${seconds} s after the last renewal, with a Lease of ${LEASE_SECONDS} s`);

  expect(spec.holderIdentity).toMatch(/^first_/);
  expect(seconds).toBeGreaterThanOrEqual(LEASE_SECONDS);
  // Another attempt is due after each period; a busy machine takes some time.
  expect(seconds).toBeLessThan(LEASE_SECONDS + RETRY_SECONDS + 30);
  expect((await lease()).spec.leaseTransitions).toBe(spec.leaseTransitions + 1);
});

test('known failure 5: a leader that froze in the middle of its work while another took over does not write when it wakes up', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `asleep-${index}`);
  // Slow enough that calls wait for their turn when it is frozen: they are the first to continue when it wakes up.
  const sleeper = start('sleeper', [...SHORT, '--kube-api-qps=20', '--kube-api-burst=1']);
  await sleeper.ready();
  await apply(names.map(application));
  await sleeper.logged((line) => line.msg === 'application is SUBMITTED');
  sleeper.pause();
  // The test is the other leader, so the sleeper has written everything that is written.
  const path = `/apis/coordination.k8s.io/v1/namespaces/${installation.namespace}/leases/${LOCK}`;
  await new Promise((resolve) => setTimeout(resolve, LEASE_SECONDS * 1000));
  // Read afterwards, as a renewal may have been on its way.
  const { metadata, spec } = await lease();
  const time = new Date().toISOString().replace('Z', '000Z');
  const held = await api.must('PUT', path, { metadata, spec: { ...spec, holderIdentity: 'other', leaseDurationSeconds: 3600, acquireTime: time, renewTime: time } });
  const before = await state();

  sleeper.resume();
  await sleeper.logged((line) => line.msg === 'the Lease is lost; the work is ended');
  await sleeper.logged((line) => line.msg === 'another process leads' && line.leader === 'other');
  // At 20 calls a second, at most one was on its way when it was frozen, past the last check of the Lease.
  expect((await state()).filter((line) => !before.includes(line)).length).toBeLessThanOrEqual(1);

  // It recovers: when the Lease is given back it continues, with one driver each.
  await api.must('PUT', path, { ...held, spec: { ...held.spec, holderIdentity: '' } });
  await Promise.all(names.map((name) => waitForState(installation.jobs, name, 'SUBMITTED')));
  expect((await list(installation.jobs, 'pods')).map(({ metadata: { name } }) => name).filter((name) => name.startsWith('asleep-')).sort()).toEqual(names.map((name) => `${name}-driver`).sort());
  expect(sleeper.log.filter(({ level }) => level === 'error')).toEqual([]);
});

/** All that the operator has written; the scheduler writes, too, to pods and of them. */
async function state(): Promise<string[]> {
  const objects = await list(installation.jobs, 'sparkapplications,pods,services,configmaps,events');
  return objects
    .filter(({ kind, involvedObject }) => kind !== 'Event' || involvedObject.kind === 'SparkApplication')
    .map(({ kind, metadata: { name, uid, resourceVersion } }) => `${kind} ${name} ${kind === 'Pod' ? uid : resourceVersion}`)
    .sort();
}
