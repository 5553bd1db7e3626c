import { PortProtocol, type SparkPodSpec } from '../../../src/api/spark-pod';
import { customizePod } from '../../../src/plan/pods/customize';
import { DATA, field, type Given, pod, refusalOf, requestFor, ROLES } from './helpers';

/** A rejected customization: the invalid field, and the reason. */
const REFUSALS: { readonly [title: string]: Given & { readonly field: string; readonly reason: RegExp } } = {
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
  'a volume with the name of another': {
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
  'one volume mounted at one path with different settings': {
    wanted: field({ volumeMounts: [{ name: 'tmp', mountPath: '/x' }] }),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/x', subPath: 'a' }] },
    field: 'spec.ROLE.volumeMounts[0]',
    reason: /the same volume is mounted in another way/,
  },
  'a volume that exists in the pod with a limit': {
    wanted: { application: { volumes: [{ name: 'tmp', emptyDir: {} }] }, pod: { volumeMounts: [{ name: 'tmp', mountPath: '/t' }] } },
    spec: { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }] },
    field: 'spec.volumes[0]',
    reason: /already, with other content/,
  },
  'two ports of one name': {
    wanted: field({
      ports: [{ name: 'web', containerPort: 1, protocol: PortProtocol.TCP }, { name: 'web', containerPort: 2, protocol: PortProtocol.TCP }],
    }),
    field: 'spec.ROLE.ports[1]',
    reason: /is the name of port 1\/TCP/,
  },
  'a metrics port that Spark uses': {
    wanted: { metrics: { port: { name: 'jmx-exporter', number: 7079 } } },
    container: { ports: [{ name: 'blockmanager', containerPort: 7079 }] },
    field: 'spec.monitoring.prometheus.port',
    reason: /is the port blockmanager/,
  },
  'a host port twice': {
    wanted: field({ hostNetwork: true, ports: [{ name: 'ui', containerPort: 4040, protocol: PortProtocol.TCP }] }),
    container: { ports: [{ name: 'spark-ui', containerPort: 4040 }] },
    field: 'spec.ROLE.ports[0]',
    reason: /with hostNetwork, each number can occur once/,
  },
  'a sidecar with the name of Spark\'s container': {
    wanted: field({ sidecars: [{ name: 'spark-kubernetes-ROLE', image: 'x' }] }),
    field: 'spec.ROLE.sidecars[0].name',
    reason: /is the name of Spark's container/,
  },
  'a sidecar with the name of another': {
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
    reason: /is mounted at \/s, where Spark also mounts the Secret a/,
  },
  'a Secret at the path of Spark\'s configuration': {
    wanted: { properties: { 'spark.kubernetes.ROLE.secrets.a': '/opt/spark/conf' } },
    field: 'spark.kubernetes.ROLE.secrets.a',
    reason: /is mounted at \/opt\/spark\/conf, where Spark also mounts its configuration/,
  },
  'two volumes of properties at one path': {
    wanted: {
      properties: {
        'spark.kubernetes.ROLE.volumes.emptyDir.a.mount.path': '/d', 'spark.kubernetes.ROLE.volumes.emptyDir.b.mount.path': '/d',
      },
    },
    field: 'spark.kubernetes.ROLE.volumes.emptyDir.b.mount.path',
    reason: /where Spark also mounts the volume a/,
  },
  'one name for two volumes of properties': {
    wanted: {
      properties: {
        'spark.kubernetes.ROLE.volumes.emptyDir.v.mount.path': '/a', 'spark.kubernetes.ROLE.volumes.hostPath.v.mount.path': '/b',
      },
    },
    field: 'spark.kubernetes.ROLE.volumes.hostPath.v.mount.path',
    reason: /creates a second volume with the name v/,
  },
  'a local directory twice': {
    wanted: { properties: { 'spark.local.dir': '/a,/a' } },
    field: 'spark.local.dir',
    reason: /is mounted at \/a, where Spark also mounts a local directory/,
  },
  'a Secret where the template mounts something': {
    wanted: { properties: { 'spark.kubernetes.ROLE.secrets.a': '/s' } },
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }, { name: 'a-volume', secret: { secretName: 'a' } }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/s' }, { name: 'a-volume', mountPath: '/s' }] },
    field: 'spark.kubernetes.ROLE.secrets.a',
    reason: /is where the volume tmp is mounted/,
  },
  'two mounts of the template at one path, and lists that are null': {
    wanted: field({ volumeMounts: null, configMaps: null } as unknown as SparkPodSpec),
    spec: { volumes: [{ name: 'tmp', emptyDir: {} }, { name: 'other', emptyDir: {} }] },
    container: { volumeMounts: [{ name: 'tmp', mountPath: '/x' }, { name: 'other', mountPath: '/x' }] },
    field: 'the container spark-kubernetes-ROLE.volumeMounts',
    reason: /is where the volume tmp is mounted/,
  },
  'a metrics port with a too long name': {
    wanted: { metrics: { port: { name: 'a-very-long-port-name', number: 8090 } } },
    field: 'spec.monitoring.prometheus.portName',
    reason: /is not a valid port name; write at most 15/,
  },
  'a port with an invalid name': {
    wanted: field({ ports: [{ name: 'UI', containerPort: 1, protocol: PortProtocol.TCP }] }),
    field: 'spec.ROLE.ports[0]',
    reason: /= "UI" is not a valid port name/,
  },
  'a template with an invalid label': {
    wanted: field({ template: { metadata: { labels: { team: 'x y' } } } }),
    field: 'spec.ROLE.template.metadata.labels[team]',
    reason: /must have at most 63 letters/,
  },
  'a sidecar that requests more than its limit': {
    wanted: field({
      sidecars: [{ name: 's', resources: { requests: { 'ephemeral-storage': '5Gi' }, limits: { 'ephemeral-storage': '1Gi' } } }],
    } as unknown as SparkPodSpec),
    field: 'spec.ROLE.sidecars[0].resources.limits[ephemeral-storage]',
    reason: /is less than what the container requests, 5Gi/,
  },
  'a memory limit below the request': {
    wanted: field({ memoryLimit: '1g' }),
    container: { resources: { requests: { memory: '1408Mi' } } },
    field: 'spec.ROLE.memoryLimit',
    reason: /is less than the 1408Mi that memory and overhead need; write at least 1408Mi/,
  },
  'an invalid memory limit': {
    wanted: field({ memoryLimit: 'much' }),
    field: 'spec.ROLE.memoryLimit',
    reason: /is not a size; write a number and a unit/,
  },
};

describe.each(ROLES)('rejected for a %s', (role) => {
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
