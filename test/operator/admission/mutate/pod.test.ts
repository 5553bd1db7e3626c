import type { KubeClient } from '../../../../src/kube/client';
import { systemClock } from '../../../../src/kube/clock';
import { ApiError } from '../../../../src/kube/errors';
import { applied } from '../apply-patch';
import { OWNER, pi, plainPod } from './pods';
import { creation, world } from './world';
import { admissionDependencies } from '../../../../src/operator/admission/create-dependencies';
import { podMutator } from '../../../../src/operator/admission/mutate/pod';
import { CannotAnswer, type AdmissionAnswer, type PatchOperation } from '../../../../src/operator/admission/review';
import type { AdmissionDependencies } from '../../../../src/operator/admission/dependencies';
import type { SparkApplication } from '../../../../src/model/spark-application';
import type { Role } from '../../../../src/plan/properties/role';

const mutate = async (
  pod: object, application: object | undefined = pi(), more: Partial<AdmissionDependencies> = {},
): Promise<AdmissionAnswer> => (
  podMutator(world(application ? [application] : [], more))(creation(pod))
);

const add = (path: string, value: unknown): PatchOperation => ({ op: 'add', path, value });
const replace = (path: string, value: unknown): PatchOperation => ({ op: 'replace', path, value });
const remove = (path: string): PatchOperation => ({ op: 'remove', path });

/** A pod from this operator's template, with the annotation that names the missing parts. */
function templated(role: Role, left: string, labels: object = {}): any {
  const { metadata } = plainPod(role);
  return plainPod(role, {
    metadata: {
      ...metadata, labels: {
        ...metadata.labels, 'sparkoperator.k8s.io/attempt': '1', ...labels,
      }, annotations: { 'sparkoperator.k8s.io/left-to-webhook': left },
    },
  });
}

const NOT_THE_CURRENT_ONE = 'the pod is created as it is: its labels are not those of the submission that its SparkApplication is at now';
const UNUSABLE: AdmissionDependencies['defaults'] = {
  current: () => ({ kind: 'unusable', reason: 'ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: is not YAML' }),
};

const SPARK = '/spec/containers/0';
const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };

/**
 * Fields of an application, and the resulting patch, in the order of the mutations. `role` contains
 * the fields of driver or executor.
 */
const CASES: {
  readonly [mutation: string]: { readonly application?: object; readonly role?: object; readonly patch: readonly PatchOperation[] };
} = {
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
    role: {
      volumeMounts: [
        { name: 'data', mountPath: '/a' }, { name: 'data', mountPath: '/b' }, { name: 'spark-local-dir-1', mountPath: '/tmp/1' },
      ],
    },
    patch: [
      add(`${SPARK}/volumeMounts/2`, { name: 'data', mountPath: '/a' }),
      add(`${SPARK}/volumeMounts/3`, { name: 'data', mountPath: '/b' }), add('/spec/volumes/2', DATA),
    ],
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
  'tolerations: in addition to those of the API server': {
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

describe.each<Role>(['driver', 'executor'])('additions to a %s', (role) => {
  const owner = role === 'driver' ? [add('/metadata/ownerReferences', [OWNER])] : [];

  test.each(Object.entries(CASES))('%s', async (_, { application, role: fields, patch }) => {
    const pod = plainPod(role);
    const answer = await mutate(pod, pi({ ...application, [role]: fields ?? {} }));

    expect(answer.allowed).toBe(true);
    expect(sorted(answer.patch)).toEqual(sorted([...owner, ...patch]));
    // Repeated after another webhook, there is nothing left to add.
    expect(await mutate(applied(pod, answer.patch), pi({ ...application, [role]: fields ?? {} }))).toEqual({ allowed: true });
  });

  test('all additions together, in this order', async () => {
    const together = Object.values(CASES)
      .reduce((spec, { application, role: fields }) => ({
        ...spec, ...application, [role]: { ...(spec as any)[role], ...fields },
      }), {} as object);
    const pod = plainPod(role);
    const { spec: { volumes, containers: [{ env, volumeMounts }] } } = applied(pod, (await mutate(pod, pi(together))).patch);

    expect(env.map(({ name }: any) => name)).toEqual(['SPARK_USER', 'A', 'HADOOP_CONF_DIR', 'SPARK_CONF_DIR']);
    expect(volumes.slice(2).map(({ name }: any) => name)).toEqual([
      'hadoop-configmap-volume', 'spark-configmap-volume', 'app-yaml-0b16fea8-vol', 'data', 'pi-prom-conf-vol',
    ]);
    expect(volumeMounts.slice(2).map(({ mountPath }: any) => mountPath)).toEqual([
      '/etc/hadoop/conf', '/etc/spark/conf', '/app', '/a', '/b', '/etc/metrics/conf',
    ]);
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

describe('a pod is accepted unchanged', () => {
  const wanted = pi({ driver: { hostNetwork: true }, executor: { hostNetwork: true } });
  const labelled = (labels: object) => plainPod('executor', {
    metadata: { labels: { ...plainPod('executor').metadata.labels, ...labels } },
  });

  test.each<[string, object]>([
    ['that this operator\'s templates have made, without missing parts', labelled({ 'sparkoperator.k8s.io/attempt': '1' })],
    ['that is complete, and only needs the webhook\'s permission', templated('executor', 'none')],
    ['that names no application', labelled({ 'sparkoperator.k8s.io/app-name': undefined })],
    ['that is neither driver nor executor', labelled({ 'spark-role': 'history-server' })],
  ])('%s', async (_, pod) => {
    expect(await mutate(pod, wanted)).toEqual({ allowed: true });
  });

  test('in a namespace of another operator', async () => {
    expect(await podMutator(world([wanted]))(creation(plainPod('executor'), { namespace: 'other' }))).toEqual({ allowed: true });
  });

  test.each<[string, object, object | undefined]>([
    ['whose application no longer exists', plainPod('executor'), undefined],
    ['of an application that was deleted and created again', labelled({ 'sparkoperator.k8s.io/app-uid': 'before' }), wanted],
    ['that another application of the same name owns', plainPod('driver', {
      metadata: { ...plainPod('driver').metadata, ownerReferences: [{ ...OWNER, uid: 'before' }] },
    }), wanted],
    ['of an earlier submission', labelled({ 'sparkoperator.k8s.io/submission-id': 'before' }), wanted],
    ['without a submission', labelled({ 'sparkoperator.k8s.io/submission-id': undefined }), { ...wanted, status: undefined }],
  ])('%s, with a warning', async (...[, pod, application]) => {
    const answer = await podMutator(world(application ? [application] : []))(creation(pod));
    expect(answer).toEqual({ allowed: true, warnings: [NOT_THE_CURRENT_ONE] });
  });
});

describe('the cached application can be stale', () => {
  const of = (priorityClassName: string, uid: string, submissionID: string) => ({
    ...pi({ executor: { priorityClassName } }), metadata: { ...pi().metadata, uid }, status: { submissionID },
  }) as unknown as SparkApplication;
  const pod = plainPod('executor', {
    metadata: {
      labels: {
        ...plainPod('executor').metadata.labels, 'sparkoperator.k8s.io/app-uid': 'new', 'sparkoperator.k8s.io/submission-id': 'second',
      },
    },
  });
  const asked = async (known: SparkApplication | undefined, live: SparkApplication) => {
    const get = jest.fn(async () => live);
    const client = { get } as unknown as KubeClient;
    const { patch, warnings } = await podMutator(admissionDependencies({
      ...world(), client, clock: systemClock, known: () => known, quotas: false,
    }))(creation(pod));
    return { gets: get.mock.calls.length, wants: patch?.find(({ path }) => path === '/spec/priorityClassName')?.value, warnings };
  };

  test.each<[string, SparkApplication | undefined, SparkApplication, object]>([
    ['current: no request', of('new', 'new', 'second'), of('newer', 'new', 'second'), { gets: 0, wants: 'new' }],
    ['another application of the name', of('old', 'old', 'second'), of('new', 'new', 'second'), { gets: 1, wants: 'new' }],
    ['an earlier submission', of('old', 'new', 'first'), of('new', 'new', 'second'), { gets: 1, wants: 'new' }],
    ['before the creation of the application', undefined, of('new', 'new', 'second'), { gets: 1, wants: 'new' }],
    ['current, but the pod is stale', of('newest', 'new', 'third'), of('newest', 'new', 'third'), {
      gets: 1, warnings: [NOT_THE_CURRENT_ONE],
    }],
  ])('%s', async (...[, known, live, expected]) => {
    expect(await asked(known, live)).toEqual(expected);
  });
});

describe('a driver is not created', () => {
  test('if its application cannot be submitted, and the message contains the reason', async () => {
    expect(await mutate(plainPod('driver'), pi({ driver: { memoryLimit: '1g' } }))).toEqual({
      allowed: false, code: 422,
      message: 'SparkApplication jobs/pi: spec.driver.memoryLimit = "1g" is less than the 1408Mi that memory and overhead need; write '
        + 'at least 1408Mi, or lower spec.driver.memory',
    });
  });

  test('for now if the API server is unreachable', async () => {
    await expect(mutate(plainPod('driver'), pi(), {
      application: async () => { throw new Error('out of reach'); },
    })).rejects.toThrow('out of reach');
  });

  test('if the webhook must not read its application, even if the driver is complete; then transient errors do not matter', async () => {
    const refusing = (status: number) => ({
      application: async () => { throw new ApiError({ verb: 'get', resource: 'sparkapplications' }, status, { message: 'no' }); },
    });
    for (const left of ['none', 'spec.driver.memoryLimit']) {
      await expect(mutate(templated('driver', left), pi(), refusing(403))).rejects.toThrow('403');
    }
    expect(await mutate(templated('driver', 'none'), pi(), refusing(503))).toEqual({ allowed: true });
    expect(await mutate(templated('driver', 'none'), undefined)).toEqual({ allowed: true });
  });

  test.each<[string, object]>([['a driver', plainPod('driver')], [
    'an executor of another operator\'s driver', plainPod('executor'),
  ], ['a driver of spark-submit', templated('driver', 'spec.driver.memoryLimit')]])(
    'nor is %s, for now, if the defaults of the cluster cannot be used, and the message contains the reason', async (_, pod) => {
      await expect(mutate(pod, pi(), { defaults: UNUSABLE })).rejects.toEqual(
        new CannotAnswer('the pod has to wait: ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: is not YAML'),
      );
    },
  );
});

describe('an executor is always created, because Spark would request it forever; the log reports the missing parts', () => {
  const LEFT = 'spec.executor.memoryLimit,spec.executor.env[SPARK_USER]';
  const USER = [
    replace(`${SPARK}/env/0/name`, 'SPARK_CONF_DIR'), replace(`${SPARK}/env/0/value`, '/opt/spark/conf'),
    replace(`${SPARK}/env/1/name`, 'SPARK_USER'), replace(`${SPARK}/env/1/value`, 'etl'),
  ];
  const executor = { env: [{ name: 'SPARK_USER', value: 'etl' }], memoryLimit: '6g' };
  const profiled = (id: string) => templated('executor', LEFT, { 'spark-exec-resourceprofile-id': id });

  test.each<[string, object, object, Partial<AdmissionDependencies>, {
    readonly patch?: readonly PatchOperation[];
    readonly warnings?: readonly string[];
  }]>([
    ['of an application that can no longer be submitted', templated('executor', LEFT), {
      sparkConf: { 'spark.master': 'local' }, executor,
    }, {},
    { warnings: [expect.stringMatching(/^the pod is created as it is: SparkApplication jobs\/pi: spec\.sparkConf\[spark\.master\]/)] }],
    ['of another operator, too', plainPod('executor'), { executor: { memoryLimit: 'lots' } }, {},
      {
        warnings: [
          'the pod is created as it is: SparkApplication jobs/pi: spec.executor.memoryLimit = "lots" is not a size; write a number and a '
          + 'unit, such as 6g or 6Gi',
        ],
      }],
    ['with a limit below the current request: only the limit is missing', templated('executor', LEFT), {
      executor: { ...executor, memoryLimit: '512m' },
    }, {},
    { patch: USER, warnings: ['spec.executor.memoryLimit = "512m" has no effect: it is less than the 1408Mi that the pod requests'] }],
    ['while the defaults of the cluster cannot be used', templated('executor', LEFT), { executor }, { defaults: UNUSABLE },
      {
        warnings: [
          'the pod is created as it is: SparkApplication jobs/pi: ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: '
          + 'is not YAML',
        ],
      }],
  ])('%s', async (_, pod, spec, more, expected) => {
    const warn = jest.fn();
    expect(await mutate(pod, pi(spec), { ...more, logger: { warn } })).toEqual({ allowed: true, ...expected });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ namespace: 'jobs', application: 'pi', pod: 'pi-exec-1' }), expect.any(String),
    );
  });

  test('even without the permission to read its application; a transient error is retried', async () => {
    const refusing = (status: number) => ({
      application: async () => { throw new ApiError({ verb: 'get', resource: 'sparkapplications' }, status, { message: 'no' }); },
    });
    expect(await mutate(templated('executor', LEFT), pi(), refusing(403))).toEqual({
      allowed: true, warnings: ['the pod is created as it is: its application cannot be read'],
    });
    await expect(mutate(templated('executor', LEFT), pi(), refusing(503))).rejects.toThrow('503');
    await expect(mutate(plainPod('executor'), pi(), refusing(403))).rejects.toThrow('403');
  });

  test('a resource profile keeps its own resources', async () => {
    const GPUS = { gpu: { name: 'nvidia.com/gpu', quantity: 2 } };
    const sparkConf = { 'spark.executor.resource.gpu.amount': '1', 'spark.executor.resource.gpu.vendor': 'nvidia.com' };
    const patched = async (pod: object) => sorted((await mutate(pod, pi({ sparkConf, executor: { ...executor, ...GPUS } }))).patch);
    expect(await patched(profiled('1'))).toEqual(sorted(USER));
    expect(await patched(profiled('0'))).toEqual(sorted([
      ...USER, replace(`${SPARK}/resources/limits/memory`, '6Gi'), add(`${SPARK}/resources/limits/nvidia.com~1gpu`, '2'),
    ]));
  });
});

test('defaults and enforced values of the cluster apply', async () => {
  const layers = {
    cluster: {
      configMap: 'spark/defaults', resourceVersion: '1', defaults: {
        executor: { priorityClassName: 'low' },
      }, enforced: { executor: { schedulerName: 'volcano' } }, limits: {},
    },
  };
  const answer = await mutate(plainPod('executor'), pi({ executor: { schedulerName: 'mine' } }), {
    defaults: { current: () => ({ kind: 'ready', layers: layers as never }) },
  });
  expect(answer.patch).toEqual(expect.arrayContaining([add('/spec/priorityClassName', 'low'), replace('/spec/schedulerName', 'volcano')]));
});

describe('Spark\'s container', () => {
  const executor = { env: [{ name: 'A', value: '1' }] };
  const named = (...names: string[]) => plainPod('executor', {
    spec: { containers: names.map((name) => ({ ...plainPod('executor').spec.containers[0], name, ports: [] })) },
  });

  test.each<[string, object, object, number]>([
    ['by its name', named('side', 'spark-kubernetes-executor'), pi({ executor }), 1],
    ['by the name that older versions give it', named('side', 'executor'), pi({ executor }), 1],
    ['by the name in its template', named('side', 'main'), pi({
      executor: { ...executor, template: { spec: { containers: [{ name: 'main' }] } } },
    }), 1],
    ['the first one, if no name is known', named('main', 'side'), pi({ executor }), 0],
  ])('%s', async (_, pod, application, index) => {
    expect((await mutate(pod, application)).patch).toEqual([add(`/spec/containers/${index}/env/2`, { name: 'A', value: '1' })]);
  });
});
