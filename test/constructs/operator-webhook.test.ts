import { Duration, Size, Testing } from 'cdk8s';
import { find, problemsOf, synthesized } from './operator-objects';
import { NetworkPeer, PrometheusMonitor, SparkJobNamespace, SparkOperator, WebhookCertificates, WebhookFailurePolicy, type SparkOperatorProps } from '../../src';
import { parseConfiguration } from '../../src/flags/configuration';

const dependencies = { inCluster: true, namespace: 'spark-operator' };

const NS = 'spark-operator';
const CONFIGURATION = 'spark-operator-spark-operator';
const webhooksOf = (objects: any[]) => ['Mutating', 'Validating'].flatMap((kind) => find(
  objects, `${kind}WebhookConfiguration`, CONFIGURATION,
).webhooks);
const deploymentOf = (objects: any[], name: string) => find(objects, 'Deployment', name, NS).spec;
const rulesOf = (objects: any[], kind: string, name: string, namespace?: string) => (
  find(objects, kind, name, namespace).rules.flatMap((
    { resources, resourceNames = [''], verbs }: any,
  ) => resourceNames.map((its: string) => `${verbs} ${resources} ${its}`.trim()))
);

test("known failure 23: in the operator's pods: a port, a Service, and the rights for its own Secret and its own two configurations", () => {
  const objects = synthesized({ webhook: {} });
  const { template } = deploymentOf(objects, 'spark-operator');
  expect(template.spec.containers[0].ports).toContainEqual({ containerPort: 9443, name: 'webhook' });
  expect(find(objects, 'Service', 'spark-operator-webhook-svc', NS).spec).toEqual({
    selector: { 'app.kubernetes.io/name': 'spark-operator' },
    ports: [{ name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' }],
  });
  // It has no data, not even an empty map, so that applying it again keeps what the operator has
  // written.
  expect(find(objects, 'Secret', 'spark-operator-webhook-certs', NS)).not.toHaveProperty('data');
  expect(rulesOf(objects, 'Role', 'spark-operator-own', NS)).toContain('get,watch,update secrets spark-operator-webhook-certs');
  expect(rulesOf(objects, 'ClusterRole', 'spark-operator-webhook:spark-operator')).toEqual([
    `get,watch,patch mutatingwebhookconfigurations ${CONFIGURATION}`, `get,watch,patch validatingwebhookconfigurations ${CONFIGURATION}`,
  ]);
  // It comes last, after the objects that serve it.
  expect(objects.slice(-2).map(({ kind }) => kind)).toEqual(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);
});

test('known failure 3: the webhooks: their rules, and the decision without an answer', () => {
  const webhooks = webhooksOf(synthesized({ webhook: {} }));
  const told = ({ name, clientConfig: { service }, rules: [rule], failurePolicy, timeoutSeconds }: any) => [
    name, service.path, rule.resources[0], failurePolicy, timeoutSeconds,
  ];
  expect(webhooks.map(told)).toEqual([
    ['mutate-pod.sparkoperator.k8s.io', '/mutate--v1-pod', 'pods', 'Fail', 8],
    [
      'mutate-sparkapplication.sparkoperator.k8s.io', '/mutate-sparkoperator-k8s-io-v1beta2-sparkapplication', 'sparkapplications',
      'Ignore', 5,
    ],
    [
      'validate-sparkapplication.sparkoperator.k8s.io', '/validate-sparkoperator-k8s-io-v1beta2-sparkapplication',
      'sparkapplications', 'Ignore', 5,
    ],
    [
      'validate-scheduledsparkapplication.sparkoperator.k8s.io', '/validate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication',
      'scheduledsparkapplications', 'Ignore', 5,
    ],
    ['validate-sparkconnect.sparkoperator.k8s.io', '/validate-sparkoperator-k8s-io-v1alpha1-sparkconnect', 'sparkconnects', 'Ignore', 5],
  ]);
  const [pods] = webhooks;
  expect(pods.objectSelector).toEqual({ matchLabels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' } });
  expect(pods.matchConditions[0].expression).toContain("!('sparkoperator.k8s.io/attempt' in object.metadata.labels)");
  expect(pods.matchConditions[0].expression).toContain("'sparkoperator.k8s.io/left-to-webhook' in object.metadata.annotations");
  for (const { sideEffects, matchPolicy, clientConfig, namespaceSelector } of webhooks) {
    expect({ sideEffects, matchPolicy, ca: clientConfig.caBundle }).toEqual({
      sideEffects: 'None', matchPolicy: 'Equivalent', ca: undefined,
    });
    expect(namespaceSelector.matchExpressions[0].values).toEqual(['default']);
  }
});

test('failure policies, timeouts and port can be set', () => {
  const objects = synthesized({
    webhook: {
      failurePolicy: WebhookFailurePolicy.FAIL,
      podFailurePolicy: WebhookFailurePolicy.IGNORE,
      timeout: Duration.seconds(2),
      podTimeout: Duration.seconds(3),
      port: 10250,
      resourceQuotas: true,
    },
  });
  const [pods, applications] = webhooksOf(objects);
  expect([
    pods.failurePolicy, pods.timeoutSeconds, applications.failurePolicy, applications.timeoutSeconds,
  ]).toEqual(['Ignore', 3, 'Fail', 2]);
  expect(deploymentOf(objects, 'spark-operator').template.spec.containers[0].ports).toContainEqual({
    containerPort: 10250, name: 'webhook',
  });
  expect(rulesOf(objects, 'Role', 'spark-operator', 'default')).toContain('list resourcequotas');
});

test('known failure 18: namespaces by name and by label: one entry for each way, and each namespace in one of them', () => {
  const webhooks = webhooksOf(synthesized({ webhook: {}, jobNamespaces: ['a'], namespaceSelector: { spark: 'yes' } }));
  expect(webhooks).toHaveLength(10);
  expect(new Set(webhooks.map(({ name }: any) => name)).size).toBe(10);
  const selectors = webhooks.filter(({ name }: any) => name.startsWith('validate-sparkconnect')).map(
    ({ namespaceSelector }: any) => namespaceSelector,
  );
  expect(selectors).toEqual([
    { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a'] }] },
    { matchLabels: { spark: 'yes' }, matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a'] }] },
  ]);
  expect(webhooksOf(synthesized({
    webhook: {}, allNamespaces: true,
  })).map(({ namespaceSelector }: any) => namespaceSelector)).toEqual([{}, {}, {}, {}, {}]);
});

test('defaults are not written when a ConfigMap has others', () => {
  const names = (props: SparkOperatorProps) => webhooksOf(synthesized(props)).map(({ name }: any) => name).filter(
    (name: string) => name.startsWith('mutate-sparkapplication'),
  );
  expect(names({ webhook: {} })).toHaveLength(1);
  expect(names({ webhook: { defaulting: false } })).toEqual([]);
  expect(names({ webhook: {}, defaultsConfigMapName: 'd' })).toEqual([]);
  expect(names({ webhook: {}, flags: ['--defaults-config-map=d'] })).toEqual([]);
});

test('partial restarts are a feature gate of all processes, beside which the default time to live keeps its effect', () => {
  const args = (props: SparkOperatorProps, name = 'spark-operator') => deploymentOf(synthesized(props), name).template.spec.containers[0].args;
  const gates = '--feature-gates=DefaultTimeToLive=true,PartialRestart=true';
  expect(args({ webhook: { partialRestart: true } })).toContain(gates);
  expect(args({ webhook: { partialRestart: true, deployment: {} } }, 'spark-operator-webhook')).toContain(gates);
  expect(args({ webhook: {} }).join()).not.toContain('feature-gates');
});

describe('with its own pods', () => {
  const webhook = { deployment: { resources: { memoryLimit: Size.mebibytes(256) } }, resourceQuotas: true };
  const all: SparkOperatorProps = {
    webhook, jobNamespaces: ['team-a'], defaultsConfigMapName: 'd',
    networkPolicy: { webhookFrom: [NetworkPeer.addresses('10.0.0.1/32')] }, nodeSelector: { pool: 'system' },
    metrics: { monitor: PrometheusMonitor.podMonitor() },
  };

  test('they are as secure as the operator, two, spread, and with little memory', () => {
    const objects = synthesized(all);
    const { replicas, selector, template: { spec } } = deploymentOf(objects, 'spark-operator-webhook');
    expect(replicas).toBe(2);
    expect(spec).toMatchObject({
      serviceAccountName: 'spark-operator-webhook', nodeSelector: { pool: 'system' }, securityContext: { runAsNonRoot: true },
    });
    const { image, securityContext } = deploymentOf(objects, 'spark-operator').template.spec.containers[0];
    expect(spec.containers[0]).toMatchObject({ image, securityContext, resources: { limits: { memory: '256Mi' } } });
    expect(spec.volumes).toBeUndefined();
    expect(spec.topologySpreadConstraints[0].labelSelector).toEqual(selector);
    expect(find(objects, 'PodDisruptionBudget', 'spark-operator-webhook', NS).spec.selector).toEqual(selector);
    expect(find(objects, 'Service', 'spark-operator-webhook-svc', NS).spec.selector).toEqual(selector.matchLabels);
    expect(find(objects, 'PodMonitor', 'spark-operator-webhook', NS).spec.selector).toEqual(selector);
    expect(find(objects, 'NetworkPolicy', 'spark-operator-webhook', NS).spec.ingress).toContainEqual({
      ports: [{ port: 9443, protocol: 'TCP' }], from: [{ ipBlock: { cidr: '10.0.0.1/32' } }],
    });
    expect(JSON.stringify(find(objects, 'NetworkPolicy', 'spark-operator', NS).spec.ingress)).not.toContain('9443');
  });

  test("their account has the permissions of the webhook, and the operator's account does not", () => {
    const objects = synthesized(all);
    expect(rulesOf(objects, 'Role', 'spark-operator-webhook-own', NS)).toEqual([
      'list,watch configmaps d', 'get,watch,update secrets spark-operator-webhook-certs',
    ]);
    expect(rulesOf(objects, 'Role', 'spark-operator-webhook', 'team-a')).toEqual([
      'get sparkapplications', 'list,watch configmaps d', 'list resourcequotas',
    ]);
    expect(find(objects, 'ClusterRoleBinding', 'spark-operator-webhook:spark-operator').subjects).toEqual([
      { kind: 'ServiceAccount', name: 'spark-operator-webhook', namespace: NS },
    ]);
    expect(rulesOf(objects, 'Role', 'spark-operator-own', NS).join()).not.toContain('secrets');
    expect(rulesOf(objects, 'Role', 'spark-operator', 'team-a').join()).not.toContain('resourcequotas');
  });

  test('with namespaces by label, its permissions are cluster-wide', () => {
    const objects = synthesized({ webhook, namespaceSelector: { spark: 'yes' } });
    expect(rulesOf(objects, 'ClusterRole', 'spark-operator-webhook:spark-operator')).toEqual(expect.arrayContaining([
      'get sparkapplications', 'list resourcequotas', 'list,watch namespaces',
    ]));
  });

  test('a namespace that is added later is added to its flags, with permissions there', () => {
    const chart = Testing.chart();
    const operator = new SparkOperator(chart, 'operator', { installCrds: false, jobNamespaces: [], webhook });
    new SparkJobNamespace(chart, 'jobs', { name: 'team-b', operator });
    const objects = Testing.synth(chart);
    expect(deploymentOf(objects, 'spark-operator-webhook').template.spec.containers[0].command).toEqual([
      'node', '--max-semi-space-size=16', '/opt/spark-operator/operator.cjs',
    ]);
    for (const name of ['spark-operator', 'spark-operator-webhook']) {
      expect(deploymentOf(objects, name).template.spec.containers[0].args).toContain('--namespaces=team-b');
    }
    expect(rulesOf(objects, 'Role', 'spark-operator-webhook', 'team-b')).toEqual(['get sparkapplications', 'list resourcequotas']);
    expect(webhooksOf(objects)[0].namespaceSelector.matchExpressions[0].values).toEqual(['team-b']);
  });
});

test.each<[string, SparkOperatorProps]>([
  ['in the operator', {
    webhook: { certificates: WebhookCertificates.selfManaged({ lifetime: Duration.days(7), secretName: 'certs' }), resourceQuotas: true },
  }],
  ['in the operator, with files', { webhook: { certificates: WebhookCertificates.certManager() } }],
  ['in pods of its own', {
    webhook: { deployment: {} }, defaultsConfigMapName: 'd', sparkUser: 'hadoop', driverDisruptionBudgets: true,
    workers: 3, batchScheduling: { kubeSchedulers: ['gang'], defaultScheduler: 'gang' }, metrics: { prefix: 'a_' },
  }],
])('the operator understands all flags: %s', (_, props) => {
  const deployments = synthesized(props).filter(({ kind }) => kind === 'Deployment');
  for (const { metadata: { name }, spec } of deployments) {
    const configuration = parseConfiguration(spec.template.spec.containers[0].args, dependencies);
    if (typeof configuration === 'string') throw new Error(configuration);
    const { command, withoutEffect, webhook, batchSchedulers } = configuration as any;
    expect(withoutEffect).toEqual({});
    // Its settings for applications are the operator's.
    expect(batchSchedulers).toEqual(props.batchScheduling && { kubeSchedulers: ['gang'], default: 'gang' });
    if (name === 'spark-operator-webhook') expect(command).toBe('webhook');
    expect(webhook.mode).toBe(name === 'spark-operator' && props.webhook!.deployment ? 'elsewhere' : 'here');
    if (webhook.mode === 'here') expect(webhook.configurations).toEqual({ mutating: CONFIGURATION, validating: CONFIGURATION });
  }
  expect(deployments).toHaveLength(props.webhook!.deployment ? 2 : 1);
});

test.each<[SparkOperatorProps, string]>([
  [{ webhook: { port: 8081 } }, 'webhook.port = 8081 is the port of metrics or health probes'],
  [{ webhook: { port: 70000 } }, 'webhook.port = 70000 must be a whole number from 1 to 65535'],
  [{ webhook: { timeout: Duration.minutes(1) } }, 'webhook.timeout = "60 s" must be whole seconds, from 1 to 30'],
  [{ webhook: { deployment: { replicas: 0 } } }, 'webhook.deployment.replicas = 0 must be a whole number of at least 1'],
  [{ webhook: { deployment: { serviceAccountName: 'spark-operator' } } }, 'webhook.deployment.serviceAccountName = "spark-operator" is the service account of the operator'],
  [{ webhook: { defaulting: true }, defaultsConfigMapName: 'd' }, 'webhook.defaulting = true would override the ConfigMap with defaults'],
  [{ flags: ['--webhook=here'] }, 'flags[0] = "--webhook=here" conflicts with other parts of the installation; use webhook'],
  [{ webhook: {}, flags: ['--webhook-svc-name=x'] }, 'flags[0] = "--webhook-svc-name=x" conflicts with other parts of the installation; use name or naming'],
])('refused: %j', (props, message) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(`[test/operator] ${message}`)]);
});
