import { parseConfiguration, usage, type Configuration, type Environment } from '../../src/flags/configuration';
import { FLAG_GROUPS } from '../../src/flags/table';

const POD: Environment = { inCluster: true, namespace: 'ops' };
const parse = (args: readonly string[], dependencies: Environment = POD) => parseConfiguration(args, dependencies) as Configuration;

test('webhook=here: names follow from the namespace of the pod', () => {
  expect(parse(['--webhook=here']).webhook).toMatchObject({
    mode: 'here', service: { name: 'spark-operator-webhook-svc', namespace: 'ops' },
    secret: { name: 'spark-operator-webhook-certs', namespace: 'ops' },
    configurations: { mutating: 'spark-operator-ops', validating: 'spark-operator-ops' }, certificateFiles: undefined,
  });
});

test('webhook=elsewhere: the controller does not serve it, and can name its objects', () => {
  expect(Object.keys(parse(['--webhook=elsewhere', '--webhook-svc-name=a', '--mutating-webhook-name=b', '--webhook-port=9444']).withoutEffect)).toEqual(['webhook-port']);
  expect(parse(['--webhook=elsewhere'])).toMatchObject({
    command: 'controller', webhook: { mode: 'elsewhere' }, leaderElection: { enabled: true },
  });
});

test("the operator accepts the command line of kubeflow's webhook, and reports flags without effect", () => {
  const { command, webhook, namespaces, leaderElection, withoutEffect } = parse([
    'webhook', 'start', '--zap-log-level=info', '--zap-encoder=console', '--namespaces=jobs', '--webhook-secret-name=release-certs',
    '--webhook-secret-namespace=spark', '--webhook-svc-name=release-svc',
    '--webhook-svc-namespace=spark', '--webhook-port=9444', '--mutating-webhook-name=release', '--validating-webhook-name=release',
    '--enable-resource-quota-enforcement=true', '--enable-metrics=true',
    '--metrics-bind-address=:8080', '--metrics-endpoint=/metrics', '--metrics-prefix=', '--metrics-labels=app_type',
    '--kube-api-qps=20', '--leader-election=true', '--leader-election-lock-name=release-lock',
    '--leader-election-lock-namespace=spark', '--label-selector-filter=a=b', '--controller-threads=10',
    '--webhook-tls-cipher-suites=TLS_AES_128_GCM_SHA256', '--webhook-tls-min-version=VersionTLS13',
  ]);
  expect({ command, webhook, namespaces }).toMatchObject({
    command: 'webhook', namespaces: { names: ['jobs'] },
    webhook: {
      mode: 'here', port: 9444, minTlsVersion: 'TLSv1.3', service: { name: 'release-svc', namespace: 'spark' },
      secret: { name: 'release-certs', namespace: 'spark' },
      configurations: { mutating: 'release', validating: 'release' }, quotas: true,
    },
  });
  // kubeflow's manifests elect a leader; here, each replica serves.
  expect(leaderElection.enabled).toBe(false);
  expect(Object.keys(withoutEffect).sort()).toEqual([
    'controller-threads', 'label-selector-filter', 'leader-election', 'leader-election-lock-name', 'leader-election-lock-namespace',
    'metrics-endpoint', 'metrics-labels', 'metrics-prefix',
    'webhook-tls-cipher-suites',
  ]);
});

test.each([
  [['--enable-cert-manager'], { directory: '/etc/k8s-webhook-server/serving-certs', certificate: 'tls.crt', key: 'tls.key' }],
  [[
    '--webhook-cert-dir=/certs', '--webhook-cert-name=a.pem', '--webhook-key-name=b.pem',
  ], { directory: '/certs', certificate: 'a.pem', key: 'b.pem' }],
  [['--enable-cert-manager=false'], undefined],
])('%j: the certificate comes from %j', (flags, certificateFiles) => {
  expect(parse(['--webhook=here', ...flags]).webhook.certificateFiles).toEqual(certificateFiles);
});

test.each<[readonly string[], Environment, string]>([
  [['--webhook=here'], { inCluster: false }, 'needs --webhook-svc-namespace'],
  [['webhook', 'start'], { inCluster: false }, 'needs --webhook-svc-namespace'],
  [['webhook', 'start', '--webhook=off'], POD, 'leave the flag out'],
  [['webhook', 'start', '--webhook=elsewhere'], POD, 'leave the flag out'],
  [['--webhook=here', '--webhook-port=8080'], POD, '--webhook-port=8080: the same port is in --metrics-bind-address'],
  [['--webhook=here', '--webhook-port=8081'], POD, '--webhook-port=8081: the same port is in --health-probe-bind-address'],
])('%j contradict each other', (args, dependencies, message) => expect(() => parse(args, dependencies)).toThrow(message));

test.each<[readonly string[]]>([
  [['--webhook=here', '--webhook-svc-namespace=ops', '--leader-election=false']],
  [['webhook', 'start', '--webhook-cert-dir=/certs']],
  [['--webhook=off', '--webhook-port=8080', '--leader-election=false']],
])('%j is enough outside a cluster', (args) => expect(() => parse(args, { inCluster: false })).not.toThrow());

test('the operator reports flags of a webhook that this process does not serve', () => {
  expect(Object.keys(parse(['--webhook-port=9444', '--enable-cert-manager=false']).withoutEffect)).toEqual([
    'webhook-port', 'enable-cert-manager',
  ]);
  expect(Object.keys(parse(['--webhook=elsewhere', '--webhook-port=9444']).withoutEffect)).toEqual(['webhook-port']);
  expect(Object.keys(parse([
    '--webhook=here', '--enable-cert-manager', '--webhook-certificate-lifetime=1h',
  ]).withoutEffect)).toEqual(['webhook-certificate-lifetime']);
  expect(parse(['--webhook=here', '--webhook-port=9444']).withoutEffect).toEqual({});
  expect(parse(['webhook', 'start', '--webhook-svc-namespace=a', '--min-schedule-interval=5m', '--enable-submission-mode-annotation=false']).withoutEffect).toEqual({});
});

test('--help has a group for the flags of the webhook, and its command', () => {
  for (const flag of Object.keys(FLAG_GROUPS['The admission webhook'])) expect(usage()).toContain(`--${flag}=`);
  expect(usage()).toContain('spark-operator webhook start [flags]');
});
