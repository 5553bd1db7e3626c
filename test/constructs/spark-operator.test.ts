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

test('what is installed by default, in an order that one kubectl apply can follow', () => {
  const objects = synthesized();
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`)).toEqual([
    'CustomResourceDefinition sparkapplications.sparkoperator.k8s.io',
    'Namespace spark-operator',
    'ServiceAccount spark-operator/spark-operator',
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
  ['a namespace twice', { jobNamespaces: ['a', 'a'] }, 'jobNamespaces names "a" twice'],
  ['spark-submit without Spark', { submissionMode: SubmissionMode.SPARK_SUBMIT, sparkSubmit: false }, 'submissionMode is spark-submit, which sparkSubmit: false rules out'],
  ['a name that is none', { jobNamespaces: ['Team A'] }, '"Team A" is not the name of a namespace'],
])('%s is refused', (_, props, message) => {
  expect(() => synthesized(props)).toThrow(`SparkOperator at test/operator: ${message}`);
});
