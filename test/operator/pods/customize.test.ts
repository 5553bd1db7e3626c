import { PortProtocol, type SparkPodSpec } from '../../../src/api/spark-pod';
import type { Container, PodSpec } from '../../../src/k8s';
import { customizePod, customizes } from '../../../src/operator/pods/customize';
import type { PodMetrics } from '../../../src/operator/pods/pod-template';
import { warningText } from '../../../src/operator/submission/warnings';
import { containerOf, type Described, pod, refusalOf, requestFor, ROLES } from './helpers';

/** What is written, what the pod has already, and what comes of it. */
interface Case {
  readonly wanted: Described;
  /** The pod, besides Spark's container. */
  readonly spec?: Partial<PodSpec>;
  /** Spark's container. */
  readonly container?: Partial<Container>;
  /** What changes in the pod. */
  readonly becomes?: Partial<PodSpec>;
  /** What changes in Spark's container. */
  readonly containerBecomes?: Partial<Container>;
  /** What follows Spark's container. */
  readonly containersAfter?: readonly Container[];
}

const field = (value: SparkPodSpec): Described => ({ pod: value });
const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const METRICS: PodMetrics = { configMapName: 'pi-prom-conf', port: { name: 'jmx-exporter', number: 8090 } };

const CASES: { readonly [title: string]: Case } = {
  'env: after the variables that are there': {
    wanted: field({ env: [{ name: 'A', value: '1' }, { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    container: { env: [{ name: 'SPARK_USER', value: 'me' }] },
    containerBecomes: { env: [{ name: 'SPARK_USER', value: 'me' }, { name: 'A', value: '1' }, { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
  },
  'env: in place of a variable of the same name': {
    wanted: field({ env: [{ name: 'A', value: '2' }] }),
    container: { env: [{ name: 'A', value: '1' }, { name: 'B', value: '1' }] },
    containerBecomes: { env: [{ name: 'B', value: '1' }, { name: 'A', value: '2' }] },
  },
  'env: beside a variable of the same name that another one refers to': {
    wanted: field({ env: [{ name: 'DIR', value: '/new' }] }),
    container: { env: [{ name: 'DIR', value: '/old' }, { name: 'FILE', value: '$(DIR)/f' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/old' }, { name: 'FILE', value: '$(DIR)/f' }, { name: 'DIR', value: '/new' }] },
  },
  'env: one that refers to its own earlier value': {
    wanted: field({ env: [{ name: 'DIR', value: '$(DIR)/sub' }] }),
    container: { env: [{ name: 'DIR', value: '/old' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/old' }, { name: 'DIR', value: '$(DIR)/sub' }] },
  },
  'env: one that refers to a new one comes after it': {
    wanted: field({ env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] }),
    container: { env: [{ name: 'FILE', value: '$(DIR)/f' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] },
  },
  'envFrom: besides those that are there, each once': {
    wanted: field({ envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'b' } }] }),
    container: { envFrom: [{ configMapRef: { name: 'a' } }] },
    containerBecomes: { envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'b' } }] },
  },
  'hadoopConfigMap: a folder and the variable': {
    wanted: { application: { hadoopConfigMap: 'hadoop' } },
    becomes: { volumes: [{ name: 'hadoop-configmap-volume', configMap: { name: 'hadoop' } }] },
    containerBecomes: {
      env: [{ name: 'HADOOP_CONF_DIR', value: '/etc/hadoop/conf' }],
      volumeMounts: [{ name: 'hadoop-configmap-volume', mountPath: '/etc/hadoop/conf', readOnly: true }],
    },
  },
  'sparkConfigMap: a folder and the variable, in place of Spark\'s own': {
    wanted: { application: { sparkConfigMap: 'spark' } },
    container: { env: [{ name: 'SPARK_CONF_DIR', value: '/opt/spark/conf' }] },
    becomes: { volumes: [{ name: 'spark-configmap-volume', configMap: { name: 'spark' } }] },
    containerBecomes: {
      env: [{ name: 'SPARK_CONF_DIR', value: '/etc/spark/conf' }],
      volumeMounts: [{ name: 'spark-configmap-volume', mountPath: '/etc/spark/conf', readOnly: true }],
    },
  },
  'configMaps: one volume for each, also if it is mounted twice': {
    wanted: field({ configMaps: [{ name: 'a', path: '/a' }, { name: 'a', path: '/b' }, { name: 'app.yaml', path: '/c' }] }),
    becomes: { volumes: [{ name: 'a-vol', configMap: { name: 'a' } }, { name: 'app-yaml-0b16fea8-vol', configMap: { name: 'app.yaml' } }] },
    containerBecomes: {
      volumeMounts: [
        { name: 'a-vol', mountPath: '/a', readOnly: true },
        { name: 'a-vol', mountPath: '/b', readOnly: true },
        { name: 'app-yaml-0b16fea8-vol', mountPath: '/c', readOnly: true },
      ],
    },
  },
  'volumes: those that Spark\'s container mounts, and no others': {
    wanted: { application: { volumes: [DATA, { name: 'other', emptyDir: {} }] }, pod: { volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'x' }] } },
    becomes: { volumes: [DATA] },
    containerBecomes: { volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'x' }] },
  },
  'volumes: one that is in the pod can be mounted': {
    wanted: field({ volumeMounts: [{ name: 'tmp', mountPath: '/t' }] }),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }] },
    containerBecomes: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] },
  },
  'volumes: one that is in the pod with the same content is not added': {
    wanted: { application: { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1024Mi' } }] }, pod: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] } },
    spec: { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi', medium: '' } }] },
    containerBecomes: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] },
  },
  'volumes: those that only a sidecar mounts': {
    wanted: { application: { volumes: [DATA] }, pod: { sidecars: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] } },
    becomes: { volumes: [DATA] },
    containersAfter: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
  },
  'volumes: those that only an init container uses, as a device': {
    wanted: { application: { volumes: [DATA] }, pod: { initContainers: [{ name: 'format', image: 'f', volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }] } },
    becomes: { volumes: [DATA], initContainers: [{ name: 'format', image: 'f', volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }] },
  },
  'volumes: those that a container of the template mounts': {
    wanted: { application: { volumes: [DATA] } },
    spec: { containers: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] },
    becomes: { volumes: [DATA] },
  },
  'volumes: local directories are Spark\'s business': {
    wanted: { application: { volumes: [{ name: 'spark-local-dir-1', emptyDir: {} }] }, pod: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] } },
  },
  'volumes: a local directory of a type that Spark has no properties for': {
    wanted: {
      application: { volumes: [{ name: 'spark-local-dir-1', ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
      pod: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
    },
    becomes: { volumes: [{ name: 'spark-local-dir-1', ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
    containerBecomes: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
  },
  'ports: after those that are there; a number may have two names': {
    wanted: field({
      ports: [
        { name: 'web', containerPort: 8080, protocol: PortProtocol.TCP },
        { name: 'ui', containerPort: 4040, protocol: PortProtocol.TCP },
        { name: 'spark-ui', containerPort: 4040, protocol: PortProtocol.TCP },
      ],
    }),
    container: { ports: [{ name: 'spark-ui', containerPort: 4040, protocol: 'TCP' }] },
    containerBecomes: {
      ports: [
        { name: 'spark-ui', containerPort: 4040, protocol: 'TCP' },
        { name: 'web', containerPort: 8080, protocol: 'TCP' },
        { name: 'ui', containerPort: 4040, protocol: 'TCP' },
      ],
    },
  },
  'ports: without a name or protocol': {
    wanted: field({ ports: [{ name: '', containerPort: 9000, protocol: '' as PortProtocol }] }),
    containerBecomes: { ports: [{ containerPort: 9000, protocol: 'TCP' }] },
  },
  'hostNetwork: with the DNS policy that it needs': {
    wanted: field({ hostNetwork: true }),
    becomes: { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  },
  'hostNetwork: false says nothing to a pod without it': { wanted: field({ hostNetwork: false }) },
  'hostAliases: one line for each address': {
    wanted: field({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['b', 'a'] }, { ip: '10.0.0.2', hostnames: ['c'] }] }),
    spec: { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] },
    becomes: { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b'] }, { ip: '10.0.0.2', hostnames: ['c'] }] },
  },
  'initContainers: after the template\'s': {
    wanted: field({ initContainers: [{ name: 'two', image: 'i' }] }),
    spec: { initContainers: [{ name: 'one', image: 'i' }] },
    becomes: { initContainers: [{ name: 'one', image: 'i' }, { name: 'two', image: 'i' }] },
  },
  'sidecars: after Spark\'s container; one that is there is not added': {
    wanted: field({ sidecars: [{ name: 'one', image: 'i' }, { name: 'two', image: 'i' }] }),
    spec: { containers: [{ name: 'one', image: 'i', command: ['run'] }] },
    containersAfter: [{ name: 'two', image: 'i' }],
  },
  'dnsConfig': { wanted: field({ dnsConfig: { searches: ['example.org'] } }), becomes: { dnsConfig: { searches: ['example.org'] } } },
  'priorityClassName: without what another class left': {
    wanted: field({ priorityClassName: 'high' }),
    spec: { priorityClassName: 'low', priority: 1, preemptionPolicy: 'Never' },
    becomes: { priorityClassName: 'high', priority: undefined, preemptionPolicy: undefined },
  },
  'priorityClassName: the same class keeps its priority': { wanted: field({ priorityClassName: 'high' }), spec: { priorityClassName: 'high', priority: 9 } },
  'schedulerName': { wanted: field({ schedulerName: 'mine' }), becomes: { schedulerName: 'mine' } },
  'schedulerName: batchScheduler wins': {
    wanted: { pod: { schedulerName: 'mine' }, application: { batchScheduler: 'volcano' } },
    becomes: { schedulerName: 'volcano' },
  },
  'schedulerName: an empty batchScheduler says nothing': {
    wanted: { pod: { schedulerName: 'mine' }, application: { batchScheduler: '' } },
    becomes: { schedulerName: 'mine' },
  },
  'nodeSelector: merged': {
    wanted: field({ nodeSelector: { disk: 'ssd', zone: 'b' } }),
    spec: { nodeSelector: { arch: 'arm64', zone: 'a' } },
    becomes: { nodeSelector: { arch: 'arm64', zone: 'b', disk: 'ssd' } },
  },
  'nodeSelector: a label that is a property of every object': {
    wanted: field({ nodeSelector: { constructor: 'a' } as never }),
    becomes: { nodeSelector: { constructor: 'a' } as never },
  },
  'affinity: replaced as a whole': {
    wanted: field({ affinity: { nodeAffinity: {} } }),
    spec: { affinity: { podAffinity: {} } },
    becomes: { affinity: { nodeAffinity: {} } },
  },
  'tolerations: each once': {
    wanted: field({ tolerations: [{ key: 'a', operator: 'Exists' }, { key: 'b', operator: 'Exists' }] }),
    spec: { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }, { key: 'b', operator: 'Exists' }] },
    becomes: {
      // Without an effect it is borne whatever the effect.
      tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }, { key: 'b', operator: 'Exists' }, { key: 'a', operator: 'Exists' }],
    },
  },
  'memoryLimit': {
    wanted: field({ memoryLimit: '6g' }),
    container: { resources: { requests: { memory: '1408Mi' }, limits: { memory: '1408Mi', cpu: '2' } } },
    containerBecomes: { resources: { requests: { memory: '1408Mi' }, limits: { memory: '6Gi', cpu: '2' } } },
  },
  'gpu': {
    wanted: field({ gpu: { name: 'nvidia.com/gpu', quantity: 2 } }),
    container: { resources: { limits: { memory: '1Gi' } } },
    containerBecomes: { resources: { limits: { 'memory': '1Gi', 'nvidia.com/gpu': '2' } } },
  },
  'gpu: the request is the limit': {
    wanted: field({ gpu: { name: 'nvidia.com/gpu', quantity: 2 } }),
    container: { resources: { requests: { 'nvidia.com/gpu': '1' } } },
    containerBecomes: { resources: { requests: { 'nvidia.com/gpu': '2' }, limits: { 'nvidia.com/gpu': '2' } } },
  },
  'metrics: a folder and a port': {
    wanted: { metrics: METRICS },
    becomes: { volumes: [{ name: 'pi-prom-conf-vol', configMap: { name: 'pi-prom-conf' } }] },
    containerBecomes: {
      volumeMounts: [{ name: 'pi-prom-conf-vol', mountPath: '/etc/metrics/conf', readOnly: true }],
      ports: [{ name: 'jmx-exporter', containerPort: 8090, protocol: 'TCP' }],
    },
  },
  'securityContext: Spark\'s setting stays if the field does not speak of it': {
    wanted: field({ securityContext: { runAsUser: 0 } }),
    container: { securityContext: { allowPrivilegeEscalation: false } },
    containerBecomes: { securityContext: { runAsUser: 0, allowPrivilegeEscalation: false } },
  },
  'securityContext: a privileged container may gain privileges': {
    wanted: field({ securityContext: { privileged: true } }),
    container: { securityContext: { allowPrivilegeEscalation: false } },
    containerBecomes: { securityContext: { privileged: true } },
  },
  'podSecurityContext': { wanted: field({ podSecurityContext: { fsGroup: 185 } }), becomes: { securityContext: { fsGroup: 185 } } },
  'terminationGracePeriodSeconds: 0 is a period': { wanted: field({ terminationGracePeriodSeconds: 0 }), becomes: { terminationGracePeriodSeconds: 0 } },
  'lifecycle': {
    wanted: field({ lifecycle: { preStop: { exec: { command: ['stop'] } } } }),
    containerBecomes: { lifecycle: { preStop: { exec: { command: ['stop'] } } } },
  },
  'shareProcessNamespace': { wanted: field({ shareProcessNamespace: true }), becomes: { shareProcessNamespace: true } },
  'shareProcessNamespace: false says nothing to a pod without it': { wanted: field({ shareProcessNamespace: false }) },
};

describe.each(ROLES)('onto the pod of a %s', (role) => {
  test.each(Object.entries(CASES))('%s', (_, { wanted, spec, container, becomes = {}, containerBecomes = {}, containersAfter = [] }) => {
    const before = pod(role, spec, container);

    const { pod: after } = customizePod(before, requestFor(role, wanted));

    expect(after).toEqual({
      ...before,
      spec: {
        ...before.spec,
        ...becomes,
        containers: [
          ...before.spec!.containers.map(other => (other.name === containerOf(role) ? { ...other, ...containerBecomes } : other)),
          ...containersAfter,
        ],
      },
    });
  });
});

/** What is refused: the field that is at fault, and why. */
const REFUSALS: { readonly [title: string]: Pick<Case, 'wanted' | 'spec' | 'container'> & { readonly field: string; readonly reason: RegExp } } = {
  'a mount without volume': {
    wanted: { pod: { volumeMounts: [{ name: 'dta', mountPath: '/d' }] }, application: { volumes: [DATA] } },
    field: 'spec.ROLE.volumeMounts[0]',
    reason: /^spec\.ROLE\.volumeMounts\[0\] = "dta" names no volume; add it to spec\.volumes or mount one of data$/,
  },
  'a mount of a sidecar without volume': {
    wanted: field({ sidecars: [{ name: 's', volumeMounts: [{ name: 'x', mountPath: '/d' }] }] }),
    field: 'spec.ROLE.sidecars[0].volumeMounts[0]',
    reason: /names no volume/,
  },
  'a volume with the name of another one': {
    wanted: { application: { volumes: [DATA] }, pod: { volumeMounts: [{ name: 'data', mountPath: '/d' }] } },
    spec: { volumes: [{ name: 'data', emptyDir: {} }] },
    field: 'spec.volumes[0]',
    reason: /already, with other content/,
  },
  'two volumes at one path': {
    wanted: field({ configMaps: [{ name: 'a', path: '/x' }, { name: 'b', path: '/x' }] }),
    field: 'spec.ROLE.configMaps[1]',
    reason: /is where the volume a-vol is mounted/,
  },
  'one volume at one path in two ways': {
    wanted: field({ volumeMounts: [{ name: 'tmp', mountPath: '/x' }] }),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/x', subPath: 'a' }] },
    field: 'spec.ROLE.volumeMounts[0]',
    reason: /the same volume is mounted in another way/,
  },
  'a volume that the pod has with a limit': {
    wanted: { application: { volumes: [{ name: 'tmp', emptyDir: {} }] }, pod: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] } },
    spec: { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }] },
    field: 'spec.volumes[0]',
    reason: /already, with other content/,
  },
  'two ports of one name': {
    wanted: field({ ports: [{ name: 'web', containerPort: 1, protocol: PortProtocol.TCP }, { name: 'web', containerPort: 2, protocol: PortProtocol.TCP }] }),
    field: 'spec.ROLE.ports[1]',
    reason: /is the name of port 1\/TCP/,
  },
  'a port for metrics that Spark has': {
    wanted: { metrics: { port: { name: 'jmx-exporter', number: 7079 } } },
    container: { ports: [{ name: 'blockmanager', containerPort: 7079 }] },
    field: 'spec.monitoring.prometheus.port',
    reason: /is the port blockmanager/,
  },
  'a port of the node twice': {
    wanted: field({ hostNetwork: true, ports: [{ name: 'ui', containerPort: 4040, protocol: PortProtocol.TCP }] }),
    container: { ports: [{ name: 'spark-ui', containerPort: 4040 }] },
    field: 'spec.ROLE.ports[0]',
    reason: /with hostNetwork a number can be used once/,
  },
  'a sidecar with the name of Spark\'s container': {
    wanted: field({ sidecars: [{ name: 'spark-kubernetes-ROLE', image: 'x' }] }),
    field: 'spec.ROLE.sidecars[0].name',
    reason: /is the name of Spark's container/,
  },
  'a sidecar with the name of another one': {
    wanted: field({ sidecars: [{ name: 'a', image: 'x' }] }),
    spec: { containers: [{ name: 'a', image: 'y' }] },
    field: 'spec.ROLE.sidecars[0].name',
    reason: /with other content/,
  },
  'a sidecar with the name of an init container': {
    wanted: field({ sidecars: [{ name: 'a' }], initContainers: [{ name: 'a' }] }),
    field: 'spec.ROLE.sidecars[0]',
    reason: /has the name of another container/,
  },
  'two Secrets at one path': {
    wanted: { properties: { 'spark.kubernetes.ROLE.secrets.a': '/s', 'spark.kubernetes.ROLE.secrets.b': '/s' } },
    field: 'spark.kubernetes.ROLE.secrets.b',
    reason: /is mounted at \/s, where Spark mounts the Secret a, too/,
  },
  'a Secret in place of Spark\'s configuration': {
    wanted: { properties: { 'spark.kubernetes.ROLE.secrets.a': '/opt/spark/conf' } },
    field: 'spark.kubernetes.ROLE.secrets.a',
    reason: /is mounted at \/opt\/spark\/conf, where Spark mounts its configuration, too/,
  },
  'two volumes of properties at one path': {
    wanted: { properties: { 'spark.kubernetes.ROLE.volumes.emptyDir.a.mount.path': '/d', 'spark.kubernetes.ROLE.volumes.emptyDir.b.mount.path': '/d' } },
    field: 'spark.kubernetes.ROLE.volumes.emptyDir.b.mount.path',
    reason: /where Spark mounts the volume a, too/,
  },
  'one name for two volumes of properties': {
    wanted: { properties: { 'spark.kubernetes.ROLE.volumes.emptyDir.v.mount.path': '/a', 'spark.kubernetes.ROLE.volumes.hostPath.v.mount.path': '/b' } },
    field: 'spark.kubernetes.ROLE.volumes.hostPath.v.mount.path',
    reason: /makes a second volume of the name v/,
  },
  'a local directory twice': {
    wanted: { properties: { 'spark.local.dir': '/a,/a' } },
    field: 'spark.local.dir',
    reason: /is mounted at \/a, where Spark mounts a local directory, too/,
  },
  'a Secret where the template mounts something': {
    wanted: { properties: { 'spark.kubernetes.ROLE.secrets.a': '/s' } },
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }, { name: 'a-volume', secret: { secretName: 'a' } }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/s' }, { name: 'a-volume', mountPath: '/s' }] },
    field: 'spark.kubernetes.ROLE.secrets.a',
    reason: /is where the volume tmp is mounted/,
  },
  'two mounts of the template at one path, beside lists that are null': {
    wanted: field({ volumeMounts: null, configMaps: null } as unknown as SparkPodSpec),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }, { name: 'other', emptyDir: {} }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/x' }, { name: 'other', mountPath: '/x' }] },
    field: 'the container spark-kubernetes-ROLE.volumeMounts',
    reason: /is where the volume tmp is mounted/,
  },
  'a port for metrics with a name that is too long': {
    wanted: { metrics: { port: { name: 'a-very-long-port-name', number: 8090 } } },
    field: 'spec.monitoring.prometheus.portName',
    reason: /is not the name of a port; write at most 15/,
  },
  'a port with a name that is none': {
    wanted: field({ ports: [{ name: 'UI', containerPort: 1, protocol: PortProtocol.TCP }] }),
    field: 'spec.ROLE.ports[0]',
    reason: /= "UI" is not the name of a port/,
  },
  'a template with a label that is none': {
    wanted: field({ template: { metadata: { labels: { team: 'x y' } } } }),
    field: 'spec.ROLE.template.metadata.labels["team"]',
    reason: /must have at most 63 letters/,
  },
  'a sidecar that requests more than its limit': {
    wanted: field({ sidecars: [{ name: 's', resources: { requests: { 'ephemeral-storage': '5Gi' }, limits: { 'ephemeral-storage': '1Gi' } } }] } as unknown as SparkPodSpec),
    field: 'spec.ROLE.sidecars[0].resources.limits[ephemeral-storage]',
    reason: /is less than what the container requests, 5Gi/,
  },
  'a memory limit below what is needed': {
    wanted: field({ memoryLimit: '1g' }),
    container: { resources: { requests: { memory: '1408Mi' } } },
    field: 'spec.ROLE.memoryLimit',
    reason: /is less than the 1408Mi that memory and overhead need; write at least 1408Mi/,
  },
  'a memory limit that is none': {
    wanted: field({ memoryLimit: 'much' }),
    field: 'spec.ROLE.memoryLimit',
    reason: /is not a size; write a number and a unit/,
  },
};

describe.each(ROLES)('refused for a %s', (role) => {
  const forRole = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('ROLE', role)) as T;

  test.each(Object.entries(REFUSALS))('%s', (_, { wanted, spec, container, field: culprit, reason }) => {
    const refusal = refusalOf(() => customizePod(pod(role, spec, container), requestFor(role, forRole(wanted))));

    expect(refusal.field).toBe(culprit.replace('ROLE', role));
    expect(refusal.message).toMatch(new RegExp(reason.source.replaceAll('ROLE', role)));
    expect(refusal.remedy).not.toBe('');
  });
});

test('a CPU limit of the executors\' template is compared with the cores that Spark requests', () => {
  const request = requestFor('executor', { target: 'template', properties: { 'spark.executor.cores': '4' } });

  expect(refusalOf(() => customizePod(pod('executor', {}, { resources: { limits: { cpu: '2' } } } as object), request)).reason)
    .toBe('is less than what the container requests, 4');
  expect(() => customizePod(pod('executor', {}, { resources: { limits: { cpu: '4' } } } as object), request)).not.toThrow();
});

describe('warnings that the table of precedence does not have', () => {
  const warningsOf = (wanted: Described, spec?: Partial<PodSpec>, container?: Partial<Container>) => (
    customizePod(pod('driver', spec, container), requestFor('driver', wanted)).warnings.map(warningText)
  );

  test.each<[string, Described, string]>([
    ['a GPU without a number', field({ gpu: { name: 'nvidia.com/gpu', quantity: 0 } }), 'spec.driver.gpu has no effect without a quantity of at least 1'],
    ['a GPU without a name', field({ gpu: { name: '', quantity: 1 } }), 'spec.driver.gpu has no effect without a name such as nvidia.com/gpu'],
    ['a variable twice', field({ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] }), 'spec.driver.env[0] is overridden by spec.driver.env[1]'],
  ])('%s', (_, wanted, warning) => {
    expect(warningsOf(wanted)).toEqual([warning]);
  });

  test('a variable of Spark\'s', () => {
    expect(warningsOf(field({ env: [{ name: 'SPARK_USER', value: 'x' }] }), {}, { env: [{ name: 'SPARK_USER', value: 'spark' }] }))
      .toEqual(['spec.driver.env[SPARK_USER] replaces SPARK_USER, which Spark sets itself']);
  });

  test('no warning holds a value', () => {
    const warnings = warningsOf({ pod: { env: [{ name: 'TOKEN', value: 'n3w' }], schedulerName: 'n3w' } }, { schedulerName: '0ld' }, { env: [{ name: 'TOKEN', value: '0ld' }] });

    expect(warnings).toHaveLength(2);
    expect(warnings.join()).not.toMatch(/n3w|0ld/);
  });
});

describe('the template of executors', () => {
  const wanted = (described: Described) => requestFor('executor', { ...described, target: 'template' });

  test('Spark\'s container is the first one, unless another one has its name', () => {
    const env = [{ name: 'A', value: '1' }];

    expect(customizePod({ spec: { containers: [{ name: 'mine' }, { name: 'other' }] } }, wanted({ pod: { env } })).pod.spec.containers)
      .toEqual([{ name: 'mine', env }, { name: 'other' }]);
    expect(customizePod({ spec: { containers: [{ name: 'other' }, { name: 'spark-kubernetes-executor' }] } }, wanted({ pod: { env } })).pod.spec.containers)
      .toEqual([{ name: 'other' }, { name: 'spark-kubernetes-executor', env }]);
  });

  test('Spark\'s container is made if something has to be put on it, or Spark would take a sidecar for its own', () => {
    const { pod: withVariable } = customizePod({}, wanted({ pod: { env: [{ name: 'A', value: '1' }] } }));
    const { pod: withSidecar } = customizePod({}, wanted({ pod: { sidecars: [{ name: 'side' }] } }));
    const { pod: withAffinity } = customizePod({}, wanted({ pod: { affinity: { nodeAffinity: {} } } }));

    expect(withVariable).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor', env: [{ name: 'A', value: '1' }] }] } });
    expect(withSidecar).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor' }, { name: 'side' }] } });
    expect(withAffinity).toEqual({ spec: { containers: [], affinity: { nodeAffinity: {} } } });
  });

  test.each<[string, Described, boolean]>([
    ['nothing', {}, false],
    ['what says nothing', { pod: { hostNetwork: false, env: [], tolerations: [], gpu: { name: 'x', quantity: 0 }, priorityClassName: '' } }, false],
    ['what a template cannot carry', { pod: { memoryLimit: '6g' } }, false],
    ['a local directory of Spark\'s', { pod: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/x' }] }, application: { volumes: [{ name: 'spark-local-dir-1', emptyDir: {} }] } }, false],
    ['a toleration', { pod: { tolerations: [{ operator: 'Exists' }] } }, true],
    ['a field of the application', { application: { hadoopConfigMap: 'hadoop' } }, true],
    ['metrics', { metrics: METRICS }, true],
  ])('executors with %s: is a template needed? (%#)', (_, described, needed) => {
    expect(customizes(wanted(described))).toBe(needed);
  });

  test.each<[string, Described, string]>([
    ['where Spark mounts its configuration', { pod: { configMaps: [{ name: 'a', path: '/opt/spark/conf' }] } }, 'spec.executor.configMaps[0]'],
    ['where Spark mounts a Secret', {
      pod: { volumeMounts: [{ name: 'data', mountPath: '/secret' }] }, application: { volumes: [DATA] }, properties: { 'spark.kubernetes.executor.secrets.s': '/secret' },
    }, 'spec.executor.volumeMounts[0]'],
  ])('something must not be mounted %s', (_, described, culprit) => {
    expect(refusalOf(() => customizePod({}, wanted(described))).field).toBe(culprit);
  });

  test('ports: what Spark adds is not added before, nor under another number', () => {
    const port = (number: number) => ({ pod: { ports: [{ name: 'blockmanager', containerPort: number, protocol: PortProtocol.TCP }] } });

    expect(customizes(wanted(port(7079)))).toBe(false);
    expect(refusalOf(() => customizes(wanted(port(9999)))).field).toBe('spec.executor.ports[0]');
    expect(customizes(wanted({ ...port(9999), properties: { 'spark.blockManager.port': '9999' } }))).toBe(false);
  });

  test('volumes that Spark adds can be mounted by a sidecar', () => {
    const sidecars = [{ name: 's', volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/x' }, { name: 'token-volume', mountPath: '/y' }] }];
    const { pod: template } = customizePod({}, wanted({ pod: { sidecars }, properties: { 'spark.kubernetes.executor.secrets.token': '/z' } }));

    expect(template).toEqual({ spec: { containers: [{ name: 'spark-kubernetes-executor' }, sidecars[0]] } });
  });

  test('another namespace than the application\'s is refused: Spark could not create executors', () => {
    const template = { metadata: { namespace: 'other' } };
    const refusal = refusalOf(() => customizePod(template, wanted({ pod: { template }, properties: { 'spark.kubernetes.namespace': 'jobs' } })));

    expect(refusal.message).toBe('spec.executor.template.metadata.namespace = "other" is not the namespace of the application, jobs; remove it');
  });

  test('a service account that is written in Kubernetes\' newer way is kept', () => {
    expect(customizePod({ spec: { containers: [], serviceAccountName: 'mine' } }, wanted({})).pod.spec)
      .toEqual({ containers: [], serviceAccount: 'mine', serviceAccountName: 'mine' });
  });

  test('null in a template is nothing', () => {
    const template = { metadata: null, spec: { containers: null, volumes: null, nodeSelector: null, tolerations: null } } as never;
    const { pod: result } = customizePod(template, wanted({ pod: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }], env: [{ name: 'A', value: '1' }] } }));

    expect(result).toEqual({
      metadata: null,
      spec: {
        volumes: null,
        nodeSelector: { a: 'b' },
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'spark-kubernetes-executor', env: [{ name: 'A', value: '1' }] }],
      },
    });
  });
});
