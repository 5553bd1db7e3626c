/* Refused submissions of applications whose restart policy has retries of submissions. */
import { PODS } from '../../../../src/model/resources';
import type { Calls } from './helpers';
import { BY_SPARK_SUBMIT, endSparkSubmit, KEY, operator, server, statusIn, submitterIn } from './operator';

const FAILED = 'failed to run spark-submit: the API server ';
const RETRIES = { restartPolicy: { type: 'OnFailure', onSubmissionFailureRetries: 3, onSubmissionFailureRetryInterval: 1 } };

/** Records the states that other clients can see, without repetitions. */
function statesOf(calls: Calls): string[] {
  const states: string[] = [];
  const update = calls.updateStatus.bind(calls);
  calls.updateStatus = async (resource, object) => {
    const state = object.status?.applicationState?.state ?? '';
    if (state !== states.at(-1)) states.push(state);
    return update(resource, object);
  };
  return states;
}

function refuse(calls: Calls, message: string): void {
  calls.refuse = (call) => {
    if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 403, 'Forbidden', message);
  };
}

/** Reconciles until no reconcile is due, with the pauses that the operator asks for. */
async function settle({ reconcile, clock }: Pick<ReturnType<typeof operator>, 'reconcile' | 'clock'>): Promise<number> {
  const begin = clock.now();
  for (let passes = 0; passes < 50; passes++) {
    const { requeueAfter } = await reconcile() ?? {};
    if (requeueAfter === undefined) return (clock.now() - begin) / 1_000;
    await clock.advance(requeueAfter);
  }
  throw new Error('it does not settle');
}

test.each([
  [
    'a service account that does not exist', 'error looking up service account jobs/x: serviceaccount "x" not found',
    ' (create it with the permissions of a driver, or name another account)',
  ],
  ['a policy', 'pods "pi-driver" is forbidden: violates PodSecurity'],
  ['an exhausted quota', 'pods "pi-driver" is forbidden: exceeded quota: compute'],
])('because of %s: each attempt fails at once, and the next follows at the interval, as with kubeflow', async (_, message, hint = '') => {
  const calls = server(RETRIES);
  const states = statesOf(calls);
  refuse(calls, message);
  const seconds = await settle(operator(calls));

  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 4,
    applicationState: { state: 'FAILED', errorMessage: `${FAILED}does not create Pod pi-driver: ${message}${hint}` },
  });
  expect(statusIn(calls).attemptHistory).toHaveLength(4);
  // 1 s after the first attempt, 2 s after the second, 3 s after the third.
  expect(seconds).toBe(6);
  expect(states).toEqual(['SUBMITTED', 'SUBMISSION_FAILED', 'FAILED']);
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});

test('the retry of an account that exists by now runs, and its status has no trace of the failure', async () => {
  const calls = server(RETRIES);
  const states = statesOf(calls);
  refuse(calls, 'serviceaccount "x" not found');
  const { reconcile, clock } = operator(calls);
  const { requeueAfter } = await reconcile() as { requeueAfter: number };
  calls.refuse = () => undefined;
  await clock.advance(requeueAfter);
  await reconcile();

  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 2, executionAttempts: 1 });
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  expect(states).toEqual(['SUBMITTED', 'SUBMISSION_FAILED', 'SUBMITTED']);
});

test('a restarted operator continues with the retry that it began', async () => {
  const calls = server(RETRIES);
  refuse(calls, 'serviceaccount "x" not found');
  const first = operator(calls);
  const { requeueAfter } = await first.reconcile() as { requeueAfter: number };
  await first.clock.advance(requeueAfter);
  calls.refuse = (call) => { if (call === 'create pods') throw calls.lost(); };
  await first.reconcile().catch(() => undefined);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 2, applicationState: { state: 'SUBMISSION_FAILED' } });

  calls.refuse = () => undefined;
  await operator(calls, { clock: first.clock }).reconcile();
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 2, applicationState: { state: 'SUBMITTED' } });
});

test('by spark-submit: its last attempt keeps the Pod with the log, each earlier one is removed', async () => {
  const calls = server({ restartPolicy: { ...RETRIES.restartPolicy, onSubmissionFailureRetries: 1 } });
  const states = statesOf(calls);
  const { reconcile, clock, pods } = operator(calls, { submission: BY_SPARK_SUBMIT });
  const message = 'Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: '
    + 'https://10.0.0.1/api/v1/namespaces/jobs/pods. Message: no room. Received status: Status(apiVersion=v1, code=403).';
  const fail = async () => {
    const { metadata: { name } } = endSparkSubmit(calls, pods, { exitCode: 1, message });
    const { requeueAfter } = await reconcile() ?? {};
    return { name, requeueAfter };
  };
  await reconcile();
  const { name: first, requeueAfter } = await fail();
  expect(statusIn(calls).applicationState.state).toBe('SUBMISSION_FAILED');
  await clock.advance(requeueAfter!);
  await reconcile();
  for (const pod of pods.list()) if (!calls.objects.has(`pods jobs/${pod.metadata.name}`)) pods.apply('DELETED', pod);
  await reconcile();
  expect(calls.objects.has(`pods jobs/${first}`)).toBe(false);
  await fail();

  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 2,
    applicationState: { state: 'FAILED', errorMessage: `${FAILED}answered 403 to POST of pods: no room` },
  });
  expect(states).toEqual(['', 'SUBMISSION_FAILED', 'FAILED']);
  expect(submitterIn(calls)).toBeDefined();
});
