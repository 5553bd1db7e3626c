import { Duration, Size, Testing } from 'cdk8s';
import { find, problemsOf, synthesized } from './operator-objects';
import { version } from '../../package.json';
import { LogLevel, NetworkPeer, PrometheusMonitor, SparkOperator, SparkOperatorProps, SubmissionMode, WebUI } from '../../src';

test('known failure 3: the default installation has no webhook, and its objects are in the order of their dependencies', () => {
  const objects = synthesized({ installCrds: true });
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`)).toEqual([
    'CustomResourceDefinition sparkapplications.sparkoperator.k8s.io',
    'CustomResourceDefinition scheduledsparkapplications.sparkoperator.k8s.io',
    'CustomResourceDefinition sparkconnects.sparkoperator.k8s.io',
    'Namespace spark-operator',
    'ServiceAccount spark-operator/spark-operator',
    'Role spark-operator/spark-operator-own',
    'RoleBinding spark-operator/spark-operator-own',
    'Role default/spark-operator',
    'RoleBinding default/spark-operator',
    'ServiceAccount default/spark',
    'Role default/spark-driver',
    'RoleBinding default/spark-driver',
    'ClusterRole spark-viewer:spark-operator',
    'ClusterRole spark-editor:spark-operator',
    'ValidatingAdmissionPolicy spark-applications.spark-operator',
    'ValidatingAdmissionPolicyBinding spark-applications.spark-operator',
    'ValidatingAdmissionPolicy spark-drivers.spark-operator',
    'ValidatingAdmissionPolicyBinding spark-drivers.spark-operator',
    'Service spark-operator/spark-operator-metrics',
    'Deployment spark-operator/spark-operator',
  ]);
});

test('the Deployment meets the restricted Pod Security Standard, without a fixed user', () => {
  const { spec } = find(synthesized(), 'Deployment', 'spark-operator', 'spark-operator').spec.template;
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(spec.securityContext).not.toHaveProperty('runAsUser');
  expect(spec.containers[0].securityContext).toEqual({
    runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false, capabilities: { drop: ['ALL'] },
  });
});

test('the image has the version of the package', () => {
  const [container] = find(synthesized(), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers;
  expect(container.image).toBe(`ghcr.io/cdk8s-spark-operator/spark-operator:${version}`);
  expect(container).toMatchObject({
    ports: expect.arrayContaining([{ name: 'health', containerPort: 8081 }]),
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  });
});

test('job namespaces: operator and drivers get their permissions in each, and the operator watches them', () => {
  const objects = synthesized({ namespace: 'ops', jobNamespaces: ['team-a', 'team-b'], createJobNamespaces: true, driverStartTimeout: Duration.minutes(2) });
  for (const namespace of ['team-a', 'team-b']) {
    find(objects, 'Namespace', namespace);
    expect(find(objects, 'RoleBinding', 'spark-operator', namespace).subjects).toEqual([{ kind: 'ServiceAccount', name: 'spark-operator', namespace: 'ops' }]);
    expect(find(objects, 'RoleBinding', 'spark-driver', namespace).subjects).toEqual([{ kind: 'ServiceAccount', name: 'spark', namespace }]);
    // Without its token, a driver cannot create executors.
    expect(find(objects, 'ServiceAccount', 'spark', namespace).automountServiceAccountToken).toBe(true);
  }
  expect(objects.some(({ kind }) => kind === 'ClusterRoleBinding')).toBe(false);
  const [container] = find(objects, 'Deployment', 'spark-operator', 'ops').spec.template.spec.containers;
  expect(container.args).toEqual(expect.arrayContaining(['--namespaces=team-a,team-b', '--driver-start-timeout=120000ms']));
});

test('the replicas elect a leader by a Lease, for which alone the operator has permissions in its own namespace', () => {
  const objects = synthesized({ defaultsConfigMapName: 'spark-defaults' });
  expect(find(objects, 'Role', 'spark-operator-own', 'spark-operator').rules).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['spark-operator-controller-lock'], verbs: ['get', 'watch', 'update'] },
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['spark-defaults'], verbs: ['list', 'watch'] },
  ]);
  const { spec } = find(objects, 'Deployment', 'spark-operator', 'spark-operator');
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  const [container] = spec.template.spec.containers;
  expect(container.env.map(({ name }: any) => name)).toEqual(['POD_NAME', 'POD_NAMESPACE']);
  expect(container.args).toContain('--defaults-config-map=spark-defaults');
});

test('a Lease of another name: the permissions are for that one', () => {
  const flags = ['--leader-election-lock-name=my-spark-controller-lock'];
  const { rules } = find(synthesized({ flags }), 'Role', 'spark-operator-own', 'spark-operator');
  expect(rules).toContainEqual({ apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['my-spark-controller-lock'], verbs: ['get', 'watch', 'update'] });
});

test('two replicas: on different nodes if possible, and never drained at the same time', () => {
  const objects = synthesized({ replicas: 2 });
  const { spec } = find(objects, 'Deployment', 'spark-operator', 'spark-operator');
  expect(spec.replicas).toBe(2);
  for (const constraint of spec.template.spec.topologySpreadConstraints) {
    expect(constraint).toMatchObject({ whenUnsatisfiable: 'ScheduleAnyway', labelSelector: spec.selector });
  }
  expect(find(objects, 'PodDisruptionBudget', 'spark-operator', 'spark-operator').spec).toEqual({ maxUnavailable: 1, selector: spec.selector });
  expect(synthesized().some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
});

test.each<[string, SparkOperatorProps, string[], boolean]>([
  ['labels', { namespaceSelector: { 'team': 'data', 'example.org/env': 'prod' } }, ['--namespace-selector=team=data,example.org/env=prod'], true],
  ['requirements for labels', { namespaceSelectorExpression: 'team in (a,b),!old' }, ['--namespace-selector=team in (a,b),!old'], true],
  ['labels, and requirements for others', { namespaceSelector: { spark: 'yes' }, namespaceSelectorExpression: 'env!=test' }, ['--namespace-selector=spark=yes,env!=test'], true],
  ['labels and names', { namespaceSelector: { team: 'data' }, jobNamespaces: ['a'] }, ['--namespaces=a', '--namespace-selector=team=data'], true],
  ['all', { allNamespaces: true }, ['--namespaces='], false],
])('namespaces by %s: cluster-wide permissions, and for drivers a ClusterRole to bind', (_, props, flags, followsNamespaces) => {
  const objects = synthesized({ ...props, namespace: 'ops' });
  const role = find(objects, 'ClusterRole', 'spark-operator:ops');
  expect(find(objects, 'ClusterRoleBinding', 'spark-operator:ops')).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'spark-operator:ops' }, subjects: [{ kind: 'ServiceAccount', name: 'spark-operator', namespace: 'ops' }],
  });
  expect(role.rules.some(({ resources }: any) => resources.includes('namespaces'))).toBe(followsNamespaces);
  expect(role.rules).toContainEqual(expect.objectContaining({ resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'delete'] }));
  expect(objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'spark-operator')).toEqual([]);
  expect(find(objects, 'ClusterRole', 'spark-driver:ops').rules).toHaveLength(4);
  // Named namespaces still get an account for drivers.
  expect(objects.filter(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === 'spark').map(({ metadata }) => metadata.namespace)).toEqual(props.jobNamespaces ?? []);
  const { args } = find(objects, 'Deployment', 'spark-operator', 'ops').spec.template.spec.containers[0];
  expect(args.filter((arg: string) => arg.startsWith('--namespace'))).toEqual(flags);
});

test('ClusterRoles for users, which Kubernetes adds to its own; nothing is bound to them', () => {
  const objects = synthesized({ namespace: 'ops' });
  const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
  const aggregated = (role: any) => Object.keys(role.metadata.labels).filter((label) => label.startsWith('rbac.')).map((label) => label.replace('rbac.authorization.k8s.io/aggregate-to-', ''));
  expect(roles.map((role) => [role.metadata.name, aggregated(role)])).toEqual([['spark-viewer:ops', ['view']], ['spark-editor:ops', ['admin', 'edit']]]);
  const [viewer, editor] = roles.map(({ rules }) => Object.fromEntries(rules.map(({ resources, verbs }: any) => [resources[0], verbs.join()])));
  for (const kind of ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects']) {
    expect([viewer![kind], viewer![`${kind}/status`]]).toEqual(['get,list,watch', 'get']);
    expect([editor![kind], editor![`${kind}/status`]]).toEqual(['get,list,watch,create,update,patch,delete', 'get']);
  }
  // Kubernetes' own view has these, too.
  expect(Object.keys(viewer!).filter((resource) => !resource.includes('spark'))).toEqual(['pods', 'pods/log', 'services', 'events']);
  expect(Object.keys(editor!).filter((resource) => !resource.includes('spark'))).toEqual(['pods', 'pods/log', 'services', 'events', 'pods/portforward']);
  expect(synthesized({ userRoles: false }).some(({ kind }) => kind === 'ClusterRole')).toBe(false);
});

test('the value of a flag can be the next argument', () => {
  const { args } = find(synthesized({ flags: ['--log-level', 'debug'] }), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args.slice(-2)).toEqual(['--log-level', 'debug']);
});

test('further flags come last, so that they take precedence', () => {
  const { args } = find(synthesized({ flags: ['--log-level=debug'] }), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args.at(-1)).toBe('--log-level=debug');
});

test('applications cannot choose a submission mode if it is disabled: the operator and its webhook get the flag', () => {
  const objects = synthesized({ submissionModeAnnotation: false, webhook: { deployment: {} } });
  const argsOf = (name: string) => find(objects, 'Deployment', name, 'spark-operator').spec.template.spec.containers[0].args;
  for (const name of ['spark-operator', 'spark-operator-webhook']) expect(argsOf(name)).toContain('--enable-submission-mode-annotation=false');
});

test("spark-submit runs with the driver's account, which gets the permissions to create a driver; the operator gets none", () => {
  const verbs = (props: SparkOperatorProps, name: string, resource: string) => find(synthesized(props), 'Role', name, 'default').rules
    .filter((rule: any) => rule.resources.includes(resource)).flatMap((rule: any) => rule.verbs);
  for (const resource of ['configmaps', 'services']) {
    expect(verbs({}, 'spark-driver', resource)).toContain('patch');
    expect(verbs({}, 'spark-operator', resource)).not.toContain('patch');
    // No application can use spark-submit.
    expect(verbs({ submissionMode: SubmissionMode.NATIVE, submissionModeAnnotation: false }, 'spark-driver', resource)).not.toContain('patch');
  }
  expect(verbs({}, 'spark-driver', 'secrets')).toEqual([]);
});

/** Returns the operator's permissions in a job namespace: verbs by resource. */
function rights(props?: SparkOperatorProps): Record<string, string[]> {
  const { rules } = find(synthesized(props), 'Role', 'spark-operator', 'default');
  const verbs: Record<string, string[]> = {};
  for (const rule of rules) (verbs[rule.resources[0]] ??= []).push(...rule.verbs);
  return verbs;
}
const KEEP = ['get', 'list', 'create', 'update', 'delete'];
const MAKE = ['get', 'list', 'create', 'delete'];

test.each<[string, SparkOperatorProps, Record<string, string[] | undefined>]>([
  ['by default', {}, { podgroups: undefined, ingresses: undefined, httproutes: undefined, poddisruptionbudgets: undefined, services: KEEP }],
  ['Ingresses', { webUI: WebUI.byIngress({ urlFormat: '{{$appName}}.example.org' }) }, { ingresses: KEEP, httproutes: undefined }],
  ['ports of drivers by Ingresses', { driverIngress: true }, { ingresses: KEEP, httproutes: undefined }],
  ['ports of drivers by a flag', { flags: ['--enable-driver-ingress'] }, { ingresses: KEEP, httproutes: undefined }],
  ['a Gateway', { webUI: WebUI.byGateway({ urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public' }] }) }, { ingresses: undefined, httproutes: KEEP }],
  ['a Gateway by a flag', { driverIngress: true, flags: ['--ui-gateway=infra/public'] }, { ingresses: undefined, httproutes: KEEP }],
  ['URLs without a Service', { flags: ['--ingress-url-format={{$appName}}.example.org'], webUI: WebUI.none() }, { ingresses: undefined }],
  ['PodDisruptionBudgets', { driverDisruptionBudgets: true }, { poddisruptionbudgets: KEEP }],
  ['empty names of schedulers', { batchScheduling: {}, flags: ['--kube-scheduler-names= , ""'] }, { podgroups: MAKE }],
  ['PodDisruptionBudgets by a flag', { flags: ['--enable-driver-pdb'] }, { poddisruptionbudgets: KEEP }],
  ['leftovers', { driverIngress: true, removeOrphans: true }, { ingresses: KEEP, httproutes: ['list', 'delete'], poddisruptionbudgets: ['list', 'delete'] }],
  ['batch schedulers', { batchScheduling: {} }, { podgroups: MAKE }],
  ["groups of pods of Kubernetes' own scheduler, too", { batchScheduling: { kubeSchedulers: ['gang'] } }, { podgroups: [...MAKE, ...MAKE] }],
  ['batch schedulers by a flag', { flags: ['--enable-batch-scheduler'] }, { podgroups: MAKE }],
  ['defaults', { defaultsConfigMapName: 'd' }, { configmaps: ['get', 'list', 'create', 'delete', 'watch'] }],
])('permissions for %s, and no more', (_, props, expected) => {
  const given = rights(props);
  for (const [resource, verbs] of Object.entries(expected)) expect([resource, given[resource]]).toEqual([resource, verbs]);
});

test('every setting becomes a flag of the operator', () => {
  const { args } = find(synthesized({
    webUI: WebUI.byGateway({ urlFormat: 'spark.example.org/{{ $appName }}', gateways: [{ namespace: 'infra', name: 'public', sectionName: 'https' }], annotations: { a: 'b' } }),
    driverDisruptionBudgets: true,
    timeToLive: Duration.days(1),
    maxTrackedExecutors: 50,
    minScheduleInterval: Duration.minutes(15),
    workers: 4,
    kubeApiQps: 20,
    kubeApiBurst: 40,
    sparkUser: 'hadoop',
    batchScheduling: { kubeSchedulers: ['gang', 'other'], defaultScheduler: 'gang' },
    logLevel: LogLevel.WARN,
    leaderElection: { leaseDuration: Duration.seconds(30), renewDeadline: Duration.seconds(20), retryPeriod: Duration.seconds(5) },
    metrics: { prefix: 'a_', applicationLabels: ['team', 'stage'] },
    sparkSubmitTimeout: Duration.minutes(2),
  }), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args.sort()).toEqual([
    '--controller-threads=4', '--default-batch-scheduler=gang', '--default-time-to-live-seconds=86400', '--enable-batch-scheduler=true', '--enable-driver-ingress=false', '--enable-driver-pdb=true', '--health-probe-bind-address=:8081',
    '--ingress-annotations={"a":"b"}', '--ingress-url-format=spark.example.org/{{$appName}}', '--kube-api-burst=40', '--kube-api-qps=20', '--kube-scheduler-names=gang,other', '--leader-election-lease-duration=30000ms',
    '--leader-election-renew-deadline=20000ms', '--leader-election-retry-period=5000ms', '--log-level=warn', '--max-tracked-executor-per-app=50', '--metrics-bind-address=:8080',
    '--metrics-labels=team,stage', '--metrics-prefix=a_', '--min-schedule-interval=900000ms', '--namespaces=default', '--remove-orphans=false',
    '--spark-submit-timeout=120000ms', '--spark-user=hadoop', '--ui-gateway=infra/public/https',
  ]);
});

test('a flag can add a batch scheduler', () => {
  const { args } = find(synthesized({ batchScheduling: { defaultScheduler: 'gang' }, flags: ['--kube-scheduler-names=gang'] }), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args).toEqual(expect.arrayContaining(['--default-batch-scheduler=gang', '--kube-scheduler-names=gang']));
});

test('scheduling and metadata of the pods can be set', () => {
  const objects = synthesized({
    image: 'registry.example.org/spark-operator:1',
    imagePullSecrets: ['registry'],
    resources: { cpuRequest: 0.25, cpuLimit: 1, memoryLimit: Size.mebibytes(768) },
    priorityClassName: 'platform',
    nodeSelector: { pool: 'system' },
    tolerations: [{ key: 'pool', operator: 'Exists' }],
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } }] } },
    podLabels: { 'azure.workload.identity/use': 'true' },
    podAnnotations: { 'example.org/note': 'x' },
    env: [{ name: 'AWS_REGION', value: 'eu-central-1' }],
    serviceAccountName: 'spark-platform',
    serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/spark' },
  });
  const { template } = find(objects, 'Deployment', 'spark-operator', 'spark-operator').spec;
  expect(template.metadata).toMatchObject({ labels: { 'azure.workload.identity/use': 'true', 'app.kubernetes.io/name': 'spark-operator' }, annotations: { 'example.org/note': 'x' } });
  expect(template.spec).toMatchObject({
    imagePullSecrets: [{ name: 'registry' }], priorityClassName: 'platform', nodeSelector: { pool: 'system' }, tolerations: [{ key: 'pool', operator: 'Exists' }], serviceAccountName: 'spark-platform',
  });
  expect(template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
  expect(template.spec.containers[0].resources).toEqual({ requests: { cpu: '250m', memory: '128Mi' }, limits: { cpu: '1', memory: '768Mi' } });
  expect(template.spec.containers[0].env.at(-1)).toEqual({ name: 'AWS_REGION', value: 'eu-central-1' });
  expect(find(objects, 'ServiceAccount', 'spark-platform', 'spark-operator').metadata.annotations).toEqual({ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/spark' });
  expect(find(objects, 'RoleBinding', 'spark-operator', 'default').subjects[0].name).toBe('spark-platform');
});

test('a CPU request of 0 is written, as with kubeflow; a negative one is rejected', () => {
  const none = { resources: { cpuRequest: 0 } };
  const objects = synthesized({ ...none, webhook: { deployment: none }, console: none });
  const requests = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec.containers[0].resources.requests.cpu);
  expect(requests).toEqual(['0', '0', '0']);
  expect(() => synthesized({ resources: { cpuRequest: -1 } })).toThrow('resources.cpuRequest = -1 must be 0 or a number of cores, such as 4 or 0.5');
});

test("metrics: a Service, and a PodMonitor or ServiceMonitor that selects this operator's pods", () => {
  const objects = synthesized({ metrics: { monitor: PrometheusMonitor.podMonitor({ interval: Duration.seconds(30), labels: { release: 'prometheus' }, namespace: 'monitoring' }) } });
  const { spec } = find(objects, 'Deployment', 'spark-operator', 'spark-operator');
  // Another namespace might contain those of other operators.
  const monitor = find(objects, 'PodMonitor', 'spark-operator-spark-operator', 'monitoring');
  expect(monitor.metadata.labels).toMatchObject({ release: 'prometheus' });
  expect(monitor.spec).toEqual({
    namespaceSelector: { matchNames: ['spark-operator'] },
    selector: spec.selector,
    podMetricsEndpoints: [{ port: 'metrics', path: '/metrics', honorLabels: true, interval: '30s' }],
  });
  const service = find(objects, 'Service', 'spark-operator-metrics', 'spark-operator');
  expect(service.spec).toMatchObject({ selector: spec.selector.matchLabels, ports: [{ name: 'metrics', port: 8080 }] });

  const byService = find(synthesized({ metrics: { monitor: PrometheusMonitor.serviceMonitor() } }), 'ServiceMonitor', 'spark-operator', 'spark-operator');
  expect(byService.spec.endpoints).toEqual([{ port: 'metrics', path: '/metrics', honorLabels: true }]);
  expect(service.metadata.labels).toMatchObject(byService.spec.selector.matchLabels);
});

test('without metrics there is no port, no Service and no flag for their address', () => {
  const objects = synthesized({ metrics: { enabled: false, monitor: PrometheusMonitor.podMonitor() } });
  const [container] = find(objects, 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers;
  expect(container.ports).toEqual([{ containerPort: 8081, name: 'health' }]);
  expect(container.args.filter((arg: string) => arg.includes('metrics'))).toEqual(['--enable-metrics=false']);
  expect(objects.filter(({ kind }) => kind === 'Service' || kind === 'PodMonitor')).toEqual([]);
});

test('the NetworkPolicy allows metrics, DNS and the API server', () => {
  const policy = (networkPolicy: SparkOperatorProps['networkPolicy']) => find(synthesized({ networkPolicy }), 'NetworkPolicy', 'spark-operator', 'spark-operator').spec;
  expect(policy({})).toEqual({
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'spark-operator' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 8080, protocol: 'TCP' }] }],
    egress: [
      { ports: [{ port: 53, protocol: 'UDP' }, { port: 53, protocol: 'TCP' }, { port: 5353, protocol: 'UDP' }, { port: 5353, protocol: 'TCP' }] },
      { ports: [{ port: 443, protocol: 'TCP' }, { port: 6443, protocol: 'TCP' }] },
    ],
  });
  expect(policy({
    metricsFrom: [NetworkPeer.namespace('monitoring')], healthFrom: [NetworkPeer.anywhere()], dns: [], apiServer: [NetworkPeer.addresses('10.0.0.1/32')], apiServerPorts: [8443],
  })).toMatchObject({
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }] }, { ports: [{ port: 8081, protocol: 'TCP' }] }],
    egress: [
      { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }], ports: [{ port: 8443, protocol: 'TCP' }] },
    ],
  });
});

test('the operator gets its arguments unchanged: the kubelet expands no variables', () => {
  const objects = synthesized({ webUI: WebUI.byIngress({ urlFormat: '{{$appName}}.example.org', annotations: { 'example.org/rewrite': '/$(POD_NAMESPACE)/$$2/$1$' } }), flags: ['--ingress-annotations={"a":"$(A)$$(B)"}'] });
  const { args } = find(objects, 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args).toContain('--ingress-url-format={{$appName}}.example.org');
  expect(args).toContain('--ingress-annotations={"example.org/rewrite":"/$$(POD_NAMESPACE)/$$$2/$1$"}');
  expect(args).toContain('--ingress-annotations={"a":"$$(A)$$$$(B)"}');
  // The kubelet's expansion (k8s.io/kubernetes/third_party/forked/golang/expansion) finds no
  // variable in it.
  expect(args.join().replace(/\$\$/g, '$')).toContain('--ingress-annotations={"a":"$(A)$$(B)"}');
});

test('a job namespace that is added later keeps the arguments, and must not be that of the operator', () => {
  const chart = Testing.chart();
  const operator = new SparkOperator(chart, 'operator', { installCrds: false, jobNamespaces: [], flags: ['--ingress-annotations={"a":"$(A)"}'] });
  operator.addJobNamespace('team-a');
  expect(() => operator.addJobNamespace('spark-operator')).toThrow('SparkOperator at test/operator: addJobNamespace: name = "spark-operator" is the operator\'s own namespace');
  const { args } = find(Testing.synth(chart), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args).toEqual(expect.arrayContaining(['--namespaces=team-a', '--ingress-annotations={"a":"$$(A)"}']));
});

test('ClusterRoles with and without resource names: Kubernetes drops an empty list, and each apply would change it again', () => {
  const roles = synthesized({ allNamespaces: true, defaultsConfigMapName: 'd' }).filter(({ kind }) => kind === 'ClusterRole');
  const named = roles.flatMap(({ rules }) => rules).filter((rule: object) => 'resourceNames' in rule);
  expect(named).toEqual([{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['d'], verbs: ['watch'] }]);
});

test('existing objects can be left out', () => {
  expect(synthesized({ createNamespace: false }).filter(({ kind }) => ['CustomResourceDefinition', 'Namespace'].includes(kind))).toEqual([]);
});

test('the selector does not depend on the path of the construct, because it is immutable', () => {
  const { spec } = find(synthesized(), 'Deployment', 'spark-operator', 'spark-operator');
  expect(spec.selector).toEqual({ matchLabels: { 'app.kubernetes.io/name': 'spark-operator' } });
  expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

test.each<[string, SparkOperatorProps, string]>([
  ['no job namespace', { jobNamespaces: [] }, 'jobNamespaces is empty; add at least one namespace'],
  ['all namespaces and labels', { allNamespaces: true, namespaceSelector: { a: 'b' } }, 'namespaceSelector has no effect with allNamespaces'],
  ['all namespaces and requirements', { allNamespaces: true, namespaceSelectorExpression: 'a' }, 'namespaceSelectorExpression has no effect with allNamespaces'],
  ['requirements that cannot be read', { namespaceSelectorExpression: 'env in prod' },
    'namespaceSelectorExpression = "env in prod" is not a label selector, as "env in prod" is not the key of a label; write requirements such as'],
  ['no requirement', { namespaceSelectorExpression: '' }, 'namespaceSelectorExpression = "" is not a label selector'],
  ['a selector of nothing', { namespaceSelector: {} }, 'namespaceSelector is empty'],
  ['an invalid label', { namespaceSelector: { team: 'a,b' } }, 'namespaceSelector[team] = "a,b" must have at most 63 letters'],
  ['half a replica', { replicas: 0.5 }, 'replicas = 0.5 must be a whole number of at least 0'],
  ['a namespace twice', { jobNamespaces: ['a', 'a'] }, 'jobNamespaces[1] = "a" is in the list twice; leave it out'],
  ['an unknown batch scheduler', { batchScheduling: { defaultScheduler: 'gang' } }, 'batchScheduling.defaultScheduler = "gang" is unknown to the operator; use one of volcano, yunikorn, or add it to kubeSchedulers'],
  ['a batch scheduler that a flag makes unknown', { batchScheduling: { kubeSchedulers: ['gang'], defaultScheduler: 'gang' }, flags: ['--kube-scheduler-names=other'] }, 'batchScheduling.defaultScheduler = "gang" is unknown to the operator; use one of volcano, yunikorn, other, or add it'],
  ['an unknown batch scheduler in a flag', { batchScheduling: { kubeSchedulers: ['gang'] }, flags: ['--default-batch-scheduler=gnag'] }, 'flags: --default-batch-scheduler = "gnag" is unknown to the operator; use one of volcano, yunikorn, gang, or add it'],
  ['the name of a built-in batch scheduler', { batchScheduling: { kubeSchedulers: ['volcano'] } }, 'batchScheduling.kubeSchedulers[0] = "volcano" is the name of a built-in scheduler'],
  ['a scheduler without a name', { batchScheduling: { kubeSchedulers: [''] } }, 'batchScheduling.kubeSchedulers[0] = "" is not a name'],
  ['no worker', { workers: 0 }, 'workers = 0 must be a whole number of at least 1'],
  ['a time to live with a fraction of a second', { timeToLive: Duration.millis(1500) }, 'timeToLive = "1500 ms" must be whole seconds, at least 1'],
  ['a label that the selector has', { podLabels: { 'app.kubernetes.io/name': 'mine' } }, 'podLabels[app.kubernetes.io/name] is the label by which the Deployment selects its pods; leave it out'],
  ['a reserved variable', { env: [{ name: 'POD_NAME', value: 'x' }] }, 'env[POD_NAME] is set by the construct; leave it out'],
  ['a Lease that ends before its deadline', { leaderElection: { leaseDuration: Duration.seconds(5) } }, 'leaderElection.leaseDuration = "5000 ms" must be longer than renewDeadline (10000 ms)'],
  ['several leaders', { replicas: 2, flags: ['--leader-election=false'] }, 'replicas = 2 with --leader-election=false means that all of them would be active at the same time; leave the flag out'],
  ['an argument that is not a flag', { flags: ['log-level=debug'] }, 'flags[0] = "log-level=debug" is neither a flag nor the value of a flag; flags begin with --'],
  ['a value of a flag that has one', { flags: ['--log-level=info', 'debug'] }, 'flags[1] = "debug" is neither a flag nor the value of a flag'],
  ['an unknown flag', { flags: ['--log-levle=debug'] }, 'flags: --log-levle: there is no such flag; did you mean --log-level?'],
  ['a part of a MiB', { resources: { memoryLimit: Size.kibibytes(600_000) } }, 'resources.memoryLimit = "600000Ki" must be whole MiB, at least 1'],
  ['no memory', { resources: { memoryRequest: Size.mebibytes(0) } }, 'resources.memoryRequest = "0Mi" must be whole MiB, at least 1'],
  ['a request above its limit', { resources: { cpuRequest: 2, cpuLimit: 1 } }, 'resources requests more than the limit; a limit must be at least as large as its request'],
  ['the same of the webhook', { webhook: { deployment: { resources: { memoryRequest: Size.gibibytes(2), memoryLimit: Size.gibibytes(1) } } } }, 'webhook.deployment.resources requests more than the limit'],
  ['a flag on which other objects depend', { flags: ['--namespaces=a'] }, 'flags[0] = "--namespaces=a" conflicts with other parts of the installation; use jobNamespaces or allNamespaces'],
  ['its own namespace for applications', { jobNamespaces: ['a', 'spark-operator'] }, 'jobNamespaces[1] = "spark-operator" is the operator\'s own namespace: a driver there could create pods that run as the operator'],
  ['the same by default', { namespace: 'default' }, 'namespace = "default" is the operator\'s own namespace: a driver there could create pods that run as the operator, with all its permissions, and without jobNamespaces applications run there; give the operator'],
  ['the same beside all others', { jobNamespaces: ['spark-operator'], allNamespaces: true }, 'jobNamespaces[0] = "spark-operator" is the operator\'s own namespace'],
  ['no port of the API server', { networkPolicy: { apiServerPorts: [] } }, 'networkPolicy.apiServerPorts is empty'],
  ['an invalid port', { networkPolicy: { apiServerPorts: [443, 70000] } }, 'networkPolicy.apiServerPorts[1] = 70000 must be a whole number from 1 to 65535'],
  ['an invalid name of an account', { serviceAccountName: 'Bad_Name' }, 'serviceAccountName = "Bad_Name" is not a name'],
  ['an invalid name of a ConfigMap', { defaultsConfigMapName: 'Bad Map' }, 'defaultsConfigMapName = "Bad Map" is not a name'],
  ['the same by a flag', { flags: ['--defaults-config-map=Bad Map'] }, 'flags: --defaults-config-map = "Bad Map" is not a name'],
  ['an invalid name of a Secret', { imagePullSecrets: ['a', 'A B'] }, 'imagePullSecrets[1] = "A B" is not a name'],
  ['an invalid name of a PriorityClass', { priorityClassName: 'X_Y' }, 'priorityClassName = "X_Y" is not a name'],
  ['a Lease without a name, which would be all Leases', { leaderElection: { leaseName: '' } }, 'leaderElection.leaseName = "" is not a name'],
  ['the same Lease by a flag', { flags: ['--leader-election-lock-name='] }, 'flags: --leader-election-lock-name = "" is not a name'],
  ['an invalid name of a variable', { env: [{ name: 'A B', value: 'x' }] }, 'env[A B] is not the name of a variable'],
  ['an invalid name of a namespace', { jobNamespaces: ['Team A'] }, 'jobNamespaces[0] = "Team A" is not the name of a namespace'],
])('%s is rejected', (_, props, message) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(`[test/operator] ${message}`)]);
});
