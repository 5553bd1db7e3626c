import { ApplicationState } from '../../../../src/api/states';
import type { Driver } from '../../../../src/operator/driver/driver';
import { viewOf } from '../../../../src/model/pod-view';
import { applicationIdOf } from '../../../../src/model/application-id';
import { decide } from '../../../../src/operator/kinds/spark-application/decide';
import { ABSENT, application, CONTEXT, driver, inState, NOW, observation, pod, RUNNING, SUBMISSION } from './observations';

const [PAST, LATER] = ['2026-03-01T10:00:00Z', '2026-03-01T10:03:00Z'];

describe('a driver that cannot be created', () => {
  const waiting = { ...SUBMISSION, lastSubmissionAttemptTime: '2026-03-01T09:59:00Z' };

  test('and never can be: the application fails at once, with the reason', () => {
    const decision = decide(
      observation({ application: application(SUBMISSION), failure: { reason: 'spec.driver.memory is wrong', kind: 'final' } }), CONTEXT,
    );

    expect(decision.status).toMatchObject({
      applicationState: { state: 'FAILED', errorMessage: 'spec.driver.memory is wrong' }, terminationTime: '2026-03-01T10:00:00Z',
    });
    expect(decision.status).not.toHaveProperty('executionAttempts');
    expect(decision.events.map((event) => event.reason)).toEqual(['SparkApplicationAdded', 'SparkApplicationSubmissionFailed', 'SparkApplicationFailed']);
  });

  test('yet: the status has the reason at once, and the operator retries', () => {
    const first = decide(
      observation({ application: application(waiting), failure: { reason: 'no service account', kind: 'lasting' } }), CONTEXT,
    );

    expect(first.status?.applicationState).toEqual({ state: '', errorMessage: 'driver cannot be created yet: no service account' });
    expect(first.events.map((event) => event.reason)).toEqual(['SparkApplicationAdded', 'SparkDriverPending']);
    expect(first.requeueAfter).toBe(15_000);
    const again = decide(observation({ application: { ...application(), status: first.status } }), CONTEXT);
    expect(again.action).toEqual({ kind: 'submit' });
  });

  test('of a later attempt: only a new application is reported as added', () => {
    const again = application({ ...waiting, submissionAttempts: 2, applicationState: { state: ApplicationState.PENDING_RERUN } });
    const { events } = decide(observation({ application: again, failure: { reason: 'no service account', kind: 'lasting' } }), CONTEXT);
    expect(events.map(({ reason }) => reason)).toEqual(['SparkDriverPending']);
  });

  test('for the same reason as before: the operator writes and reports nothing new', () => {
    const current = application({
      ...waiting, startDeadlineTime: LATER,
      applicationState: { state: ApplicationState.NEW, errorMessage: 'driver cannot be created yet: no service account' },
    });
    const { status, events } = decide(
      observation({ application: current, failure: { reason: 'no service account', kind: 'lasting' } }), CONTEXT,
    );
    expect({ status, events }).toEqual({ status: undefined, events: [] });
  });

  test('until the deadline, which begins when the reason is first seen: the application fails', () => {
    const first = { ...CONTEXT, now: NOW + 3_600_000 };
    const failure = { reason: 'no service account', kind: 'lasting' } as const;
    const seen = (status: object, now: number) => decide(observation({ application: application({ ...waiting, ...status }), failure }), { ...CONTEXT, now });
    const { status } = seen(waiting, first.now);
    expect(status).toMatchObject({ applicationState: { state: '' }, startDeadlineTime: '2026-03-01T11:05:00Z' });
    expect(seen(status!, first.now + 299_000)).toMatchObject({ status: undefined, requeueAfter: 1_000 });
    expect(seen(status!, first.now + 300_000).status?.applicationState)
      .toEqual({ state: 'FAILED', errorMessage: 'no service account (the operator gave up after 5m)' });
  });

  test('in between because of a quota: the deadline begins again after that', () => {
    const known = { ...waiting, startDeadlineTime: LATER, applicationState: { state: ApplicationState.NEW, errorMessage: 'driver cannot be created yet: no service account' } };
    const { status } = decide(observation({ application: application(known), failure: { reason: 'exceeded quota', kind: 'passing' } }), CONTEXT);
    expect(status?.applicationState?.errorMessage).toBe('driver cannot be created yet: exceeded quota');
    expect(status).not.toHaveProperty('startDeadlineTime');
  });

  test('and was reported as SUBMITTED: the deadline is that of its creation', () => {
    const ahead = inState(ApplicationState.SUBMITTED, { sparkApplicationId: applicationIdOf('sub-1') });
    const { status } = decide(observation({ application: ahead, failure: { reason: 'no service account', kind: 'lasting' } }), CONTEXT);
    expect(status).toMatchObject({ applicationState: { state: '' }, startDeadlineTime: '2026-03-01T10:05:00Z' });
  });

  test('under an older CRD, which drops the deadline: it began with the attempt', () => {
    const known = { ...waiting, applicationState: { state: ApplicationState.NEW, errorMessage: 'driver cannot be created yet: no service account' } };
    const seen = observation({ application: application(known), failure: { reason: 'no service account', kind: 'lasting' }, dropsStartDeadline: true });
    expect(decide(seen, { ...CONTEXT, now: NOW + 239_000 })).toMatchObject({ status: undefined, requeueAfter: 1_000 });
    expect(decide(seen, { ...CONTEXT, now: NOW + 240_000 }).status?.applicationState?.state).toBe('FAILED');
  });

  test('because of a quota: the application waits without a deadline', () => {
    const decision = decide(
      observation({ application: application(waiting), failure: { reason: 'exceeded quota', kind: 'passing' } }),
      { ...CONTEXT, now: NOW + 86_400_000 },
    );
    expect(decision.status?.applicationState?.state).toBe('');
    expect(decision.requeueAfter).toBe(30_000);
  });

  test('for a reason with numbers that change with each try: the operator writes and reports nothing new', () => {
    const current = application({
      ...waiting, startDeadlineTime: LATER,
      applicationState: { state: ApplicationState.NEW, errorMessage: 'driver cannot be created yet: read tcp 10.0.0.1:30690' },
    });
    const { status, events } = decide(
      observation({ application: current, failure: { reason: 'read tcp 10.0.0.1:41022', kind: 'lasting' } }), CONTEXT,
    );
    expect({ status, events }).toEqual({ status: undefined, events: [] });
  });

  test('is not retried before the pause is over, whatever triggers the reconcile', () => {
    expect(
      decide(observation({ application: application(waiting), notBefore: NOW + 700 }), CONTEXT),
    ).toMatchObject({ action: undefined, requeueAfter: 700 });
    expect(decide(observation({ application: application(waiting), notBefore: NOW }), CONTEXT).action).toEqual({ kind: 'submit' });
  });

  test('because a predecessor is still being deleted: the application waits', () => {
    const { status, action } = decide(
      observation({ application: application(waiting), driver: { kind: 'leaving', pod: pod({ phase: 'Running' }) } }), CONTEXT,
    );
    expect(status?.applicationState).toEqual({
      state: '', errorMessage: 'driver cannot be created yet: a previous Pod pi-driver is still being deleted',
    });
    expect(action).toBeUndefined();
  });

  test("because another user's Pod has its name: the application fails, and the Pod stays", () => {
    const decision = decide(
      observation({ application: application(waiting), driver: { kind: 'foreign', pod: pod({ phase: 'Running' }) } }), CONTEXT,
    );
    expect(decision.status?.applicationState).toEqual({
      state: 'FAILED',
      errorMessage: 'a Pod pi-driver exists that this submission did not create; delete it, or choose another name in spec.driver.podName',
    });
    expect(decision.action).toBeUndefined();
  });
});

describe('a driver that does not start', () => {
  const waiting = (reason: string, startTime = '2026-03-01T09:59:30Z') => driver({
    phase: 'Pending',
    startTime,
    containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason, message: 'Back-off pulling image "nothing:1"' } } }],
  });

  test('known failure 7: the status has the reason at once, and the application is requeued for the deadline', () => {
    const { status, events, requeueAfter } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: waiting('ImagePullBackOff') }), CONTEXT,
    );

    expect(status).toMatchObject({
      applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: Back-off pulling image "nothing:1"' },
      startDeadlineTime: '2026-03-01T10:05:00Z',
    });
    expect(events.map((event) => event.reason)).toEqual(['SparkDriverPending']);
    expect(requeueAfter).toBe(300_000);
  });

  test('the same reason again changes nothing', () => {
    const current = inState(ApplicationState.SUBMITTED, {
      startDeadlineTime: LATER, applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: Back-off pulling image "nothing:1"' },
    });
    const { status, events } = decide(observation({ application: current, driver: waiting('ImagePullBackOff') }), CONTEXT);

    expect(status).toBeUndefined();
    expect(events).toEqual([]);
  });

  test('a pull that fails again and again has one event, with the cause in a few words', () => {
    const answer = (port: number) => `failed to pull image "r.test/x:1": Head "https://r.test/v2/": dial tcp: lookup r.test: read udp 10.0.0.1:${port}->10.0.0.2:53: i/o timeout`;
    const messageOf = (reason: string, port: number) => (
      reason === 'ErrImagePull' ? answer(port) : `Back-off pulling image "r.test/x:1": ErrImagePull: ${answer(port)}`
    );
    const tries = ['ErrImagePull', 'ImagePullBackOff', 'ErrImagePull', 'ImagePullBackOff'].map((reason, index) => driver({
      phase: 'Pending', startTime: '2026-03-01T09:59:30Z',
      containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason, message: messageOf(reason, index) } } }],
    }));
    let current = inState(ApplicationState.SUBMITTED);
    const [notes, written] = [[] as string[], [] as (string | undefined)[]];
    for (const tried of tries) {
      const { status, events } = decide(observation({ application: current, driver: tried }), CONTEXT);
      if (status) written.push(status.applicationState?.errorMessage?.split(': ')[1]);
      current = { ...current, status: status ?? current.status };
      notes.push(...events.map(({ note }) => note));
    }
    expect(notes).toEqual(['Driver pi-driver does not start: ErrImagePull: the registry r.test of the image r.test/x:1 cannot be resolved']);
    expect(written).toEqual(['ErrImagePull', 'ImagePullBackOff']);
  });

  test('known failure 7: after the deadline the application fails, and the driver is deleted first so that it cannot start later', () => {
    const late = { ...CONTEXT, now: NOW + 270_000 };
    const first = decide(observation({
      application: inState(ApplicationState.SUBMITTED, { startDeadlineTime: '2026-03-01T10:04:30Z' }), driver: waiting('ImagePullBackOff'),
    }), late);

    expect(first.status?.applicationState?.state).toBe('FAILING');
    expect(
      first.status?.applicationState?.errorMessage,
    ).toContain('ImagePullBackOff: Back-off pulling image "nothing:1" (the operator gave up after 5m)');
    expect(first.action).toMatchObject({ kind: 'delete-driver', pod: { metadata: { uid: 'uid-of-pi-driver' } } });

    // The driver's other objects are deleted with it.
    const gone = decide(observation({ application: { ...application(), status: first.status }, driver: ABSENT }), late);
    expect(gone).toMatchObject({ status: undefined, action: { kind: 'clean-up' } });
    const afterwards = decide(
      observation({ application: { ...application(), status: first.status }, driver: ABSENT, cleanedUp: true }), late,
    );
    expect(afterwards.status?.applicationState).toEqual({ state: 'FAILED', errorMessage: first.status?.applicationState?.errorMessage });
  });

  test('the deadline begins when the operator first sees the obstacle, not during a long pull before', () => {
    const slow = waiting('ErrImagePull', '2026-03-01T09:30:00Z');
    const { status, requeueAfter } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: slow }), CONTEXT,
    );
    expect(status?.applicationState?.state).toBe('SUBMITTED');
    expect(requeueAfter).toBe(300_000);
  });

  test('the status refers to the node that takes long to prepare the pod', () => {
    const preparing = (startTime: string) => driver({
      phase: 'Pending', startTime, containerStatuses: [
        { name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ContainerCreating' } } },
      ],
    });
    const soon = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: preparing('2026-03-01T09:59:30Z') }), CONTEXT,
    );
    expect(soon).toMatchObject({ status: undefined, requeueAfter: 15_000 });

    const { status } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: preparing('2026-03-01T09:58:00Z') }), CONTEXT,
    );
    expect(status?.applicationState).toEqual({
      state: 'SUBMITTED',
      errorMessage: 'driver does not start: ContainerCreating: its node has been preparing it for more than 60 s; check the events of pod pi-driver for the reason',
    });
  });

  test('the operator still deletes a driver that it gave up and that has started meanwhile', () => {
    const { action, status } = decide(observation({ application: inState(ApplicationState.FAILING), driver: RUNNING }), CONTEXT);
    expect(action).toMatchObject({ kind: 'delete-driver' });
    expect(status).toBeUndefined();
  });

  test('known failure 7: waiting for a node has a reason, and no deadline', () => {
    const unschedulable = driver({
      phase: 'Pending', conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' },
      ],
    });
    const { status } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: unschedulable }), { ...CONTEXT, now: NOW + 86_400_000 },
    );

    expect(status?.applicationState).toEqual({
      state: 'SUBMITTED', errorMessage: 'driver does not start: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.',
    });
  });

  test("known failure 6: a sidecar that does not start is no obstacle: Spark runs beside it, and Spark's end applies", () => {
    const beside = (state: object) => driver({
      phase: 'Pending', startTime: '2026-03-01T09:50:00Z',
      containerStatuses: [
        { name: 'proxy', state: { waiting: { reason: 'ImagePullBackOff' } } }, { name: 'spark-kubernetes-driver', state },
      ],
    });
    const passed = (state: object) => (
      decide(
        observation({ application: inState(ApplicationState.SUBMITTED, { startDeadlineTime: PAST }), driver: beside(state) }), CONTEXT,
      ).passed
    );
    expect(passed({ running: {} })).toEqual(['RUNNING']);
    expect(passed({ terminated: { exitCode: 0 } })).toEqual(['SUCCEEDING', 'COMPLETED']);
    expect(passed({ terminated: { exitCode: 1 } })).toEqual(['FAILING', 'FAILED']);
    expect(passed({ waiting: { reason: 'ContainerCreating' } })).toEqual([]);
  });

  test('known failure 7: no scheduler handles it, because none has that name', () => {
    const unseen = viewOf({
      metadata: {
        name: 'pi-driver', uid: 'uid', creationTimestamp: '2026-03-01T09:58:00Z', labels: { 'sparkoperator.k8s.io/submission-id': 'sub-1' },
      },
      spec: { schedulerName: 'volcan' }, status: { phase: 'Pending' },
    } as any);
    const { status } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED), driver: { kind: 'ours', pod: unseen } }), CONTEXT,
    );
    expect(status?.applicationState?.errorMessage).toBe('driver does not start: Unscheduled: the scheduler volcan has not processed it for more than 60 s; check whether a scheduler with this name exists');
    const early = decide(observation({
      application: inState(ApplicationState.SUBMITTED), driver: { kind: 'ours', pod: unseen },
    }), { ...CONTEXT, now: NOW - 90_000 });
    expect(early).toMatchObject({ requeueAfter: 30_000 });
  });

  test('a slow init container is reported, and the cause of a failed one', () => {
    const initializing = (state: object, phase = 'Pending') => driver({
      phase,
      startTime: '2026-03-01T09:50:00Z',
      initContainerStatuses: [{ name: 'mesh', started: true, state: { running: {} } }, { name: 'fetch', state }],
      containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'PodInitializing' } } }],
    });
    const message = (initialized: Driver) => (
      decide(
        observation({ application: inState(ApplicationState.SUBMITTED), driver: initialized }), CONTEXT,
      ).status?.applicationState?.errorMessage
    );
    expect(message(initializing({ running: {} }))).toBe('driver does not start: PodInitializing: its init container fetch has been running for more than 60 s');
    expect(
      message(initializing({ terminated: { exitCode: 3, reason: 'Error', message: 'curl: 404' } }, 'Failed')),
    ).toBe('init container fetch failed with ExitCode: 3, Reason: Error; last output: curl: 404');
  });

  test('known failure 7: a missing claim does not appear by itself, unlike a node', () => {
    const unschedulable = driver({
      phase: 'Pending', conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'persistentvolumeclaim "data" not found' },
      ],
    });
    const { status } = decide(
      observation({ application: inState(ApplicationState.SUBMITTED, { startDeadlineTime: PAST }), driver: unschedulable }), CONTEXT,
    );

    expect(status?.applicationState).toEqual({
      state: 'FAILING', errorMessage: 'driver does not start: Unschedulable: persistentvolumeclaim "data" not found (the operator gave up after 5m)',
    });
  });

  const pulling = inState(ApplicationState.SUBMITTED, {
    startDeadlineTime: LATER, applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ErrImagePull' },
  });

  test('the reason and the deadline are gone once it starts', () => {
    const { status } = decide(observation({ application: pulling, driver: RUNNING }), CONTEXT);
    expect(status?.applicationState).toEqual({ state: 'RUNNING' });
    expect(status).not.toHaveProperty('startDeadlineTime');
  });

  test('nor is there a deadline any more when it only has to be prepared', () => {
    const { status } = decide(observation({ application: pulling, driver: driver({ phase: 'Pending', startTime: '2026-03-01T09:59:30Z' }) }), CONTEXT);
    expect(status?.applicationState).toEqual({ state: 'SUBMITTED' });
    expect(status).not.toHaveProperty('startDeadlineTime');
  });
});
