/* Objects of an application other than its driver, from its submission to its end. */
import { Calls } from './helpers';
import { viewOf } from '../../../../src/model/pod-view';
import type { KubeObject } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';
import type { Layers } from '../../../../src/plan/defaults/layer';
import type { DefaultsSource } from '../../../../src/operator/defaults-source';
import { PODS } from '../../../../src/model/resources';
import { OwnedObjects } from '../../../../src/operator/kinds/spark-application/owned/owned-objects';
import { cluster } from '../../../plan/defaults/layers';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { BY_SPARK_SUBMIT, operator, putApplication } from './operator';

/** Fake API server that also supports the calls for owned objects. */
class Server extends Calls {
  override async* list(
    resource: Resource, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string },
  ): AsyncGenerator<any> {
    const labels = labelSelector.split(',').filter(Boolean).map((term) => term.split('='));
    for (const [key, object] of [...this.objects]) {
      if (key.startsWith(`${resource.plural} ${namespace}/`)
        && labels.every(([label, value]) => object.metadata.labels?.[label!] === value)) {
        yield { kind: resource.kind, ...object };
      }
    }
  }

  async update(resource: Resource, object: KubeObject) {
    return this.put(this.key(resource, object.metadata), object);
  }

  names(plural: string): string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(`${plural} `)).map((key) => key.replace(/^.*\//, ''));
  }
}

const METRICS = { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } };

interface World {
  readonly applications: { readonly [name: string]: { readonly spec?: object; readonly status?: object } };
  readonly layers?: Layers;
  readonly submission?: typeof BY_SPARK_SUBMIT;
}

/** Starts an operator, and a server with these applications. */
function world({ applications: given, layers = {}, submission = { mode: 'auto', sparkUser: 'spark' } }: World) {
  const [calls, clock] = [new Server(), new ManualClock(Date.parse('2026-03-01T10:00:00Z'))];
  const state = { defaults: { kind: 'ready', layers } as ReturnType<DefaultsSource['current']> };
  for (const [name, application] of Object.entries(given)) putApplication(calls, { name, uid: `uid-${name}`, ...application });
  const { pods, reconcile: pass } = operator(calls, {
    clock, submission,
    defaults: { current: () => state.defaults },
    owned: new OwnedObjects({ client: calls as never, settings: { uiService: true, driverPodDisruptionBudget: true, ingress: {} }, clock }),
  });
  const reconcile = (name = 'pi') => pass(`jobs/${name}`);
  const stateOf = (name = 'pi') => calls.objects.get(`sparkapplications jobs/${name}`).status.applicationState.state;
  const become = async (phase: string) => {
    pods.upsert(viewOf(calls.put('pods jobs/pi-driver', { ...calls.objects.get('pods jobs/pi-driver'), status: { phase } })));
    await reconcile();
  };
  const start = async () => {
    await become('Running');
    expect(stateOf()).toBe('RUNNING');
  };
  const end = async () => {
    await clock.advance(60_000);
    await become('Succeeded');
    expect(stateOf()).toBe('COMPLETED');
  };
  const metrics = () => calls.names('configmaps').filter((name) => name.endsWith('-prom-conf') && name.startsWith('pi-'));
  return { calls, clock, state, reconcile, stateOf, start, end, metrics };
}

test('defaults and enforced values apply to them too', async () => {
  const { calls, reconcile, start, end } = world({
    applications: { pi: {} },
    layers: {
      cluster: cluster({
        defaults: 'sparkConf: {spark.ui.port: "4050"}\ndriverIngressOptions: [{servicePort: 9000, servicePortName: x}]\ndriverPodDisruptionBudget: true',
        enforced: 'sparkUIOptions: {serviceType: NodePort}',
      }),
    },
  });
  await reconcile();
  expect(calls.names('services').filter((name) => /ui-svc|9000/.test(name))).toEqual([]);
  await start();
  expect(calls.objects.get('services jobs/pi-ui-svc').spec).toMatchObject({ type: 'NodePort', ports: [{ port: 4050, targetPort: 4050 }] });
  expect([calls.objects.has('services jobs/pi-driver-9000'), calls.names('poddisruptionbudgets')]).toEqual([true, ['pi-driver']]);
  expect(calls.objects.get('sparkapplications jobs/pi').status.driverInfo.webUIPort).toBe(4050);

  await end();
  expect([calls.names('services').filter((name) => /ui-svc|9000/.test(name)), calls.names('poddisruptionbudgets')]).toEqual([[], []]);
});

test.each(
  [['unusable', { kind: 'unusable', reason: 'broken' }], ['different', { kind: 'ready', layers: {} }]] as const,
)('the Service stays unchanged when the defaults are %s by now, and is deleted with the driver', async (_, now) => {
  const { calls, clock, state, reconcile, start, end } = world({
    applications: { pi: {} }, layers: { cluster: cluster({ defaults: 'sparkConf: {spark.ui.port: "4050"}' }) },
  });
  await reconcile();
  await start();
  state.defaults = now;
  await clock.advance(600_000);
  await reconcile();
  expect(calls.objects.get('services jobs/pi-ui-svc').spec.ports[0].targetPort).toBe(4050);
  expect(calls.objects.get('sparkapplications jobs/pi').status.driverInfo.webUIPort).toBe(4050);

  state.defaults = { kind: 'ready', layers: {} };
  await end();
  expect(calls.objects.has('services jobs/pi-ui-svc')).toBe(false);
});

describe('the configuration of the metrics is deleted with the driver', () => {
  test.each<[string, World]>([
    ['of the application', { applications: { first: {}, pi: { spec: METRICS } } }],
    ['by default', { applications: { first: {}, pi: {} }, layers: { cluster: cluster({ defaults: JSON.stringify(METRICS) }) } }],
  ])('%s', async (_, given) => {
    const { clock, reconcile, end, metrics } = world(given);
    await reconcile('first');
    await clock.advance(10_000);
    await reconcile();
    expect(metrics()).toHaveLength(1);
    await end();
    expect(metrics()).toEqual([]);
  });

  test.each(['', 'SUSPENDED'])('although its creation failed first, and the namespace was listed meanwhile; from state "%s"', async (state) => {
    const { calls, clock, reconcile, stateOf, end, metrics } = world({
      applications: { first: {}, pi: { spec: METRICS, ...state && { status: { driverInfo: {}, applicationState: { state } } } } },
    });
    calls.refuse = (call) => {
      if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 403, 'Forbidden', 'exceeded quota: q');
    };
    await reconcile();
    calls.refuse = () => undefined;
    await clock.advance(20_000);
    await reconcile('first');
    await clock.advance(20_000);
    await reconcile();
    expect([stateOf(), metrics().length]).toEqual(['SUBMITTED', 1]);

    await end();
    expect(metrics()).toEqual([]);
  });

  test.each(['', 'SUSPENDED', 'PENDING_RERUN'])('and stays while spark-submit creates the driver, from state "%s"', async (state) => {
    const status = state && { driverInfo: {}, applicationState: { state } };
    const { reconcile, metrics } = world({ applications: { pi: { spec: METRICS, ...status && { status } } }, submission: BY_SPARK_SUBMIT });
    await reconcile();
    await reconcile();
    expect(metrics()).toHaveLength(1);
  });
});
