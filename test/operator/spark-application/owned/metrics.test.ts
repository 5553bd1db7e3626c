import { application, Calls, lost, SETTINGS, SUBMITTED_AT, type Changes } from './helpers';
import { ApplicationState } from '../../../../src/api/states';
import { OwnedObjects } from '../../../../src/operator/spark-application/owned/owned-objects';
import { ManualClock } from '../../kube/helpers/manual-clock';

const MINUTES = 60_000;

let calls: Calls;
let clock: ManualClock;
beforeEach(() => {
  calls = new Calls();
  clock = new ManualClock();
});

/** An operator that was just started. */
const operator = () => new OwnedObjects({ client: calls as never, settings: SETTINGS, clock });

describe('the configuration of the metrics', () => {
  const MONITORED: Changes = { spec: { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } } };
  const ended = application({ ...MONITORED, state: ApplicationState.COMPLETED });

  test('stays with the driver and goes with it', async () => {
    const owned = operator();
    calls.putMetrics(ended);
    await owned.converge(application(MONITORED));
    expect(calls.names()).toEqual(['configmaps pi-prom-conf', 'services pi-ui-svc']);
    await owned.converge(ended);
    expect(calls.names()).toEqual([]);
  });

  test('is looked for once if it was made after the namespace was listed, whenever its attempt began', async () => {
    clock = new ManualClock(Date.parse(SUBMITTED_AT) + MINUTES);
    const owned = operator();
    await owned.converge(application({ name: 'earlier', uid: 'uid-earlier', state: ApplicationState.COMPLETED }));
    calls.putMetrics(ended);
    await owned.converge(application(MONITORED), { submitted: true });
    calls.since();
    calls.refuse = (call) => { if (call.startsWith('list')) throw lost(); };
    expect((await owned.converge(ended)).retryAfter).toBe(10_000);
    calls.refuse = () => undefined;
    calls.since();
    await owned.converge(ended);
    await owned.converge(ended);

    expect(calls.since()).toEqual([
      'list configmaps sparkoperator.k8s.io/created-by-spark-operator=true,sparkoperator.k8s.io/app-uid=uid-pi', 'delete configmaps pi-prom-conf',
    ]);
    expect(owned.size).toBe(0);
  });

  test('is looked for, too, if nobody knew the defaults that the driver was submitted with', async () => {
    const owned = operator();
    await owned.converge(application({ name: 'earlier', uid: 'uid-earlier', state: ApplicationState.COMPLETED }));
    calls.putMetrics(ended);
    await owned.converge(application(), { submitted: true, defaults: { kind: 'unusable', reason: 'not seen yet' } });
    await owned.converge(application({ state: ApplicationState.COMPLETED }));
    expect(calls.names()).toEqual([]);
  });

  test('is not looked for if the namespace was listed since', async () => {
    const owned = operator();
    calls.putMetrics(ended);
    await owned.converge(application(MONITORED), { submitted: true });
    calls.since();
    await owned.converge(ended);

    expect(calls.since()).toEqual(['delete configmaps pi-prom-conf', 'delete services pi-ui-svc']);
  });

  test('of one that another operator has submitted is known', async () => {
    clock = new ManualClock(Date.parse(SUBMITTED_AT) - MINUTES);
    calls.putMetrics(ended);
    await operator().converge(ended);

    expect(calls.sinceListed()).toEqual(['delete configmaps pi-prom-conf']);
  });

  test.each(['', 'PENDING_RERUN', 'RESUMING'] as ApplicationState[])('stays while the driver is submitted, in state "%s"', async (state) => {
    calls.putMetrics(ended);
    expect(await operator().converge(application({ ...MONITORED, state }))).toEqual({ webUI: {}, events: [] });
    expect(calls.since()).toEqual([]);
  });
});
