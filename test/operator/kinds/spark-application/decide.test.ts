import { ApplicationState, ExecutorState } from '../../../../src/api/states';
import type { Driver } from '../../../../src/operator/driver/driver';
import { viewOf } from '../../../../src/model/pod-view';
import { decide } from '../../../../src/operator/kinds/spark-application/decide';
import type { Observation } from '../../../../src/operator/kinds/spark-application/decision';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { specHashOf } from '../../../../src/operator/kinds/spark-application/spec-change';
import { ABSENT, application, CONTEXT, driver, inState, NOW, observation, pod, RUNNING, SUBMISSION, terminated } from './observations';

test('a new application: the intent is written before anything is created', () => {
  const decision = decide(observation({}), CONTEXT);

  // There is no state: Airflow takes the empty one for a driver that has started.
  expect(decision.status).toEqual({
    submissionID: '11111111-2222-4333-8444-555555555555',
    lastSubmissionAttemptTime: '2026-03-01T10:00:00Z',
    submissionAttempts: 1,
    driverInfo: { podName: 'pi-driver' },
    specHash: specHashOf(application()),
    attemptHistory: [{
      number: 1, submissionID: '11111111-2222-4333-8444-555555555555', trigger: 'Creation', submissionTime: '2026-03-01T10:00:00Z',
      executors: { requested: 1 },
    }],
  });
  expect(decision.action).toEqual({ kind: 'submit' });
  expect(decision.events).toEqual([]);
});

test('known failure 5: a restart after the intent was written: the same submission continues, under the same id', () => {
  const decision = decide(
    observation({ application: application({ ...SUBMISSION, applicationState: { state: ApplicationState.NEW } }) }), CONTEXT,
  );

  expect(decision.status).toBeUndefined();
  expect(decision.action).toEqual({ kind: 'submit' });
});

describe('an application whose status was SUBMITTED before its driver existed', () => {
  const ahead = (more: object = {}) => inState(ApplicationState.SUBMITTED, { sparkApplicationId: 'spark-sub1', ...more });
  const nothing = { status: undefined, passed: [], events: [] };

  test.each<[string, Partial<Observation>]>([
    ['none', {}], ['one that has not started', { driver: driver({ phase: 'Pending' }) }], ['a running one', { driver: RUNNING }],
  ])('the operator finds out whether the driver was created, before it writes anything about %s', (_, given) => {
    expect(decide(observation({ application: ahead(), ...given }), CONTEXT)).toEqual({
      ...nothing, failures: [], action: { kind: 'confirm-driver' },
    });
  });

  test('a driver that was created waits, without a write', () => {
    const { status } = decide(observation({ application: ahead(), driver: driver({ phase: 'Pending' }), confirmed: true }), CONTEXT);
    const again = observation({ application: ahead(status), driver: driver({ phase: 'Pending' }), confirmed: true });
    expect(decide(again, CONTEXT)).toMatchObject({ ...nothing, action: undefined });
  });

  test('a driver that was created and is gone has failed', () => {
    const { passed, status } = decide(observation({ application: ahead(), confirmed: true }), CONTEXT);
    expect(passed).toEqual(['FAILING']);
    expect(status!.applicationState!.errorMessage).toBe('driver pod not found: it was deleted, or its node is gone');
  });

  test('a driver that has ended needs no proof', () => {
    const ended = driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] });
    expect(decide(observation({ application: ahead(), driver: ended }), CONTEXT).passed).toEqual(['SUCCEEDING', 'COMPLETED']);
  });

  test.each<[ApplicationState, number, number | undefined]>([
    [ApplicationState.NEW, 1, undefined], [ApplicationState.PENDING_RERUN, 2, 1],
  ])('a driver that cannot be created yet: state "%s" again, in attempt %i', (state, attempt, runs) => {
    const refused = ahead({ submissionAttempts: attempt, executionAttempts: attempt, deadlineTime: '2026-03-01T11:00:00Z' });
    const { status, passed, requeueAfter } = decide(observation({ application: refused, failure: { reason: 'no room', kind: 'passing' } }), CONTEXT);

    expect(passed).toEqual([state]);
    expect(status).toMatchObject({
      submissionID: 'sub-1', submissionAttempts: attempt, applicationState: { state, errorMessage: 'driver cannot be created yet: no room' },
    });
    expect([status!.executionAttempts, status!.sparkApplicationId, status!.deadlineTime]).toEqual([runs, undefined, undefined]);
    expect(requeueAfter).toBeGreaterThan(0);
  });

  test('a driver that never can be created: the submission fails', () => {
    const { passed } = decide(observation({ application: ahead(), failure: { reason: 'wrong', kind: 'final' } }), CONTEXT);
    expect(passed).toEqual(['SUBMISSION_FAILED', 'FAILED']);
  });

  test("of spark-submit, or of kubeflow's operator: its driver exists, and a missing one has failed", () => {
    expect(decide(observation({ application: inState(ApplicationState.SUBMITTED) }), CONTEXT).passed).toEqual(['FAILING']);
  });
});

test('an application whose driver exists is submitted', () => {
  const decision = decide(
    observation({ application: application(SUBMISSION), driver: driver({ phase: 'Pending' }), confirmed: true }), CONTEXT,
  );

  expect(decision.status).toMatchObject({ sparkApplicationId: 'spark-1', executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  expect(decision.action).toBeUndefined();
  expect(decision.events.map((event) => event.reason)).toEqual(['SparkApplicationSubmitted']);
});

test('settings without effect are reported once, with the submission, in a note that fits', () => {
  const warnings = Array.from({ length: 40 }, (_, index) => `spec.sparkConf[spark.x${index}] is overridden by spec.y${index}`);
  const { events } = decide(
    observation({ application: application(SUBMISSION), driver: driver({ phase: 'Pending' }), confirmed: true, warnings }), CONTEXT,
  );

  expect(events.map((event) => [event.type, event.reason])).toEqual([
    ['Normal', 'SparkApplicationSubmitted'], ['Warning', 'SparkApplicationSpecWarning'],
  ]);
  expect(events[1]!.note).toMatch(/^spec\.sparkConf\[spark\.x0\] is overridden by spec\.y0; .*; and \d+ more$/);
  expect(events[1]!.note.length).toBeLessThan(1024);
});

test('the operator first checks whether an existing driver that has not started has what it needs', () => {
  expect(decide(observation({ application: application(SUBMISSION), driver: driver({ phase: 'Pending' }) }), CONTEXT)).toMatchObject({
    status: undefined, action: { kind: 'confirm-driver' },
  });
  expect(
    decide(observation({ application: application(SUBMISSION), driver: RUNNING }), CONTEXT).status?.applicationState?.state,
  ).toBe('RUNNING');
});

describe('spark-submit', () => {
  const submitter = (phase: string, metadata: object = {}) => viewOf({
    metadata: { name: 'pi-submit', namespace: 'jobs', uid: 's', labels: { 'spark-role': 'submitter' }, ...metadata }, status: { phase },
  } as never);
  const seen = (given: Partial<Observation>) => decide(observation({ application: application(SUBMISSION), ...given }), CONTEXT);

  test('while it runs, the operator ignores a driver, which can lack its Service and ConfigMap', () => {
    const { action, status } = seen({ driver: driver({ phase: 'Pending' }), submitter: submitter('Running') });
    expect({ action, status }).toEqual({ action: undefined, status: undefined });
  });

  test('the operator reads its result after its end, but not during the pause between two attempts', () => {
    const ended = submitter('Failed');
    expect(seen({ submitter: ended }).action).toEqual({ kind: 'end-spark-submit', pod: ended, isLastTry: false });
    expect(seen({ submitter: ended, notBefore: NOW + 1_000 })).toMatchObject({ action: undefined, requeueAfter: 1_000 });
  });

  test('the operator waits for a Pod in deletion', () => {
    expect(seen({ submitter: submitter('Failed', { deletionTimestamp: '2026-03-01T09:59:59Z' }) })).toMatchObject({
      action: undefined, requeueAfter: 10_000,
    });
  });

  test('a Pod that is no longer needed is deleted before a driver that is no longer needed', () => {
    const [orphanSubmitter, orphan] = [submitter('Running'), viewOf({ metadata: { name: 'd' } } as never)];
    expect(decide(observation({
      application: application({ ...SUBMISSION, applicationState: { state: 'COMPLETED' } } as never), orphanSubmitter, orphan,
    }), CONTEXT).action)
      .toEqual({ kind: 'delete-submitter', pod: orphanSubmitter });
  });
});

test('the start of spark-submit is reported, with the warnings and the applied defaults', () => {
  const appliedDefaults = [{ configMap: 'jobs/defaults', resourceVersion: '1' }];
  const decision = decide(observation({
    application: application(SUBMISSION),
    submitting: { because: 'a file has to be uploaded' },
    warnings: ['w'],
    appliedDefaults: appliedDefaults as never,
  }), CONTEXT);
  expect(decision).toMatchObject({ status: { appliedDefaults }, action: undefined, requeueAfter: 300_000 });
  expect(decision.events.map(({ reason }) => reason)).toEqual(['SparkApplicationSubmitting', 'SparkApplicationSpecWarning']);
  const plain = decide(
    observation({ application: application(SUBMISSION), submitting: { because: 'a file has to be uploaded' } }), CONTEXT,
  );
  expect(plain).toMatchObject({
    status: undefined, action: undefined, events: [
      { reason: 'SparkApplicationSubmitting', note: 'SparkApplication pi is submitted by spark-submit: a file has to be uploaded' },
    ],
  });
});

test('known failure R2: a driver that ran to its end while no operator watched passes through all states at once', () => {
  const decision = decide(
    observation({ application: application(SUBMISSION), driver: driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] }) }),
    CONTEXT,
  );

  expect(decision.status).toMatchObject({
    applicationState: { state: 'COMPLETED' }, terminationTime: '2026-03-01T09:59:50Z', executionAttempts: 1,
  });
  expect(decision.events.map((event) => event.reason)).toEqual([
    'SparkApplicationSubmitted', 'SparkDriverCompleted', 'SparkApplicationCompleted',
  ]);
  expect(decision.requeueAfter).toBeUndefined();
});

// A state and a driver lead to the next state.
test.each<[string, ApplicationState, Driver, string]>([
  ['a driver that waits for its node', ApplicationState.SUBMITTED, driver({ phase: 'Pending' }), 'SUBMITTED'],
  ['a driver that runs', ApplicationState.SUBMITTED, RUNNING, 'RUNNING'],
  ['a driver that succeeded', ApplicationState.RUNNING, driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] }), 'COMPLETED'],
  ['known failure 6: a driver that succeeded beside a sidecar that continues', ApplicationState.RUNNING, driver({
    phase: 'Running', containerStatuses: [{ name: 'proxy', state: { running: {} } }, terminated(0)],
  }), 'COMPLETED'],
  ['a driver that succeeded beside a sidecar that failed', ApplicationState.RUNNING, driver({
    phase: 'Failed', containerStatuses: [{ name: 'proxy', state: { terminated: { exitCode: 2 } } }, terminated(0)],
  }), 'COMPLETED'],
  ['a driver that failed', ApplicationState.RUNNING, driver({ phase: 'Failed', containerStatuses: [terminated(1)] }), 'FAILED'],
  ['known failure 6: a driver that failed beside a sidecar that continues', ApplicationState.RUNNING, driver({
    phase: 'Running', containerStatuses: [{ name: 'proxy', state: { running: {} } }, terminated(1)],
  }), 'FAILED'],
  ['a driver whose node does not answer', ApplicationState.RUNNING, driver({ phase: 'Unknown' }), 'UNKNOWN'],
  ['a driver whose node answers again', ApplicationState.UNKNOWN, RUNNING, 'RUNNING'],
  ['a driver that is gone', ApplicationState.RUNNING, ABSENT, 'FAILED'],
  ['a driver that is gone before it started', ApplicationState.SUBMITTED, ABSENT, 'FAILED'],
  ['an end that was written halfway: success', ApplicationState.SUCCEEDING, ABSENT, 'COMPLETED'],
  ['an end that was written halfway: failure', ApplicationState.FAILING, ABSENT, 'FAILED'],
  ['an end that was written halfway: submission', ApplicationState.SUBMISSION_FAILED, ABSENT, 'FAILED'],
])('%s', (_, state, given, expected) => {
  const current = inState(state, { terminationTime: '2026-03-01T09:59:59Z' });
  const { status, requeueAfter } = decide(observation({ application: current, driver: given, cleanedUp: true }), CONTEXT);

  const after = (status ?? current.status)!.applicationState!.state;
  expect(after).toBe(expected);
  const finished = after === ApplicationState.COMPLETED || after === ApplicationState.FAILED;
  expect(requeueAfter === undefined).toBe(finished);
});

test('why a driver failed: exit code, reason and the cause in its log', () => {
  const failed = driver({
    phase: 'Failed',
    containerStatuses: [terminated(1, { message: '  File "/opt/job.py", line 3, in <module>\nRuntimeError: the input table is missing\n' })],
  });
  const { status } = decide(observation({ application: inState(ApplicationState.RUNNING), driver: failed }), CONTEXT);

  expect(status?.applicationState?.errorMessage).toBe('driver container failed with ExitCode: 1, Reason: Error; RuntimeError: the input table is missing (job.py:3)');
});

test('why a driver failed: its memory limit, and what that consists of', () => {
  const status = {
    phase: 'Failed', containerStatuses: [terminated(137, { reason: 'OOMKilled', message: '-driver-svc.jobs.svc, 7079, None)\nrow 1\nrow 2\n' })],
  };
  const limits = { containers: [{ name: 'spark-kubernetes-driver', resources: { limits: { memory: '1408Mi' } } }] };
  const failed: Driver = { kind: 'ours', pod: viewOf({ ...pod(status), spec: limits, status } as Parameters<typeof viewOf>[0]) };
  const current = inState(ApplicationState.RUNNING);
  const spec = { ...current.spec, driver: { memory: '1g' } } as typeof current.spec;
  const after = decide(observation({ application: { ...current, spec }, driver: failed }), CONTEXT);

  const cause = "the driver's container exceeded its memory limit of 1408Mi (spec.driver.memory 1g + overhead 384m)";
  expect(after.status?.applicationState?.errorMessage).toBe(`driver container failed with ExitCode: 137, Reason: OOMKilled; ${cause}`);
});

test('why a driver failed: a signal', () => {
  const failed = driver({ phase: 'Failed', containerStatuses: [terminated(143, { message: 'row 1\nrow 2\n' })] });
  const { status } = decide(observation({ application: inState(ApplicationState.RUNNING), driver: failed }), CONTEXT);
  expect(status?.applicationState?.errorMessage).toBe('driver container failed with ExitCode: 143, Reason: Error; terminated by SIGTERM');
});

test('why a driver failed: the eviction of its pod', () => {
  const evicted = driver({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' });
  const { status } = decide(observation({ application: inState(ApplicationState.RUNNING), driver: evicted }), CONTEXT);

  expect(status?.applicationState?.errorMessage).toBe('Evicted: The node was low on resource: memory.');
});

test('why a driver failed: another client deleted its pod, which ends by the signal for it', () => {
  const failed = driver({ phase: 'Failed', containerStatuses: [terminated(143)] }) as Driver & { kind: 'ours' };
  const deleted: Driver = {
    ...failed, pod: { ...failed.pod, metadata: { ...failed.pod.metadata, deletionTimestamp: '2026-03-01T09:59:20Z' } },
  };
  const { status } = decide(observation({ application: inState(ApplicationState.RUNNING), driver: deleted }), CONTEXT);

  expect(status?.applicationState?.errorMessage).toBe('driver container failed with ExitCode: 143, Reason: Error; its pod was deleted');
});

describe('executors', () => {
  const executor = (id: number, phase: string) => (
    pod({ phase }, { 'spark-role': 'executor', 'spark-exec-id': String(id) }, `pi-exec-${id}`)
  );

  test('are recorded from their pods', () => {
    const { status } = decide(
      observation({
        application: inState(ApplicationState.RUNNING), driver: RUNNING, executors: [executor(1, 'Running'), executor(2, 'Pending')],
      }),
      CONTEXT,
    );
    expect(status?.executorState).toEqual({ 'pi-exec-1': 'RUNNING', 'pi-exec-2': 'PENDING' });
  });

  test.each<[string, Driver, string]>([
    ['completed with an application that succeeded', driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] }), 'COMPLETED'],
    ['failed with an application that failed', driver({ phase: 'Failed', containerStatuses: [terminated(1)] }), 'FAILED'],
    ['unknown while the application runs', RUNNING, 'UNKNOWN'],
  ])('that are gone are %s', (_, given, expected) => {
    const current = inState(
      ApplicationState.RUNNING, { executorState: { 'pi-exec-1': ExecutorState.RUNNING, 'pi-exec-2': ExecutorState.COMPLETED } },
    );
    const { status } = decide(observation({ application: current, driver: given }), CONTEXT);
    expect(status?.executorState).toEqual({ 'pi-exec-1': expected, 'pi-exec-2': 'COMPLETED' });
  });

  test('that Spark deletes after a success are completed, although they are killed', () => {
    const succeeded = driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] });
    const killed = { ...executor(1, 'Failed'), metadata: { ...executor(1, 'Failed').metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } };
    const { status } = decide(
      observation({ application: inState(ApplicationState.RUNNING), driver: succeeded, executors: [killed, executor(2, 'Failed')] }),
      CONTEXT,
    );
    expect(status?.executorState).toEqual({ 'pi-exec-1': 'COMPLETED', 'pi-exec-2': 'FAILED' });
  });

  test('provide the id of the application if its driver does not', () => {
    const { status } = decide(
      observation({
        application: inState(
          ApplicationState.RUNNING, { sparkApplicationId: 'spark-of-the-driver' },
        ), driver: RUNNING, executors: [executor(1, 'Running')],
      }),
      CONTEXT,
    );
    expect(status?.sparkApplicationId).toBe('spark-1');
  });

  test('keep their end once it is recorded', () => {
    const current = inState(ApplicationState.COMPLETED, { executorState: { 'pi-exec-1': ExecutorState.COMPLETED } });
    expect(decide(observation({ application: current, executors: [executor(1, 'Failed')] }), CONTEXT).status).toBeUndefined();
  });

  test('known failure 11: beyond the limit are not recorded', () => {
    const { status } = decide(
      observation({
        application: inState(ApplicationState.RUNNING), driver: RUNNING, executors: [executor(1, 'Running'), executor(2, 'Running')],
      }),
      { ...CONTEXT, settings: { ...CONTEXT.settings, maxTrackedExecutors: 1, defaultTimeToLive: 0 } },
    );
    expect(status?.executorState).toEqual({ 'pi-exec-1': 'RUNNING' });
  });
});

test.each([ApplicationState.COMPLETED, ApplicationState.FAILED])('nothing changes a %s application', (state) => {
  const decision = decide(observation({ application: inState(state), driver: RUNNING }), CONTEXT);
  expect(decision).toEqual({ status: undefined, passed: [], failures: [], action: undefined, events: [], requeueAfter: undefined });
});

test('an application in the state of a later version is left as it is, with an event', () => {
  const current = inState('SOMETHING_NEW' as ApplicationState, { executorState: { 'pi-exec-1': ExecutorState.RUNNING } });
  const { status, action, events, requeueAfter } = decide(observation({ application: current, driver: RUNNING }), CONTEXT);
  expect({ status, action, requeueAfter }).toEqual({ status: undefined, action: undefined, requeueAfter: undefined });
  expect(events).toEqual([
    expect.objectContaining({ type: 'Warning', reason: 'SparkApplicationNotHandled', note: expect.stringContaining('SOMETHING_NEW') }),
  ]);
});

describe('with partial restarts', () => {
  const settings = { ...CONTEXT.settings, partialRestart: true };
  const begun = decide(observation({}), { ...CONTEXT, settings }).status!;
  const contextOf = (partialRestart: boolean) => ({ ...CONTEXT, settings: { ...settings, partialRestart } });
  const edited = (executor: object) => {
    const current = inState(ApplicationState.RUNNING, { specHash: begun.specHash, observedGeneration: 1 });
    return { ...current, metadata: { ...current.metadata, generation: 2 }, spec: { ...current.spec, executor } } as SparkApplication;
  };

  test('an edit of fields of executors alone keeps the driver, once with an event', () => {
    const current = edited({ tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    const { action, status, passed, events } = decide(observation({ application: current, driver: RUNNING }), contextOf(true));
    expect({ action, passed, events: events.map(({ reason }) => reason) }).toEqual({
      action: undefined, passed: [], events: ['SparkApplicationWebhookFieldsUpdated'],
    });
    expect(status).toMatchObject({ observedGeneration: 2, applicationState: { state: 'RUNNING' } });
    expect(status!.specHash!.split('.')[0]).toBe(begun.specHash!.split('.')[0]);
    expect(status!.specHash).not.toBe(begun.specHash);
    expect(decide(observation({ application: { ...current, status }, driver: RUNNING }), contextOf(true))).toMatchObject({ status: undefined, events: [] });
  });

  test('such an edit does not run an application again whose driver has ended before the operator sees both', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    const { passed, status } = decide(observation({ application: edited({ tolerations }), driver: driver({ phase: 'Succeeded', containerStatuses: [terminated(0)] }) }), contextOf(true));
    expect({ passed, state: status?.applicationState?.state }).toEqual({ passed: ['SUCCEEDING', 'COMPLETED'], state: 'COMPLETED' });
    const suspended = edited({ tolerations });
    const { events } = decide(observation({ application: { ...suspended, spec: { ...suspended.spec, suspend: true } }, driver: RUNNING }), contextOf(true));
    expect(events.map(({ reason }) => reason)).toEqual(['SparkApplicationSuspending']);
  });

  test('which are off since the attempt began, any edit runs the application again: its new executors would not get it', () => {
    const { passed, events } = decide(observation({ application: edited({ tolerations: [] }), driver: RUNNING }), contextOf(false));
    expect({ passed, events: events.map(({ reason }) => reason) }).toEqual({ passed: ['INVALIDATING'], events: ['SparkApplicationSpecChanged'] });
  });

  test('another edit runs the application again', () => {
    const { passed } = decide(observation({ application: edited({ instances: 3 }), driver: RUNNING }), contextOf(true));
    expect(passed).toEqual(['INVALIDATING']);
  });
});
