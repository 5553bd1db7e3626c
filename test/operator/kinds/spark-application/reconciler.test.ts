/* The reconciler's behaviour when its calls fail, one by one. */
import { viewOf } from '../../../../src/model/pod-view';
import { ApiError } from '../../../../src/kube/errors';
import { PODS } from '../../../../src/model/resources';
import { operatorLabels } from '../../../../src/plan/properties/labels';
import { driverOf, KEY, operator, server, statusIn } from './operator';

test('known failure 1: four calls, and no other program, from a new application to a submitted one', async () => {
  const calls = server();
  await operator(calls).reconcile();
  expect(calls.made).toEqual(['update sparkapplications', 'create services', 'create configmaps', 'create pods']);
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

describe.each(['before', 'after'] as const)('known failure 2: a crash %s call', (when) => {
  test.each([1, 2, 3, 4])('%i: the next operator continues, with one driver and one attempt', async (crash) => {
    const calls = server();
    const fail = (_: string, number: number) => {
      if (number === crash) throw calls.lost();
    };
    if (when === 'before') calls.refuse = fail;
    else calls.lose = fail;
    await operator(calls).reconcile().catch(() => undefined);
    calls.refuse = calls.lose = () => undefined;
    await operator(calls).reconcile();

    expect([...calls.objects.keys()].map((key) => key.split(' ')[0]).sort()).toEqual([
      'configmaps', 'pods', 'services', 'sparkapplications',
    ]);
    expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  });
});

describe.each(['before', 'after'] as const)('a call that fails %s it was done', (when) => {
  const story = async (drops: readonly string[], failing?: number) => {
    const calls = server();
    const { updateStatus } = calls;
    calls.updateStatus = (resource, { status, ...object }) => (
      updateStatus.call(calls, resource, {
        ...object, status: Object.fromEntries(Object.entries(status!).filter(([field]) => !drops.includes(field))),
      } as never)
    );
    const transitions: string[] = [];
    const { reconcile, see, pods, events } = operator(calls, { onTransition: (_, __, passed) => void transitions.push(...passed) });
    Object.assign(calls, {
      [when === 'before' ? 'refuse' : 'lose']: (_: string, number: number) => {
        if (number === failing) throw calls.lost();
      },
    });
    const pass = async () => {
      see();
      await reconcile().catch(() => {
        see();
        return reconcile();
      });
    };
    await pass();
    const driver = calls.objects.get('pods jobs/pi-driver');
    for (const phase of ['Running', 'Succeeded']) {
      pods.upsert(viewOf(calls.put('pods jobs/pi-driver', { ...driver, status: { ...driver.status, phase } })));
      await pass();
    }
    return { events, transitions, state: statusIn(calls).applicationState.state, calls: calls.made.length };
  };

  test.each([
    ['', [], 1],
    [', also if the CRD drops fields, as the answer to the first write shows', ['observedGeneration', 'conditions', 'specHash'], 2],
  ])('changes nothing about events and metrics%s', async (_, drops, first) => {
    const { calls, ...undisturbed } = await story(drops);
    expect(undisturbed).toEqual({
      state: 'COMPLETED', transitions: ['SUBMITTED', 'RUNNING', 'SUCCEEDING', 'COMPLETED'],
      events: ['SparkApplicationSubmitted', 'SparkDriverRunning', 'SparkDriverCompleted', 'SparkApplicationCompleted'],
    });
    for (let call = first; call <= calls; call++) expect({ call, ...await story(drops, call) }).toMatchObject({ call, ...undisturbed });
  });
});

test('an end whose write was not answered is reported even if the application is in deletion by then', async () => {
  const calls = server();
  const { reconcile, see, pods, events } = operator(calls);
  await reconcile();
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', { ...calls.objects.get('pods jobs/pi-driver'), status: { phase: 'Succeeded' } })));
  calls.lose = () => { throw calls.lost(); };
  await expect(reconcile()).rejects.toThrow('no answer');
  const ended = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...ended, metadata: { ...ended.metadata, deletionTimestamp: '2026-03-01T10:00:05Z' } });
  see();
  await reconcile();
  expect(events.at(-1)).toBe('SparkApplicationCompleted');
});

test('a rejection whose message changes with each try is retried after the pause, not at once', async () => {
  const calls = server();
  let tries = 0;
  calls.refuse = (call) => {
    if (call === 'create pods') {
      throw calls.error(
        'create', PODS, { name: 'pi-driver' }, 500, 'InternalError', `failed calling webhook: read tcp 10.0.0.1:${30_000 + ++tries}`,
      );
    }
  };
  const { reconcile, clock, events } = operator(calls);
  const first = await reconcile();
  for (let wake = 0; wake < 20; wake++) await reconcile();
  expect(tries).toBe(1);
  expect(events).toEqual(['SparkApplicationAdded', 'SparkDriverPending']);

  await clock.advance((first as { requeueAfter: number }).requeueAfter);
  await reconcile();
  expect({ tries, writes: calls.made.filter((call) => call === 'update sparkapplications').length }).toEqual({ tries: 2, writes: 2 });
});

test('while the operator\'s own webhook is away an application waits without a deadline, with the reason, and begins within seconds once it is back', async () => {
  const calls = server({ executor: { memoryLimit: '6g' } });
  let isAway = true;
  calls.refuse = (call) => {
    if (call === 'create pods' && isAway) {
      throw calls.error('create', PODS, { name: 'pi-driver' }, 500, 'InternalError', 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: '
        + 'Post "https://spark-operator-webhook-svc.spark-operator.svc:443/mutate--v1-pod?timeout=10s": no endpoints available for service "spark-operator-webhook-svc"');
    }
  };
  const { reconcile, clock, events, see } = operator(calls, { submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true } });
  for (let waited = 0; waited < 3_600_000;) {
    const { requeueAfter } = await reconcile() as { requeueAfter: number };
    see();
    expect(requeueAfter).toBeGreaterThan(0);
    expect(requeueAfter).toBeLessThanOrEqual(10_000);
    waited += requeueAfter;
    await clock.advance(requeueAfter);
  }
  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 1, applicationState: {
      state: '', errorMessage: expect.stringMatching(
        /^driver cannot be created yet: .*kubectl -n spark-operator get deployments,services,endpointslices/,
      ),
    },
  });
  expect(events).toEqual(['SparkApplicationAdded', 'SparkDriverPending']);

  isAway = false;
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  expect(calls.objects.get('pods jobs/pi-driver').metadata.annotations).toEqual({ 'sparkoperator.k8s.io/left-to-webhook': 'none' });
});

test('an application that needs no webhook does not depend on it', async () => {
  const calls = server();
  await operator(calls, { submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true } }).reconcile();
  expect(calls.objects.get('pods jobs/pi-driver').metadata.annotations).toBeUndefined();
});

test('known failure 2: a driver of an old specification, whose creation was not answered, is found and deleted, and the new one runs', async () => {
  const calls = server();
  calls.lose = (call) => {
    if (call === 'create pods') throw calls.lost();
  };
  const { reconcile, see } = operator(calls);
  await expect(reconcile()).rejects.toThrow('no answer');
  calls.lose = () => undefined;
  const edited = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, {
    ...edited, metadata: { ...edited.metadata, generation: 2 }, spec: { ...edited.spec, mainApplicationFile: '/not/a/uri.py' },
  });
  see();
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
  expect(statusIn(calls)).toMatchObject({ applicationState: { state: 'INVALIDATING' } });

  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('/not/a/uri.py') });
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, observedGeneration: 2 });
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});

test("a conflict of the status goes to the queue, because another client's write was faster", async () => {
  const calls = server();
  const { reconcile } = operator(calls);
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...stored, spec: { ...stored.spec, image: 'other' } });
  await expect(reconcile()).rejects.toThrow(ApiError);
  expect(calls.made).toEqual(['update sparkapplications']);
});

test('known failure 8: if an application is deleted while its driver is created, Kubernetes deletes the driver too', async () => {
  const calls = server();
  calls.lose = (call) => {
    if (call === 'create pods') {
      calls.refuse = (next) => {
        if (next.includes('sparkapplications')) {
          throw calls.error(
            'update', PODS, { name: 'pi' }, 404, 'NotFound',
          );
        }
      };
    }
  };
  await operator(calls).reconcile();

  const { ownerReferences } = calls.objects.get('pods jobs/pi-driver').metadata;
  expect(ownerReferences).toEqual([expect.objectContaining({ kind: 'SparkApplication', uid: 'app', controller: true })]);
});

test.each([409, 500])('known failure R6: an edit is not lost if the first write after it is answered with %i', async (status) => {
  const calls = server();
  const { reconcile, see } = operator(calls);
  await reconcile();
  const running = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(
    `sparkapplications ${KEY}`, { ...running, metadata: { ...running.metadata, generation: 2 }, spec: { ...running.spec, image: 'new' } },
  );
  see();
  calls.refuse = (call) => { if (call.startsWith('update')) throw calls.error('update', PODS, { name: 'pi' }, status, 'No'); };
  await expect(reconcile()).rejects.toThrow(ApiError);
  calls.refuse = () => undefined;
  await reconcile();
  expect(statusIn(calls).applicationState.state).toBe('INVALIDATING');
});

test('an end whose write was not answered, and that the cache does not show yet, creates no driver', async () => {
  const calls = server();
  calls.refuse = (call) => { if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 422, 'Invalid'); };
  calls.lose = (call, number) => { if (call === 'update sparkapplications' && number > 1) throw calls.lost(); };
  const { reconcile, see } = operator(calls);
  await expect(reconcile()).rejects.toThrow('no answer');
  expect(statusIn(calls).applicationState.state).toBe('FAILED');

  calls.refuse = calls.lose = () => undefined;
  await expect(reconcile()).rejects.toMatchObject({ status: 409 });
  see();
  await reconcile();
  expect(calls.made.filter((call) => call === 'create pods')).toHaveLength(1);
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

test('a stale cache of pods with the previous driver does not make the current driver appear gone', async () => {
  const calls = server();
  await operator(calls).reconcile();
  const { reconcile, pods } = operator(calls);
  const labels = operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: 'earlier' });
  pods.upsert(viewOf({
    ...driverOf(calls, 'c', { uid: 'pod-of-before', resourceVersion: '9', labels }), status: { phase: 'Running' },
  } as Parameters<typeof viewOf>[0]));
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

test('an application that is in deletion, or gone, is left alone', async () => {
  const calls = server();
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...stored, metadata: { ...stored.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } });
  await operator(calls).reconcile();
  expect(calls.made).toEqual([]);
});
