/*
 * Applications that kubeflow's operator ran before it was replaced, and applications in a cluster
 * with its CRD.
 */
import { viewOf } from '../../../../src/model/pod-view';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import type { Calls } from './helpers';
import { KEY, operator, server, statusIn, theirDriver } from './operator';

/** Returns a server with an application and a status as kubeflow's operator writes it. */
function takenOver(state: string, status: object = {}, spec: object = {}): Calls {
  const calls = server(spec);
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, {
    ...stored,
    status: {
      submissionID: 'before',
      submissionAttempts: 1,
      lastSubmissionAttemptTime: '2026-03-01T09:00:00Z',
      terminationTime: null,
      driverInfo: { podName: 'pi-driver' },
      applicationState: { state },
      ...status,
    },
  });
  return calls;
}

const changes = (calls: Calls) => calls.made.filter((call) => !call.includes('sparkapplications') && !/^(get|list)/.test(call));

test.each<[string, () => Calls, number]>([
  ['without a status', () => server(), 1],
  ['with the status of the previous attempt', () => takenOver('PENDING_RERUN', { driverInfo: {} }), 2],
  ['and then treated as a foreign Pod', () => takenOver('SUBMISSION_FAILED', {
    submissionAttempts: 2, applicationState: { state: 'SUBMISSION_FAILED', errorMessage: 'driver pod already exist' },
  }), 3],
])("the operator adopts a driver that kubeflow's operator created, %s, and creates no second one", async (_, started, attempts) => {
  const calls = started();
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver())));
  await reconcile();

  expect(statusIn(calls)).toMatchObject({
    submissionID: 'theirs',
    sparkApplicationId: 'spark-theirs',
    applicationState: { state: 'RUNNING' },
    submissionAttempts: attempts,
    executionAttempts: 1,
  });
  expect(changes(calls)).toEqual([]);
});

test('the operator deletes such a driver of an application that is to be suspended', async () => {
  const calls = server({ suspend: true });
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver())));
  await reconcile();

  expect(changes(calls)).toEqual(['delete pods']);
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDING' });
});

test("the operator waits for a driver in deletion whose name kubeflow's operator removed from the status", async () => {
  const calls = takenOver('PENDING_RERUN', { submissionID: 'theirs', driverInfo: {} });
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver({ deletionTimestamp: '2026-03-01T10:00:00Z' }))));
  expect(await reconcile()).toEqual({ requeueAfter: 10_000 });

  expect(changes(calls)).toEqual([]);
  expect(statusIn(calls)).toMatchObject({ submissionID: 'theirs', submissionAttempts: 1, applicationState: { state: 'PENDING_RERUN' } });
});

test('known failure 8: the operator deletes executors that their application also owns when their driver is gone; Kubernetes deletes others', async () => {
  const calls = takenOver('RUNNING', { submissionID: 'theirs', executionAttempts: 1 });
  const { reconcile, pods } = operator(calls);
  for (const [name, labels] of [['theirs', {}], ['ours', { 'sparkoperator.k8s.io/app-uid': 'app' }]] as const) {
    const executor = theirDriver({
      name,
      uid: name,
      labels: { ...theirDriver().metadata.labels, ...labels, 'spark-role': 'executor', 'spark-exec-id': '1' },
      ownerReferences: [],
    });
    pods.upsert(viewOf(calls.put(`pods jobs/${name}`, executor)));
  }
  await reconcile();

  expect(statusIn(calls).applicationState.state).toBe('FAILED');
  expect([...calls.objects.keys()].filter((key) => key.startsWith('pods'))).toEqual(['pods jobs/ours']);
});

/** Lets the API server drop the fields of the status that kubeflow's CRD does not have. */
function withTheirCrd(calls: Calls): Calls {
  const updateStatus = calls.updateStatus.bind(calls);
  calls.updateStatus = (resource, { status, ...rest }) => {
    const { specHash: _, observedGeneration: __, conditions: ___, appliedDefaults: ____, ...kept } = status!;
    return updateStatus(resource, { ...rest, status: kept });
  };
  return calls;
}

/**
 * Starts operators one after the other until each finishes a reconcile. The first one crashes
 * before one of its calls.
 */
async function passes(calls: Calls, time: string, crash: number): Promise<void> {
  const last = calls.made.length + crash;
  for (let operators = 0; operators < 4; operators++) {
    const { pods, reconcile } = operator(calls, { clock: new ManualClock(Date.parse(time)) });
    for (const [key, pod] of calls.objects) if (key.startsWith('pods')) pods.upsert(viewOf(pod));
    calls.refuse = (_, number) => { if (operators === 0 && number >= last) throw calls.lost(); };
    await reconcile().catch(() => undefined);
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])("with kubeflow's CRD an application runs, and again after a failure; a crash before call %i creates no other driver", async (crash) => {
  const calls = withTheirCrd(server({ restartPolicy: { type: 'OnFailure', onFailureRetries: 1, onFailureRetryInterval: 1 } }));
  await passes(calls, '2026-03-01T10:00:00Z', crash);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  expect(calls.made.filter((call) => call === 'delete pods')).toEqual([]);

  calls.put('pods jobs/pi-driver', { ...calls.objects.get('pods jobs/pi-driver'), status: { phase: 'Failed' } });
  await passes(calls, '2026-03-01T10:01:00Z', crash);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 2, executionAttempts: 2, applicationState: { state: 'SUBMITTED' } });
  expect(calls.objects.get('pods jobs/pi-driver').metadata.labels['sparkoperator.k8s.io/submission-id']).toBe(statusIn(calls).submissionID);
});
