import fc from 'fast-check';
import { PortProtocol, SecretType } from '../../../src/api/spark-pod';
import type { DriverSpec, ExecutorSpec, SparkPodSpec } from '../../../src/api/spark-pod';
import type { PodTemplateSpec } from '../../../src/k8s';
import { anyText, labelName, word } from './texts';

/** One arbitrary for each field: the compiler sees to it that none is forgotten. */
export type Fields<T> = { readonly [F in keyof Required<T>]: fc.Arbitrary<Required<T>[F]> };

/** Volumes that the pods may mount, by name. */
export const VOLUMES = {
  'data': { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  'settings': { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] } },
  'cache': { name: 'cache', hostPath: { path: '/var/cache', type: 'DirectoryOrCreate' } },
  'memory': { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
  'spark-local-dir-1': { name: 'spark-local-dir-1', emptyDir: {} },
  'spark-local-dir-2': { name: 'spark-local-dir-2', hostPath: { path: '/mnt/disk2', type: 'Directory' } },
  'spark-local-dir-claim': { name: 'spark-local-dir-claim', persistentVolumeClaim: { claimName: 'scratch' } },
  'projected': { name: 'projected', projected: { sources: [{ secret: { name: 's' } }] } },
} as const;

/** Text that can be written into a manifest. */
export const manifestText = anyText.filter((text) => !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]/.test(text));

const labels = fc.dictionary(labelName, word.map((text) => text.slice(0, 63)), { minKeys: 1, maxKeys: 3 });
const annotations = fc.dictionary(labelName, manifestText, { minKeys: 1, maxKeys: 3 });
const variableName = fc.constantFrom('A', 'B', 'JAVA_TOOL', 'with.dot', 'FOO_BAR', 'C');
const sizes = fc.constantFrom('512m', '1g', '2G', '4096m', '3000M', '1500m', '2g', '2Gi', '1536MiB', '1gb', '1024');
const amounts = fc.constantFrom('1', '500m', '1.5', '2', '250m');

const mounts = fc.subarray(Object.keys(VOLUMES), { minLength: 1 }).map((names) => names.map((name, index) => ({
  name, mountPath: `/mnt/${name}`, ...(index === 1 ? { readOnly: true } : {}), ...(index === 2 ? { subPath: 'sub' } : {}),
})));

const template: fc.Arbitrary<PodTemplateSpec> = fc.record({
  metadata: fc.record({ labels, annotations }, { requiredKeys: [] }),
  spec: fc.record({
    containers: fc.constantFrom(
      [{ name: 'spark', env: [{ name: 'FROM_TEMPLATE', value: '1' }], resources: { limits: { 'ephemeral-storage': '1Gi' } } }, { name: 'other', image: 'other' }],
      [{ name: 'spark-kubernetes-driver', ports: [{ containerPort: 9000, name: 'extra' }] }],
      [{ name: 'spark-kubernetes-executor', securityContext: { runAsUser: 1000 } }],
    ),
    priorityClassName: fc.constant('template-priority'),
    hostAliases: fc.constant([{ ip: '10.1.1.1', hostnames: ['t'] }]),
    runtimeClassName: fc.constant('gvisor'),
    topologySpreadConstraints: fc.constant([{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }]),
  }, { requiredKeys: ['containers'] }),
}, { requiredKeys: ['spec'] });

const pod: Fields<SparkPodSpec> = {
  template,
  cores: fc.constantFrom(1, 2, 4),
  coreRequest: amounts,
  coreLimit: fc.constantFrom('2', '4', '4500m'),
  memory: sizes,
  memoryLimit: fc.constantFrom('16Gi', '20g'),
  memoryOverhead: fc.constantFrom('512m', '1g', '1Gi'),
  memoryOverheadFactor: fc.constantFrom('0.2', '0.5'),
  gpu: fc.record({ name: fc.constantFrom('nvidia.com/gpu', 'amd.com/gpu'), quantity: fc.constantFrom(1, 2) }),
  image: fc.constantFrom('own/image:1', 'registry:5000/x@sha256:ab'),
  configMaps: fc.subarray([{ name: 'cm-one', path: '/etc/one' }, { name: 'cm-two', path: '/etc/two' }], { minLength: 1 }),
  secrets: fc.subarray([
    { name: 'plain', path: '/etc/plain', secretType: SecretType.GENERIC },
    { name: 'gcp', path: '/etc/gcp', secretType: SecretType.GCP_SERVICE_ACCOUNT },
    { name: 'tokens', path: '/etc/tokens', secretType: SecretType.HADOOP_DELEGATION_TOKEN },
  ], { minLength: 1 }),
  env: fc.subarray([
    { name: 'E1', value: 'one' }, { name: 'E2', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'E3', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ], { minLength: 1 }),
  envVars: fc.dictionary(variableName, manifestText, { minKeys: 1, maxKeys: 4 }),
  envFrom: fc.subarray([{ configMapRef: { name: 'e' } }, { prefix: 'P_', secretRef: { name: 's' } }], { minLength: 1 }),
  envSecretKeyRefs: fc.dictionary(fc.constantFrom('S1', 'S2', 'S3'), fc.record({ name: word, key: fc.constantFrom('key', 'a.b') }), { minKeys: 1, maxKeys: 3 }),
  labels,
  annotations,
  volumeMounts: mounts,
  affinity: fc.constant({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } } }),
  tolerations: fc.subarray([{ key: 'a', operator: 'Exists' }, { key: 'b', operator: 'Equal', value: 'c', effect: 'NoExecute', tolerationSeconds: 60 }], { minLength: 1 }),
  podSecurityContext: fc.constant({ runAsUser: 185, fsGroup: 185 }),
  securityContext: fc.constant({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }),
  schedulerName: fc.constantFrom('volcano', 'my-scheduler'),
  sidecars: fc.subarray([{ name: 'logs', image: 'logs' }, { name: 'mesh', image: 'mesh', ports: [{ containerPort: 15_001 }] }], { minLength: 1 }),
  initContainers: fc.subarray([{ name: 'init-1', image: 'busybox', command: ['true'] }, { name: 'init-2', image: 'busybox' }], { minLength: 1 }),
  hostNetwork: fc.boolean(),
  nodeSelector: fc.dictionary(fc.constantFrom('pool', 'disk'), word, { minKeys: 1 }),
  dnsConfig: fc.constant({ nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] }),
  terminationGracePeriodSeconds: fc.constantFrom(0, 60),
  serviceAccount: fc.constantFrom('spark', 'other'),
  hostAliases: fc.constant([{ ip: '10.0.0.1', hostnames: ['a', 'b'] }]),
  shareProcessNamespace: fc.boolean(),
  javaOptions: fc.constantFrom('-Dkey=value', '-XX:+UseG1GC -Dquoted="a b"'),
  lifecycle: fc.constant({ preStop: { exec: { command: ['sleep', '1'] } } }),
  ports: fc.constant([{ name: 'custom', protocol: PortProtocol.TCP, containerPort: 19_000 }]),
  priorityClassName: fc.constantFrom('high', 'low'),
};

/** The fields of `spec.driver`. */
export const DRIVER_FIELDS: Fields<DriverSpec> = {
  ...pod,
  podName: fc.constantFrom('my-driver', 'the.driver'),
  kubernetesMaster: fc.constant('k8s://https://kubernetes.default:443'),
  serviceAnnotations: annotations,
  serviceLabels: labels,
};

/** The fields of `spec.executor`. */
export const EXECUTOR_FIELDS: Fields<ExecutorSpec> = {
  ...pod,
  instances: fc.constantFrom(1, 3),
  deleteOnTermination: fc.boolean(),
};
