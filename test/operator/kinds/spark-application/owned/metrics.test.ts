import { application, ownedWorld, SUBMITTED_AT, type Changes } from './helpers';
import { ApplicationState } from '../../../../../src/api/states';
import { ManualClock } from '../../../../kube/helpers/manual-clock';
import { lost } from '../../../owned/calls';

const MINUTES = 60_000;

const world = ownedWorld();
const { operator } = world;

describe('the configuration of the metrics', () => {
  const MONITORED: Changes = {
    spec: { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } },
  };
  const ended = application({ ...MONITORED, state: ApplicationState.COMPLETED });

  test('stays with the driver and is deleted with it', async () => {
    const owned = operator();
    world.calls.putMetrics(ended);
    await owned.converge(application(MONITORED));
    expect(world.calls.names()).toEqual(['configmaps pi-prom-conf', 'services pi-ui-svc']);
    await owned.converge(ended);
    expect(world.calls.names()).toEqual([]);
  });

  test('is looked for once if it was created after the list of the namespace, whenever its attempt began', async () => {
    world.clock = new ManualClock(Date.parse(SUBMITTED_AT) + MINUTES);
    const owned = operator();
    await owned.converge(application({ name: 'earlier', uid: 'uid-earlier', state: ApplicationState.COMPLETED }));
    world.calls.putMetrics(ended);
    await owned.converge(application(MONITORED), { submitted: true });
    world.calls.since();
    world.calls.refuse = (call) => { if (call.startsWith('list')) throw lost(); };
    expect((await owned.converge(ended)).retryAfter).toBe(10_000);
    world.calls.refuse = () => undefined;
    world.calls.since();
    await owned.converge(ended);
    await owned.converge(ended);

    expect(world.calls.since()).toEqual([
      'list configmaps sparkoperator.k8s.io/created-by-spark-operator=true,sparkoperator.k8s.io/app-uid=uid-pi',
      'delete configmaps pi-prom-conf',
    ]);
    expect(owned.size).toBe(0);
  });

  test('is also looked for if the defaults of the driver\'s submission are unknown', async () => {
    const owned = operator();
    await owned.converge(application({ name: 'earlier', uid: 'uid-earlier', state: ApplicationState.COMPLETED }));
    world.calls.putMetrics(ended);
    await owned.converge(application(), { submitted: true, defaults: { kind: 'unusable', reason: 'not seen yet' } });
    await owned.converge(application({ state: ApplicationState.COMPLETED }));
    expect(world.calls.names()).toEqual([]);
  });

  test('is not looked for if the namespace was listed later', async () => {
    const owned = operator();
    world.calls.putMetrics(ended);
    await owned.converge(application(MONITORED), { submitted: true });
    world.calls.since();
    await owned.converge(ended);

    expect(world.calls.since()).toEqual(['delete configmaps pi-prom-conf', 'delete services pi-ui-svc']);
  });

  test('of a driver that another operator submitted is known', async () => {
    world.clock = new ManualClock(Date.parse(SUBMITTED_AT) - MINUTES);
    world.calls.putMetrics(ended);
    await operator().converge(ended);

    expect(world.calls.sinceListed()).toEqual(['delete configmaps pi-prom-conf']);
  });

  test.each(
    ['', 'PENDING_RERUN', 'RESUMING'] as ApplicationState[],
  )('stays while the driver is submitted, in state "%s"', async (state) => {
    world.calls.putMetrics(ended);
    expect(await operator().converge(application({ ...MONITORED, state }))).toEqual({ webUI: {}, events: [] });
    expect(world.calls.since()).toEqual([]);
  });
});
