import { PortProtocol } from '../../../src/api/spark-pod';
import type { Container, PodSpec } from '../../../src/k8s';
import { customizePod } from '../../../src/plan/pods/customize';
import { containerOf, DATA, field, type Given, METRICS, pod, requestFor, ROLES } from './helpers';

/** A customization, the pod before it, and its result. */
interface Case extends Given {
  /** Changed fields of the pod. */
  readonly becomes?: Partial<PodSpec>;
  /** Changed fields of Spark's container. */
  readonly containerBecomes?: Partial<Container>;
  /** Containers after Spark's. */
  readonly containersAfter?: readonly Container[];
}

const CASES: { readonly [title: string]: Case } = {
  'env: after the existing variables': {
    wanted: field({ env: [{ name: 'A', value: '1' }, { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    container: { env: [{ name: 'SPARK_USER', value: 'me' }] },
    containerBecomes: {
      env: [{
        name: 'SPARK_USER', value: 'me',
      }, { name: 'A', value: '1' }, { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
    },
  },
  'env: in place of a variable of the same name': {
    wanted: field({ env: [{ name: 'A', value: '2' }] }),
    container: { env: [{ name: 'A', value: '1' }, { name: 'B', value: '1' }] },
    containerBecomes: { env: [{ name: 'B', value: '1' }, { name: 'A', value: '2' }] },
  },
  'env: in addition to a variable of the same name to which another one refers': {
    wanted: field({ env: [{ name: 'DIR', value: '/new' }] }),
    container: { env: [{ name: 'DIR', value: '/old' }, { name: 'FILE', value: '$(DIR)/f' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/old' }, { name: 'FILE', value: '$(DIR)/f' }, { name: 'DIR', value: '/new' }] },
  },
  'env: a variable that refers to its own previous value': {
    wanted: field({ env: [{ name: 'DIR', value: '$(DIR)/sub' }] }),
    container: { env: [{ name: 'DIR', value: '/old' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/old' }, { name: 'DIR', value: '$(DIR)/sub' }] },
  },
  'env: variables that refer to each other are in the wanted order': {
    wanted: field({ env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] }),
    container: { env: [{ name: 'FILE', value: '$(DIR)/f' }, { name: 'DIR', value: '/new' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] },
  },
  'env: a variable is placed after a new one to which it refers': {
    wanted: field({ env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] }),
    container: { env: [{ name: 'FILE', value: '$(DIR)/f' }] },
    containerBecomes: { env: [{ name: 'DIR', value: '/new' }, { name: 'FILE', value: '$(DIR)/f' }] },
  },
  'env: an existing variable is moved after the one to which it refers': {
    wanted: field({ env: [{ name: 'LOG', value: '/logs/$(SPARK_USER)' }] }),
    container: { env: [{ name: 'LOG', value: '/logs/$(SPARK_USER)' }, { name: 'SPARK_USER', value: 'me' }] },
    containerBecomes: { env: [{ name: 'SPARK_USER', value: 'me' }, { name: 'LOG', value: '/logs/$(SPARK_USER)' }] },
  },
  'envFrom: added to the existing ones, each once': {
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
  'volumes: only those that Spark\'s container mounts': {
    wanted: {
      application: {
        volumes: [DATA, { name: 'other', emptyDir: {} }],
      }, pod: { volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'x' }] },
    },
    becomes: { volumes: [DATA] },
    containerBecomes: { volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'x' }] },
  },
  'volumes: an existing volume of the pod can be mounted': {
    wanted: field({ volumeMounts: [{ name: 'tmp', mountPath: '/t' }] }),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }] },
    containerBecomes: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] },
  },
  'volumes: an existing equal volume is not added': {
    wanted: {
      application: {
        volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1024Mi' } }],
      }, pod: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] },
    },
    spec: { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi', medium: '' } }] },
    containerBecomes: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] },
  },
  'volumes: those that only a sidecar mounts': {
    wanted: {
      application: { volumes: [DATA] }, pod: {
        sidecars: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
      },
    },
    becomes: { volumes: [DATA] },
    containersAfter: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
  },
  'volumes: those that only an init container uses, as a device': {
    wanted: {
      application: { volumes: [DATA] }, pod: {
        initContainers: [{ name: 'format', image: 'f', volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }],
      },
    },
    becomes: { volumes: [DATA], initContainers: [{ name: 'format', image: 'f', volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }] },
  },
  'volumes: those that a container of the template mounts': {
    wanted: { application: { volumes: [DATA] } },
    spec: { containers: [{ name: 'side', image: 's', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] },
    becomes: { volumes: [DATA] },
  },
  'volumes: Spark mounts local directories itself': {
    wanted: {
      application: {
        volumes: [{ name: 'spark-local-dir-1', emptyDir: {} }],
      }, pod: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
    },
  },
  'volumes: a local directory of a type without Spark properties': {
    wanted: {
      application: { volumes: [{ name: 'spark-local-dir-1', ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
      pod: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
    },
    becomes: { volumes: [{ name: 'spark-local-dir-1', ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
    containerBecomes: { volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
  },
  'ports: after the existing ones; a number can have two names': {
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
  'hostNetwork: false changes nothing in a pod without it': { wanted: field({ hostNetwork: false }) },
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
  'sidecars: after Spark\'s container; an existing one is not added': {
    wanted: field({ sidecars: [{ name: 'one', image: 'i' }, { name: 'two', image: 'i' }] }),
    spec: { containers: [{ name: 'one', image: 'i', command: ['run'] }] },
    containersAfter: [{ name: 'two', image: 'i' }],
  },
  'dnsConfig': { wanted: field({ dnsConfig: { searches: ['example.org'] } }), becomes: { dnsConfig: { searches: ['example.org'] } } },
  'priorityClassName: without the derived fields of another class': {
    wanted: field({ priorityClassName: 'high' }),
    spec: { priorityClassName: 'low', priority: 1, preemptionPolicy: 'Never' },
    becomes: { priorityClassName: 'high', priority: undefined, preemptionPolicy: undefined },
  },
  'priorityClassName: the same class keeps its priority': {
    wanted: field({ priorityClassName: 'high' }), spec: { priorityClassName: 'high', priority: 9 },
  },
  'schedulerName': { wanted: field({ schedulerName: 'mine' }), becomes: { schedulerName: 'mine' } },
  'schedulerName: batchScheduler takes precedence': {
    wanted: { pod: { schedulerName: 'mine' }, application: { batchScheduler: 'volcano' } },
    becomes: { schedulerName: 'volcano' },
  },
  'schedulerName: an empty batchScheduler has no effect': {
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
      // A toleration without an effect matches all effects.
      tolerations: [
        { key: 'a', operator: 'Exists', effect: 'NoSchedule' }, { key: 'b', operator: 'Exists' }, { key: 'a', operator: 'Exists' },
      ],
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
  'securityContext: Spark\'s setting remains if the field does not set it': {
    wanted: field({ securityContext: { runAsUser: 0 } }),
    container: { securityContext: { allowPrivilegeEscalation: false } },
    containerBecomes: { securityContext: { runAsUser: 0, allowPrivilegeEscalation: false } },
  },
  'securityContext: a privileged container gets allowPrivilegeEscalation': {
    wanted: field({ securityContext: { privileged: true } }),
    container: { securityContext: { allowPrivilegeEscalation: false } },
    containerBecomes: { securityContext: { privileged: true } },
  },
  'podSecurityContext': { wanted: field({ podSecurityContext: { fsGroup: 185 } }), becomes: { securityContext: { fsGroup: 185 } } },
  'terminationGracePeriodSeconds: 0 is a period': {
    wanted: field({ terminationGracePeriodSeconds: 0 }), becomes: { terminationGracePeriodSeconds: 0 },
  },
  'lifecycle': {
    wanted: field({ lifecycle: { preStop: { exec: { command: ['stop'] } } } }),
    containerBecomes: { lifecycle: { preStop: { exec: { command: ['stop'] } } } },
  },
  'shareProcessNamespace': { wanted: field({ shareProcessNamespace: true }), becomes: { shareProcessNamespace: true } },
  'shareProcessNamespace: false changes nothing in a pod without it': { wanted: field({ shareProcessNamespace: false }) },
};

describe.each(ROLES)('the customized pod of a %s', (role) => {
  test.each(Object.entries(CASES))('%s', (_, { wanted, spec, container, becomes = {}, containerBecomes = {}, containersAfter = [] }) => {
    const before = pod(role, spec, container);

    const { pod: after } = customizePod(before, requestFor(role, wanted));

    expect(after).toEqual({
      ...before,
      spec: {
        ...before.spec,
        ...becomes,
        containers: [
          ...before.spec!.containers!.map(other => (other.name === containerOf(role) ? { ...other, ...containerBecomes } : other)),
          ...containersAfter,
        ],
      },
    });
  });
});
