import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ConfigMap, Pod } from '../../../src/model/kubernetes-objects';
import { planSparkSubmit } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import type { SubmittedApplication } from '../../../src/plan/properties/properties';
import { SUBMIT_SCRIPT } from '../../../src/plan/spark-submit/submit-script';
import { applicationFixtures } from '../../helpers/application-fixtures';
import { application, CONTEXT, type Changes } from '../application';

/** The plan of spark-submit. */
function planned(given: SubmittedApplication, context = CONTEXT) {
  const prepared = prepareSubmission(given, context);
  const plan = planSparkSubmit(prepared);
  return { ...plan, prepared, pod: plan.submitter.pod, container: plan.submitter.pod.spec.containers[0]! };
}

const submitter = (changes: Changes = {}, context = CONTEXT) => planned(application(changes), context);

/** Arguments as the kubelet passes them on, if no variable has the name. */
const argumentsOf = (pod: Pod) => pod.spec.containers[0]!.args!.map((arg) => arg.replaceAll('$$', '$'));

test('the Pod and its ConfigMap belong to the submission, and are found by its labels', () => {
  const { pod, submitter: { resources }, prepared } = submitter();
  const name = `${prepared.identity.resourcePrefix}-submit`;

  expect(resources).toHaveLength(1);
  for (const { metadata } of [pod, resources[0]!]) {
    expect(metadata).toMatchObject({
      name,
      namespace: 'jobs',
      ownerReferences: [{ kind: 'SparkApplication', name: 'pi', uid: 'uid-1', controller: true }],
      labels: {
        'sparkoperator.k8s.io/app-name': 'pi', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
        'sparkoperator.k8s.io/submission-id': CONTEXT.submissionID, 'sparkoperator.k8s.io/app-uid': 'uid-1',
      },
    });
  }
});

test('the ConfigMap has the script and the templates, and is mounted where the arguments name it', () => {
  const { pod, container, driverTemplate, executorTemplate, submitter: { resources: [resource] } } = submitter();
  const { data, immutable, metadata } = resource as ConfigMap;

  expect(immutable).toBe(true);
  expect(data['submit.sh']).toBe(SUBMIT_SCRIPT);
  expect([JSON.parse(data['driver.json']!), JSON.parse(data['executor.json']!)]).toEqual([driverTemplate, executorTemplate].map((each) => JSON.parse(JSON.stringify(each))));
  const volume = pod.spec.volumes!.find(({ configMap }) => configMap?.name === metadata.name)!;
  expect(container.volumeMounts).toContainEqual({ name: volume.name, mountPath: '/etc/spark-submit' });
  expect(argumentsOf(pod)).toEqual(expect.arrayContaining([
    'spark.kubernetes.driver.podTemplateFile=/etc/spark-submit/driver.json', 'spark.kubernetes.executor.podTemplateFile=/etc/spark-submit/executor.json',
  ]));
});

test('it runs the script by the entrypoint of the image, with the API server of the cluster', () => {
  const { pod, container } = submitter();

  expect(container).not.toHaveProperty('command');
  expect(argumentsOf(pod).slice(0, 6)).toEqual(['bash', '/etc/spark-submit/submit.sh', '--master', 'k8s://https://kubernetes.default.svc', '--deploy-mode', 'cluster']);
  expect(argumentsOf(submitter({ driver: { kubernetesMaster: 'https://api:6443' } }).pod)[3]).toBe('k8s://https://api:6443');
});

test('the kubelet does not expand variables in arguments', () => {
  const { container } = submitter({ spec: { arguments: ['$(HOME)', '$HOME', '$$(X)'], sparkConf: { 'spark.a': '$(X)' } } });

  expect(container.args!.slice(-3)).toEqual(['$$(HOME)', '$HOME', '$$$$(X)']);
  expect(container.args).toContain('spark.a=$$(X)');
});

test('it is done once, in its time, and leaves its error', () => {
  const { pod, container } = submitter({}, { ...CONTEXT, sparkSubmitTimeout: 90_500 });

  expect(pod.spec).toMatchObject({ restartPolicy: 'Never', activeDeadlineSeconds: 91, terminationGracePeriodSeconds: 5, enableServiceLinks: false });
  expect(container).toMatchObject({
    name: 'spark-submit', terminationMessagePolicy: 'FallbackToLogsOnError',
    resources: { requests: { cpu: '200m', memory: '512Mi' }, limits: { memory: '1Gi' } },
  });
  expect(submitter().pod.spec.activeDeadlineSeconds).toBe(300);
  expect(submitter({}, { ...CONTEXT, sparkSubmitTimeout: 1 }).pod.spec.activeDeadlineSeconds).toBe(1);
});

describe('a namespace that admits the driver also admits it:', () => {
  const limits = (cpu: string) => ({ template: { spec: { containers: [{ name: 'spark-kubernetes-driver', resources: { limits: { cpu } } }] } } });

  test.each<[string, Changes, object]>([
    ['a limit of cores, as a quota requires it', { driver: { coreRequest: '500m', coreLimit: '500m' } }, { cpu: '500m' }],
    ['that of the template', { driver: { ...limits('0.7'), coreRequest: '0.5' } }, { cpu: '0.7' }],
    ['never more than one core', { driver: { coreLimit: '4' } }, { cpu: '1' }],
    ['none that only spark-submit can resolve', { spec: { sparkConf: { 'spark.kubernetes.driver.limit.cores': '${env:X}' } } }, {}],
    ['memory that the driver has', { driver: { memory: '512m' } }, { memory: '896Mi' }],
    ['memory that spark-submit needs', { driver: { memory: '100m', memoryOverhead: '50m' } }, { memory: '512Mi' }],
  ])('%s', (_, changes, expected) => {
    const { resources } = submitter(changes).container;
    expect(resources).toEqual({ requests: { cpu: '200m', memory: '512Mi' }, limits: { memory: '1Gi', ...expected } });
  });

  test('a request within the limit', () => {
    expect(submitter({ driver: { coreRequest: '100m', coreLimit: '100m' } }).container.resources).toMatchObject({ requests: { cpu: '100m' }, limits: { cpu: '100m' } });
  });
});

test('labels and annotations are the driver\'s, but those by which Spark and batch schedulers find drivers', () => {
  const { metadata } = submitter({
    labels: { team: 'a' },
    driver: {
      labels: { 'cost': 'b', 'kueue.x-k8s.io/queue-name': 'q', 'scheduling.x-k8s.io/pod-group': 'g' },
      annotations: { 'sidecar.istio.io/inject': 'false', 'yunikorn.apache.org/task-group-name': 'driver', 'scheduling.k8s.io/group-name': 'g' },
    },
  }).pod;

  expect(metadata.labels).toMatchObject({ 'team': 'a', 'cost': 'b', 'spark-role': 'submitter' });
  expect(Object.keys(metadata.labels!).filter((name) => /kueue|x-k8s|app-selector/.test(name))).toEqual([]);
  expect(metadata.annotations).toEqual({ 'sidecar.istio.io/inject': 'false' });
});

test.each<[string, Changes]>([
  ['a field', { driver: { annotations: { 'container.apparmor.security.beta.kubernetes.io/spark-kubernetes-driver': 'unconfined', 'a': 'b' } } }],
  ['a property', { spec: { sparkConf: { 'spark.kubernetes.driver.annotation.container.apparmor.security.beta.kubernetes.io/spark-kubernetes-driver': 'unconfined', 'spark.kubernetes.driver.annotation.a': 'b' } } }],
  ['a template', { driver: { template: { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/spark-kubernetes-driver': 'unconfined', 'a': 'b' } }, spec: { containers: [] } } } }],
])('annotations for containers that it does not have stay with the driver: %s', (_, changes) => {
  expect(submitter(changes).pod.metadata.annotations).toEqual({ a: 'b' });
});

test('it never waits for the webhook of the operator', () => {
  const plan = submitter({ driver: { memoryLimit: '2g' } }, { ...CONTEXT, podWebhook: true });

  expect(plan.driverTemplate.metadata).toMatchObject({ annotations: { 'sparkoperator.k8s.io/left-to-webhook': 'spec.driver.memoryLimit' } });
  expect(plan.pod.metadata.annotations).toEqual({});
});

describe('the account', () => {
  test.each<[string, Changes['driver'], string | undefined]>([
    ['of the field', { serviceAccount: 'etl' }, 'etl'],
    ['of the template', { template: { spec: { containers: [], serviceAccountName: 'tpl' } } }, 'tpl'],
    ['of the namespace', {}, undefined],
  ])('is that of the driver: %s', (_, driver, account) => {
    const { spec } = submitter({ driver }).pod;

    expect(spec.serviceAccountName).toBe(account);
    expect(spec.automountServiceAccountToken).toBe(true);
  });

  test('its token is always mounted', () => {
    expect(submitter({ driver: { template: { spec: { containers: [], automountServiceAccountToken: false } } } }).pod.spec.automountServiceAccountToken).toBe(true);
  });
});

const EVERYTHING: NonNullable<Changes['driver']> = {
  image: 'registry/app:1',
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'spot', operator: 'Exists' }],
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: {} }] },
  },
  hostNetwork: true,
  hostAliases: [{ ip: '10.0.0.9', hostnames: ['db'] }],
  dnsConfig: { searches: ['corp'] },
  priorityClassName: 'high',
  schedulerName: 'gangs',
  sidecars: [{ name: 'proxy', image: 'p' }],
  initContainers: [{ name: 'init', image: 'i' }],
  ports: [{ name: 'x', protocol: 'TCP', containerPort: 9999 }],
  lifecycle: { preStop: { exec: { command: ['true'] } } },
  envVars: { A: '1' },
  env: [
    { name: 'B', value: '2' }, { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { name: 'LIMIT', valueFrom: { resourceFieldRef: { containerName: 'spark-kubernetes-driver', resource: 'limits.memory' } } },
  ],
  envFrom: [{ secretRef: { name: 'more' } }],
  secrets: [{ name: 'gcp', path: '/gcp', secretType: 'Generic' as never }],
  volumeMounts: ['conf', 'cert', 'token', 'vault', 'host', 'claim', 'scratch', 'down'].map((name) => ({ name, mountPath: `/${name}`, ...(name === 'conf' && { mountPropagation: 'HostToContainer' }) })),
  securityContext: { runAsUser: 0, privileged: true, readOnlyRootFilesystem: true },
  podSecurityContext: { runAsUser: 0, runAsNonRoot: false, fsGroup: 7, runAsGroup: 8, supplementalGroups: [9], fsGroupChangePolicy: 'OnRootMismatch', sysctls: [{ name: 'x', value: '1' }] },
  template: { spec: { runtimeClassName: 'gvisor', hostPID: true, topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] } },
} as never;

const VOLUMES = [
  { name: 'conf', configMap: { name: 'c' } }, { name: 'cert', secret: { secretName: 's' } }, { name: 'token', projected: { sources: [] } },
  { name: 'vault', csi: { driver: 'vault' } }, { name: 'host', hostPath: { path: '/' } }, { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
  { name: 'scratch', emptyDir: {} }, { name: 'down', downwardAPI: { items: [] } },
];

describe('of a driver with everything', () => {
  const { pod, container } = submitter({ spec: { imagePullSecrets: ['pull'], imagePullPolicy: 'Always' as never, volumes: VOLUMES as never }, driver: EVERYTHING });

  test('it takes image, registry and place', () => {
    expect(container).toMatchObject({ image: 'registry/app:1', imagePullPolicy: 'Always' });
    expect(pod.spec).toMatchObject({
      nodeSelector: { disk: 'ssd' }, tolerations: EVERYTHING.tolerations, imagePullSecrets: [{ name: 'pull' }], priorityClassName: 'high',
      runtimeClassName: 'gvisor', dnsConfig: { searches: ['corp'] }, hostAliases: EVERYTHING.hostAliases,
      affinity: { nodeAffinity: EVERYTHING.affinity!.nodeAffinity },
    });
    expect(Object.keys(pod.spec.affinity!)).toEqual(['nodeAffinity']);
  });

  test('it takes variables, but no references to what it does not have', () => {
    expect(container.envFrom).toEqual([{ secretRef: { name: 'more' } }]);
    expect(container.env!.map(({ name }) => name)).toEqual(expect.arrayContaining(['A', 'B', 'KEY', 'SPARK_USER']));
    expect(container.env!.map(({ name }) => name).filter((name) => ['LIMIT', 'SPARK_DRIVER_BIND_ADDRESS', 'SPARK_APPLICATION_ID'].includes(name))).toEqual([]);
  });

  test('it takes configuration and credentials, no other volumes', () => {
    const names = ['cert', 'conf', 'gcp-volume', 'token', 'vault'];

    expect(pod.spec.volumes!.map(({ name }) => name).filter((name) => !name.endsWith('-submit')).sort()).toEqual(names);
    expect(container.volumeMounts!.map(({ name }) => name).filter((name) => !name.endsWith('-submit')).sort()).toEqual(names);
    expect(container.volumeMounts).toContainEqual({ name: 'conf', mountPath: '/conf' });
  });

  test('it takes nothing that the restricted standard forbids, and no other containers, schedulers and ports', () => {
    expect(Object.keys(pod.spec).sort()).toEqual([
      'activeDeadlineSeconds', 'affinity', 'automountServiceAccountToken', 'containers', 'dnsConfig', 'dnsPolicy', 'enableServiceLinks', 'hostAliases',
      'imagePullSecrets', 'nodeSelector', 'priorityClassName', 'restartPolicy', 'runtimeClassName', 'securityContext', 'terminationGracePeriodSeconds',
      'tolerations', 'volumes',
    ]);
    expect(Object.keys(container).sort()).toEqual([
      'args', 'env', 'envFrom', 'image', 'imagePullPolicy', 'name', 'resources', 'securityContext', 'terminationMessagePolicy', 'volumeMounts',
    ]);
    expect(pod.spec.containers).toHaveLength(1);
  });

  test('it runs as the user of Spark where the driver is root, in the groups of the driver', () => {
    expect(pod.spec.securityContext).toEqual({
      runAsNonRoot: true, runAsUser: 185, seccompProfile: { type: 'RuntimeDefault' }, runAsGroup: 8, fsGroup: 7, supplementalGroups: [9],
      fsGroupChangePolicy: 'OnRootMismatch',
    });
    expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  });
});

test.each<[Changes['driver'], number]>([
  [{}, 185],
  [{ podSecurityContext: { runAsUser: 1000 } }, 1000],
  [{ podSecurityContext: { runAsUser: 1000 }, securityContext: { runAsUser: 2000 } }, 2000],
  [{ securityContext: { runAsUser: 0 } }, 185],
])('the user of %j is %i', (driver, user) => expect(submitter({ driver }).pod.spec.securityContext!.runAsUser).toBe(user));

describe('the NetworkPolicy of Spark 4.2 and later', () => {
  const STEP = 'org.apache.spark.deploy.k8s.features.NetworkPolicyFeatureStep';
  const KEY = 'spark.kubernetes.driver.pod.excludedFeatureSteps';
  const of = (sparkVersion: string, sparkConf = {}) => {
    const { pod, submitter: { resources }, prepared } = submitter({ spec: { sparkVersion, sparkConf } });
    const excluded = argumentsOf(pod).find((arg) => arg.startsWith(KEY));
    return { policies: resources.filter(({ kind }) => kind === 'NetworkPolicy'), excluded, given: prepared.properties.get(KEY) };
  };

  test('is created by the operator, and not by spark-submit', () => {
    const id = { 'sparkoperator.k8s.io/submission-id': CONTEXT.submissionID };
    const { policies, excluded, given } = of('4.2.1');

    expect(policies).toMatchObject([{
      spec: { podSelector: { matchLabels: { ...id, 'spark-role': 'executor' } }, ingress: [{ from: [{ podSelector: { matchLabels: id } }] }] },
    }]);
    expect({ excluded, given }).toEqual({ excluded: `${KEY}=${STEP}`, given: undefined });
    expect(of('4.3.0', { [KEY]: 'my.Step' }).excluded).toBe(`${KEY}=my.Step,${STEP}`);
  });

  test('does not exist before, or if the user excludes it', () => {
    expect(of('4.1.1')).toMatchObject({ policies: [], excluded: undefined });
    expect(of('4.2.1', { [KEY]: STEP })).toMatchObject({ policies: [], excluded: `${KEY}=${STEP}` });
  });
});

test('references that only spark-submit can resolve stay, but for the image', () => {
  const conf = (key: string) => submitter({ spec: { sparkConf: { [key]: '${env:X}' } } });

  expect(argumentsOf(conf('spark.driver.memoryOverhead').pod)).toContain('spark.driver.memoryOverhead=${env:X}');
  expect(() => submitter({ spec: { image: '${env:X}' } })).toThrow(/^spec.image = "\$\{env:X\}" refers to/);
});

test.each(applicationFixtures())('$file has one', ({ manifest: { metadata, spec } }) => {
  const { pod } = planned({ metadata: { ...metadata, namespace: 'jobs', uid: 'u' }, spec });

  expect(pod.spec.containers[0]!.image).toBeTruthy();
});

test('the manifest with every field has one', () => {
  const text = readFileSync(join(__dirname, '../../e2e/manifests/everything.yaml'), 'utf8');
  const { metadata, spec } = parse(text.replaceAll('${name}', 'all').replaceAll('${image}', 'apache/spark:4.1.1')) as SubmittedApplication;

  expect(planned({ metadata: { ...metadata, namespace: 'jobs', uid: 'u' }, spec }).pod.spec.containers).toHaveLength(1);
});
