import { application, ownedWorld } from './helpers';
import { ApplicationState } from '../../../../../src/api/states';
import { withLayers } from '../../../../../src/plan/defaults/apply';
import type { CurrentDefaults } from '../../../../../src/plan/defaults/layer';
import { specOfAttempt } from '../../../../../src/operator/kinds/spark-application/owned/attempt-spec';
import { cluster, namespace } from '../../../../plan/defaults/layers';

const MINUTES = 60_000;

describe('the specification that an attempt began with', () => {
  const ui = cluster({ defaults: 'sparkUIOptions: {serviceType: NodePort}' });
  const other = namespace({ defaults: 'driver: {cores: 2}' });
  /** Returns the status of an attempt that began under these layers. */
  const begunUnder = (layers: object) => ({ specHash: 'h', appliedDefaults: withLayers(application().spec, layers).applied });

  test.each<[string, { readonly status: object; readonly layers?: object; readonly isBeginning?: boolean; readonly serviceType?: string | null }]>([
    ['without defaults', { status: { specHash: 'h' }, layers: {} }],
    ['with the current ones', { status: begunUnder({ cluster: ui }), layers: { cluster: ui }, serviceType: 'NodePort' }],
    ['when it has just begun, whichever were applied', {
      status: { specHash: 'h' }, layers: { cluster: ui }, isBeginning: true, serviceType: 'NodePort',
    }],
    ['with others, which were added since', { status: { specHash: 'h' }, layers: { cluster: ui }, serviceType: null }],
    ['with others, which were removed since', { status: begunUnder({ cluster: ui }), layers: {}, serviceType: null }],
    ['with others of another version', {
      status: begunUnder({ cluster: { ...ui, resourceVersion: '8' } }), layers: { cluster: ui }, serviceType: null,
    }],
    ['with others, some of which the record leaves out', {
      status: { specHash: 'h', appliedDefaults: [{ configMap: 'a/b', resourceVersion: '1', more: 1 }] }, layers: {},
    }],
    ['with others that do not concern it', { status: begunUnder({ namespace: other }), layers: {} }],
    ['where the API server does not keep the record', { status: {}, layers: { cluster: ui }, serviceType: 'NodePort' }],
    ['while the current ones are unknown', { status: { specHash: 'h' }, serviceType: null }],
  ])('%s', (_, { status, layers, isBeginning = false, serviceType }) => {
    const current: CurrentDefaults = layers ? { kind: 'ready', layers } : { kind: 'unusable', reason: 'not seen yet' };
    const spec = specOfAttempt(application({ status }), current, isBeginning);
    if (serviceType === null) expect(spec).toBeUndefined();
    else expect(spec).toMatchObject(serviceType ? { sparkUIOptions: { serviceType } } : application().spec);
  });

  test.each([
    'driverIngressOptions: [{servicePort: 80, servicePortName: p}]',
    'driverPodDisruptionBudget: true',
    'sparkConf: {spark.ui.port: "1"}',
    'sparkConf: {spark.ui.enabled: "false"}',
  ])('defaults that matter: %s', (text) => {
    for (const layer of [cluster({ defaults: text }), cluster({ enforced: text })]) {
      expect(
        specOfAttempt(application({ status: { specHash: 'h' } }), { kind: 'ready', layers: { cluster: layer } }, false),
      ).toBeUndefined();
    }
  });
});

const world = ownedWorld();
const { operator } = world;

describe('defaults of the cluster', () => {
  const PORT: CurrentDefaults = { kind: 'ready', layers: { cluster: cluster({ defaults: 'sparkConf: {spark.ui.port: "4050"}' }) } };
  const UNUSABLE: CurrentDefaults = { kind: 'unusable', reason: 'not seen yet' };
  const port = () => world.calls.objects.get('services jobs/pi-ui-svc')?.spec.ports[0].targetPort;

  test('apply as the driver got them', async () => {
    expect((await operator().converge(application(), { submitted: true, defaults: PORT })).webUI.webUIPort).toBe(4050);
    expect(port()).toBe(4050);
  });

  test('while they are unknown existing objects stay, and the operator creates none; the first known ones apply', async () => {
    const owned = operator();
    const recorded = application({ status: { specHash: 'h' } });
    expect(await owned.converge(recorded, { submitted: true, defaults: UNUSABLE })).toEqual({ webUI: {}, events: [] });
    expect(world.calls.since()).toEqual([]);
    const { webUI } = await owned.converge(recorded, { defaults: PORT });
    expect(port()).toBe(4050);

    const said = application({ status: { specHash: 'h', driverInfo: { podName: 'pi-driver', ...webUI } } });
    world.clock.advance(5 * MINUTES);
    world.calls.since();
    expect(await owned.converge(said, { defaults: UNUSABLE })).toEqual({ webUI, events: [] });
    expect(world.calls.since()).toEqual([]);
  });

  test('that were changed since leave existing objects unchanged, until the driver has ended', async () => {
    const owned = operator();
    const before = application({ status: { specHash: 'h' } });
    const { webUI } = await owned.converge(before, { submitted: true, defaults: { kind: 'ready', layers: {} } });
    const said = { specHash: 'h', driverInfo: { podName: 'pi-driver', ...webUI } };
    world.calls.since();
    world.clock.advance(5 * MINUTES);

    expect(await owned.converge(application({ status: said }), { defaults: PORT })).toEqual({ webUI, events: [] });
    expect(await operator().converge(application({ status: said }), { defaults: PORT })).toEqual({ webUI, events: [] });
    expect(world.calls.since()).toEqual([]);
    await owned.converge(application({ state: ApplicationState.COMPLETED }), { defaults: UNUSABLE });
    expect(world.calls.names()).toEqual([]);
  });

  test('that were changed before the driver started apply to its new objects', async () => {
    const owned = operator();
    await owned.converge(application({ state: ApplicationState.SUBMITTED, status: { specHash: 'h' } }), {
      submitted: true, defaults: { kind: 'ready', layers: {} },
    });
    expect(world.calls.names()).toEqual([]);
    const running = application({ status: { specHash: 'h' } });
    expect(await owned.converge(running, { defaults: UNUSABLE })).toEqual({ webUI: {}, events: [] });
    expect((await owned.converge(running, { defaults: PORT })).webUI.webUIPort).toBe(4050);
    expect(port()).toBe(4050);
  });
});
