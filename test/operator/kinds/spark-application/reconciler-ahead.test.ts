/* Native submissions whose status is SUBMITTED before their driver exists: one write of the status for each. */
import { viewOf } from '../../../../src/model/pod-view';
import { PODS } from '../../../../src/model/resources';
import type { Layers } from '../../../../src/plan/defaults/layer';
import { cluster } from '../../../plan/defaults/layers';
import type { Calls } from './helpers';
import { BY_SPARK_SUBMIT, KEY, operator, server, statusIn } from './operator';

const SUBMISSION = ['update sparkapplications', 'create services', 'create configmaps', 'create pods'];
const kindsIn = (calls: Calls) => [...calls.objects.keys()].map((key) => key.split(' ')[0]).sort();
const driversMade = (calls: Calls) => calls.made.filter((call) => call === 'create pods').length;

/** Lets an operator end before or after a call. */
async function crash(calls: Calls, when: 'before' | 'after', call: string): Promise<void> {
  const fail = (made: string) => { if (made === call) throw calls.lost(); };
  Object.assign(calls, when === 'before' ? { refuse: fail } : { lose: fail });
  await expect(operator(calls).reconcile()).rejects.toThrow('no answer');
  Object.assign(calls, { refuse: () => undefined, lose: () => undefined });
}

/** Starts the next operator, whose caches show all Pods. */
function next(calls: Calls) {
  const started = operator(calls);
  for (const [key, object] of calls.objects) if (key.startsWith('pods ')) started.pods.upsert(viewOf(object));
  return started;
}

test('the first write is the status of a submitted application, and nothing follows it until the driver starts', async () => {
  const calls = server({ activeDeadlineSeconds: 60 });
  const { reconcile, see, events } = operator(calls);
  await reconcile();
  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 1, executionAttempts: 1, sparkApplicationId: 'spark-00000000000040008000000000000001',
    driverInfo: { podName: 'pi-driver' }, deadlineTime: '2026-03-01T10:01:00Z', applicationState: { state: 'SUBMITTED' },
    conditions: [{ type: 'Submitted', status: 'True' }],
  });
  see();
  await reconcile();
  expect(calls.made).toEqual(SUBMISSION);
  expect(events).toEqual(['SparkApplicationSubmitted']);
});

test('the defaults of the cluster are in the first write', async () => {
  const calls = server();
  const layers: Layers = { cluster: cluster({ defaults: 'driver: {cores: 2}' }) };
  await operator(calls, { defaults: { current: () => ({ kind: 'ready', layers }) } }).reconcile();
  expect(calls.made).toEqual(SUBMISSION);
  expect(statusIn(calls).appliedDefaults).toMatchObject([{ fields: ['spec.driver.cores'] }]);
});

describe('an operator that ends during a submission', () => {
  test.each([
    ['after', 'update sparkapplications', ['create services', 'create configmaps', 'create pods']],
    ['after', 'create configmaps', ['create services', 'create configmaps', 'get services', 'get configmaps', 'create pods']],
    ['before', 'create pods', ['create services', 'create configmaps', 'get services', 'get configmaps', 'create pods']],
  ] as const)('%s %s: the next one makes the rest', async (when, call, rest) => {
    const calls = server();
    await crash(calls, when, call);
    calls.made.length = 0;
    await next(calls).reconcile();
    expect(calls.made.slice(-rest.length)).toEqual(rest);
    expect(calls.made.filter((made) => made.startsWith('update'))).toEqual([]);
    expect(kindsIn(calls)).toEqual(['configmaps', 'pods', 'services', 'sparkapplications']);
  });

  test('after the last call: the driver proves that nothing is missing', async () => {
    const calls = server();
    await crash(calls, 'after', 'create pods');
    calls.made.length = 0;
    await next(calls).reconcile();
    expect(calls.made).toEqual(['get pods']);
  });

  test('a driver that runs by now: the status that reports it is the next write', async () => {
    const calls = server();
    await crash(calls, 'after', 'create pods');
    calls.put('pods jobs/pi-driver', { ...calls.objects.get('pods jobs/pi-driver'), status: { phase: 'Running' } });
    calls.made.length = 0;
    const { reconcile, events } = next(calls);
    await reconcile();
    expect(calls.made).toEqual(['get pods', 'update sparkapplications']);
    expect(statusIn(calls).applicationState).toEqual({ state: 'RUNNING' });
    expect(events).toEqual(['SparkDriverRunning']);
  });

  test('a driver that another controller deleted before the next operator leads is created again', async () => {
    const calls = server();
    await operator(calls).reconcile();
    calls.objects.delete('pods jobs/pi-driver');
    await next(calls).reconcile();
    expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
    expect(driversMade(calls)).toBe(2);
  });
});

test('the operator that created a driver knows that it is gone, and creates no second one', async () => {
  const calls = server();
  const { reconcile, see, pods } = operator(calls);
  await reconcile();
  see();
  pods.apply('DELETED', viewOf(calls.objects.get('pods jobs/pi-driver')));
  calls.objects.delete('pods jobs/pi-driver');
  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringMatching(/^driver pod not found/) });
  expect(driversMade(calls)).toBe(1);
});

test('after a refusal, the status has the reason until the driver can be created', async () => {
  const calls = server();
  calls.refuse = (call) => {
    if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 403, 'Forbidden', 'exceeded quota: team');
  };
  const { reconcile, clock, see, events } = operator(calls);
  const { requeueAfter } = await reconcile() as { requeueAfter: number };
  expect(kindsIn(calls)).toEqual(['sparkapplications']);
  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 1, applicationState: { state: '', errorMessage: expect.stringMatching(/Pod pi-driver: exceeded quota: team$/) },
  });
  expect(statusIn(calls).executionAttempts).toBeUndefined();

  calls.refuse = () => undefined;
  see();
  await clock.advance(requeueAfter);
  await reconcile();
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  expect(events).toEqual(['SparkApplicationAdded', 'SparkDriverPending', 'SparkApplicationSubmitted']);
});

test('metrics and log report the submission when the driver exists, and not before', async () => {
  const calls = server();
  const reported: (readonly string[])[] = [];
  const { reconcile, see } = operator(calls, { onTransition: (_, __, passed) => void reported.push(passed) });
  calls.refuse = (call) => { if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 429, 'TooManyRequests'); };
  await expect(reconcile()).rejects.toThrow();
  expect(reported.flat()).toEqual([]);
  calls.refuse = () => undefined;
  see();
  await reconcile();
  expect(reported.flat()).toEqual(['SUBMITTED']);
});

test('the status follows the driver if spark-submit creates it', async () => {
  const calls = server();
  let state: unknown;
  const { updateStatus } = calls;
  calls.updateStatus = (resource, object) => {
    state ??= object.status?.applicationState?.state ?? 'none';
    return updateStatus.call(calls, resource, object);
  };
  await operator(calls, { submission: BY_SPARK_SUBMIT }).reconcile();
  expect(state).toBe('none');
  expect(calls.objects.has(`sparkapplications ${KEY}`)).toBe(true);
});
