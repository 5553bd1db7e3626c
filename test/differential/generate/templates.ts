import fc from 'fast-check';
import { stringify } from 'yaml';
import { anyText, labelName, path, variableName, word } from './texts';

/** A pod template as text, and the container in it that is meant to be Spark's. */
export interface Template {
  readonly text: string;
  readonly containerName?: string;
}

/** Text without the characters that no YAML file may have. */
const yamlText = anyText.filter((text) => !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/.test(text));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const variable = fc.oneof(
  fc.record({ name: variableName, value: yamlText }),
  fc.record({
    name: variableName, valueFrom: fc.constantFrom(
      { fieldRef: { fieldPath: 'metadata.name' } },
      { secretKeyRef: { name: 's', key: 'k', optional: true } },
      { configMapKeyRef: { name: 'c', key: 'k' } },
      { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } },
    ),
  }),
);

const probe = fc.constantFrom(
  { httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' }, initialDelaySeconds: 5, periodSeconds: 10 },
  { exec: { command: ['sh', '-c', 'true'] }, failureThreshold: 3 },
  { tcpSocket: { port: 'http' } },
  { grpc: { port: 15002, service: 'x' } },
);

const resources = fc.constantFrom(
  { requests: { 'cpu': '2', 'memory': '1Gi', 'ephemeral-storage': '10Gi' } },
  { requests: { cpu: 1 }, limits: { 'cpu': 2.5, 'memory': '4Gi', 'example.com/device': 1 } },
  { limits: { 'ephemeral-storage': '1500M', 'hugepages-2Mi': '0.5Gi' } },
  { claims: [{ name: 'gpu', request: 'one' }], requests: { cpu: '0100m' } },
);

const securityContext = fc.constantFrom(
  { runAsUser: 185, runAsNonRoot: true, allowPrivilegeEscalation: true },
  { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] }, readOnlyRootFilesystem: true, seccompProfile: { type: 'RuntimeDefault' } },
  { privileged: false, allowPrivilegeEscalation: false, seLinuxOptions: { level: 's0:c123,c456' } },
);

const container = (name: fc.Arbitrary<string | undefined>) => fc.record({
  name,
  image: maybe(fc.constantFrom('template/image:1', 'sidecar')),
  imagePullPolicy: maybe(fc.constantFrom('Always', 'Never')),
  command: maybe(fc.constantFrom(['/bin/sh', '-c'], ['/opt/entrypoint.sh'])),
  args: maybe(fc.array(yamlText, { minLength: 1, maxLength: 2 })),
  env: maybe(fc.array(variable, { minLength: 1, maxLength: 3 })),
  envFrom: maybe(fc.constantFrom([{ configMapRef: { name: 'e' } }, { prefix: 'P_', secretRef: { name: 's', optional: false } }])),
  ports: maybe(fc.constantFrom([{ containerPort: 9090, name: 'metrics' }], [{ containerPort: 7078, protocol: 'UDP' }, { containerPort: 1, hostPort: 2, hostIP: '10.0.0.1' }])),
  resources: maybe(resources),
  volumeMounts: maybe(path.map((mountPath) => [{ name: 'template-volume', mountPath, readOnly: true }, { name: 'spark-local-dir-9', mountPath: '/local/9' }, { name: 'other', mountPath: '/o', subPathExpr: '$(A)' }])
    .chain((mounts) => fc.subarray(mounts, { minLength: 1 }))),
  livenessProbe: maybe(probe),
  readinessProbe: maybe(probe),
  startupProbe: maybe(probe),
  lifecycle: maybe(fc.constantFrom({ preStop: { exec: { command: ['sleep', '5'] } } }, { postStart: { httpGet: { port: 80, httpHeaders: [{ name: 'a', value: 'b' }] } } })),
  securityContext: maybe(securityContext),
  terminationMessagePath: maybe(fc.constant('/dev/x')),
  terminationMessagePolicy: maybe(fc.constantFrom('File', 'FallbackToLogsOnError')),
  workingDir: maybe(fc.constant('/work')),
  stdin: maybe(fc.boolean()),
  tty: maybe(fc.boolean()),
  resizePolicy: maybe(fc.constant([{ resourceName: 'cpu', restartPolicy: 'NotRequired' }])),
}, { requiredKeys: [] });

const named = (...names: string[]) => fc.constantFrom(...names);

const volumes = fc.subarray([
  { name: 'template-volume', configMap: { name: 'c', defaultMode: 0o400, items: [{ key: 'k', path: 'p', mode: 292 }] } },
  { name: 'spark-local-dir-9', emptyDir: { sizeLimit: '5Gi', medium: 'Memory' } },
  { name: 'other', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600, audience: 'x' } }, { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } }] } },
  { name: 'csi', csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { a: 'b' } } },
  { name: 'claim', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } },
  { name: 'empty', emptyDir: {} },
  { name: 'secret', secret: { secretName: 's', optional: true } },
], { minLength: 1 });

const affinity = fc.constantFrom(
  { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }] } } },
  { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } } }] } },
);

const spec = fc.record({
  initContainers: maybe(fc.array(container(named('init-1', 'init-2')), { minLength: 1, maxLength: 2 })),
  volumes: maybe(volumes),
  nodeSelector: maybe(fc.dictionary(labelName, word, { maxKeys: 2 })),
  tolerations: maybe(fc.constantFrom([{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }], [{ operator: 'Exists', tolerationSeconds: 0 }])),
  affinity: maybe(affinity),
  topologySpreadConstraints: maybe(fc.constant([{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { a: 'b' } } }])),
  priorityClassName: maybe(word),
  schedulerName: maybe(word),
  serviceAccountName: maybe(word),
  serviceAccount: maybe(word),
  automountServiceAccountToken: maybe(fc.boolean()),
  restartPolicy: maybe(fc.constantFrom('Always', 'OnFailure')),
  imagePullSecrets: maybe(fc.constant([{ name: 'template-secret' }])),
  hostNetwork: maybe(fc.boolean()),
  hostPID: maybe(fc.boolean()),
  shareProcessNamespace: maybe(fc.boolean()),
  hostAliases: maybe(fc.constant([{ ip: '10.0.0.1', hostnames: ['a', 'b'] }])),
  dnsPolicy: maybe(fc.constantFrom('ClusterFirst', 'None')),
  dnsConfig: maybe(fc.constant({ nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }] })),
  securityContext: maybe(fc.constant({ fsGroup: 185, runAsUser: 0, sysctls: [{ name: 'net.core.somaxconn', value: '1024' }], supplementalGroups: [1, 2] })),
  terminationGracePeriodSeconds: maybe(fc.constantFrom(0, 30)),
  activeDeadlineSeconds: maybe(fc.constant(3600)),
  enableServiceLinks: maybe(fc.boolean()),
  runtimeClassName: maybe(word),
  hostname: maybe(word),
  subdomain: maybe(word),
  preemptionPolicy: maybe(fc.constant('Never')),
  overhead: maybe(fc.constant({ cpu: '250m' })),
  readinessGates: maybe(fc.constant([{ conditionType: 'x' }])),
  setHostnameAsFQDN: maybe(fc.boolean()),
  hostUsers: maybe(fc.boolean()),
  os: maybe(fc.constant({ name: 'linux' })),
  resourceClaims: maybe(fc.constant([{ name: 'gpu', resourceClaimTemplateName: 't' }])),
  schedulingGates: maybe(fc.constant([{ name: 'g' }])),
}, { requiredKeys: [] });

const metadata = fc.record({
  name: maybe(word),
  generateName: maybe(fc.constant('g-')),
  namespace: maybe(word),
  labels: maybe(fc.dictionary(fc.oneof(labelName, fc.constantFrom('spark-role', 'spark-app-name')), word, { maxKeys: 3 })),
  annotations: maybe(fc.dictionary(labelName, yamlText, { maxKeys: 3 })),
  finalizers: maybe(fc.constant(['example.com/f'])),
  ownerReferences: maybe(fc.constant([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }])),
}, { requiredKeys: [] });

const NAMES = ['spark', 'spark-kubernetes-driver', 'sidecar', 'proxy'];

/** A template of a driver with whatever a pod can have: Spark's container first, last or not named, sidecars, init containers. */
export const podTemplate: fc.Arbitrary<Template> = fc.record({
  metadata: maybe(metadata),
  spec,
  containers: fc.array(container(fc.constantFrom(...NAMES, undefined)), { maxLength: 3 }),
  containerName: maybe(fc.constantFrom(...NAMES, 'absent')),
}).map(({ metadata: meta, spec: pod, containers, containerName }) => {
  const template = { apiVersion: 'v1', kind: 'Pod', ...(meta === undefined ? {} : { metadata: meta }), spec: { ...pod, containers } };
  return { text: stringify(JSON.parse(JSON.stringify(template))), ...(containerName === undefined ? {} : { containerName }) };
});
