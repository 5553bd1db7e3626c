import { applied } from '../apply-patch';
import { OWNER, pi, plainPod } from './pods';
import { creation, world } from './world';
import { podMutator } from '../../../../src/operator/admission/mutate/pod';
import type { AdmissionAnswer, PatchOperation } from '../../../../src/operator/admission/review';
import type { AdmissionWorld } from '../../../../src/operator/admission/world';
import type { Role } from '../../../../src/operator/submission/pod-properties';

const mutate = async (pod: object, application: object | undefined = pi(), more: Partial<AdmissionWorld> = {}): Promise<AdmissionAnswer> => (
  podMutator(world(application ? [application] : [], more))(creation(pod))
);

const add = (path: string, value: unknown): PatchOperation => ({ op: 'add', path, value });
const replace = (path: string, value: unknown): PatchOperation => ({ op: 'replace', path, value });
const remove = (path: string): PatchOperation => ({ op: 'remove', path });

const SPARK = '/spec/containers/0';
const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };

/** What stands in an application, and the patch that follows, in the order of the mutations. `role` stands for the fields of driver or executor. */
const CASES: { readonly [mutation: string]: { readonly application?: object; readonly role?: object; readonly patch: readonly PatchOperation[] } } = {
  'env': {
    role: { env: [{ name: 'A', value: '1' }] },
    patch: [add(`${SPARK}/env/2`, { name: 'A', value: '1' })],
  },
  'envFrom': {
    role: { envFrom: [{ secretRef: { name: 's' } }] },
    patch: [add(`${SPARK}/envFrom`, [{ secretRef: { name: 's' } }])],
  },
  'hadoopConfigMap': {
    application: { hadoopConfigMap: 'hadoop' },
    patch: [
      add(`${SPARK}/env/2`, { name: 'HADOOP_CONF_DIR', value: '/etc/hadoop/conf' }),
      add(`${SPARK}/volumeMounts/2`, { name: 'hadoop-configmap-volume', mountPath: '/etc/hadoop/conf', readOnly: true }),
      add('/spec/volumes/2', { name: 'hadoop-configmap-volume', configMap: { name: 'hadoop' } }),
    ],
  },
  'sparkConfigMap: in place of Spark\'s own folder': {
    application: { sparkConfigMap: 'spark' },
    patch: [
      replace(`${SPARK}/env/1/value`, '/etc/spark/conf'),
      add(`${SPARK}/volumeMounts/2`, { name: 'spark-configmap-volume', mountPath: '/etc/spark/conf', readOnly: true }),
      add('/spec/volumes/2', { name: 'spark-configmap-volume', configMap: { name: 'spark' } }),
    ],
  },
  'configMaps: volumes of names that Kubernetes takes': {
    role: { configMaps: [{ name: 'app.yaml', path: '/app' }] },
    patch: [
      add(`${SPARK}/volumeMounts/2`, { name: 'app-yaml-0b16fea8-vol', mountPath: '/app', readOnly: true }),
      add('/spec/volumes/2', { name: 'app-yaml-0b16fea8-vol', configMap: { name: 'app.yaml' } }),
    ],
  },
  'volumes: each once, and local directories are Spark\'s': {
    application: { volumes: [DATA, { name: 'other', emptyDir: {} }, { name: 'spark-local-dir-1', emptyDir: {} }] },
    role: { volumeMounts: [{ name: 'data', mountPath: '/a' }, { name: 'data', mountPath: '/b' }, { name: 'spark-local-dir-1', mountPath: '/tmp/1' }] },
    patch: [add(`${SPARK}/volumeMounts/2`, { name: 'data', mountPath: '/a' }), add(`${SPARK}/volumeMounts/3`, { name: 'data', mountPath: '/b' }), add('/spec/volumes/2', DATA)],
  },
  'ports': {
    role: { ports: [{ name: 'web', protocol: 'TCP', containerPort: 8080 }] },
    patch: [add(`${SPARK}/ports/1`, { name: 'web', containerPort: 8080, protocol: 'TCP' })],
  },
  'hostNetwork: with the DNS policy that it needs': {
    role: { hostNetwork: true },
    patch: [add('/spec/hostNetwork', true), replace('/spec/dnsPolicy', 'ClusterFirstWithHostNet')],
  },
  'hostAliases': {
    role: { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] },
    patch: [add('/spec/hostAliases', [{ ip: '10.0.0.1', hostnames: ['a'] }])],
  },
  'initContainers': {
    role: { initContainers: [{ name: 'init', image: 'i' }] },
    patch: [add('/spec/initContainers', [{ name: 'init', image: 'i' }])],
  },
  'sidecars: with ports as Kubernetes writes them': {
    role: { sidecars: [{ name: 'side', image: 's', livenessProbe: { tcpSocket: { port: '8080' } } }] },
    patch: [add('/spec/containers/1', { name: 'side', image: 's', livenessProbe: { tcpSocket: { port: 8080 } } })],
  },
  'dnsConfig': {
    role: { dnsConfig: { searches: ['example.org'] } },
    patch: [add('/spec/dnsConfig', { searches: ['example.org'] })],
  },
  'priorityClassName: without the priority of another class': {
    role: { priorityClassName: 'high' },
    patch: [remove('/spec/preemptionPolicy'), remove('/spec/priority'), add('/spec/priorityClassName', 'high')],
  },
  'schedulerName: batchScheduler wins': {
    application: { batchScheduler: 'volcano' },
    role: { schedulerName: 'mine' },
    patch: [replace('/spec/schedulerName', 'volcano')],
  },
  'nodeSelector': {
    role: { nodeSelector: { 'example.org/disk': 'ssd' } },
    patch: [add('/spec/nodeSelector', { 'example.org/disk': 'ssd' })],
  },
  'affinity': {
    role: { affinity: { nodeAffinity: {} } },
    patch: [add('/spec/affinity', { nodeAffinity: {} })],
  },
  'tolerations: besides those that the API server adds': {
    role: { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
    patch: [add('/spec/tolerations/1', { key: 'gpu', operator: 'Exists' })],
  },
  'memoryLimit: as Kubernetes writes it': {
    role: { memoryLimit: '6g' },
    patch: [replace(`${SPARK}/resources/limits/memory`, '6Gi')],
  },
  'gpu': {
    role: { gpu: { name: 'nvidia.com/gpu', quantity: 2 } },
    patch: [add(`${SPARK}/resources/limits/nvidia.com~1gpu`, '2')],
  },
  'monitoring: the ConfigMap of kubeflow\'s operator, and the port': {
    application: { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/agent.jar' } } },
    patch: [
      add(`${SPARK}/ports/1`, { name: 'jmx-exporter', containerPort: 8090, protocol: 'TCP' }),
      add(`${SPARK}/volumeMounts/2`, { name: 'pi-prom-conf-vol', mountPath: '/etc/metrics/conf', readOnly: true }),
      add('/spec/volumes/2', { name: 'pi-prom-conf-vol', configMap: { name: 'pi-prom-conf' } }),
    ],
  },
  'securityContext': {
    role: { securityContext: { runAsUser: 185 } },
    patch: [add(`${SPARK}/securityContext`, { runAsUser: 185 })],
  },
  'podSecurityContext': {
    role: { podSecurityContext: { fsGroup: 185 } },
    patch: [add('/spec/securityContext/fsGroup', 185)],
  },
  'terminationGracePeriodSeconds': {
    role: { terminationGracePeriodSeconds: 60 },
    patch: [replace('/spec/terminationGracePeriodSeconds', 60)],
  },
  'lifecycle': {
    role: { lifecycle: { preStop: { exec: { command: ['stop'] } } } },
    patch: [add(`${SPARK}/lifecycle`, { preStop: { exec: { command: ['stop'] } } })],
  },
  'shareProcessNamespace': {
    role: { shareProcessNamespace: true },
    patch: [add('/spec/shareProcessNamespace', true)],
  },
};

const sorted = (patch: readonly PatchOperation[] = []) => patch.map((operation) => JSON.stringify(operation)).sort();

describe.each<Role>(['driver', 'executor'])('what is put onto a %s', (role) => {
  const owner = role === 'driver' ? [add('/metadata/ownerReferences', [OWNER])] : [];

  test.each(Object.entries(CASES))('%s', async (_, { application, role: fields, patch }) => {
    const pod = plainPod(role);
    const answer = await mutate(pod, pi({ ...application, [role]: fields ?? {} }));

    expect(answer.allowed).toBe(true);
    expect(sorted(answer.patch)).toEqual(sorted([...owner, ...patch]));
    // Asked again after another webhook, there is nothing left.
    expect(await mutate(applied(pod, answer.patch), pi({ ...application, [role]: fields ?? {} }))).toEqual({ allowed: true });
  });

  test('all of it at once, in this order', async () => {
    const together = Object.values(CASES)
      .reduce((spec, { application, role: fields }) => ({ ...spec, ...application, [role]: { ...(spec as any)[role], ...fields } }), {} as object);
    const pod = plainPod(role);
    const { spec: { volumes, containers: [{ env, volumeMounts }] } } = applied(pod, (await mutate(pod, pi(together))).patch);

    expect(env.map(({ name }: any) => name)).toEqual(['SPARK_USER', 'A', 'HADOOP_CONF_DIR', 'SPARK_CONF_DIR']);
    expect(volumes.slice(2).map(({ name }: any) => name)).toEqual(['hadoop-configmap-volume', 'spark-configmap-volume', 'app-yaml-0b16fea8-vol', 'data', 'pi-prom-conf-vol']);
    expect(volumeMounts.slice(2).map(({ mountPath }: any) => mountPath)).toEqual(['/etc/hadoop/conf', '/etc/spark/conf', '/app', '/a', '/b', '/etc/metrics/conf']);
  });
});

describe('owners', () => {
  const owners = async (ownerReferences: object[]) => {
    const pod = plainPod('driver', { metadata: { ...plainPod('driver').metadata, ownerReferences } });
    return applied(pod, (await mutate(pod)).patch).metadata.ownerReferences;
  };

  test('a driver that has a controller keeps it', async () => {
    expect(await owners([OWNER])).toEqual([OWNER]);
    const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'submitter', uid: 'job', controller: true };
    expect(await owners([job])).toEqual([job]);
  });

  test('a driver with another owner gets the application as its controller', async () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' };
    expect(await owners([other])).toEqual([other, OWNER]);
  });

  test('an executor belongs to its driver', async () => {
    expect(await mutate(plainPod('executor'))).toEqual({ allowed: true });
  });
});

describe('a pod is taken as it is', () => {
  const wanted = pi({ driver: { hostNetwork: true }, executor: { hostNetwork: true } });
  const labelled = (labels: object) => plainPod('executor', { metadata: { labels: { ...plainPod('executor').metadata.labels, ...labels } } });

  test.each<[string, object]>([
    ['that has all', plainPod('executor', { metadata: { ...plainPod('executor').metadata, annotations: { 'sparkoperator.k8s.io/customized': 'true' } } })],
    ['that names no application', labelled({ 'sparkoperator.k8s.io/app-name': undefined })],
    ['that is neither driver nor executor', labelled({ 'spark-role': 'history-server' })],
  ])('%s', async (_, pod) => {
    expect(await mutate(pod, wanted)).toEqual({ allowed: true });
  });

  test('in a namespace of somebody else', async () => {
    expect(await podMutator(world([wanted]))(creation(plainPod('executor'), { namespace: 'other' }))).toEqual({ allowed: true });
  });

  test.each<[string, object, object | undefined, string]>([
    ['whose application does not exist any more', plainPod('executor'), undefined, 'there is no SparkApplication jobs/pi'],
    ['of an application that was deleted and created again', labelled({ 'sparkoperator.k8s.io/app-uid': 'before' }), wanted, 'it belongs to another SparkApplication jobs/pi than the one that exists'],
    ['that another application of the same name owns', plainPod('driver', { metadata: { ...plainPod('driver').metadata, ownerReferences: [{ ...OWNER, uid: 'before' }] } }), wanted,
      'it belongs to another SparkApplication jobs/pi than the one that exists'],
  ])('%s, with a word', async (...[, pod, application, why]) => {
    const answer = await podMutator(world(application ? [application] : []))(creation(pod));
    expect(answer).toEqual({ allowed: true, warnings: [`the pod is created as it is: ${why}`] });
  });
});

describe('a pod is not created', () => {
  test('if its application cannot be submitted, and the reason says why', async () => {
    expect(await mutate(plainPod('executor'), pi({ executor: { memoryLimit: '1g' } }))).toEqual({
      allowed: false, code: 422, message: 'SparkApplication jobs/pi: spec.executor.memoryLimit = "1g" is less than the 1408Mi that memory and overhead need; write at least 1408Mi, or lower spec.executor.memory',
    });
  });

  test.each<[string, Partial<AdmissionWorld>]>([
    ['the API server is out of reach', { application: async () => { throw new Error('out of reach'); } }],
    ['the defaults of the cluster are out of reach', { defaults: { current: () => ({ kind: 'unusable', reason: 'out of reach' }) } }],
  ])('for now if %s', async (_, more) => {
    await expect(mutate(plainPod('executor'), pi(), more)).rejects.toThrow('out of reach');
  });
});

test('what the cluster says by default and enforces counts', async () => {
  const layers = { cluster: { configMap: 'spark/defaults', resourceVersion: '1', defaults: { executor: { priorityClassName: 'low' } }, enforced: { executor: { schedulerName: 'volcano' } }, limits: {} } };
  const answer = await mutate(plainPod('executor'), pi({ executor: { schedulerName: 'mine' } }), { defaults: { current: () => ({ kind: 'ready', layers: layers as never }) } });
  expect(answer.patch).toEqual(expect.arrayContaining([add('/spec/priorityClassName', 'low'), replace('/spec/schedulerName', 'volcano')]));
});

describe('Spark\'s container', () => {
  const executor = { env: [{ name: 'A', value: '1' }] };
  const named = (...names: string[]) => plainPod('executor', { spec: { containers: names.map((name) => ({ ...plainPod('executor').spec.containers[0], name, ports: [] })) } });

  test.each<[string, object, object, number]>([
    ['by its name', named('side', 'spark-kubernetes-executor'), pi({ executor }), 1],
    ['by the name that older versions give it', named('side', 'executor'), pi({ executor }), 1],
    ['by the name in its template', named('side', 'main'), pi({ executor: { ...executor, template: { spec: { containers: [{ name: 'main' }] } } } }), 1],
    ['the first one, if no name is known', named('main', 'side'), pi({ executor }), 0],
  ])('%s', async (_, pod, application, index) => {
    expect((await mutate(pod, application)).patch).toEqual([add(`/spec/containers/${index}/env/2`, { name: 'A', value: '1' })]);
  });
});
