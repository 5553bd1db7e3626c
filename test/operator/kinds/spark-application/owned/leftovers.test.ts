import { application, ownedWorld, SETTINGS } from './helpers';
import { error } from '../../../owned/calls';
import { ApplicationState } from '../../../../../src/api/states';
import type { OwnedSettings } from '../../../../../src/operator/owned/settings';
import { HTTP_ROUTES } from '../../../../../src/model/resources';

const MINUTES = 60_000;

const world = ownedWorld();
const { operator } = world;

describe('orphans of an operator with other flags', () => {
  const BEFORE: OwnedSettings = {
    ...SETTINGS, driverPodDisruptionBudget: true, ingress: { urlFormat: '{{$appName}}.example.org', gateways: [{ name: 'public' }] },
  };
  const guarded = (state?: ApplicationState) => application({ spec: { driverPodDisruptionBudget: true }, ...state && { state } });

  test.each([[undefined, ['services pi-ui-svc']], [ApplicationState.COMPLETED, []]])('are deleted, in state %s', async (state, left) => {
    await operator(BEFORE).converge(guarded());
    expect(world.calls.names()).toEqual(['httproutes pi-ui-route', 'poddisruptionbudgets pi-driver', 'services pi-ui-svc']);
    const owned = operator();
    await owned.converge(guarded(state));
    expect(world.calls.names()).toEqual(left);

    world.calls.since();
    world.clock.advance(5 * MINUTES);
    await owned.converge(guarded());
    expect(world.calls.since().filter((call) => /httproutes|budgets/.test(call))).toEqual([]);
  });

  test('are not forgotten when the namespace is listed again', async () => {
    await operator(BEFORE).converge(guarded());
    const owned = operator();
    const other = () => owned.converge(application({ name: 'other', uid: 'uid-other' }));
    await other();
    world.clock.advance(5 * MINUTES);
    await other();
    await owned.converge(guarded(ApplicationState.COMPLETED));
    expect(world.calls.names()).toEqual(['services other-ui-svc']);
  });

  test.each([
    [403, 'Forbidden', 1], [404, 'NotFound', 1], [503, 'ServiceUnavailable', 2],
  ])('can be out of reach (%i): everything else continues', async (status, reason, tries) => {
    const listed: string[] = [];
    world.calls.refuse = (call) => {
      if (!/httproutes|budgets/.test(call)) return;
      listed.push(call);
      throw error('list', HTTP_ROUTES, {}, status, reason);
    };
    const owned = operator();
    for (let i = 0; i < 2; i++) {
      expect(await owned.converge(application())).toMatchObject({ webUI: { webUIServiceName: 'pi-ui-svc' }, events: [] });
      world.clock.advance(5 * MINUTES);
    }
    expect(listed).toHaveLength(2 * tries);
  });

  test('are not looked for if a setting disables it, because the operator can lack the permissions', async () => {
    await operator({ ...SETTINGS, removeOrphans: false }).converge(application());
    expect(
      world.calls.since().filter((call) => call.startsWith('list')).map((call) => call.split(' ')[1]),
    ).toEqual(['services', 'configmaps', 'ingresses']);
  });
});

describe('without Ingresses for ports of drivers', () => {
  const SWITCHED_OFF: OwnedSettings = { ...SETTINGS, removeOrphans: false, driverIngress: false };
  const PORT = { servicePort: 8085, servicePortName: 'status', ingressURLFormat: '{{$appName}}.example.org' };

  test('a port has only a Service, an event reports why, and Ingresses are left alone', async () => {
    const { events } = await operator(SWITCHED_OFF).converge(application({ spec: { driverIngressOptions: [PORT] } }));
    expect(world.calls.names()).toEqual(['services pi-driver-8085', 'services pi-ui-svc']);
    expect(events).toEqual([
      expect.objectContaining({
        note: expect.stringContaining('spec.driverIngressOptions[0].ingressURLFormat has no effect: the operator makes no Ingresses for ports of drivers'),
      }),
    ]);
    expect(world.calls.since().join()).not.toContain('ingresses');
  });

  test('web UIs still have Ingresses', async () => {
    await operator({ ...SWITCHED_OFF, ingress: { urlFormat: '{{$appName}}.example.org' } }).converge(
      application({ spec: { driverIngressOptions: [PORT] } }),
    );
    expect(world.calls.names()).toEqual(['ingresses pi-ui-ingress', 'services pi-driver-8085', 'services pi-ui-svc']);
  });
});
