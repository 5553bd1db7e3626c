import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { problemsOf, synthesized as objectsOf } from './synthesis';
import {
  AccessSubject, NetworkPeer, NetworkPort, PodSecurityLevel, SparkApplication, SparkApplicationType, SparkJobNamespace,
  SparkJobNamespaceProps, SparkOperator, SparkOperatorProps, SubmissionMode, SparkProfile,
} from '../../src';
import { parseLayer } from '../../src/plan/defaults/parse';

function jobNamespace(props: Partial<SparkJobNamespaceProps> = {}, operator?: SparkOperatorProps): SparkJobNamespace {
  const chart = Testing.chart();
  return new SparkJobNamespace(chart, 'jobs', {
    name: 'team-a', ...(operator && { operator: new SparkOperator(chart, 'operator', operator) }), ...props,
  });
}

const synthesized = (props?: Partial<SparkJobNamespaceProps>, operator?: SparkOperatorProps) => objectsOf(jobNamespace(props, operator));

function find(objects: any[], kind: string, name: string) {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name
    && [undefined, 'team-a'].includes(object.metadata.namespace));
  expect(found).toHaveLength(1);
  return found[0];
}

const names = (objects: any[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

test('a namespace with its account for drivers, isolated, with objects in the order of their dependencies', () => {
  const objects = synthesized();
  expect(names(objects)).toEqual([
    'Namespace team-a', 'ServiceAccount spark', 'Role spark-driver', 'RoleBinding spark-driver',
    'ValidatingAdmissionPolicy spark-drivers.team-a.spark', 'ValidatingAdmissionPolicyBinding spark-drivers.team-a.spark',
    ...['spark-default-deny', 'spark-dns', 'spark-internal', 'spark-api-server', 'spark-egress'].map((name) => `NetworkPolicy ${name}`),
  ]);
  expect(objects[0].metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'baseline' });
  expect(find(objects, 'ServiceAccount', 'spark').automountServiceAccountToken).toBe(true);
  expect(find(objects, 'RoleBinding', 'spark-driver')).toMatchObject({
    roleRef: { kind: 'Role', name: 'spark-driver' }, subjects: [{ kind: 'ServiceAccount', name: 'spark', namespace: 'team-a' }],
  });
});

test('the account, the Role and the binding equal those of SparkOperator in a job namespace', () => {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { jobNamespaces: ['team-a'] });
  const byOperator = Testing.synth(chart).filter(({ metadata }) => metadata.namespace === 'team-a');
  const byNamespace = synthesized({}, { jobNamespaces: [] });
  for (const name of ['spark-driver', 'spark-operator']) {
    expect(find(byNamespace, 'Role', name).rules).toEqual(find(byOperator, 'Role', name).rules);
    expect(find(byNamespace, 'RoleBinding', name).subjects).toMatchObject(
      find(byOperator, 'RoleBinding', name).subjects.map(({ kind, name: its, namespace }: any) => ({ kind, name: its, namespace })),
    );
  }
});

test('an operator without cluster-wide permissions watches the namespace, and gets its permissions there', () => {
  const objects = synthesized({}, { namespace: 'ops', jobNamespaces: [] });
  const { args } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  expect(args).toContain('--namespaces=team-a');
  expect(find(objects, 'RoleBinding', 'spark-operator').subjects).toEqual([
    { kind: 'ServiceAccount', name: 'spark-operator', namespace: 'ops' },
  ]);
  // Each object once: of two with one name in a file, the second one applies.
  expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).size).toBe(objects.length);
});

test('the operator watches namespaces in separate charts', () => {
  const app = new App();
  const operator = new SparkOperator(new Chart(app, 'install'), 'operator', { jobNamespaces: ['other'] });
  for (const name of ['team-a', 'team-b']) new SparkJobNamespace(new Chart(app, name), 'jobs', { name, operator });
  const [deployment] = Testing.synth(app.charts.find(({ node }) => node.id === 'install')!).filter(({ kind }) => kind === 'Deployment');
  expect(deployment.spec.template.spec.containers[0].args).toContain('--namespaces=other,team-a,team-b');
});

test('an operator with a label selector: the namespace has the labels, and nothing else is needed', () => {
  const objects = synthesized({ labels: { 'cost-center': '4711' } }, { namespaceSelector: { spark: 'yes' } });
  expect(find(objects, 'Namespace', 'team-a').metadata.labels).toMatchObject({ 'spark': 'yes', 'cost-center': '4711' });
  expect(names(objects.filter(({ metadata }) => metadata.namespace === 'team-a' && metadata.name === 'spark-operator'))).toEqual([]);

  const others = synthesized({ labels: { env: 'prod' } }, { namespaceSelectorExpression: 'spark=yes,env in (prod,test),!old' });
  expect(find(others, 'Namespace', 'team-a').metadata.labels).toMatchObject({ spark: 'yes', env: 'prod' });
});

test('the account of an external operator gets all permissions that it might need', () => {
  const objects = synthesized({ operatorNamespace: 'ops', operatorServiceAccountName: 'robot' });
  expect(find(objects, 'RoleBinding', 'spark-operator').subjects).toEqual([{ kind: 'ServiceAccount', name: 'robot', namespace: 'ops' }]);
  expect(find(objects, 'Role', 'spark-operator').rules.flatMap(({ resources }: any) => resources)).toEqual(expect.arrayContaining([
    'sparkapplications', 'ingresses', 'httproutes', 'poddisruptionbudgets',
  ]));
});

test('an existing namespace is unchanged, and not isolated, because it might contain other programs', () => {
  expect(names(synthesized({ create: false }))).toEqual(['ServiceAccount spark', 'Role spark-driver', 'RoleBinding spark-driver']);
  expect(names(synthesized({ create: false, isolated: true }))).toContain('NetworkPolicy spark-default-deny');
});

test('the identity of the drivers in a cloud, and their images', () => {
  const account = find(synthesized({
    serviceAccountName: 'etl', serviceAccountAnnotations: {
      'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/etl',
    }, imagePullSecrets: ['registry'],
  }), 'ServiceAccount', 'etl');
  expect(account).toMatchObject({
    metadata: {
      annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/etl' },
    }, imagePullSecrets: [{ name: 'registry' }],
  });
});

test('a quota counts what Spark sets, and has the defaults for other pods', () => {
  const objects = synthesized({
    quota: {
      cpu: 40.5, memory: Size.gibibytes(160), pods: 60, applications: 100, gpus: 4, storage: Size.tebibytes(1),
      others: { 'count/services': '50' },
    },
  });
  expect(find(objects, 'ResourceQuota', 'spark').spec.hard).toEqual({
    'requests.cpu': '40500m', 'requests.memory': '160Gi', 'limits.memory': '160Gi', 'pods': '60',
    'count/sparkapplications.sparkoperator.k8s.io': '100',
    'requests.nvidia.com/gpu': '4', 'requests.storage': '1Ti', 'count/services': '50',
  });
  expect(find(objects, 'LimitRange', 'spark').spec.limits).toEqual([
    { type: 'Container', default: { memory: '512Mi' }, defaultRequest: { cpu: '100m', memory: '512Mi' } },
  ]);
  expect(names(synthesized({ quota: { applications: 5 } }))).not.toContain('LimitRange spark');
});

test('other CPU and memory resources of the quota also have the defaults', () => {
  expect(names(synthesized({ quota: { others: { 'requests.cpu': '4' } } }))).toContain('LimitRange spark');
  const objects = synthesized({
    quota: {
      others: { 'limits.cpu': '16', 'gold.storageclass.storage.k8s.io/requests.storage': '1Ti', 'count/jobs.batch': '1e2' },
    }, containerLimits: { maxCpu: 4 },
  });
  expect(find(objects, 'ResourceQuota', 'spark').spec.hard).toMatchObject({ 'limits.cpu': '16' });
  expect(find(objects, 'LimitRange', 'spark').spec.limits[0].max).toEqual({ cpu: '4' });
});

test('drivers never change ConfigMaps, which include those with defaults and limits', () => {
  const verbs = (props?: SparkOperatorProps) => find(synthesized({}, props), 'Role', 'spark-driver').rules.find(({ resources }: any) => resources.includes('configmaps')).verbs;
  expect(verbs({ jobNamespaces: [], submissionMode: SubmissionMode.NATIVE, submissionModeAnnotation: false })).toEqual(['get', 'list', 'create', 'delete', 'deletecollection']);
  // Server-side apply of spark-submit needs more; a policy allows only new ones.
  expect(verbs()).toContain('patch');
  const { spec } = find(synthesized(), 'ValidatingAdmissionPolicy', 'spark-drivers.team-a.spark');
  expect(spec.matchConstraints.resourceRules).toMatchObject([{ operations: ['CREATE', 'UPDATE'], resources: ['services', 'configmaps'] }]);
  expect(spec.validations[0].expression).toBe("request.operation == 'CREATE'");
});

test('the maximum of a container', () => {
  const [limit] = find(synthesized({
    containerLimits: { maxCpu: 8, maxMemory: Size.gibibytes(64), defaultMemory: Size.gibibytes(1) },
  }), 'LimitRange', 'spark').spec.limits;
  expect(limit).toMatchObject({ default: { memory: '1Gi' }, max: { cpu: '8', memory: '64Gi' } });
});

test('roles of users who run or view applications', () => {
  const objects = synthesized({
    users: [
      AccessSubject.group('data'), AccessSubject.serviceAccount('airflow', 'worker'),
    ], viewers: [AccessSubject.user('jane@example.org')],
  });
  expect(find(objects, 'RoleBinding', 'spark-user').subjects).toEqual([
    { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'data' },
    { kind: 'ServiceAccount', name: 'worker', namespace: 'airflow' },
  ]);
  expect(find(objects, 'RoleBinding', 'spark-viewer').subjects).toEqual([
    { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane@example.org' },
  ]);
  const rights = (name: string) => find(objects, 'Role', name).rules.flatMap(
    ({ resources, verbs }: any) => verbs.map((verb: string) => `${verb} ${resources}`),
  );
  expect(rights('spark-user')).toEqual(expect.arrayContaining(['create sparkapplications', 'get pods/log', 'create pods/portforward']));
  expect(rights('spark-viewer').filter((right: string) => !/^(get|list|watch) /.test(right))).toEqual([]);
  // Neither secrets nor a shell in a driver, whose account has more permissions.
  expect([
    ...rights('spark-user'), ...rights('spark-viewer'),
  ].filter((right: string) => /secrets|exec|attach|rolebindings|serviceaccounts/.test(right))).toEqual([]);
});

describe('defaults and limits', () => {
  const layer = (objects: any[]) => parseLayer(find(objects, 'ConfigMap', 'spark-defaults'));

  test('the operator reads them', () => {
    const objects = synthesized({
      defaults: SparkProfile.of({ sparkConf: { 'spark.eventLog.enabled': 'true' }, timeToLive: Duration.days(1), driver: { coreRequest: '500m' } }),
      enforced: SparkProfile.of({ driver: { labels: { 'cost-center': '4711' } } }),
      limits: {
        maxExecutors: 20, executor: { maxCores: 4.5, maxMemory: Size.gibibytes(32) }, allowedImages: ['registry.example.org/*'],
        deniedSparkConf: ['spark.kubernetes.*'], maxTimeToLive: Duration.days(7), maxRetries: 3,
        minScheduleInterval: Duration.minutes(15),
      },
    }, { defaultsConfigMapName: 'spark-defaults', jobNamespaces: [] });
    expect(layer(objects)).toMatchObject({
      defaults: { sparkConf: { 'spark.eventLog.enabled': 'true' }, timeToLiveSeconds: 86400, driver: { coreRequest: '500m' } },
      enforced: { driver: { labels: { 'cost-center': '4711' } } },
      limits: {
        maxExecutors: 20, executor: {
          maxCores: { text: '4500m' }, maxMemory: { text: '32Gi' },
        }, maxTimeToLiveSeconds: 604800, maxRetries: 3, minScheduleInterval: { milliseconds: 900_000 },
      },
    });
  });

  test("the restricted Pod Security Standard sets the required security context; the user's settings take precedence", () => {
    const objects = synthesized({
      podSecurity: PodSecurityLevel.RESTRICTED, defaultsConfigMapName: 'spark-defaults', defaults: SparkProfile.of({
        driver: { podSecurityContext: { runAsUser: 1000 } },
      }),
    });
    expect(find(objects, 'Namespace', 'team-a').metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const { driver, executor } = layer(objects).defaults as any;
    expect(driver.podSecurityContext).toEqual({
      runAsNonRoot: true, runAsUser: 1000, fsGroup: 185, seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(executor).toEqual({
      podSecurityContext: { runAsNonRoot: true, runAsUser: 185, fsGroup: 185, seccompProfile: { type: 'RuntimeDefault' } },
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    });
  });

  test("properties that are added later are weaker than the user's", () => {
    const chart = Testing.chart();
    const jobs = new SparkJobNamespace(chart, 'jobs', {
      name: 'team-a', defaultsConfigMapName: 'spark-defaults', defaults: SparkProfile.of({ sparkConf: { 'spark.a': 'written' } }),
    });
    for (const key of ['spark.a', 'spark.b']) jobs.addSparkConf(key, 'added');
    expect(parse(find(Testing.synth(chart), 'ConfigMap', 'spark-defaults').data['defaults.yaml'])).toEqual({
      sparkConf: { 'spark.a': 'written', 'spark.b': 'added' },
    });
  });
});

test.each<[string, Partial<SparkJobNamespaceProps>, string]>([
  ['an invalid name', { name: 'Team A' }, 'name = "Team A" is not a name'],
  ['a label of a namespace that is not created', {
    create: false, podSecurity: PodSecurityLevel.RESTRICTED,
  }, 'podSecurity belongs to the namespace, which is not created here'],
  ['an invalid label', { labels: { 'a b': 'c' } }, 'labels[a b] is not the name of a label'],
  ['defaults that the operator does not read', {
    limits: { maxRetries: 1, allowedImages: ['a'] },
  }, 'limits.maxRetries has no effect, because the operator reads no ConfigMap with defaults'],
  ['a default of a required field', {
    defaultsConfigMapName: 'd', defaults: SparkProfile.of({ sparkVersion: '4.1.1' }),
  }, 'defaults.sparkVersion has no effect here, as each application must set it; remove it, or move it to the enforced values'],
  ['one name for all drivers', {
    defaultsConfigMapName: 'd', enforced: SparkProfile.of({ driver: { podName: 'x' } }),
  }, 'enforced.driver.podName cannot be the same for all applications'],
  ['limits that allow nothing', { defaultsConfigMapName: 'd', limits: { allowedImages: [] } }, 'limits.allowedImages = [] is empty'],
  ['a fraction of a pod', { quota: { pods: 1.5 } }, 'quota.pods = 1.5 must be a whole number'],
  ['no cores at all', { quota: { cpu: 0 } }, 'quota.cpu = 0 must be a number of cores'],
  ['a default above the maximum', {
    containerLimits: { maxMemory: Size.mebibytes(256) },
  }, 'containerLimits.maxMemory = "256Mi" is less than defaultMemory: 512Mi'],
  ['network of a namespace that is not isolated', { isolated: false, network: {} }, 'network has no effect with isolated: false'],
  ['a level that labels contradict', {
    podSecurity: PodSecurityLevel.BASELINE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
  }, 'labels[pod-security.kubernetes.io/enforce] = "privileged" is set by podSecurity'],
  ['restricted pods without defaults', {
    podSecurity: PodSecurityLevel.RESTRICTED,
  }, 'podSecurity = "restricted" rejects the default pods of Spark'],
  ['the namespace of an external operator', { operatorNamespace: 'team-a' }, 'name = "team-a" is the namespace of the operator itself'],
  ['an invalid amount', { quota: { others: { services: 'lots' } } }, 'quota.others[services] = "lots" is not a quantity'],
  ['an invalid resource', { quota: { others: { 'Bad Key': '1' } } }, 'quota.others[Bad Key] = "1" is not a resource of a quota'],
  ['one resource twice', { quota: { pods: 3, others: { pods: '4' } } }, 'quota.others[pods] = "4" is limited by another prop of quota'],
  ['a quota that rejects all pods of Spark', {
    quota: { others: { 'limits.cpu': '10' } },
  }, 'quota.others[limits.cpu] = "10" rejects all pods of Spark'],
  ['no peers, which would be all peers', { network: { egress: [{ peers: [] }] } }, 'network.egress[0].peers is empty'],
])('%s is rejected', (_, props, message) => {
  expect(problemsOf(jobNamespace(props))).toEqual([expect.stringContaining(`[test/jobs] ${message}`)]);
});

test.each<[string, Partial<SparkJobNamespaceProps>, SparkOperatorProps, string]>([
  [
    'in jobNamespaces, too', {}, { jobNamespaces: ['team-a'] },
    'name = "team-a" is already in jobNamespaces, so its service account and Roles would be created twice; leave it out there',
  ],
  ['default, which is in jobNamespaces if they are left out', { name: 'default' }, {}, 'name = "default" is already in jobNamespaces, so its service account and Roles would be created twice; leave it out there, with jobNamespaces: []'],
  ['a label that contradicts the selector', { labels: { spark: 'no' } }, {
    namespaceSelector: { spark: 'yes' },
  }, 'labels[spark] = "no" contradicts namespaceSelector of the operator, which requires "yes"'],
  ['a label that contradicts the requirements', { labels: { spark: 'no' } }, {
    namespaceSelectorExpression: 'spark=yes',
  }, 'labels[spark] = "no" contradicts namespaceSelectorExpression of the operator, which requires "yes"'],
  ['a missing label', {}, {
    namespaceSelectorExpression: 'env in (prod,test)',
  }, 'labels[env] does not match namespaceSelectorExpression of the operator, which requires env in (prod,test); set the label'],
  ['the namespace of the operator', { name: 'ops' }, { namespace: 'ops' }, 'name = "ops" is the operator\'s own namespace: a driver there could create pods that run as the operator'],
  ['two operators', { operatorNamespace: 'x' }, { jobNamespaces: [] }, 'operatorNamespace = "x" has the same purpose as operator'],
])('%s is rejected', (_, props, operator, message) => {
  expect(problemsOf(jobNamespace(props, operator))).toEqual([expect.stringContaining(`[test/jobs] ${message}`)]);
});

describe('one construct creates the objects of a namespace', () => {
  const namespace = (chart: Chart, id: string, props: Partial<SparkJobNamespaceProps> = {}) => new SparkJobNamespace(
    chart, id, { name: 'team-a', ...props },
  );

  test.each<[string, Partial<SparkJobNamespaceProps>, Partial<SparkJobNamespaceProps>, string]>([
    [
      'the namespace', {}, {},
      'Namespace team-a would replace the one at test/one/Namespace; create the objects of the namespace in one of them only',
    ],
    ["the operator's Role", { operatorNamespace: 'ops' }, {
      create: false, operatorNamespace: 'ops',
    }, 'Role spark-operator in team-a would replace the one at test/one/Operator'],
    [
      'policies', {}, { create: false, isolated: true },
      'NetworkPolicy spark-default-deny in team-a would replace the one at test/one/DenyAll',
    ],
    ['a quota', { quota: { pods: 5 } }, {
      create: false, quota: { pods: 6 },
    }, 'ResourceQuota spark in team-a would replace the one at test/one/'],
  ])('a second one with another account is rejected if both create %s', (_, one, other, message) => {
    const chart = Testing.chart();
    namespace(chart, 'one', one);
    const two = namespace(chart, 'two', { ...other, serviceAccountName: 'etl' });
    expect(problemsOf(two)).toEqual([expect.stringContaining(`[test/two] ${message}`)]);
  });

  test('a second account in an existing namespace replaces nothing', () => {
    const chart = Testing.chart();
    namespace(chart, 'one');
    namespace(chart, 'two', { create: false, serviceAccountName: 'etl' });
    new SparkJobNamespace(chart, 'three', { name: 'team-b' });
    expect(problemsOf(chart)).toEqual([]);
  });

  test('an operator that creates the permissions itself is rejected, in either order', () => {
    const [before, after] = [Testing.chart(), Testing.chart()];
    new SparkOperator(before, 'operator', { jobNamespaces: ['team-a'] });
    namespace(before, 'jobs', { serviceAccountName: 'etl' });
    const problem = '[test/jobs] name = "team-a" is in jobNamespaces of the SparkOperator at test/operator, which creates the service account and Roles there; remove it from jobNamespaces, and pass that operator as operator';
    expect(problemsOf(before)).toEqual([problem]);
    namespace(after, 'jobs', { operatorNamespace: 'spark-operator', serviceAccountName: 'etl' });
    new SparkOperator(after, 'operator', { jobNamespaces: ['team-a'] });
    expect(problemsOf(after)).toEqual([
      problem, '[test/operator] Role spark-operator in team-a would replace the one at test/jobs/Operator; create it in one of them only',
    ]);
  });

  test('a namespace is added only once to a cluster-wide operator, too', () => {
    const app = new App();
    const operator = new SparkOperator(new Chart(app, 'install'), 'operator', { allNamespaces: true });
    namespace(new Chart(app, 'one'), 'jobs', { operator });
    const second = namespace(new Chart(app, 'two'), 'jobs', { operator, create: false, serviceAccountName: 'etl' });
    expect(problemsOf(second)).toEqual(['[two/jobs] name = "team-a" is already created by a SparkJobNamespace; leave one of them out']);
  });
});

test('an application of the namespace needs only its name', () => {
  const chart = Testing.chart();
  const jobs = new SparkJobNamespace(chart, 'jobs', { name: 'team-a' });
  new SparkApplication(chart, 'pi', {
    metadata: { namespace: jobs.name }, type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1',
    mainApplicationFile: 'local:///pi.py',
  });
  const application = Testing.synth(chart).find(({ kind }) => kind === 'SparkApplication');
  expect(application).toMatchObject({ metadata: { namespace: 'team-a' }, spec: { driver: { serviceAccount: 'spark' } } });
});

test('addresses and ports are checked at once', () => {
  expect(() => NetworkPeer.addresses('10.0.0.0')).toThrow('NetworkPeer.addresses: cidr = "10.0.0.0" is not a range of addresses');
  expect(() => NetworkPeer.addresses('10.0.0.0/8', ['192.168.0.0/16'])).toThrow('except[0] = "192.168.0.0/16" is not within 10.0.0.0/8');
  expect(() => NetworkPeer.addresses('2001:db8::/32', ['2001:db8:1::/48'])).not.toThrow();
  expect(() => NetworkPort.tcp(70000)).toThrow('NetworkPort.tcp: port = 70000 must be a whole number from 1 to 65535');
  expect(() => NetworkPort.tcpRange(9, 8)).toThrow('NetworkPort.tcpRange: last = 8 is less than first: 9');
});
