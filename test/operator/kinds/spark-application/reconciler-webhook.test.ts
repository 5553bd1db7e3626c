/*
 * The operator's own webhook hangs: the network drops packets, and each call runs into its timeout.
 */
import { ApiError, NetworkError } from '../../../../src/kube/errors';
import { Controller } from '../../../../src/kube/controller';
import { silentLogger } from '../../../../src/kube/logger';
import type { KubeObject } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';
import { WorkQueue } from '../../../../src/kube/work-queue';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { Calls } from './helpers';
import { endSparkSubmit, operator, putApplication, submitterIn } from './operator';

const LEFT = 'sparkoperator.k8s.io/left-to-webhook';
const NEEDS_IT = { executor: { memoryLimit: '6g' } };
const NO_ANSWER = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: Post "https://w.spark-operator.svc:443/mutate--v1-pod?timeout=8s": context deadline exceeded';
/** Last lines of spark-submit when the API server could not call the webhook. */
const REFUSED_BY_WEBHOOK = 'Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: '
  + `POST at: https://10.0.0.1/api/v1/namespaces/jobs/pods. Message: ${NO_ANSWER}. Received status: Status(apiVersion=v1, code=500).`;
const WITH_WEBHOOK = { sparkUser: 'spark', podWebhook: true };

/**
 * API server whose webhook for pods does not answer as long as `hangs`. The API server reports that
 * after 8 s, or does not answer itself.
 */
class HangingCalls extends Calls {
  public hangs: 'webhook' | 'all' | false = 'webhook';
  /** Milliseconds that the creation of a pod takes, because another webhook is slow. */
  public slow = 0;
  /** Times of the requests for pods that go through the webhook. */
  public readonly asked: number[] = [];
  /** Returns another error for a creation. */
  public fail?: (object: KubeObject) => Error | undefined;
  private underWay = 0;
  public most = 0;

  constructor(private readonly clock: ManualClock) {
    super();
  }

  public override async create(resource: Resource, object: KubeObject, { timeout }: { timeout?: number } = {}) {
    if (object.metadata.annotations?.[LEFT] !== undefined && (this.hangs || this.slow > 0)) {
      this.asked.push(this.clock.monotonic());
      this.most = Math.max(this.most, ++this.underWay);
      const { hangs } = this;
      const time = hangs === 'webhook' ? 8_000 : hangs === 'all' ? Infinity : this.slow;
      await new Promise<void>((resolve) => this.clock.setTimeout(resolve, Math.min(time, timeout ?? 30_000)));
      this.underWay--;
      if (hangs === 'webhook') throw new ApiError({ verb: 'create', resource: 'pods' }, 500, { message: NO_ANSWER });
      if (time > (timeout ?? 30_000)) throw new NetworkError({ verb: 'create', resource: 'pods' }, 'TIMEOUT', 'no answer');
    }
    const error = this.fail?.(object);
    if (error) throw error;
    return super.create(resource, object);
  }

  stateOf(name: string) {
    return this.objects.get(`sparkapplications jobs/${name}`).status?.applicationState;
  }
}

/** Seconds for which the webhook hangs. */
const AWAY = 60;

test.each(
  [['webhook', 'cannot be called: context deadline exceeded'], ['all', 'does not answer']] as const,
)('a hundred applications that need it delay no others, and begin within seconds once it is back (%s)', async (hangs, reason) => {
  const clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'));
  const calls = new HangingCalls(clock);
  calls.hangs = hangs;
  const waiting = Array.from({ length: 100 }, (_, index) => `waits-${index}`);
  for (const name of waiting) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile, see } = operator(calls, { clock, submission: { mode: 'auto', ...WITH_WEBHOOK } });
  const queue = new WorkQueue({ clock, random: () => 0.5 });
  const controller = new Controller({ name: 'applications', queue, reconcile: (key) => reconcile(key), logger: silentLogger, clock });
  controller.start();
  for (const name of waiting) queue.add(`jobs/${name}`);

  // Other applications arrive all the time; each is submitted at once.
  for (let second = 0; second < AWAY; second++) {
    const name = `other-${second}`;
    putApplication(calls, { name, uid: name });
    see();
    queue.add(`jobs/${name}`);
    await clock.advanceAsync(10);
    expect({ second, state: calls.stateOf(name)?.state }).toEqual({ second, state: 'SUBMITTED' });
    await clock.advanceAsync(990);
  }
  const later = calls.asked.filter((time) => time > 10_000);
  expect(calls.most).toBe(5);
  expect(later.length).toBeGreaterThan(1);
  expect(later.length).toBeLessThanOrEqual(AWAY / 10); // one at a time
  for (const name of waiting) {
    expect(calls.stateOf(name)).toEqual({
      state: '', errorMessage: expect.stringMatching(
        new RegExp(`^driver cannot be created yet: .*the operator's webhook [^,]*, through which it has to go, ${reason}`),
      ),
    });
  }
  // Each application reports once or twice why it waits, not with every try.
  expect(calls.made.filter((call) => call === 'update sparkapplications').length).toBeLessThan(AWAY * 2 + 100 * 3);

  calls.hangs = false;
  await clock.advanceAsync(hangs === 'all' ? 50_000 : 25_000);
  expect(new Set(waiting.map((name) => calls.stateOf(name).state))).toEqual(new Set(['SUBMITTED']));
  await controller.stop(0);
}, 240_000);

test('a refusal for another reason shows that it has answered', async () => {
  const clock = new ManualClock();
  const calls = new HangingCalls(clock);
  for (const name of ['first', 'second', 'third']) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile } = operator(calls, { clock, submission: { mode: 'auto', ...WITH_WEBHOOK } });
  const first = reconcile('jobs/first');
  await clock.advanceAsync(8_000);
  await first;
  await clock.advanceAsync(2_000);
  calls.hangs = false;
  calls.fail = ({ metadata: { name } }) => (name === 'second-driver'
    ? new ApiError({ verb: 'create', resource: 'pods' }, 403, { message: 'pods "second-driver" is forbidden: exceeded quota: small' })
    : undefined);
  await reconcile('jobs/second');
  await reconcile('jobs/third');
  expect(calls.stateOf('second').errorMessage).toMatch(/exceeded quota/);
  expect(calls.stateOf('third').state).toBe('SUBMITTED');
});

test('a webhook that reports its own error for one application is available to the others', async () => {
  const calls = new HangingCalls(new ManualClock());
  calls.hangs = false;
  const message = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: an error on the server ("get sparkapplications jobs/first: 403 Forbidden") has prevented the request from succeeding';
  calls.fail = ({ metadata: { name } }) => (name === 'first-driver'
    ? new ApiError({ verb: 'create', resource: 'pods' }, 500, { message })
    : undefined);
  for (const name of ['first', 'second']) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile } = operator(calls, { submission: { mode: 'auto', ...WITH_WEBHOOK } });
  await reconcile('jobs/first');
  await reconcile('jobs/second');
  expect(calls.stateOf('first')).toEqual({
    state: '', errorMessage: expect.stringContaining('get sparkapplications jobs/first: 403 Forbidden'),
  });
  expect(calls.stateOf('second').state).toBe('SUBMITTED');
});

test('the message for one application contains nothing about another', async () => {
  const clock = new ManualClock();
  const calls = new HangingCalls(clock);
  for (const name of ['first', 'second']) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile } = operator(calls, { clock, submission: { mode: 'auto', ...WITH_WEBHOOK } });
  calls.hangs = 'all';
  const first = reconcile('jobs/first');
  await clock.advanceAsync(36_000);
  await first;
  await reconcile('jobs/second');
  expect(calls.stateOf('first').errorMessage).toMatch(
    /did not finish the creation of Pod first-driver in time, most likely because the operator's webhook/,
  );
  expect(calls.stateOf('second').errorMessage).toMatch(/the driver is not created: the operator's webhook/);
  expect(calls.stateOf('second').errorMessage).not.toMatch(/first/);
});

test('the operator does not start spark-submit for an application that needs the webhook while it is away', async () => {
  const clock = new ManualClock();
  const calls = new HangingCalls(clock);
  calls.hangs = false;
  const names = ['one', 'two', 'plain'];
  for (const name of names) putApplication(calls, { name, uid: name, ...(name !== 'plain' && { spec: NEEDS_IT }) });
  const { reconcile, pods } = operator(calls, { clock, submission: { mode: 'spark-submit', ...WITH_WEBHOOK } });
  await reconcile('jobs/one');
  endSparkSubmit(calls, pods, { application: 'one', exitCode: 1, message: REFUSED_BY_WEBHOOK });
  for (const name of names) await reconcile(`jobs/${name}`);

  expect([submitterIn(calls, 'two'), submitterIn(calls, 'plain')]).toEqual([undefined, expect.anything()]);
  expect(calls.stateOf('two').errorMessage).toMatch(/the operator's webhook for pods, through which it has to go, does not answer/);

  clock.advance(10_000);
  await reconcile('jobs/two');
  expect(submitterIn(calls, 'two')).toBeDefined();
});

test('if another webhook takes twenty seconds, the application starts, and later ones wait without a call', async () => {
  const clock = new ManualClock();
  const calls = new HangingCalls(clock);
  [calls.hangs, calls.slow] = [false, 20_000];
  for (const name of ['first', 'second']) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile } = operator(calls, { clock, submission: { mode: 'auto', ...WITH_WEBHOOK } });
  const first = reconcile('jobs/first');
  await clock.advanceAsync(9_000);
  await reconcile('jobs/second');
  expect(calls.asked).toHaveLength(1);
  expect(calls.stateOf('second').errorMessage).toMatch(/the driver is not created: .*does not answer.* It can also be another webhook/);
  // The operator created nothing for it that it would have to delete again.
  expect(calls.made.filter((call) => /^delete/.test(call))).toEqual([]);

  await clock.advanceAsync(11_000);
  await first;
  expect(calls.stateOf('first').state).toBe('SUBMITTED');
  calls.slow = 0;
  await clock.advanceAsync(10_000);
  await reconcile('jobs/second');
  expect(calls.stateOf('second').state).toBe('SUBMITTED');
});

test('if the API server ends the creation itself, the application waits, with the reason in its status', async () => {
  const calls = new HangingCalls(new ManualClock());
  calls.hangs = false;
  calls.fail = ({ metadata: { name } }) => (name === 'pi-driver'
    ? new ApiError(
      { verb: 'create', resource: 'pods' }, 504, { reason: 'Timeout', message: 'request did not complete within requested timeout' },
    )
    : undefined);
  putApplication(calls, { spec: NEEDS_IT });
  await operator(calls, { submission: { mode: 'auto', ...WITH_WEBHOOK } }).reconcile();
  expect(calls.stateOf('pi')).toEqual({
    state: '', errorMessage: expect.stringMatching(/the creation of Pod pi-driver in time, most likely because the operator's webhook/),
  });
});

test('a driver that is too large for it is rejected for good, with a message for users', async () => {
  const calls = new HangingCalls(new ManualClock());
  calls.hangs = false;
  const message = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: the server responded with the status code 413 but did not return more information';
  calls.fail = ({ metadata: { name } }) => (name === 'pi-driver'
    ? new ApiError({ verb: 'create', resource: 'pods' }, 500, { message })
    : undefined);
  putApplication(calls, { spec: NEEDS_IT });
  await operator(calls, { submission: { mode: 'auto', ...WITH_WEBHOOK } }).reconcile();
  expect(calls.stateOf('pi')).toEqual({
    state: 'FAILED', errorMessage: expect.stringMatching(
      /Pod pi-driver: it is too large for the operator's webhook for pods, .*; move long values into a ConfigMap or Secret/,
    ),
  });
});

test('the limit applies only to creations of pods: all workers can create the objects that come before', async () => {
  const clock = new ManualClock();
  const calls = new HangingCalls(clock);
  calls.hangs = false;
  const names = Array.from({ length: 10 }, (_, index) => `app-${index}`);
  for (const name of names) putApplication(calls, { name, uid: name, spec: NEEDS_IT });
  const { reconcile } = operator(calls, { clock, submission: { mode: 'auto', ...WITH_WEBHOOK } });
  let configMaps = 0;
  let release!: () => void;
  const released = new Promise<void>((resolve) => { release = resolve; });
  const create = calls.create.bind(calls);
  calls.create = async (resource, object, options) => {
    if (resource.kind === 'ConfigMap') {
      configMaps++;
      await released;
    }
    return create(resource, object, options);
  };
  const passes = names.map((name) => reconcile(`jobs/${name}`));
  await settle();
  expect(configMaps).toBeGreaterThanOrEqual(10);
  release();
  await Promise.all(passes);
});
