import { application, ownedWorld, SETTINGS, type Changes } from './helpers';
import { error, lost } from '../../../owned/calls';
import { ApplicationState } from '../../../../../src/api/states';
import { withWebUI } from '../../../../../src/operator/kinds/spark-application/owned/web-ui-info';
import { HTTP_ROUTES, INGRESSES, SERVICES } from '../../../../../src/model/resources';

const URL = { ...SETTINGS, ingress: { urlFormat: '{{$appName}}.example.org' } };
const MINUTES = 60_000;

const world = ownedWorld();
const { operator } = world;
const notes = ({ events }: { readonly events: readonly { readonly note: string }[] }) => events.map(({ note }) => note);

describe('a driver that runs', () => {
  test('costs one call for each object, and none while nothing changes', async () => {
    const owned = operator(URL);
    await owned.converge(application());
    expect(world.calls.since()).toEqual([
      'list services sparkoperator.k8s.io/created-by-spark-operator=true',
      'list configmaps sparkoperator.k8s.io/created-by-spark-operator=true',
      'list ingresses sparkoperator.k8s.io/created-by-spark-operator=true',
      // Once, for orphans of an operator with other flags.
      'list httproutes sparkoperator.k8s.io/created-by-spark-operator=true',
      'list poddisruptionbudgets sparkoperator.k8s.io/created-by-spark-operator=true',
      'create services pi-ui-svc',
      'create ingresses pi-ui-ingress',
    ]);

    await owned.converge(application());
    await owned.converge(application({ state: ApplicationState.UNKNOWN }));
    await owned.converge(application({ name: 'other', uid: 'uid-other' }));
    expect(world.calls.since()).toEqual(['create services other-ui-svc', 'create ingresses other-ui-ingress']);
  });

  test('the status has the address of its web UI', async () => {
    const owned = operator(URL);
    const { webUI } = await owned.converge(application());
    const expected = {
      webUIServiceName: 'pi-ui-svc',
      webUIPort: 4040,
      webUIAddress: '10.0.0.7:4040',
      webUIIngressName: 'pi-ui-ingress',
      webUIIngressAddress: 'http://pi.example.org',
    };
    expect(webUI).toEqual(expected);
    expect((await owned.converge(application())).webUI).toEqual(expected);
    expect(withWebUI({ podName: 'pi-driver', webUIPort: 1, webUIAddress: 'old' }, webUI)).toEqual({ podName: 'pi-driver', ...expected });
    expect(withWebUI({ podName: 'pi-driver', ...expected }, {})).toEqual({ podName: 'pi-driver' });
  });

  test.each([
    ['fd00::7', '[fd00::7]:4040'], ['None', 'pi-ui-svc.jobs.svc:4040'],
  ])('even with the address %s', async (clusterIP, expected) => {
    await operator().converge(application());
    const service = world.calls.objects.get('services jobs/pi-ui-svc');
    world.calls.put(SERVICES, { ...service, spec: { ...service.spec, clusterIP } });
    expect((await operator().converge(application())).webUI.webUIAddress).toBe(expected);
  });

  test('after a restart the operator writes nothing, and knows existing objects from its lists', async () => {
    await operator(URL).converge(application());
    world.calls.since();
    const { webUI } = await operator(URL).converge(application());

    expect(world.calls.sinceListed()).toEqual([]);
    expect(webUI.webUIServiceName).toBe('pi-ui-svc');
  });

  test('manual changes and deletions are repaired after a few minutes; additions stay', async () => {
    const owned = operator(URL);
    await owned.converge(application());
    const service = world.calls.objects.get('services jobs/pi-ui-svc');
    world.calls.put(SERVICES, {
      ...service, metadata: { ...service.metadata, annotations: { theirs: 'stays' } }, spec: {
        ...service.spec, ports: [{ name: 'x', port: 1, targetPort: 1 }],
      },
    });
    world.calls.objects.delete('ingresses jobs/pi-ui-ingress');
    world.calls.since();
    world.clock.advance(5 * MINUTES - 1);
    await owned.converge(application());
    expect(world.calls.since()).toEqual([]);

    world.clock.advance(1);
    await owned.converge(application());
    expect(world.calls.sinceListed()).toEqual(['update services pi-ui-svc', 'create ingresses pi-ui-ingress']);
    expect(world.calls.objects.get('services jobs/pi-ui-svc')).toMatchObject({
      metadata: { uid: service.metadata.uid, annotations: { theirs: 'stays' } },
      spec: { clusterIP: '10.0.0.7', ports: [{ name: 'spark-driver-ui-port', port: 4040 }] },
    });
    world.clock.advance(5 * MINUTES);
    await owned.converge(application());
    expect(world.calls.sinceListed()).toEqual([]);
  });

  test('objects that the settings no longer enable are deleted', async () => {
    await operator(URL).converge(application());
    world.calls.since();
    await operator(SETTINGS).converge(application());
    expect(world.calls.names()).toEqual(['services pi-ui-svc']);
  });

  test('objects of kubeflow\'s operator are adopted', async () => {
    world.calls.put(SERVICES, {
      metadata: {
        name: 'pi-ui-svc', uid: 'theirs', labels: {
          'sparkoperator.k8s.io/created-by-spark-operator': 'true',
        }, ownerReferences: [ownerReference('uid-pi')],
      },
      spec: { ports: [{}] },
    });
    world.calls.put(
      INGRESSES, { metadata: { name: 'pi-ui-ingress', uid: 'theirs-2', ownerReferences: [ownerReference('uid-pi')] }, spec: {} },
    );
    const owned = operator(URL);
    expect((await owned.converge(application())).events).toEqual([]);
    expect(world.calls.sinceListed()).toEqual([
      'update services pi-ui-svc', 'create ingresses pi-ui-ingress', 'get ingresses pi-ui-ingress', 'update ingresses pi-ui-ingress',
    ]);

    await owned.converge(application({ state: ApplicationState.COMPLETED }));
    expect(world.calls.names()).toEqual([]);
  });
});

describe('known failure 13: when the driver has ended', () => {
  test.each(
    ['COMPLETED', 'FAILED', 'SUSPENDED', 'PENDING_RERUN', 'INVALIDATING', 'FAILING'] as ApplicationState[],
  )('no object stays in %s, at the cost of one call for each', async (state) => {
    const owned = operator(URL);
    await owned.converge(application());
    world.calls.since();
    const ended = application({
      state, ...state === ApplicationState.PENDING_RERUN && { status: { lastSubmissionAttemptTime: undefined } },
    });

    expect(await owned.converge(ended)).toEqual({ webUI: {}, events: [] });
    expect(world.calls.since()).toEqual(['delete services pi-ui-svc', 'delete ingresses pi-ui-ingress']);
    expect(world.calls.objects.size).toBe(0);
    await owned.converge(ended);
    expect(world.calls.since()).toEqual([]);
    expect(owned.size).toBe(0);
  });

  test('one list of each kind finds the orphans of a previous operator, however many applications have finished', async () => {
    const uids = [...Array(20).keys()];
    for (const uid of uids) await operator().converge(application({ name: `a${uid}`, uid: `uid-${uid}` }));
    world.calls.since();
    const owned = operator();
    for (const uid of uids) await owned.converge(application({ name: `a${uid}`, uid: `uid-${uid}`, state: ApplicationState.COMPLETED }));

    expect(world.calls.since()).toHaveLength(5 + 20);
    expect(world.calls.objects.size).toBe(0);
  });

  test('an object whose creation got no answer is looked for', async () => {
    const owned = operator();
    world.calls.lose = (call) => { if (call.startsWith('create')) throw lost(); };
    expect((await owned.converge(application())).webUI).toEqual({});
    world.calls.since();
    await owned.converge(application({ state: ApplicationState.FAILED }));

    expect(world.calls.since()).toEqual(['get services pi-ui-svc', 'delete services pi-ui-svc']);
    expect(world.calls.objects.size).toBe(0);
  });

  test('another application\'s object that has the name by now is left alone', async () => {
    const owned = operator();
    await owned.converge(application());
    world.calls.put(SERVICES, { metadata: { name: 'pi-ui-svc', uid: 'another' } });

    expect(await owned.converge(application({ state: ApplicationState.COMPLETED }))).toEqual({ webUI: {}, events: [] });
    expect(world.calls.names()).toEqual(['services pi-ui-svc']);
  });

  test('a deletion that fails is retried', async () => {
    const owned = operator();
    await owned.converge(application());
    world.calls.refuse = (call) => { if (call.startsWith('delete')) throw error('delete', SERVICES, {}, 503, 'ServiceUnavailable'); };
    const ended = application({ state: ApplicationState.COMPLETED });
    expect(await owned.converge(ended)).toEqual({ webUI: {}, events: [], retryAfter: 2_000 });
    world.calls.refuse = () => undefined;
    world.clock.advance(2_000);
    await owned.converge(ended);

    expect(world.calls.objects.size).toBe(0);
  });

  test('a second attempt gets new objects', async () => {
    const owned = operator();
    await owned.converge(application());
    await owned.converge(application({ state: ApplicationState.PENDING_RERUN, status: { submissionID: undefined } }));
    await owned.converge(application({ status: { submissionID: 's-2' } }));

    expect(world.calls.objects.get('services jobs/pi-ui-svc').metadata.labels['sparkoperator.k8s.io/submission-id']).toBe('s-2');
  });
});

describe('a failure keeps no application from running', () => {
  test('another owner\'s Service is left alone, and reported once', async () => {
    world.calls.put(SERVICES, { metadata: { name: 'pi-ui-svc', uid: 'theirs', labels: {} }, spec: { ports: [] } });
    const owned = operator();
    const outcome = await owned.converge(application());

    expect(outcome).toMatchObject({
      webUI: {}, retryAfter: 5 * MINUTES, events: [{ type: 'Warning', reason: 'SparkApplicationResourceFailed' }],
    });
    expect(notes(outcome)).toEqual([
      'SparkApplication pi: Service pi-ui-svc cannot be created: one of this name exists that does not belong to the application; delete or rename Service pi-ui-svc',
    ]);
    expect(world.calls.sinceListed()).toEqual(['create services pi-ui-svc', 'get services pi-ui-svc']);
    world.clock.advance(MINUTES);
    expect(await owned.converge(application())).toEqual({ webUI: {}, events: [], retryAfter: 4 * MINUTES });
    expect(world.calls.since()).toEqual([]);
    await owned.converge(application({ state: ApplicationState.COMPLETED }));
    expect(world.calls.names()).toEqual(['services pi-ui-svc']);
  });

  test('the operator waits for a predecessor\'s Service in deletion', async () => {
    world.calls.put(
      SERVICES, { metadata: { name: 'pi-ui-svc', uid: 'old', ownerReferences: [ownerReference('uid-old')] }, spec: { ports: [] } },
    );
    const owned = operator();
    expect(await owned.converge(application())).toEqual({ webUI: {}, events: [], retryAfter: 2_000 });
    world.calls.objects.clear();
    world.clock.advance(2_000);
    expect((await owned.converge(application())).webUI.webUIServiceName).toBe('pi-ui-svc');
  });

  test('the operator waits for the application\'s previous Service in deletion', async () => {
    await operator().converge(application());
    const service = world.calls.objects.get('services jobs/pi-ui-svc');
    world.calls.put(SERVICES, { ...service, metadata: { ...service.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const owned = operator();
    expect((await owned.converge(application())).retryAfter).toBe(2_000);
    world.calls.objects.clear();
    world.clock.advance(2_000);
    world.calls.since();
    await owned.converge(application());
    expect(world.calls.since()).toEqual(['create services pi-ui-svc']);
  });

  test('missing permissions are reported once, and the operator creates the other objects', async () => {
    world.calls.refuse = (call) => {
      if (call.includes('ingresses')) {
        throw error(
          call.split(' ')[0]!, INGRESSES, {}, 403, 'Forbidden', 'ingresses is forbidden: User "o" cannot list resource',
        );
      }
    };
    const owned = operator(URL);
    const first = await owned.converge(application());
    expect(notes(first)).toEqual([
      'SparkApplication pi: Ingress pi-ui-ingress cannot be created: ingresses is forbidden: User "o" cannot list resource',
    ]);
    expect(first.webUI).toMatchObject({ webUIServiceName: 'pi-ui-svc' });
    expect(first.webUI).not.toHaveProperty('webUIIngressName');

    world.clock.advance(5 * MINUTES);
    expect((await owned.converge(application())).events).toEqual([]);
    world.calls.refuse = () => undefined;
    world.clock.advance(5 * MINUTES);
    expect((await owned.converge(application())).webUI.webUIIngressName).toBe('pi-ui-ingress');
  });

  test('a missing Gateway API is reported, and its installation is detected', async () => {
    world.calls.refuse = (call) => { if (call.includes('httproutes')) throw error('list', HTTP_ROUTES, {}, 404, 'NotFound'); };
    const owned = operator({ ...SETTINGS, ingress: { urlFormat: 'example.org/{{$appName}}', gateways: [{ name: 'public' }] } });
    expect(notes(await owned.converge(application()))).toEqual([
      'SparkApplication pi: HTTPRoute pi-ui-route cannot be created: the cluster does not serve httproutes of gateway.networking.k8s.io/v1',
    ]);
    world.calls.refuse = () => undefined;
    world.clock.advance(5 * MINUTES);
    expect((await owned.converge(application())).webUI.webUIIngressName).toBe('pi-ui-route');
  });

  test('unneeded kinds can be out of reach without a report', async () => {
    world.calls.refuse = (call) => { if (call.includes('ingresses')) throw error('list', INGRESSES, {}, 403, 'Forbidden'); };
    expect(await operator().converge(application())).toMatchObject({ events: [] });
  });

  test('a rejected object is reported, without secrets', async () => {
    world.calls.refuse = (call) => {
      if (call.startsWith('create ingresses')) {
        throw error(
          'create', INGRESSES, {}, 422, 'Invalid', 'spec.rules[0].host: Invalid value: "Pi" token=abc',
        );
      }
    };
    expect(notes(await operator(URL).converge(application()))).toEqual([
      'SparkApplication pi: Ingress pi-ui-ingress cannot be created: spec.rules[0].host: Invalid value: "Pi" token=***',
    ]);
  });

  test('a passing failure is retried with growing pauses, and reported when it lasts', async () => {
    world.calls.refuse = (call) => { if (call.startsWith('create')) throw lost(); };
    const owned = operator();
    const seen: [number | undefined, number][] = [];
    for (let i = 0; i < 4; i++) {
      const { retryAfter, events } = await owned.converge(application());
      seen.push([retryAfter, events.length]);
      world.clock.advance(retryAfter!);
    }
    expect(seen).toEqual([[2_000, 0], [4_000, 0], [8_000, 1], [16_000, 0]]);
  });

  test('a change of the wanted object is tried at once', async () => {
    world.calls.refuse = (call) => { if (call.startsWith('create services')) throw error('create', SERVICES, {}, 422, 'Invalid'); };
    const owned = operator();
    await owned.converge(application());
    world.calls.refuse = () => undefined;
    expect((await owned.converge(application({ status: { submissionID: 's-2' } }))).webUI.webUIServiceName).toBe('pi-ui-svc');
  });

  test('a failed list of a namespace is retried soon', async () => {
    world.calls.refuse = () => { throw lost(); };
    const owned = operator();
    expect(await owned.converge(application())).toEqual({ webUI: {}, events: [], retryAfter: 10_000 });
    world.calls.refuse = () => undefined;
    expect((await owned.converge(application())).webUI.webUIServiceName).toBe('pi-ui-svc');
  });

  test('after an earlier list the operator uses that one', async () => {
    const owned = operator();
    await owned.converge(application());
    world.calls.refuse = () => { throw lost(); };
    world.clock.advance(5 * MINUTES);
    expect(await owned.converge(application())).toMatchObject({ webUI: { webUIServiceName: 'pi-ui-svc' }, events: [] });
    world.calls.since();
    await owned.converge(application());
    expect(world.calls.since()).toEqual([]);
  });

  test('a concurrent write of another client stays', async () => {
    await operator().converge(application());
    const service = world.calls.objects.get('services jobs/pi-ui-svc');
    world.calls.put(SERVICES, { ...service, spec: { ...service.spec, ports: [] } });
    world.calls.refuse = (call) => {
      if (!call.startsWith('update')) return;
      world.calls.refuse = () => undefined;
      const current = world.calls.objects.get('services jobs/pi-ui-svc');
      world.calls.put(SERVICES, { ...current, metadata: { ...current.metadata, labels: { ...current.metadata.labels, theirs: 'stays' } } });
    };
    await operator().converge(application());

    expect(world.calls.sinceListed().slice(-3)).toEqual([
      'update services pi-ui-svc', 'get services pi-ui-svc', 'update services pi-ui-svc',
    ]);
    expect(world.calls.objects.get('services jobs/pi-ui-svc')).toMatchObject({
      metadata: { labels: { theirs: 'stays' } }, spec: { ports: [{ port: 4040 }] },
    });
  });

  test('only the end of the operator aborts it', async () => {
    const stop = new AbortController();
    world.calls.refuse = (call) => { if (call.startsWith('create')) { stop.abort(new Error('stopping')); throw lost(); } };
    await expect(operator().converge(application(), { signal: stop.signal })).rejects.toThrow('stopping');
  });
});

describe('a crash between any two calls', () => {
  const CHANGES: Changes = {
    spec: { driverIngressOptions: [{ servicePort: 80, servicePortName: 'p', ingressURLFormat: 'p.example.org' }] },
  };

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('after call %d leaves nothing that a new operator does not repair and delete', async (crash) => {
    let count = 0;
    world.calls.lose = () => { if (count++ === crash) throw new Error('crash'); };
    const stop = new AbortController();
    world.calls.refuse = () => { if (count > crash) { stop.abort(new Error('crash')); throw stop.signal.reason; } };
    await operator(URL).converge(application(CHANGES), { signal: stop.signal }).catch(() => undefined);
    [world.calls.lose, world.calls.refuse] = [() => undefined, () => undefined];

    const { events } = await operator(URL).converge(application(CHANGES));
    expect(events).toEqual([]);
    expect(world.calls.names()).toEqual(['ingresses pi-ing-80', 'ingresses pi-ui-ingress', 'services pi-driver-80', 'services pi-ui-svc']);
    await operator(URL).converge(application({ ...CHANGES, state: ApplicationState.COMPLETED }));
    expect(world.calls.names()).toEqual([]);
  });
});

test('settings without effect are reported once', async () => {
  const owned = operator();
  const given = application({ spec: { driverPodDisruptionBudget: true } });

  expect(await owned.converge(given)).toMatchObject({
    events: [
      {
        reason: 'SparkApplicationSpecWarning',
        note: 'spec.driverPodDisruptionBudget has no effect: the operator runs without --enable-driver-pdb',
      },
    ],
  });
  expect((await owned.converge(given)).events).toEqual([]);
});

test('the operator does nothing for a new application, and remembers nothing of one that is gone', async () => {
  const owned = operator();
  expect(await owned.converge(application({ state: ApplicationState.NEW }))).toEqual({ webUI: {}, events: [] });
  expect(world.calls.since()).toEqual([]);
  await owned.converge(application());
  expect(owned.size).toBe(1);
  owned.forget('jobs/pi');
  expect(owned.size).toBe(0);
});

function ownerReference(uid: string) {
  return { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid, controller: true };
}
