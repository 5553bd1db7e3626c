/* Names of the objects: kubeflow's, and those of several operators in a namespace. */
import { Testing } from 'cdk8s';
import { find, problemsOf, synthesized } from './operator-objects';
import { OperatorNaming, PrometheusMonitor, SparkJobNamespace, SparkOperator, WebhookCertificates, type SparkOperatorProps } from '../../src';
import { parseConfiguration } from '../../src/flags/configuration';

const NS = 'spark-operator';
const EVERYTHING: SparkOperatorProps = {
  jobNamespaces: ['jobs'], createJobNamespaces: true, replicas: 2, networkPolicy: {}, defaultsConfigMapName: 'defaults', console: { replicas: 2 },
  metrics: { monitor: PrometheusMonitor.podMonitor() }, webhook: { deployment: {} },
};
const identities = (objects: any[]) => objects.map(({ kind, metadata: { namespace = '', name } }) => `${kind} ${namespace}/${name}`);

describe("kubeflow's naming", () => {
  const objects = synthesized({ ...EVERYTHING, naming: OperatorNaming.KUBEFLOW });

  test("has the names of kubeflow's chart", () => {
    expect(identities(objects)).toEqual(expect.arrayContaining([
      'ServiceAccount spark-operator/spark-operator-controller', 'Role jobs/spark-operator-controller', 'Deployment spark-operator/spark-operator-controller',
      'ServiceAccount spark-operator/spark-operator-webhook', 'Deployment spark-operator/spark-operator-webhook',
      'Service spark-operator/spark-operator-webhook-svc', 'Secret spark-operator/spark-operator-webhook-certs',
      'MutatingWebhookConfiguration /spark-operator-webhook', 'ValidatingWebhookConfiguration /spark-operator-webhook',
      'ServiceAccount jobs/spark-operator-spark', 'PodMonitor spark-operator/spark-operator-podmonitor',
    ]));
    // The two operators must not both lead.
    expect(find(objects, 'Role', 'spark-operator-controller-own', NS).rules[1].resourceNames).toEqual(['spark-operator-controller-lock']);
  });

  test.each(['controller', 'webhook', 'console'])('has the labels of its chart: %s', (component) => {
    const labels = { 'app.kubernetes.io/name': 'spark-operator', 'app.kubernetes.io/instance': 'spark-operator', 'app.kubernetes.io/component': component };
    const { metadata, spec } = find(objects, 'Deployment', `spark-operator-${component}`, NS);
    expect(metadata.labels).toMatchObject(labels);
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(spec.template.metadata.labels).toMatchObject(labels);
    expect(find(objects, 'PodDisruptionBudget', `spark-operator-${component}`, NS).spec.selector).toEqual(spec.selector);
    expect(find(objects, 'NetworkPolicy', `spark-operator-${component}`, NS).spec.podSelector).toEqual(spec.selector);
  });

  test('a job namespace gets its account and Roles by these names', () => {
    const chart = Testing.chart();
    const operator = new SparkOperator(chart, 'operator', { installCrds: false, naming: OperatorNaming.KUBEFLOW, jobNamespaces: [] });
    const { serviceAccountName } = new SparkJobNamespace(chart, 'jobs', { name: 'jobs', operator });
    const names = [operator.deploymentName, operator.serviceAccountName, operator.driverServiceAccountName, serviceAccountName];
    expect(names).toEqual(['spark-operator-controller', 'spark-operator-controller', 'spark-operator-spark', 'spark-operator-spark']);
    expect(find(Testing.synth(chart), 'RoleBinding', 'spark-operator-controller', 'jobs').subjects[0].name).toBe('spark-operator-controller');
  });
});

const CASES = [
  {}, { naming: OperatorNaming.KUBEFLOW }, { name: 'blue' }, { name: 'blue', naming: OperatorNaming.KUBEFLOW },
] as const satisfies SparkOperatorProps[];

test.each(CASES)('Services, webhook and permissions refer to the names: %j', (props) => {
  for (const webhook of [{}, { deployment: {} }, { deployment: {}, certificates: WebhookCertificates.certManager() }]) {
    const objects = synthesized({ ...EVERYTHING, ...props, webhook });
    const pods = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);
    const selected = (selector: object) => pods.filter(({ metadata: { labels } }) => Object.entries(selector).every(([label, value]) => labels[label] === value));
    for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Service')) expect([metadata.name, selected(spec.selector).length]).toEqual([metadata.name, 1]);
    const [serving] = pods.filter(({ spec }) => spec.containers[0].args.some((arg: string) => arg.startsWith('--webhook-port')));
    const configuration = parseConfiguration(serving.spec.containers[0].args, { inCluster: true, namespace: NS });
    if (typeof configuration === 'string') throw new Error(configuration);
    const { service, secret, configurations } = configuration.webhook;
    const [{ webhooks: [{ clientConfig }], metadata }] = objects.filter(({ kind }) => kind === 'MutatingWebhookConfiguration');
    expect([clientConfig.service.name, metadata.name]).toEqual([service.name, configurations.mutating]);
    const { spec } = find(objects, 'Service', service.name, NS);
    expect(selected(spec.selector)).toEqual([serving]);
    if ('certificates' in webhook) {
      const [certificate] = objects.filter(({ kind, spec: { dnsNames } = {} as any }) => kind === 'Certificate' && dnsNames);
      expect(certificate.spec.dnsNames).toEqual([`${service.name}.${NS}.svc`]);
      expect(serving.spec.volumes[0].secret.secretName).toBe(certificate.spec.secretName);
      expect(metadata.annotations['cert-manager.io/inject-ca-from']).toBe(`${NS}/${certificate.metadata.name}`);
    } else {
      find(objects, 'Secret', secret.name, NS);
      const named = objects.flatMap(({ kind, rules = [] }) => (/Role$/.test(kind) ? rules : [])).flatMap(({ resourceNames = [] }) => resourceNames);
      expect(named).toEqual(expect.arrayContaining([secret.name, configurations.mutating]));
    }
  }
});

test('operators with different names can be in one namespace: they share no object and no pod', () => {
  const chart = Testing.chart();
  const create = (id: string, props: SparkOperatorProps) => new SparkOperator(chart, id, {
    ...EVERYTHING, installCrds: false, createNamespace: false, createJobNamespaces: false, ...props,
  });
  create('one', { jobNamespaces: ['a'] });
  create('two', { jobNamespaces: ['b'], name: 'blue' });
  const objects = Testing.synth(chart);
  const all = identities(objects);
  expect(all.filter((identity, index) => all.indexOf(identity) !== index)).toEqual([]);
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const selectors = deployments.map(({ spec }) => JSON.stringify(spec.selector.matchLabels));
  expect(new Set(selectors).size).toBe(6);
  expect(new Set(objects.map(({ metadata }) => metadata.labels['app.kubernetes.io/instance']))).toEqual(new Set(['spark-operator', 'blue.spark-operator']));
  const locks = deployments.flatMap(({ spec }) => spec.template.spec.containers[0].args).filter((arg: string) => arg.startsWith('--leader-election-lock'));
  expect(locks).toEqual(['--leader-election-lock-name=blue-controller-lock']);
});

test.each<[SparkOperatorProps, SparkOperatorProps]>([
  [{}, {}], [{}, { name: 'blue', naming: OperatorNaming.KUBEFLOW }], [{ naming: OperatorNaming.KUBEFLOW }, {}],
])('operators in one namespace whose Services select pods of each other are rejected: %j and %j', (one, other) => {
  const chart = Testing.chart();
  new SparkOperator(chart, 'one', { installCrds: false, jobNamespaces: ['a'], ...one });
  new SparkOperator(chart, 'two', { installCrds: false, jobNamespaces: ['b'], createNamespace: false, ...other });
  expect(() => Testing.synth(chart)).toThrow('name and naming let Services select pods of the SparkOperator at test/one, which is in the same namespace; give one of them another name');
});

test('labels are on all objects, and not on pods', () => {
  const objects = synthesized({ ...EVERYTHING, labels: { 'team': 'data', 'app.kubernetes.io/part-of': 'platform' } });
  for (const { metadata, spec } of objects) {
    expect(metadata.labels).toMatchObject({ 'team': 'data', 'app.kubernetes.io/part-of': 'platform' });
    expect(spec?.template?.metadata.labels.team).toBeUndefined();
  }
});

test.each<[SparkOperatorProps, string]>([
  [{ name: '9lives' }, 'name = "9lives" is not the name of a Service: let it begin with a letter'],
  [{ name: 'a'.repeat(41) }, `name = "${'a'.repeat(41)}" has 41 characters, and names of objects are longer; write at most 40`],
  [{ name: 'a'.repeat(30), namespace: 'b'.repeat(40) }, `name = "${'a'.repeat(30)}" and the namespace become a label, ${'a'.repeat(30)}.${'b'.repeat(40)}, which can have at most 63 characters`],
  [{ naming: 'helm' as OperatorNaming }, 'naming = "helm" must be one of default, kubeflow'],
  [{ labels: { 'app.kubernetes.io/instance': 'x' } }, 'labels[app.kubernetes.io/instance] is set by the construct; leave it out'],
  [{ naming: OperatorNaming.KUBEFLOW, podLabels: { 'app.kubernetes.io/component': 'x' } }, 'podLabels[app.kubernetes.io/component] is the label by which the Deployment selects its pods'],
  [{ flags: ['--mutating-webhook-name=a'] }, 'flags[0] = "--mutating-webhook-name=a" conflicts with other parts of the installation; use name or naming'],
])('%j is rejected', (props, message) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(`[test/operator] ${message}`)]);
});
