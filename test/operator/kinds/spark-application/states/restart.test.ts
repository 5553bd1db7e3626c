/*
 * Suspension, changes of the specification and further attempts: from each recorded state to the
 * next, by decide alone.
 */
import type { SparkApplicationSpec } from '../../../../../src/api/spark-application';
import { RestartPolicyType } from '../../../../../src/api/restart-policy';
import { ApplicationState } from '../../../../../src/api/states';
import type { Driver } from '../../../../../src/operator/driver/driver';
import { viewOf } from '../../../../../src/model/pod-view';
import { decide } from '../../../../../src/operator/kinds/spark-application/decide';
import type { Context, Decision, Observation } from '../../../../../src/operator/kinds/spark-application/decision';
import type { SparkApplication } from '../../../../../src/model/spark-application';
import { specHash, specHashOf } from '../../../../../src/operator/kinds/spark-application/spec-change';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const CONTEXT: Context = {
  now: NOW, newId: () => 'second', settings: {
    driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 1000, defaultTimeToLive: 0,
  },
};
const SPEC = {
  type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {},
} as unknown as SparkApplicationSpec;

const {
  NEW, SUBMITTED, RUNNING, UNKNOWN, SUCCEEDING, FAILING, SUBMISSION_FAILED, COMPLETED, FAILED,
  PENDING_RERUN, INVALIDATING, SUSPENDING, SUSPENDED, RESUMING,
} = ApplicationState;

type Given = { readonly spec?: Partial<SparkApplicationSpec>; readonly generation?: number } & Partial<SparkApplication['status']>;

/** Returns an application in its first attempt, with the status of its last reconcile. */
function application(state: ApplicationState, { spec = {}, generation = 1, ...status }: Given = {}): SparkApplication {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', resourceVersion: '1', generation },
    spec: { ...SPEC, ...spec },
    status: {
      submissionID: 'first',
      specHash: specHash(SPEC),
      lastSubmissionAttemptTime: '2026-03-01T09:00:00Z',
      submissionAttempts: 1,
      executionAttempts: 1,
      sparkApplicationId: 'spark-first',
      driverInfo: { podName: 'pi-driver', ...([SUBMITTED, RUNNING, UNKNOWN].includes(state) && { webUIServiceName: 'pi-ui-svc' }) },
      applicationState: { state, ...(state === SUBMISSION_FAILED && { errorMessage: 'it was refused' }) },
      observedGeneration: 1,
      ...status,
    },
  };
}

function pod(submissionID: string, { phase = 'Running', ...metadata }: { phase?: string; deletionTimestamp?: string } = {}) {
  return viewOf({
    metadata: {
      name: 'pi-driver', namespace: 'jobs', uid: `pod-of-${submissionID}`, labels: { 'sparkoperator.k8s.io/submission-id': submissionID },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'uid', controller: true }],
      ...metadata,
    },
    status: { phase },
  } as Parameters<typeof viewOf>[0]);
}

const ABSENT: Driver = { kind: 'absent' };
const OURS: Driver = { kind: 'ours', pod: pod('first') };
const GOING: Driver = { kind: 'ours', pod: pod('first', { deletionTimestamp: '2026-03-01T09:59:50Z' }) };

function look(at: SparkApplication, seen: Partial<Observation> = {}, context: Partial<Context> = {}): Decision {
  return decide({ application: at, driver: ABSENT, executors: [], ...seen }, { ...CONTEXT, ...context });
}

const stateIn = (decision: Decision) => decision.status?.applicationState?.state;
const after = (before: SparkApplication, { status = before.status }: Decision): SparkApplication => ({ ...before, status });

describe('suspended', () => {
  const suspended = (state: ApplicationState, more: object = {}) => application(state, { spec: { suspend: true }, generation: 2, ...more });

  test.each([SUBMITTED, RUNNING, UNKNOWN])('while %s: the driver is deleted, and nothing is left before the state is SUSPENDED', (state) => {
    const first = look(suspended(state), { driver: OURS });
    expect(first).toMatchObject({
      status: { applicationState: { state: 'SUSPENDING' } }, action: { kind: 'delete-driver', pod: { metadata: { uid: 'pod-of-first' } } },
    });

    const waiting = after(suspended(state), first);
    expect(look(waiting, { driver: GOING })).toMatchObject({ status: undefined, action: undefined, requeueAfter: 10_000 });
    expect(look(waiting, { driver: ABSENT })).toMatchObject({ status: undefined, action: { kind: 'clean-up' } });
    const done = look(waiting, { cleanedUp: true });
    expect(done.status).toMatchObject({ applicationState: { state: 'SUSPENDED' }, driverInfo: {} });
    for (const field of [
      'submissionID', 'submissionAttempts', 'executionAttempts', 'sparkApplicationId', 'executorState', 'terminationTime',
    ]) expect(done.status).not.toHaveProperty(field);
    expect(done.events.map(({ reason }) => reason)).toEqual(['SparkApplicationSuspended']);
  });

  test('before it has begun: the operator starts nothing', () => {
    const fresh = { ...suspended(NEW), status: undefined };
    expect(look(fresh)).toMatchObject({
      status: { applicationState: { state: 'SUSPENDED' } }, passed: ['SUSPENDING', 'SUSPENDED'], action: undefined, requeueAfter: undefined,
    });
  });

  test.each([
    SUCCEEDING, FAILING, SUBMISSION_FAILED, PENDING_RERUN, INVALIDATING, RESUMING,
  ])('while %s: no other attempt begins', (state) => {
    expect(look(suspended(state), { cleanedUp: true }).passed).toEqual(['SUSPENDING', 'SUSPENDED']);
  });

  test.each([COMPLETED, FAILED])('after its end, %s: it stays so', (state) => {
    expect(look(suspended(state))).toMatchObject({ passed: [], action: undefined });
  });

  test('and resumed: a new attempt begins', () => {
    const resting = application(SUSPENDED, { submissionID: undefined, specHash: undefined, driverInfo: {}, sparkApplicationId: undefined });
    const decision = look(resting);
    expect(decision).toMatchObject({
      passed: ['RESUMING'],
      status: {
        applicationState: { state: 'RESUMING' }, submissionID: 'second', submissionAttempts: 2, driverInfo: { podName: 'pi-driver' },
      },
      action: { kind: 'submit' },
    });
    expect(decision.events.map(({ reason }) => reason)).toEqual(['SparkApplicationResuming']);
  });

  test('and resumed while its driver is still being deleted: the suspension finishes first', () => {
    expect(look(application(SUSPENDING, { specHash: undefined }), { driver: GOING })).toMatchObject({
      status: undefined, action: undefined, requeueAfter: 10_000,
    });
    expect(look(application(SUSPENDING, { specHash: undefined }), { cleanedUp: true }).passed).toEqual(['SUSPENDED', 'RESUMING']);
  });

  test('and edited meanwhile: it stays suspended, and resumes with the specification of that time', () => {
    expect(look(
      application(SUSPENDED, { spec: { suspend: true, image: 'other' }, generation: 5, specHash: undefined, submissionID: undefined }),
    )).toMatchObject({ passed: [], action: undefined });
  });

  test('by a queue, which chooses nodes when it resumes the application: one submission, with the specification of that time', () => {
    const held = application(SUSPENDED, { submissionID: undefined, specHash: undefined, driverInfo: {}, sparkApplicationId: undefined });
    const letGoOn = {
      ...held, metadata: { ...held.metadata, generation: 7 }, spec: {
        ...held.spec, suspend: false, driver: { nodeSelector: { pool: 'spark' } },
      } as SparkApplication['spec'],
    };
    const intent = look(letGoOn);
    expect(intent).toMatchObject({ passed: ['RESUMING'], action: { kind: 'submit' } });
    expect(look(after(letGoOn, intent), { driver: OURS, confirmed: true }).passed[0]).toBe('SUBMITTED');

    const { events: [, { note }] } = look({
      ...suspended(NEW), metadata: { ...held.metadata, labels: { 'kueue.x-k8s.io/queue-name': 'team' } }, status: undefined,
    }) as any;
    expect(note).toBe('SparkApplication pi is suspended: nothing of it runs until spec.suspend is false (Kueue sets it for queue team)');
  });
});

describe('a changed specification', () => {
  const changed = (state: ApplicationState, more: object = {}) => application(state, { spec: { image: 'other' }, generation: 2, ...more });

  test.each([
    NEW, SUBMITTED, RUNNING, UNKNOWN, SUCCEEDING, FAILING, SUBMISSION_FAILED, COMPLETED, FAILED,
  ])('known failure 9: while %s: the objects are deleted, and the application runs again, with new attempt counters', (state) => {
    const first = look(changed(state), { driver: OURS });
    expect(first).toMatchObject({ passed: ['INVALIDATING'], action: { kind: 'delete-driver' } });
    expect(first.events.map(({ reason }) => reason)).toEqual(['SparkApplicationSpecChanged']);

    const last = look(after(changed(state), first), { cleanedUp: true });
    expect(last).toMatchObject({
      passed: ['PENDING_RERUN'],
      status: { submissionID: 'second', submissionAttempts: 1, specHash: specHashOf(changed(state)), observedGeneration: 2 },
      action: { kind: 'submit' },
    });
    expect(last.status).not.toHaveProperty('executionAttempts');
  });

  test('with a suspension at the same time: the application is suspended', () => {
    expect(
      look(application(RUNNING, { spec: { image: 'other', suspend: true }, generation: 2 }), { cleanedUp: true }).passed,
    ).toEqual(['SUSPENDING', 'SUSPENDED']);
  });

  test('known failure 9: with only another time to live: the operator only records the generation', () => {
    const decision = look(application(RUNNING, { spec: { timeToLiveSeconds: 5 }, generation: 2 }), { driver: OURS });
    expect(decision).toMatchObject({
      passed: [], action: undefined, status: { observedGeneration: 2, applicationState: { state: 'RUNNING' } },
    });
  });

  test('of an application that another operator started: the specification is taken for the one that runs', () => {
    const taken = application(RUNNING, { spec: { image: 'other' }, generation: 7, specHash: undefined, observedGeneration: undefined });
    expect(look(taken, { driver: OURS })).toMatchObject({
      passed: [], action: undefined, status: { specHash: specHashOf(taken), observedGeneration: 7 },
    });
  });
});

describe('another attempt', () => {
  const restartPolicy = {
    type: RestartPolicyType.ON_FAILURE, onFailureRetries: 1, onSubmissionFailureRetries: 1, onFailureRetryInterval: 3660,
  };
  const retried = (state: ApplicationState, more: object = {}) => (
    application(state, { spec: { restartPolicy }, specHash: undefined, ...more })
  );
  const failedDriver: Driver = { kind: 'ours', pod: pod('first', { phase: 'Failed' }) };

  test('waits, and leaves the failed driver for its user to inspect', () => {
    const waiting = retried(
      FAILING, { applicationState: { state: FAILING, errorMessage: 'why' }, terminationTime: '2026-03-01T10:00:00Z' },
    );
    expect(look(waiting, { driver: failedDriver })).toMatchObject({
      passed: [], action: undefined, requeueAfter: 60_000, status: { applicationState: { errorMessage: 'why' } },
    });
  });

  test('known failure 4: begins when nothing is left of the previous attempt', () => {
    const late = { now: NOW + 60_000 };
    const before = retried(FAILING, { terminationTime: '2026-03-01T10:00:00Z' });
    const first = look(before, { driver: failedDriver }, late);
    expect(first).toMatchObject({ passed: ['PENDING_RERUN'], action: { kind: 'delete-driver' } });
    for (const field of ['terminationTime', 'lastSubmissionAttemptTime', 'specHash']) expect(first.status).not.toHaveProperty(field);
    expect(first.status!.driverInfo).toEqual({ podName: 'pi-driver' });

    const rerun = after(before, first);
    expect(look(rerun, { driver: GOING }, late)).toMatchObject({ action: undefined, requeueAfter: 10_000 });
    expect(look(rerun, {}, late)).toMatchObject({ action: { kind: 'clean-up' } });
    const begun = look(rerun, { cleanedUp: true }, late);
    expect(begun).toMatchObject({
      status: { submissionID: 'second', submissionAttempts: 2, executionAttempts: 1, applicationState: { state: 'PENDING_RERUN' } },
      action: { kind: 'submit' },
    });

    const driver: Driver = { kind: 'ours', pod: pod('second', { phase: 'Pending' }) };
    expect(look(after(rerun, begun), { driver, confirmed: true }, late)).toMatchObject({
      passed: ['SUBMITTED'], status: { submissionAttempts: 2, executionAttempts: 2 },
    });
  });

  test('continues under its id after a crash between the intent and the driver', () => {
    expect(look(application(PENDING_RERUN, { submissionID: 'second', submissionAttempts: 2 }))).toMatchObject({
      status: undefined, action: { kind: 'submit' },
    });
  });

  test('deletes the driver of an earlier attempt that another operator left, and does not adopt it', () => {
    const earlier: Driver = { kind: 'earlier', pod: pod('first') };
    const begun = application(PENDING_RERUN, { submissionID: 'second', submissionAttempts: 2 });
    expect(look(begun, { driver: earlier }).action).toMatchObject({ kind: 'delete-driver', pod: { metadata: { uid: 'pod-of-first' } } });
    expect(look(begun, { driver: { kind: 'earlier', pod: pod('first', { deletionTimestamp: '2026-03-01T09:59:50Z' }) } })).toMatchObject({
      action: undefined,
      status: {
        applicationState: {
          state: 'PENDING_RERUN', errorMessage: 'driver cannot be created yet: a previous Pod pi-driver is still being deleted',
        },
      },
    });
  });

  test('follows a failed submission', () => {
    const failed = retried(SUBMISSION_FAILED, { terminationTime: '2026-03-01T09:59:50Z' });
    expect(look(failed, { cleanedUp: true })).toMatchObject({
      passed: ['PENDING_RERUN'], status: { submissionID: 'second', submissionAttempts: 2 },
    });
  });

  test('of an application with restart policy Always begins at once', () => {
    const decision = look(
      application(SUCCEEDING, { spec: { restartPolicy: { type: RestartPolicyType.ALWAYS } }, specHash: undefined }),
      { driver: failedDriver },
    );
    expect(decision).toMatchObject({ passed: ['PENDING_RERUN'], action: { kind: 'delete-driver' } });
  });

  test('known failure 4: that waits for a driver on an unreachable node reports so', () => {
    const stuck: Driver = { kind: 'ours', pod: pod('first', { deletionTimestamp: '2026-03-01T09:58:00Z' }) };
    const { status, requeueAfter } = look(application(PENDING_RERUN, { lastSubmissionAttemptTime: undefined }), { driver: stuck });
    expect(status!.applicationState!.errorMessage).toBe('driver pod pi-driver is still being deleted after more than 60 s; its node might be unreachable, and Kubernetes removes it when the node is back or deleted');
    expect(requeueAfter).toBe(10_000);
  });
});

test('known failure 4: for a given-up driver on an unreachable node, the status has the cause of the failure and, once, the wait', () => {
  const stuck: Driver = { kind: 'ours', pod: pod('first', { deletionTimestamp: '2026-03-01T09:58:00Z' }) };
  const { status } = look(
    application(FAILING, { applicationState: { state: FAILING, errorMessage: 'it took too long' } }), { driver: stuck },
  );
  const message = 'it took too long; driver pod pi-driver is still being deleted after more than 60 s; its node might be unreachable, and Kubernetes removes it when the node is back or deleted';
  expect(status!.applicationState!.errorMessage).toBe(message);
  expect(look({ ...application(FAILING), status }, { driver: stuck })).toMatchObject({ status: undefined, requeueAfter: 10_000 });
});

test('a running driver in deletion is reconciled again when its node should have ended it', () => {
  const leaving: Driver = { kind: 'ours', pod: pod('first', { deletionTimestamp: new Date(NOW - 30_000).toISOString() }) };
  expect(look(application(RUNNING), { driver: leaving })).toMatchObject({ passed: [], requeueAfter: 90_000 });
});

describe('an attempt that exceeds its deadline', () => {
  const limited = (state: ApplicationState) => application(state, { deadlineTime: new Date(NOW + 30_000).toISOString() });

  test('is reconciled when its time is over', () => {
    expect(look(limited(RUNNING), { driver: OURS })).toMatchObject({ passed: [], action: undefined, requeueAfter: 30_000 });
  });

  test.each([SUBMITTED, RUNNING, UNKNOWN])('fails while %s, and its driver is deleted', (state) => {
    const decision = look(limited(state), { driver: OURS, confirmed: true }, { now: NOW + 30_000 });
    expect(decision).toMatchObject({
      passed: ['FAILING'], action: { kind: 'delete-driver' }, status: {
        applicationState: { errorMessage: 'the attempt took longer than activeDeadlineSeconds allows' },
      },
    });
  });

  test('keeps the cause if its driver never started', () => {
    const obstacle = { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.', passes: true };
    const waiting: Driver = { kind: 'ours', pod: { ...pod('first', { phase: 'Pending' }), obstacle } };
    const { status } = look(limited(SUBMITTED), { driver: waiting, confirmed: true }, { now: NOW + 30_000 });
    expect(status!.applicationState!.errorMessage)
      .toBe('driver does not start: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu. (activeDeadlineSeconds are over)');
  });

  test("the cluster's current defaults do not apply to a running attempt", () => {
    expect(
      look(application(RUNNING), { driver: OURS, governed: { ...application(RUNNING).spec, activeDeadlineSeconds: 1 } }),
    ).toMatchObject({ passed: [], action: undefined });
  });

  test('succeeds if it ended well meanwhile', () => {
    expect(
      look(limited(RUNNING), { driver: { kind: 'ours', pod: pod('first', { phase: 'Succeeded' }) } }, { now: NOW + 86_400_000 }).passed,
    ).toEqual(['SUCCEEDING', 'COMPLETED']);
  });
});

describe('the end of a finished application', () => {
  const finished = (timeToLiveSeconds: number | undefined) => (
    application(COMPLETED, { spec: { timeToLiveSeconds }, specHash: undefined, terminationTime: '2026-03-01T09:59:00Z' })
  );

  test('comes when its time to live is over', () => {
    expect(look(finished(90))).toMatchObject({ action: undefined, requeueAfter: 30_000 });
    expect(look(finished(90), {}, { now: NOW + 30_000 })).toMatchObject({ action: { kind: 'delete-application' } });
  });

  test('comes by the default of the operator, or never', () => {
    expect(look(finished(undefined))).toMatchObject({ action: undefined, requeueAfter: undefined });
    expect(look(finished(undefined), {}, { settings: { ...CONTEXT.settings, defaultTimeToLive: 60_000 } })).toMatchObject({
      action: { kind: 'delete-application' },
    });
  });
});

test('a running driver whose deletion does not finish is lost with its node: UNKNOWN until it is gone', () => {
  const lost: Driver = { kind: 'ours', pod: { ...pod('first', { deletionTimestamp: '2026-03-01T09:57:00Z' }), nodeName: 'node-7' } };
  const decision = look(application(RUNNING), { driver: lost });
  expect(decision).toMatchObject({
    passed: ['UNKNOWN'], status: {
      applicationState: { errorMessage: 'the state of the driver pod is unknown; its node node-7 might be unreachable' },
    },
  });
  expect(stateIn(look(application(UNKNOWN), { driver: ABSENT, cleanedUp: true }))).toBe('FAILED');
});
