import fc from 'fast-check';
import { PortProtocol, type SparkPodSpec } from '../../../src/api/spark-pod';
import type { Container, PodSpec, Volume } from '../../../src/k8s';
import type { PodCustomization, PodTemplate } from '../../../src/plan/pods/pod-template';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { containerOf, ROLES } from './helpers';

/* Pods and their customizations. There are only a few names, so that they often collide. */

const word = fc.constantFrom('a', 'b', 'c');
const maybe = <T>(
  values: { [key in keyof T]-?: fc.Arbitrary<T[key]> },
) => fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const fewBy = <T>(item: fc.Arbitrary<T>, key: (item: T) => string) => fc.uniqueArray(item, { maxLength: 3, selector: key });

const quantity = fc.constantFrom('1', '2', '1000m', '0.5', '500m');
const variable = fc.oneof(
  fc.record({ name: word, value: fc.constantFrom('', 'x', 'y', '$(a)', '$(b)/z') }),
  word.map(name => ({ name, valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } })),
);
/**
 * Volumes and ports with the same name are equal. Others are rejected, see
 * customize-refusals.test.ts.
 */
const VOLUMES: readonly Volume[] = [
  { name: 'a', emptyDir: {} }, { name: 'b', configMap: { name: 'b' } }, { name: 'c', emptyDir: { sizeLimit: '1Gi' } },
];
const mount = fc.record({ name: word, readOnly: fc.boolean() }, { requiredKeys: ['name'] }).map(({ name, ...rest }) => ({
  name, mountPath: `/${name}-${rest.readOnly}`, ...rest,
}));
const port = fc.constantFrom(81, 82, 83).map(number => ({ name: `port-${number}`, containerPort: number, protocol: PortProtocol.TCP }));
const securityContext = maybe({ runAsUser: fc.constantFrom(0, 185), privileged: fc.boolean(), allowPrivilegeEscalation: fc.boolean() });
const lifecycle = fc.record({ preStop: fc.record({ httpGet: fc.record({ port: fc.constantFrom('81', '82') }) }) });
const affinity = maybe({
  nodeAffinity: fc.record({
    requiredDuringSchedulingIgnoredDuringExecution: fc.record({
      nodeSelectorTerms: few(fc.record({ matchExpressions: few(fc.record({ key: word, operator: fc.constant('Exists') })) })),
    }),
  }),
  podAffinity: fc.record({ requiredDuringSchedulingIgnoredDuringExecution: few(fc.record({ topologyKey: word })) }),
});
const toleration = fc.record({ key: word, operator: fc.constant('Exists') }, { requiredKeys: ['operator'] });
const alias = fc.record({ ip: fc.constantFrom('10.0.0.1', '10.0.0.2'), hostnames: fewBy(word, name => name) });
const dnsConfig = maybe({ searches: few(word), nameservers: few(word) });
const grace = fc.constantFrom(0, 30, 60);
const selector = fc.dictionary(word, word, { maxKeys: 3 });
const sourceOfVariables = fc.record({ configMapRef: fc.record({ name: word }), prefix: word }, { requiredKeys: ['configMapRef'] });
const sidecar = (names: fc.Arbitrary<string>): fc.Arbitrary<Container> => fc.record({
  name: names,
  image: word,
  env: fewBy(variable, ({ name }) => name),
  volumeMounts: fewBy(mount, ({ mountPath }) => mountPath),
  resources: fc.record({ limits: fc.record({ cpu: quantity }) }),
}, { requiredKeys: ['name'] });

/** Fields of `spec.driver` or `spec.executor`. */
export const fields: fc.Arbitrary<SparkPodSpec> = maybe<SparkPodSpec>({
  env: few(variable),
  envFrom: few(sourceOfVariables),
  configMaps: few(word.map(name => ({ name, path: `/maps/${name}` }))),
  volumeMounts: fewBy(mount, ({ mountPath }) => mountPath),
  ports: fewBy(port, ({ name }) => name),
  hostNetwork: fc.boolean(),
  hostAliases: few(alias),
  initContainers: fewBy(sidecar(fc.constantFrom('i', 'j')), ({ name }) => name),
  sidecars: fewBy(sidecar(fc.constantFrom('s', 't')), ({ name }) => name),
  dnsConfig,
  priorityClassName: word,
  schedulerName: word,
  nodeSelector: selector,
  affinity,
  tolerations: few(toleration),
  memoryLimit: fc.constantFrom('2g', '3Gi', ''),
  gpu: fc.record({ name: fc.constantFrom('nvidia.com/gpu', ''), quantity: fc.constantFrom(0, 1, 2) }),
  securityContext,
  podSecurityContext: maybe({ runAsUser: fc.constantFrom(0, 185), fsGroup: fc.constantFrom(1, 2) }),
  terminationGracePeriodSeconds: grace,
  lifecycle,
  shareProcessNamespace: fc.boolean(),
} as never);

const sparkContainer = (name: string): fc.Arbitrary<Container> => maybe<Container>({
  image: word,
  env: few(variable),
  envFrom: few(sourceOfVariables),
  ports: fewBy(port, ({ name: of }) => of),
  volumeMounts: fewBy(mount, ({ mountPath }) => mountPath),
  resources: fc.record({ limits: fc.dictionary(fc.constantFrom('cpu', 'nvidia.com/gpu'), quantity) }),
  securityContext,
  lifecycle,
  livenessProbe: fc.constant({ tcpSocket: { port: 1 } }),
} as never).map(container => ({ ...container, name }));

/** A pod of a template or of Spark, with a volume for each of its mounts. */
export const podOf = (name: string): fc.Arbitrary<PodTemplate> => fc.tuple(
  maybe<PodSpec>({
    volumes: fc.subarray([...VOLUMES]),
    hostNetwork: fc.boolean(),
    dnsPolicy: fc.constantFrom('None', 'Default'),
    hostAliases: few(alias),
    initContainers: fewBy(sidecar(fc.constantFrom('k', 'l')), ({ name: of }) => of),
    dnsConfig,
    priorityClassName: word,
    priority: fc.constantFrom(1, 2),
    schedulerName: word,
    nodeSelector: selector,
    affinity,
    tolerations: few(toleration),
    securityContext: maybe({ runAsUser: fc.constantFrom(0, 185) }),
    terminationGracePeriodSeconds: grace,
    shareProcessNamespace: fc.boolean(),
    runtimeClassName: word,
  } as never),
  fewBy(sidecar(fc.constantFrom('u', 'v')), ({ name: of }) => of),
  sparkContainer(name),
).map(([spec, others, container]) => ({ metadata: { name: 'pi' }, spec: { ...spec, containers: [...others, container] } }));

/** A pod and its customization. */
export const customization: fc.Arbitrary<{ readonly before: PodTemplate; readonly request: PodCustomization }> = fc
  .tuple(fc.constantFrom(...ROLES), fc.constantFrom<PodCustomization['target']>('pod', 'template'), fields, fc.record({
    sparkConfigMap: word, hadoopConfigMap: word, batchScheduler: word,
  }, { requiredKeys: [] }), fc.boolean(), fc.boolean())
  .chain(([role, target, spec, application, hasMetrics, hasTemplate]) => podOf(containerOf(role)).map(before => ({
    before,
    request: {
      role,
      target,
      spec: { ...spec, ...(hasTemplate ? { template: before as never } : {}) },
      application: { ...application, volumes: [...VOLUMES] },
      container: containerOf(role),
      properties: new SparkProperties(),
      ...(hasMetrics ? { metrics: { configMapName: 'metrics', port: { name: 'metrics', number: 8090 } } } : {}),
    },
  })));
