/* Pods, service accounts and permissions as the user wants them. */
import { Testing } from 'cdk8s';
import { find, problemsOf, synthesized } from './operator-objects';
import { LogEncoder, PrometheusMonitor, SparkJobNamespace, SparkOperator, type OperatorPodProps, type SparkOperatorProps } from '../../src';

const NS = 'spark-operator';
const RESTRICTED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const PODS: OperatorPodProps = {
  env: [{ name: 'A', value: 'b' }], envFrom: [{ secretRef: { name: 'proxy' } }],
  volumes: [{ name: 'ca', configMap: { name: 'ca' } }, { name: 'logs', emptyDir: {} }],
  volumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  sidecars: [{ name: 'shipper', image: 'shipper:1', volumeMounts: [{ name: 'logs', mountPath: '/logs' }], securityContext: RESTRICTED }],
  podSecurityContext: { fsGroup: 185 }, securityContext: { runAsUser: 1000 }, hostUsers: false,
  deploymentAnnotations: { note: 'x' }, revisionHistoryLimit: 3, disruptionBudget: { minAvailable: 1 },
};
const deploymentOf = (objects: any[], name: string) => find(objects, 'Deployment', name, NS);

test('the pods get volumes, variables, sidecars and security settings; those of the webhook inherit them', () => {
  const objects = synthesized({ ...PODS, replicas: 2, webhook: { deployment: {} } });
  for (const [name, own] of [['spark-operator', 'operator'], ['spark-operator-webhook', 'webhook']] as const) {
    const { metadata, spec: { revisionHistoryLimit, template: { spec } } } = deploymentOf(objects, name);
    expect([metadata.annotations, revisionHistoryLimit]).toEqual([{ note: 'x' }, 3]);
    expect(spec).toMatchObject({ hostUsers: false, volumes: PODS.volumes });
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, fsGroup: 185 });
    const [program, ...sidecars] = spec.containers;
    expect(sidecars).toEqual(PODS.sidecars);
    expect(program).toMatchObject({ name: own, envFrom: PODS.envFrom, volumeMounts: PODS.volumeMounts });
    expect(program.env.map((variable: any) => variable.name)).toEqual(['POD_NAME', 'POD_NAMESPACE', 'A']);
    expect(program.securityContext).toMatchObject({ runAsUser: 1000, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    expect(find(objects, 'PodDisruptionBudget', name, NS).spec).toMatchObject({ minAvailable: 1 });
  }
});

test('props of the pods of the webhook take precedence', () => {
  const deployment = {
    replicas: 1, nodeSelector: { pool: 'edge' }, volumes: [], volumeMounts: [], sidecars: [], podLabels: { a: 'b' }, disruptionBudget: {}, image: 'webhook:1',
    serviceAccountAnnotations: { role: 'webhook' },
  };
  const objects = synthesized({ ...PODS, replicas: 2, serviceAccountAnnotations: { role: 'operator' }, webhook: { deployment } });
  const { template } = deploymentOf(objects, 'spark-operator-webhook').spec;
  expect(template.metadata.labels).toMatchObject({ a: 'b' });
  expect(template.spec).toMatchObject({ nodeSelector: { pool: 'edge' }, hostUsers: false, containers: [{ image: 'webhook:1' }] });
  expect(template.spec.volumes).toBeUndefined();
  expect(objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(['spark-operator']);
  expect(find(objects, 'ServiceAccount', 'spark-operator-webhook', NS).metadata.annotations).toEqual({ role: 'webhook' });
});

test('several replicas without a PodDisruptionBudget', () => {
  expect(synthesized({ replicas: 2, disruptionBudget: { enabled: false } }).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
});

test('metrics at another port, with a label for the job', () => {
  const objects = synthesized({ metrics: { port: 9090, monitor: PrometheusMonitor.podMonitor({ jobLabel: 'team' }) }, networkPolicy: {} });
  const [{ ports, args }] = deploymentOf(objects, 'spark-operator').spec.template.spec.containers;
  expect(ports).toContainEqual({ name: 'metrics', containerPort: 9090 });
  expect(args).toContain('--metrics-bind-address=:9090');
  expect(find(objects, 'Service', 'spark-operator-metrics', NS).spec.ports[0].port).toBe(9090);
  expect(find(objects, 'NetworkPolicy', 'spark-operator', NS).spec.ingress[0].ports).toEqual([{ port: 9090, protocol: 'TCP' }]);
  expect(find(objects, 'PodMonitor', 'spark-operator', NS).spec.jobLabel).toBe('team');
});

test('the log can be for people', () => {
  const objects = synthesized({ logEncoder: LogEncoder.CONSOLE, webhook: { deployment: {} } });
  for (const name of ['spark-operator', 'spark-operator-webhook']) {
    expect(deploymentOf(objects, name).spec.template.spec.containers[0].args).toContain('--log-encoder=console');
  }
});

describe('existing accounts and roles', () => {
  const existing = (serviceAccountName: string) => ({ serviceAccountName, createServiceAccount: false, createRoles: false });
  const props: SparkOperatorProps = {
    ...existing('op'), webhook: { deployment: existing('hook') }, console: existing('window'),
    driverServiceAccount: { name: 'jobs', create: false, createRoles: false },
  };

  test.each([{}, { allNamespaces: true, jobNamespaces: ['a'] }, { namespaceSelector: { a: 'b' } }])('are used, and none is created: %j', (more) => {
    const objects = synthesized({ ...props, ...more });
    expect(objects.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind))).toEqual([]);
    const accounts = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec.serviceAccountName);
    expect(accounts).toEqual(['op', 'hook', 'window']);
    const policy = objects.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && /^spark-drivers/.test(metadata.name));
    expect(policy.spec.matchConditions[0].expression).toContain(':jobs');
  });

  test('are used in a SparkJobNamespace, too', () => {
    const chart = Testing.chart();
    const operator = new SparkOperator(chart, 'operator', { ...props, installCrds: false, jobNamespaces: [] });
    new SparkJobNamespace(chart, 'one', { name: 'one', operator, serviceAccountName: 'jobs', createServiceAccount: false, createRoles: false });
    expect(Testing.synth(chart).filter(({ kind }) => /^(ServiceAccount|Role(Binding)?)$/.test(kind))).toEqual([]);
  });

  test('annotations of accounts and roles', () => {
    const objects = synthesized({
      serviceAccountAnnotations: { a: '1' }, roleAnnotations: { a: '2' }, allNamespaces: true, jobNamespaces: ['jobs'], webhook: {},
      driverServiceAccount: { annotations: { a: '3' }, roleAnnotations: { a: '4' } },
    });
    const annotations = (kind: string, name: string, namespace?: string) => find(objects, kind, name, namespace).metadata.annotations;
    expect(annotations('ServiceAccount', 'spark-operator', NS)).toEqual({ a: '1' });
    for (const [kind, name] of [['ClusterRole', 'spark-operator:spark-operator'], ['ClusterRoleBinding', 'spark-operator-webhook:spark-operator']] as const) {
      expect(annotations(kind, name)).toEqual({ a: '2' });
    }
    expect(annotations('ServiceAccount', 'spark', 'jobs')).toEqual({ a: '3' });
    for (const kind of ['Role', 'RoleBinding']) expect(annotations(kind, 'spark-driver', 'jobs')).toEqual({ a: '4' });
    expect(annotations('ClusterRole', 'spark-driver:spark-operator')).toEqual({ a: '4' });
  });

  test('a token from a projected volume', () => {
    const token = { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
    const volumeMounts = [{ name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount/' }];
    const { spec } = deploymentOf(synthesized({ automountServiceAccountToken: false, volumes: [token], volumeMounts }), 'spark-operator').spec.template;
    expect(spec.automountServiceAccountToken).toBe(false);
  });
});

const STANDARD = 'does not meet the restricted Pod Security Standard of the namespace: ';
const SIDECAR = { name: 's', image: 'i' };

test.each<[SparkOperatorProps, string]>([
  [{ createServiceAccount: false }, 'serviceAccountName is missing; write the name of the existing service account, or leave out createServiceAccount: false'],
  [{ createServiceAccount: false, serviceAccountName: 'a', serviceAccountAnnotations: { a: 'b' } }, 'serviceAccountAnnotations has no effect with createServiceAccount: false'],
  [{ createRoles: false, roleAnnotations: { a: 'b' } }, 'roleAnnotations has no effect with createRoles: false; set it where the object is created'],
  [{ console: { createServiceAccount: false } }, 'console.serviceAccountName is missing'],
  [{ webhook: { deployment: { createServiceAccount: false } } }, 'webhook.deployment.serviceAccountName is missing'],
  [{ serviceAccountName: 'a', webhook: { deployment: { serviceAccountName: 'a' } } }, 'webhook.deployment.serviceAccountName = "a" is the service account of the operator'],
  [{ driverServiceAccount: { create: false } }, 'driverServiceAccount.name is missing; write the name of the existing service account, or leave out driverServiceAccount.create: false'],
  [{ driverServiceAccount: { name: 'A_B' } }, 'driverServiceAccount.name = "A_B" is not a name'],
  [{ automountServiceAccountToken: false }, 'automountServiceAccountToken = false leaves the program without a token for the API server; mount a projected volume'],
  [{ console: { automountServiceAccountToken: false } as object }, 'console.automountServiceAccountToken is not a prop'],
  [{ volumeMounts: [{ name: 'x', mountPath: '/x' }] }, 'volumeMounts[0] = "x" names no volume'],
  [{ sidecars: [{ ...SIDECAR, name: 'operator' }] }, 'sidecars[0]'],
  [{ sidecars: [SIDECAR] }, `sidecars[0] ${STANDARD}allowPrivilegeEscalation must be false, capabilities.drop must contain ALL; change it, or create the namespace yourself`],
  [{ podSecurityContext: { runAsUser: 0 }, securityContext: { runAsNonRoot: false } }, `securityContext ${STANDARD}runAsNonRoot must be true, runAsUser must not be 0`],
  [{ webhook: { deployment: { sidecars: [{ ...SIDECAR, securityContext: { ...RESTRICTED, privileged: true } }] } } }, 'webhook.deployment.sidecars[0]'],
  [{ volumes: [{ name: 'v', hostPath: { path: '/v' } }], volumeMounts: [{ name: 'v', mountPath: '/v' }] }, 'volumes[0].hostPath is not allowed by the restricted Pod Security Standard'],
  [{ revisionHistoryLimit: -1 }, 'revisionHistoryLimit = -1 must be a whole number of at least 0'],
  [{ webhook: { deployment: { revisionHistoryLimit: 0.5 } } }, 'webhook.deployment.revisionHistoryLimit = 0.5 must be a whole number'],
  [{ replicas: 2, disruptionBudget: { minAvailable: 2 } }, 'disruptionBudget.minAvailable = 2 prevents each node drain, because there are 2 replicas'],
  [{ replicas: 2, disruptionBudget: { enabled: false, minAvailable: 1 } }, 'disruptionBudget.minAvailable = 1 has no effect with enabled: false'],
  [{ metrics: { port: 8081 } }, 'metrics.port = 8081 is the port of the health probes; choose another one'],
  [{ metrics: { port: 9443 }, webhook: {} }, 'webhook.port = 9443 is the port of metrics or health probes'],
])('%j is rejected', (props, message) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(`[test/operator] ${message}`)]);
});

test('a namespace that is not created can allow what the restricted standard does not', () => {
  expect(problemsOf({ createNamespace: false, sidecars: [SIDECAR], volumes: [{ name: 'v', hostPath: { path: '/v' } }] })).toEqual([]);
});
