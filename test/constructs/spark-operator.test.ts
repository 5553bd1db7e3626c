import { Duration, Testing } from 'cdk8s';
import { version } from '../../package.json';
import { SparkOperator, SparkOperatorProps, SubmissionMode } from '../../src';

function synthesized(props?: SparkOperatorProps): any[] {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', props);
  return Testing.synth(chart);
}

function find(objects: any[], kind: string, name: string, namespace?: string) {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace);
  expect(found).toHaveLength(1);
  return found[0];
}

test('known failure 3: what is installed by default has no webhook, and comes in an order that one kubectl apply can follow', () => {
  const objects = synthesized();
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`)).toEqual([
    'CustomResourceDefinition sparkapplications.sparkoperator.k8s.io',
    'Namespace spark-operator',
    'ServiceAccount spark-operator/spark-operator',
    'Role spark-operator/spark-operator-own',
    'RoleBinding spark-operator/spark-operator-own',
    'Role default/spark-operator',
    'RoleBinding default/spark-operator',
    'ServiceAccount default/spark',
    'Role default/spark-driver',
    'RoleBinding default/spark-driver',
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

test('the image carries the version of the package', () => {
  const [container] = find(synthesized(), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers;
  expect(container.image).toBe(`cdk8s-spark-operator/spark-operator:${version}`);
  expect(container).toMatchObject({
    livenessProbe: { httpGet: { path: '/healthz', port: 8081 } },
    readinessProbe: { httpGet: { path: '/readyz', port: 8081 } },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  });
});

test('job namespaces: the operator and drivers get their rights in each, and the operator is told of them', () => {
  const objects = synthesized({ namespace: 'ops', jobNamespaces: ['team-a', 'team-b'], createJobNamespaces: true, driverStartTimeout: Duration.minutes(2) });
  for (const namespace of ['team-a', 'team-b']) {
    find(objects, 'Namespace', namespace);
    expect(find(objects, 'RoleBinding', 'spark-operator', namespace).subjects).toEqual([{ apiGroup: '', kind: 'ServiceAccount', name: 'spark-operator', namespace: 'ops' }]);
    expect(find(objects, 'RoleBinding', 'spark-driver', namespace).subjects).toEqual([{ apiGroup: '', kind: 'ServiceAccount', name: 'spark', namespace }]);
    // Without its token a driver cannot ask for executors.
    expect(find(objects, 'ServiceAccount', 'spark', namespace).automountServiceAccountToken).toBe(true);
  }
  expect(objects.some(({ kind }) => kind.startsWith('ClusterRole'))).toBe(false);
  const [container] = find(objects, 'Deployment', 'spark-operator', 'ops').spec.template.spec.containers;
  expect(container.args).toEqual(expect.arrayContaining(['--namespaces=team-a,team-b', '--driver-start-timeout=120000ms']));
});

test('the replicas agree by a Lease, on which alone the operator has rights in its own namespace', () => {
  const objects = synthesized({ defaultsConfigMap: 'spark-defaults' });
  expect(find(objects, 'Role', 'spark-operator-own', 'spark-operator').rules).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['spark-operator-controller-lock'], verbs: ['get', 'watch', 'update'] },
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['spark-defaults'], verbs: ['get', 'list', 'watch'] },
  ]);
  const { spec } = find(objects, 'Deployment', 'spark-operator', 'spark-operator');
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  const [container] = spec.template.spec.containers;
  expect(container.env.map(({ name }: any) => name)).toEqual(['POD_NAME', 'POD_NAMESPACE']);
  expect(container.args).toContain('--defaults-config-map=spark-defaults');
});

test('two replicas: on different nodes if there are, and never both drained at once', () => {
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
  ['labels and names', { namespaceSelector: { team: 'data' }, jobNamespaces: ['a'] }, ['--namespaces=a', '--namespace-selector=team=data'], true],
  ['all', { allNamespaces: true }, ['--namespaces='], false],
])('namespaces by %s: rights in the whole cluster, and for drivers a ClusterRole to bind', (_, props, flags, followsNamespaces) => {
  const objects = synthesized({ ...props, namespace: 'ops' });
  const role = find(objects, 'ClusterRole', 'spark-operator:ops');
  expect(find(objects, 'ClusterRoleBinding', 'spark-operator:ops')).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'spark-operator:ops' }, subjects: [{ kind: 'ServiceAccount', name: 'spark-operator', namespace: 'ops' }],
  });
  expect(role.rules.some(({ resources }: any) => resources.includes('namespaces'))).toBe(followsNamespaces);
  expect(role.rules).toContainEqual(expect.objectContaining({ resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'delete'] }));
  expect(objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'spark-operator')).toEqual([]);
  expect(find(objects, 'ClusterRole', 'spark-driver:ops').rules).toHaveLength(4);
  // What has a name still gets an account for drivers.
  expect(objects.filter(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === 'spark').map(({ metadata }) => metadata.namespace)).toEqual(props.jobNamespaces ?? []);
  const { args } = find(objects, 'Deployment', 'spark-operator', 'ops').spec.template.spec.containers[0];
  expect(args.filter((arg: string) => arg.startsWith('--namespace'))).toEqual(flags);
});

test('further flags come last, so that they count', () => {
  const { args } = find(synthesized({ flags: ['--log-level=debug'] }), 'Deployment', 'spark-operator', 'spark-operator').spec.template.spec.containers[0];
  expect(args.at(-1)).toBe('--log-level=debug');
});

test('spark-submit: an image with Spark, the rights to apply what belongs to a driver, memory and a place for temporary files', () => {
  const objects = synthesized({ submissionMode: SubmissionMode.SPARK_SUBMIT });
  const { spec } = find(objects, 'Deployment', 'spark-operator', 'spark-operator').spec.template;
  expect(spec.containers[0]).toMatchObject({
    image: `cdk8s-spark-operator/spark-operator:${version}-spark-submit`,
    resources: { limits: { memory: '1024Mi' } },
    volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
    securityContext: { readOnlyRootFilesystem: true },
  });
  expect(spec.containers[0].args).toContain('--submission-mode=spark-submit');
  expect(spec.volumes).toEqual([{ name: 'tmp', emptyDir: { sizeLimit: '1024Mi' } }]);
  const verbs = (role: any, resource: string) => role.rules.filter((rule: any) => rule.resources.includes(resource)).flatMap((rule: any) => rule.verbs);
  expect(verbs(find(objects, 'Role', 'spark-operator', 'default'), 'configmaps')).toContain('patch');
  expect(verbs(find(synthesized(), 'Role', 'spark-operator', 'default'), 'configmaps')).not.toContain('patch');
});

test('the selector does not depend on where the construct stands, as it cannot be changed later', () => {
  const { spec } = find(synthesized(), 'Deployment', 'spark-operator', 'spark-operator');
  expect(spec.selector).toEqual({ matchLabels: { 'app.kubernetes.io/name': 'spark-operator' } });
  expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

test.each<[string, SparkOperatorProps, string]>([
  ['no job namespace', { jobNamespaces: [] }, 'jobNamespaces is empty; name at least one namespace'],
  ['all namespaces and labels', { allNamespaces: true, namespaceSelector: { a: 'b' } }, 'allNamespaces leaves namespaceSelector nothing to select'],
  ['a selector of nothing', { namespaceSelector: {} }, 'namespaceSelector is empty'],
  ['a label that is none', { namespaceSelector: { team: 'a,b' } }, 'namespaceSelector has "team": "a,b", which is not a label'],
  ['half a replica', { replicas: 0.5 }, 'replicas is 0.5'],
  ['a namespace twice', { jobNamespaces: ['a', 'a'] }, 'jobNamespaces names "a" twice'],
  ['spark-submit without Spark', { submissionMode: SubmissionMode.SPARK_SUBMIT, sparkSubmit: false }, 'submissionMode is spark-submit, which sparkSubmit: false rules out'],
  ['a name that is none', { jobNamespaces: ['Team A'] }, '"Team A" is not the name of a namespace'],
])('%s is refused', (_, props, message) => {
  expect(() => synthesized(props)).toThrow(`SparkOperator at test/operator: ${message}`);
});
