import { Size, Testing } from 'cdk8s';
import { find, problemsOf, synthesized } from './operator-objects';
import { NetworkPeer, SparkJobNamespace, SparkOperator, type OperatorConsole, type SparkOperatorProps } from '../../src';
import { parseConsole } from '../../src/console/process';

// It exists only in the bundle.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });
jest.mock('../../src/kube/kube-config', () => ({}));

const NS = 'spark-operator';
const NAME = 'spark-operator-console';
const SERVICE_NAMES = [NAME, `${NAME}.${NS}`, `${NAME}.${NS}.svc`, `${NAME}.${NS}.svc.cluster.local`];
const deploymentOf = (objects: any[]) => find(objects, 'Deployment', NAME, NS).spec;
const containerOf = (objects: any[]) => deploymentOf(objects).template.spec.containers[0];
const rulesOf = (objects: any[], kind: string, name: string, namespace?: string): string[] => (
  find(objects, kind, name, namespace).rules.map(({ resources, verbs }: any) => `${verbs} ${resources}`)
);

const LEASE = `--operator-lease=${NS}/spark-operator-controller-lock`;
const ASKED = ['create tokenreviews', 'create subjectaccessreviews'];
const SHOWN = [
  'get,list,watch sparkapplications', 'list,watch scheduledsparkapplications', 'get,list pods', 'get pods/log', 'list events',
  'list services', 'list configmaps', 'list persistentvolumeclaims', 'list ingresses', 'list poddisruptionbudgets', 'list pods',
];

test('there is no console by default', () => {
  expect(JSON.stringify(synthesized({ replicas: 2, networkPolicy: {}, webhook: { deployment: {} } }))).not.toContain('console');
});

test('it can read what it shows in each job namespace, and change nothing', () => {
  const objects = synthesized({ console: {}, jobNamespaces: ['team-a', 'team-b'] });
  for (const namespace of ['team-a', 'team-b']) {
    expect(rulesOf(objects, 'Role', NAME, namespace)).toEqual(SHOWN);
    expect(find(objects, 'RoleBinding', NAME, namespace).subjects).toEqual([{ kind: 'ServiceAccount', name: NAME, namespace: NS }]);
  }
  expect(rulesOf(objects, 'ClusterRole', `${NAME}:${NS}`)).toEqual(ASKED);
  expect(deploymentOf(objects).template.spec.serviceAccountName).toBe(NAME);
});

test.each<[string, SparkOperatorProps]>([
  ['all namespaces', { allNamespaces: true }], ['namespaces by label', { namespaceSelector: { spark: 'yes' }, jobNamespaces: ['team-a'] }],
])('with %s it shows the whole cluster', (_, props) => {
  const objects = synthesized({ console: {}, ...props });
  expect(rulesOf(objects, 'ClusterRole', `${NAME}:${NS}`)).toEqual([...ASKED, ...SHOWN]);
  expect(objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === NAME)).toEqual([]);
  expect(containerOf(objects).args).toEqual(['console', '--port=8088', `--hosts=${SERVICE_NAMES}`, LEASE]);
});

test('a namespace that is added later is added to its flags, with permissions there', () => {
  const chart = Testing.chart();
  const operator = new SparkOperator(chart, 'operator', {
    installCrds: false, jobNamespaces: [], console: { serviceAccountName: 'window' },
  });
  new SparkJobNamespace(chart, 'jobs', { name: 'team-b', operator });
  const objects = Testing.synth(chart);
  expect(containerOf(objects).args).toContain('--namespaces=team-b');
  expect(rulesOf(objects, 'Role', NAME, 'team-b')).toEqual(SHOWN);
  expect(find(objects, 'RoleBinding', NAME, 'team-b').subjects).toEqual([{ kind: 'ServiceAccount', name: 'window', namespace: NS }]);
});

test('a namespace of a cluster-wide operator needs no Role for it', () => {
  const chart = Testing.chart();
  const operator = new SparkOperator(chart, 'operator', { installCrds: false, allNamespaces: true, console: {} });
  new SparkJobNamespace(chart, 'jobs', { name: 'team-b', operator });
  expect(Testing.synth(chart).filter(({ metadata }) => metadata.name === NAME && metadata.namespace === 'team-b')).toEqual([]);
});

test('the program accepts its command line', () => {
  const { args } = containerOf(synthesized({
    jobNamespaces: ['team-a', 'team-b'], console: {
      clusterName: 'production', hosts: ['spark.example.org'], tlsSecretName: 'console-tls', historyServerUrl: 'https://history.example.org/spark/',
    },
  }));
  expect(args[0]).toBe('console');
  const { listen: { tls, ...listen }, ...others } = parseConsole(args.slice(1), (path) => `text of ${path}`);
  expect({ listen, ...others }).toEqual({
    cluster: 'production', hosts: [...SERVICE_NAMES, 'spark.example.org'], namespaces: ['team-a', 'team-b'], listen: { port: 8088 },
    operatorLease: { namespace: NS, name: 'spark-operator-controller-lock' }, historyServer: 'https://history.example.org/spark',
  });
  expect(tls!()).toEqual({ cert: 'text of /etc/spark-operator/console/tls.crt', key: 'text of /etc/spark-operator/console/tls.key' });
  expect(() => parseConsole(['--nonsense'])).toThrow(/Unknown option '--nonsense'/);
  expect(() => parseConsole(['--hosts=a,https://b/'])).toThrow(
    '--hosts: "https://b/" is not a host name; write it without scheme, port and path',
  );
  expect(() => parseConsole(['--tls-cert-file=a'], () => '')).toThrow('belong together');
  expect(() => parseConsole(['--history-server=javascript:alert(1)'])).toThrow('--history-server=javascript:alert(1) is not the URL of a web server');
  expect(() => parseConsole(['--operator-lease=lock'])).toThrow('write the namespace and the name of the Lease');
});

test('it reads only the Lease of its operator, to report that none runs', () => {
  const objects = synthesized({ console: {}, leaderElection: { leaseName: 'my-lock' } });
  expect(find(objects, 'Role', `${NAME}-lease`, NS).rules).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['my-lock'], verbs: ['get'] },
  ]);
  expect(find(objects, 'RoleBinding', `${NAME}-lease`, NS).subjects).toEqual([{ kind: 'ServiceAccount', name: NAME, namespace: NS }]);
  expect(containerOf(objects).args).toContain(`--operator-lease=${NS}/my-lock`);
  const without = synthesized({ console: {}, flags: ['--leader-election=false'] });
  expect(JSON.stringify(containerOf(without).args)).not.toContain('lease');
  expect(without.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === `${NAME}-lease`)).toEqual([]);
});

test('it serves HTTP behind a proxy with TLS, or HTTPS with a certificate', () => {
  const of = (console: OperatorConsole) => {
    const objects = synthesized({ console });
    const { ports: [{ containerPort }], livenessProbe, readinessProbe, volumeMounts } = containerOf(objects);
    const probes = [livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
    return {
      containerPort, probes, volumeMounts, volumes: deploymentOf(objects).template.spec.volumes,
      ports: find(objects, 'Service', NAME, NS).spec.ports,
    };
  };
  const probe = { path: '/healthz', port: 'console', scheme: 'HTTP' };
  expect(of({})).toEqual({
    containerPort: 8088, probes: [probe, probe], ports: [{ name: 'http', port: 80, targetPort: 'console', protocol: 'TCP' }],
  });
  const secure = { ...probe, scheme: 'HTTPS' };
  expect(of({ tlsSecretName: 'console-tls' })).toEqual({
    containerPort: 8088, probes: [secure, secure], ports: [{ name: 'https', port: 443, targetPort: 'console', protocol: 'TCP' }],
    volumes: [{ name: 'certificate', secret: { secretName: 'console-tls' } }],
    volumeMounts: [{ name: 'certificate', mountPath: '/etc/spark-operator/console', readOnly: true }],
  });
});

test.each<[string, OperatorConsole, object]>([
  ['plain HTTP', {}, { name: 'http', number: 80 }], ['HTTPS', { tlsSecretName: 'console-tls' }, { name: 'https', number: 443 }],
])('an Ingress or an HTTPRoute to %s, whose hosts the console accepts', (_, console, port: any) => {
  const ingress = synthesized({
    console: { ...console, hosts: ['a.example.org'], ingress: { host: 'a.example.org', ingressClassName: 'nginx', tlsSecretName: 'tls', annotations: { a: 'b' } } },
  });
  expect(find(ingress, 'Ingress', NAME, NS)).toMatchObject({
    metadata: { annotations: { a: 'b' } },
    spec: {
      ingressClassName: 'nginx', tls: [{ hosts: ['a.example.org'], secretName: 'tls' }],
      rules: [{ host: 'a.example.org', http: { paths: [{ backend: { service: { name: NAME, port: { name: port.name } } } }] } }],
    },
  });
  const route = synthesized({ console: { ...console, httpRoute: { gateways: [{ namespace: 'infra', name: 'public' }], hosts: ['b.example.org'] } } });
  expect(find(route, 'HTTPRoute', NAME, NS).spec).toEqual({
    parentRefs: [{ namespace: 'infra', name: 'public' }], hostnames: ['b.example.org'], rules: [{ backendRefs: [{ name: NAME, port: port.number }] }],
  });
  const hosts = (objects: any[]) => containerOf(objects).args.find((arg: string) => arg.startsWith('--hosts='));
  expect(hosts(ingress)).toBe(`--hosts=${[...SERVICE_NAMES, 'a.example.org']}`);
  expect(hosts(route)).toBe(`--hosts=${[...SERVICE_NAMES, 'b.example.org']}`);
});

test('its pods are as secure as those of the operator, and on the same nodes', () => {
  const props: SparkOperatorProps = {
    image: 'example.org/operator:1', imagePullSecrets: ['registry'], nodeSelector: { zone: 'a' },
    tolerations: [{ operator: 'Exists' }], priorityClassName: 'high',
    podLabels: { team: 'platform' }, podAnnotations: { a: 'b' },
  };
  const objects = synthesized({ ...props, console: {} });
  const [console, operator] = [
    deploymentOf(objects), find(objects, 'Deployment', 'spark-operator', NS).spec,
  ].map(({ template }) => template);
  for (const field of ['nodeSelector', 'tolerations', 'priorityClassName', 'imagePullSecrets'] as const) {
    expect([field, console.spec[field]]).toEqual([field, operator.spec[field]]);
  }
  expect(console.metadata).toEqual({ labels: { 'team': 'platform', 'app.kubernetes.io/name': NAME }, annotations: { a: 'b' } });
  expect(console.spec.containers[0].image).toBe('example.org/operator:1');
  expect(console.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(console.spec.containers[0].securityContext).toEqual(operator.spec.containers[0].securityContext);
});

test('several replicas are spread, and no node drain evicts all of them', () => {
  const objects = synthesized({ console: { replicas: 2, resources: { cpuLimit: 1, memoryRequest: Size.gibibytes(1) } } });
  const { replicas, selector, template: { spec } } = deploymentOf(objects);
  expect(replicas).toBe(2);
  expect(spec.topologySpreadConstraints.map(({ labelSelector }: any) => labelSelector)).toEqual([selector, selector]);
  expect(find(objects, 'PodDisruptionBudget', NAME, NS).spec.selector).toEqual(selector);
  expect(find(objects, 'Service', NAME, NS).spec.selector).toEqual(selector.matchLabels);
  // Kubernetes stores them in this form.
  expect(spec.containers[0].resources).toEqual({ requests: { cpu: '50m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } });
});

test('with a NetworkPolicy, pods of the cluster can reach it, and it can reach DNS and the API server', () => {
  const policy = (networkPolicy: SparkOperatorProps['networkPolicy']) => find(
    synthesized({ console: {}, networkPolicy }), 'NetworkPolicy', NAME, NS,
  ).spec;
  const port = { port: 8088, protocol: 'TCP' };
  const { podSelector, ingress, egress } = policy({});
  expect(podSelector).toEqual({ matchLabels: { 'app.kubernetes.io/name': NAME } });
  expect(ingress).toEqual([{ from: [{ namespaceSelector: {} }], ports: [port] }]);
  expect(egress).toHaveLength(2);
  const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }];
  expect(policy({ consoleFrom: [NetworkPeer.namespace('ingress')] }).ingress).toEqual([{ from, ports: [port] }]);
});

test.each<[string, SparkOperatorProps, string]>([
  ['a host that is a URL', {
    console: { hosts: ['a.example.org', 'https://b.example.org'] },
  }, 'console.hosts[1] = "https://b.example.org" is not a host name; write it in lower case, without scheme'],
  ['an HTTPRoute without hosts', {
    console: { httpRoute: { gateways: [{ namespace: 'infra', name: 'public' }] } },
  }, 'console.httpRoute.hosts is missing; list the host names'],
  ['an HTTPRoute without Gateways', { console: { httpRoute: { gateways: [], hosts: ['a.example.org'] } } }, 'console.httpRoute.gateways is empty'],
  ['both', {
    console: { ingress: { host: 'a.example.org' }, httpRoute: { gateways: [{ namespace: 'infra', name: 'public' }], hosts: ['a.example.org'] } },
  }, 'console.httpRoute has the same purpose as ingress'],
  ['an invalid host of an Ingress', { console: { ingress: { host: 'https://a' } } }, 'console.ingress.host = "https://a" is not a name'],
  ['an invalid name of a Secret', { console: { tlsSecretName: 'Bad Name' } }, 'console.tlsSecretName = "Bad Name" is not a name: use'],
  ['a URL that a browser might run', { console: { historyServerUrl: 'javascript:alert(1)' } }, 'console.historyServerUrl = "javascript:alert(1)" is not the URL of a web server; write it with http'],
  ['half a replica', { console: { replicas: 0.5 } }, 'console.replicas = 0.5 must be a whole number of at least 0'],
  [
    'a cluster without a name', { console: { clusterName: ' ' } },
    'console.clusterName = " " is empty; write the display name of the cluster',
  ],
  ['an invalid name of an account', { console: { serviceAccountName: 'A_B' } }, 'console.serviceAccountName = "A_B" is not a name'],
  ['the account of the operator', {
    console: { serviceAccountName: 'spark-operator' },
  }, 'console.serviceAccountName = "spark-operator" is the service account of the operator or its webhook, whose permissions the console must not have; choose another one'],
  ['the account of the webhook', {
    webhook: { deployment: {} }, console: { serviceAccountName: 'spark-operator-webhook' },
  }, 'console.serviceAccountName = "spark-operator-webhook" is the service account of'],
  ['the operator with the account of the console', {
    serviceAccountName: NAME, console: {},
  }, `console.serviceAccountName = "${NAME}" is the service account of the operator`],
  ['part of a MiB', {
    console: { resources: { memoryLimit: Size.kibibytes(600_000) } },
  }, 'console.resources.memoryLimit = "600000Ki" must be whole MiB'],
  ['no CPU', {
    console: { resources: { cpuLimit: 0 } },
  }, 'console.resources.cpuLimit = 0 must be a number of cores, such as 4 or 0.5'],
  ['requests above the limit', {
    console: { resources: { memoryRequest: Size.mebibytes(300), memoryLimit: Size.mebibytes(200) } },
  }, 'console.resources requests more than the limit; a limit must be at least as large as its request'],
])('refused: %s', (_, props, message) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(`[test/operator] ${message}`)]);
});
