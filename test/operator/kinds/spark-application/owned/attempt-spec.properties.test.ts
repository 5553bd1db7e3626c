/*
 * Owned objects of a large application, of which the operator keeps only facts in memory: they
 * equal those of an application that is kept whole.
 */
import fc from 'fast-check';
import { application, ownedWorld } from './helpers';
import type { SparkApplicationSpec } from '../../../../../src/api/spark-application';
import { withLayers } from '../../../../../src/plan/defaults/apply';
import type { CurrentDefaults } from '../../../../../src/plan/defaults/layer';
import type { SparkApplication, WholeApplication } from '../../../../../src/model/spark-application';
import { specOfAttempt } from '../../../../../src/operator/kinds/spark-application/owned/attempt-spec';
import { wantedOf } from '../../../../../src/operator/kinds/spark-application/owned/wanted';
import { transform } from '../../../../../src/operator/kinds/spark-application/transform';
import { withDefaultScheduler } from '../../../../../src/plan/schedulers/schedule';
import { cluster } from '../../../../plan/defaults/layers';

const LONG = ['x'.repeat(20 * 1024)];
const SETTINGS = { uiService: true, driverPodDisruptionBudget: true, ingress: { urlFormat: '{{$appName}}.example.org' } };

const maybe = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(fields, { requiredKeys: [] });
const others = fc.constantFrom(0, 2, 101).map((count) => (
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`spark.example.${index}`, 'a']))
));
const properties = maybe({
  'spark.ui.enabled': fc.constantFrom('true', 'false'),
  'spark.ui.port': fc.constantFrom('4050', '5050'),
  'spark.ui.prometheus.enabled': fc.constant('true'),
  'spark.metrics.conf': fc.constant('/m'),
  'spark.metrics.namespace': fc.constant('n'),
  'spark.kubernetes.driver.scheduler.name': fc.constant('own'),
});
const role = maybe({ schedulerName: fc.constantFrom('one', 'two'), cores: fc.constantFrom(1, 2) });

/** Parts of specifications, in users' applications and in ConfigMaps. */
const part = maybe({
  timeToLiveSeconds: fc.constantFrom(1, 2),
  driverPodDisruptionBudget: fc.boolean(),
  sparkUIOptions: maybe({
    servicePort: fc.constantFrom(80, 81), serviceType: fc.constantFrom('ClusterIP', 'NodePort'), serviceLabels: fc.constant({ a: 'b' }),
  }),
  driverIngressOptions: fc.constantFrom(80, 81).map((servicePort) => (
    [{ servicePort, servicePortName: 'own', ingressURLFormat: 'example.org' }]
  )),
  monitoring: maybe({
    exposeDriverMetrics: fc.boolean(),
    exposeExecutorMetrics: fc.boolean(),
    prometheusServlet: fc.boolean(),
    metricsPropertiesFile: fc.constantFrom('/a', '/b'),
    prometheus: maybe({
      jmxExporterJar: fc.constantFrom('/jmx.jar', '/other.jar'), port: fc.constantFrom(1, 2), configuration: fc.constant('a: b'),
    }),
  }),
  batchScheduler: fc.constantFrom('volcano', 'yunikorn'),
  sparkConf: fc.tuple(properties, others).map(([own, rest]) => ({ ...own, ...rest })),
  driver: role,
  executor: role,
  image: fc.constantFrom('i', 'j'),
});
const layerOf = (configMap: string) => fc.record({
  configMap: fc.constant(configMap), resourceVersion: fc.constantFrom('1', '2'), defaults: part, enforced: part, limits: fc.constant({}),
});
const layers = fc.record({ cluster: layerOf('spark/defaults'), namespace: layerOf('jobs/defaults') }, { requiredKeys: [] });
type Layers = Parameters<typeof withLayers>[1];

function large(spec: object, status: object = {}): WholeApplication {
  const given = application({ status: { specHash: 'h', ...status } }) as WholeApplication;
  return { ...given, spec: { ...given.spec, ...spec, arguments: LONG } as SparkApplicationSpec };
}

/**
 * Specification whose enforced value replaces the exporter only if the driver is exposed. The
 * application forbids that; the cluster's default does not.
 */
const EXPOSURE: [object, unknown, unknown, boolean] = [
  { monitoring: { exposeDriverMetrics: false, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } },
  {
    cluster: {
      configMap: 'spark/defaults', resourceVersion: '1', defaults: {
        monitoring: { exposeDriverMetrics: true },
      }, enforced: { monitoring: { prometheusServlet: true } }, limits: {},
    },
  },
  undefined,
  false,
];

/** The same without an exporter in the specification: a namespace enforces it. */
const ENFORCED_EXPORTER: typeof EXPOSURE = [
  { monitoring: { exposeDriverMetrics: false } },
  {
    ...(EXPOSURE[1] as object),
    namespace: { configMap: 'jobs/defaults', resourceVersion: '1', defaults: {}, enforced: { monitoring: { prometheus: {} } }, limits: {} },
  },
  undefined,
  false,
];

test('facts restore the specification of an attempt if and only if the whole does, and lead to the same objects', () => {
  fc.assert(fc.property(part, layers, fc.option(layers, { nil: undefined }), fc.boolean(), (spec: object, begun: unknown, later: unknown, isBeginning: boolean) => {
    const whole = large(spec, { appliedDefaults: withLayers(large(spec).spec, begun as Layers).applied });
    const kept = transform(whole);
    expect(kept.cut).toBeDefined();
    const current: CurrentDefaults = { kind: 'ready', layers: (later ?? begun) as Layers };
    const [ofWhole, ofFacts] = [whole, kept].map((each) => specOfAttempt(each, current, isBeginning));
    const derived = (of: typeof ofFacts) => of && {
      wanted: wantedOf({ ...kept, spec: of } as SparkApplication, SETTINGS as never),
      scheduler: withDefaultScheduler(of, { default: 'volcano', kubeSchedulers: [] }).batchScheduler,
    };
    expect(derived(ofFacts)).toEqual(derived(ofWhole));
    // A search for a missing ConfigMap costs a call; an overlooked ConfigMap stays.
    if (ofWhole?.monitoring?.prometheus) expect(ofFacts!.monitoring?.prometheus).toBeDefined();
    if (!later) expect(ofFacts).toBeDefined();
  }), { numRuns: 400, examples: [EXPOSURE, ENFORCED_EXPORTER] });
});

const world = ownedWorld();
const PROPERTIES = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`spark.example.${index}`, 'user']));

test.each<[string, object, string]>([
  ['monitoring of both', { monitoring: { exposeDriverMetrics: false } }, 'monitoring: {exposeDriverMetrics: true}'],
  ['a port of metrics of both', {
    monitoring: { prometheus: { jmxExporterJar: '/a.jar', port: 8090 } },
  }, 'monitoring: {prometheus: {port: 8091}}'],
  ['more properties than a record lists', { sparkConf: PROPERTIES }, `sparkConf: {${Object.keys(PROPERTIES).map((key) => `${key}: cluster`).join(', ')}}`],
])('the Service of a large application is created again: %s', async (_, spec, defaults) => {
  const current = { cluster: cluster({ defaults }) };
  const whole = large(spec, { appliedDefaults: withLayers(large(spec).spec, current).applied });
  await world.operator().converge(transform(whole), { defaults: { kind: 'ready', layers: current } });
  expect(world.calls.names()).toContain('services pi-ui-svc');
});
