/* `sparkctl migrate` without a cluster, and with one in memory. test/api/sparkctl-migrate.test.ts has a real one. */
import { parse } from 'yaml';
import { application, driverAccount, kubeflowDeployment, kubeflowWebhooks, releaseSecret, schedule } from './kubeflow-cluster';
import { FakeCluster } from '../cluster';
import { sparkctl } from '../helpers';
import { propsOf } from '../../../src/constructs/install/values-file';

jest.mock('../../../src/sparkctl/setup/bundled', () => jest.requireActual('../setup/crds'));

const VALUES = `
controller: {workers: 20, pprof: {enable: true}, replica: 2}
spark: {jobNamespaces: [team-a, team-b]}
`;

/** A cluster with kubeflow's operator for two namespaces. */
function cluster(objects: readonly any[] = [], { values = { spark: { jobNamespaces: ['team-a', 'team-b'] } }, namespaces = 'team-a,team-b', selector }: { values?: object; namespaces?: string; selector?: string } = {}): FakeCluster {
  const args = [...(namespaces === '' ? [] : [`--namespaces=${namespaces}`]), ...(selector === undefined ? [] : [`--namespace-selector=${selector}`])];
  const fake = new FakeCluster();
  const plurals: Readonly<Record<string, string>> = {
    Deployment: 'deployments', Secret: 'secrets', MutatingWebhookConfiguration: 'mutatingwebhookconfigurations', ServiceAccount: 'serviceaccounts',
    Namespace: 'namespaces', ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
    SparkApplication: 'sparkapplications', ScheduledSparkApplication: 'scheduledsparkapplications', PodMonitor: 'podmonitors',
  };
  for (const object of [
    kubeflowDeployment('controller', args), kubeflowDeployment('webhook', args), releaseSecret({ values: { spark: {} } }), releaseSecret({ values, revision: 2 }),
    releaseSecret({ name: 'other', chart: 'prometheus' }), ...objects,
  ]) fake.put(plurals[object.kind]!, object);
  return fake;
}

/** Returns the Deployment of this operator, as earlier steps have installed it. */
function ownDeployment(names: string, replicas = 1): any {
  const labels = { 'app.kubernetes.io/name': 'spark-operator' };
  return {
    kind: 'Deployment', metadata: { name: 'spark-operator', namespace: 'spark-system', labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { spec: { containers: [{ name: 'operator', image: 'example.org/operator:1', args: [`--namespaces=${names}`] }] } } },
  };
}

/** Runs `sparkctl migrate --check` against a cluster in memory. */
function check(fake: FakeCluster, ...args: string[]) {
  const client = Object.assign(fake.client, { request: async () => ({ gitVersion: 'v1.34.4' }) });
  return sparkctl(['migrate', '--check', ...args], { cluster: { client } });
}

test('prints the table, and names each value without a counterpart', async () => {
  const { code, stdout, stderr } = await sparkctl(['migrate', '-f', 'v.yaml'], { files: { 'v.yaml': VALUES } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  expect(stdout).toMatch(/^Values of v\.yaml, and defaults of the chart, and what they become:\nVALUE +BECOMES +NOTE\n/);
  expect(stdout).toMatch(/^controller\.workers +workers: 20$/m);
  expect(stdout).toMatch(/^spark\.jobNamespaces +jobNamespaces: \["team-a","team-b"\]$/m);
  expect(stdout).toContain('2 values have no complete counterpart:\n  controller.pprof.enable: the operator is no Go program');
  expect(stdout).toContain('controller.replica: kubeflow\'s chart (2.x) has no such value, and ignores it; did you mean controller.replicas?');
});

test('on a terminal, nothing is cut: where the table does not fit, each value is followed by what it becomes', async () => {
  const files = { 'v.yaml': 'controller: {podAnnotations: {prometheus.io/scrape: "true", prometheus.io/port: "8080", prometheus.io/path: /metrics}, workers: 20}' };
  for (const columns of [80, 400]) {
    const { stdout } = await sparkctl(['migrate', '-f', 'v.yaml'], { files, isTerminal: true, columns });
    expect(stdout).toContain('{"prometheus.io/scrape":"true","prometheus.io/port":"8080","prometheus.io/path":"/metrics"}');
    expect(stdout).toContain('\x1b[33m1 value has no complete counterpart:\x1b[39m\n');
    expect(/^VALUE +BECOMES/m.test(stdout)).toBe(columns === 400);
    expect(/^controller\.workers\n {4}workers: 20$/m.test(stdout)).toBe(columns === 80);
  }
});

test('values that make wrong props: exit code 1, as the command line is right', async () => {
  const { code, stderr } = await sparkctl(['migrate', '-f', 'v.yaml'], { files: { 'v.yaml': 'controller: {replicas: -1}' } });
  expect({ code, stderr }).toEqual({ code: 1, stderr: ['sparkctl migrate: the values make wrong props: replicas = -1 must be a whole number of at least 0'] });
});

test('a group that is no map', async () => {
  const { stdout } = await sparkctl(['migrate', '-f', 'v.yaml'], { files: { 'v.yaml': 'controller: [1]' } });
  expect(stdout).toContain('controller: it is a group of values in the chart, and has none here; write a map');
});

test('a built-in scheduler needs no entry', async () => {
  const files = { 'v.yaml': 'controller: {batchScheduler: {enable: true, kubeSchedulerNames: [volcano, gang]}}' };
  const { code, stdout } = await sparkctl(['migrate', '-f', 'v.yaml'], { files });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^controller\.batchScheduler\.kubeSchedulerNames +batchScheduling\.kubeSchedulers: \["gang"\] +volcano: built in, and needs no entry$/m);
});

test('writes a program, or a values file that names what was lost', async () => {
  const files = { 'v.yaml': VALUES };
  const { written: { 'operator.mts': program } } = await sparkctl(['migrate', '-f', 'v.yaml', '--write', 'operator.mts', '--image', 'example.org/operator:1'], { files });
  expect(program).toContain('// Not migrated: controller.pprof.enable: the operator is no Go program');
  expect(program).toContain("new SparkOperator(chart, 'operator', {\n  namespace: 'spark-system',\n  jobNamespaces: [\n    'team-a',\n");
  expect(program).toContain("  image: 'example.org/operator:1',\n");
  const { written: { 'o.yaml': text }, stderr } = await sparkctl(['migrate', '-f', 'v.yaml', '-w', 'o.yaml', '--job-namespace=team-a', '-n', 'spark-operator'], { files });
  expect(stderr).toEqual(['o.yaml written']);
  expect(propsOf({}, { name: 'o.yaml', content: text! })).toMatchObject({ namespace: 'spark-operator', createNamespace: false, jobNamespaces: ['team-a'], workers: 20 });
  expect(parse(text!)).toMatchObject({ webhook: { deployment: { replicas: 1 } } });
});

test('reads the newest deployed revision of the release', async () => {
  const { code, stdout } = await sparkctl(['migrate', '-o', 'json'], { cluster: cluster() });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ release: { name: 'spark-operator', chart: '2.5.0-rc.0' }, props: { jobNamespaces: ['team-a', 'team-b'] } });
});

test.each<[string, () => FakeCluster, string[], number, string]>([
  ['no release', () => new FakeCluster(), [], 1, 'there is no Helm release of the chart spark-operator in the cluster; name its values by -f FILE'],
  ['two releases', () => cluster([releaseSecret({ name: 'second', namespace: 'b' })]), [], 1, 'there are 2 releases of the chart spark-operator; choose one: --release-namespace=spark-operator --release=spark-operator, or'],
  ['no permission', () => { const fake = cluster(); fake.forbidden.add('list secrets'); return fake; }, [], 1, 'you cannot list Secrets of all namespaces'],
  ['an unreadable release', () => cluster([{ ...releaseSecret({ revision: 3 }), data: { release: 'eA==' } }]), [], 1, 'cannot be read as a release of Helm'],
  ['an operator that still has the namespace', () => cluster(), ['--install', '--job-namespace=team-a'], 1, 'Deployment spark-operator/spark-operator-controller) still runs the applications of team-a; nothing was installed'],
  ['a list that is a text', () => cluster([], { values: { spark: { jobNamespaces: 'team-a' } } }), [], 1, 'jobNamespaces = "team-a" must be a list'],
  ['an argument', () => new FakeCluster(), ['x'], 2, 'migrate takes no x'],
  ['a check that writes', () => new FakeCluster(), ['--check', '--write=o.yaml'], 2, '--check changes nothing'],
  ['another file', () => cluster(), ['--write=o.txt'], 2, '--write=o.txt: write the name of a file that ends in .mts, .ts, .yaml or .json'],
  ['a wrong value', () => cluster([], { values: { controller: { workers: 'many' } } }), [], 1, 'release spark-operator/spark-operator, revision 2: workers = "many" must be a number'],
])('%s', async (_, fake, args, code, message) => {
  const result = await sparkctl(['migrate', ...args], { cluster: fake() });
  expect(result).toMatchObject({ code, stderr: expect.arrayContaining([expect.stringContaining(message)]) });
});

test.each<[string, string, string]>([
  ['an alias without an anchor', 'spark: *x', 'v.yaml: invalid YAML: Unresolved alias'],
  ['an anchor that contains itself', 'spark: &x [*x]', 'v.yaml: invalid YAML: Converting circular structure'],
  ['several documents', 'a: 1\n---\nb: 2', 'v.yaml: invalid YAML: Source contains multiple documents'],
  ['a list', '[1]', 'v.yaml: must be an object'],
])('rejects %s as values', async (_, content, message) => {
  const { code, stderr } = await sparkctl(['migrate', '-f', 'v.yaml'], { files: { 'v.yaml': content } });
  expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringContaining(message)] });
});

test('an unreadable Secret of another release does not hide the release', async () => {
  const garbage = { ...releaseSecret({ name: 'other', namespace: 'team-a', revision: 9 }), data: { release: 'eA==' } };
  expect((await sparkctl(['migrate'], { cluster: cluster([garbage]) })).code).toBe(0);
});

describe('--check', () => {
  test('reports what would change or be rejected, and the environment', async () => {
    const { code, stdout } = await check(cluster([
      application('team-a', 'runs', { state: 'RUNNING' }), application('team-a', 'done', { state: 'COMPLETED', driver: { memory: 'much' } }), application('team-b', 'new'),
      application('team-b', 'wrong', { state: 'RUNNING', driver: { memory: 'much' } }), application('team-b', 'client', { state: 'SUBMITTED', mode: 'client' }),
      schedule('team-a', 'hourly'), schedule('team-a', 'local', { timeZone: 'Local', schedule: '0 * * * *' }), schedule('team-b', 'once', { concurrencyPolicy: undefined }),
      kubeflowWebhooks('spark-operator-webhook', ['team-a', 'team-b']), driverAccount('team-a'), driverAccount('team-b', { 'helm.sh/resource-policy': 'keep' }),
      { kind: 'PodMonitor', metadata: { name: 'operator', namespace: 'monitoring' }, spec: { selector: { matchLabels: { 'app.kubernetes.io/name': 'spark-operator' } } } },
    ]), '-o', 'json');
    const { findings, counts } = JSON.parse(stdout);
    expect(code).toBe(1);
    const about = (level: string) => findings.filter((finding: any) => finding.level === level).map(({ message }: any) => message);
    expect(about('error')).toEqual([
      expect.stringContaining('team-b/wrong would be rejected: spec.driver.memory'),
      expect.stringContaining('ServiceAccount team-b/default, as which the drivers of'),
    ].slice(0, counts.error));
    expect(about('warning')).toEqual(expect.arrayContaining([
      expect.stringContaining('team-a/done has ended and stays, but would be rejected if it was applied again: spec.driver.memory'),
      expect.stringContaining('team-b/client: spec.mode has no effect'),
      expect.stringContaining('team-b/new has no state'),
      expect.stringContaining('team-a/local has timeZone: Local'),
      expect.stringContaining('team-b/once has no concurrencyPolicy'),
      expect.stringContaining('ServiceAccount team-a/spark-operator-spark, as which the drivers of'),
      expect.stringContaining('MutatingWebhookConfiguration spark-operator-webhook of kubeflow\'s operator reviews objects of team-a, team-b'),
      expect.stringContaining('PodMonitor monitoring/operator scrapes the pods of kubeflow\'s operator'),
    ]));
    expect(about('ok')).toEqual(expect.arrayContaining([
      "kubeflow's operator (Deployment spark-operator/spark-operator-controller; release spark-operator, chart 2.5.0-rc.0) runs the applications of team-a, team-b",
      expect.stringContaining('ServiceAccount team-b/spark-operator-spark, as which the drivers of'),
      expect.stringMatching(/^\d of 5: runs: driver and executors are not touched/),
    ]));
  });

  test('an application that this operator has tried to submit has an operator', async () => {
    const tried = { ...application('team-b', 'tried'), status: { applicationState: { state: '', errorMessage: 'exceeded quota: q' } } };
    const { stdout } = await check(cluster([tried, application('team-b', 'new')]), '-o', 'json');
    const messages: string[] = JSON.parse(stdout).findings.map(({ message }: any) => message);
    expect(messages.filter((message) => message.includes('has no state'))).toEqual([expect.stringContaining('team-b/new')]);
  });

  /** Returns the commands of the steps there, and back. */
  const commands = async (fake: FakeCluster, ...args: string[]) => {
    const { steps, back } = JSON.parse((await check(fake, '-o', 'json', ...args)).stdout);
    return [steps, back].map((each) => each.flatMap((step: any) => step.commands));
  };

  test('prints the steps namespace by namespace, and the way back', async () => {
    const [there, back] = await commands(cluster([kubeflowWebhooks('spark-operator-webhook', ['team-a', 'team-b'])]), '--image=example.org/operator:1');
    const upgrade = 'helm upgrade spark-operator spark-operator/spark-operator -n spark-operator --version 2.5.0-rc.0 --reuse-values';
    const exclude = expect.stringMatching(/^kubectl patch mutatingwebhookconfiguration spark-operator-webhook --type=strategic --patch '\{"webhooks":\[/);
    const [controller, wait] = ['deployment -n spark-operator spark-operator-controller', 'kubectl rollout status deployment -n spark-operator spark-operator-controller'];
    const install = (names: string) => `sparkctl migrate --install --force-conflicts -n spark-system --job-namespace ${names} --image example.org/operator:1`;
    const limit = (expressions: object[]) => `kubectl patch mutatingwebhookconfiguration spark-operator-webhook --type=strategic --patch '${JSON.stringify({
      webhooks: [{ name: 'mutate--v1-pod.sparkoperator.k8s.io', namespaceSelector: { matchExpressions: expressions } }],
    })}'`;
    const gone = 'kubectl wait pod -n spark-operator -l app.kubernetes.io/name=spark-operator,app.kubernetes.io/instance=spark-operator,app.kubernetes.io/component=controller --for=delete --timeout=2m';
    expect(there).toEqual([
      'sparkctl migrate -n spark-system --write operator.yaml --image example.org/operator:1',
      `${upgrade} --set-string 'spark.serviceAccount.annotations.helm\\.sh/resource-policy=keep' --set-string 'spark.rbac.annotations.helm\\.sh/resource-policy=keep'`,
      exclude,
      `${upgrade} --set 'spark.jobNamespaces={team-b}'`, wait,
      install('team-a'),
      'sparkctl doctor -n team-a && sparkctl list -n team-a',
      limit([{ key: 'kubernetes.io/metadata.name', operator: 'DoesNotExist' }]), `kubectl scale ${controller} --replicas=0`, gone,
      install('team-a,team-b'),
      'sparkctl doctor -n team-b && sparkctl list -n team-b',
      "kubectl get pods -A -l 'sparkoperator.k8s.io/launched-by-spark-operator=true,!sparkoperator.k8s.io/app-uid' --field-selector=status.phase!=Succeeded,status.phase!=Failed",
      'helm uninstall -n spark-operator spark-operator',
      'sparkctl install --values operator.yaml --force-conflicts',
      'sparkctl doctor',
    ]);
    // The last namespace comes first. At no time both operators have one.
    expect(back).toEqual([
      `${install('team-a')} --prune`, limit([{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['team-a', 'team-b'] }]),
      `${upgrade} --set 'spark.jobNamespaces={team-b}' --take-ownership`, wait, `kubectl scale ${controller} --replicas=1`, wait,
      'kubectl delete mutatingwebhookconfigurations,validatingwebhookconfigurations -l sparkoperator.k8s.io/installation=spark-system',
      'kubectl scale deployment -n spark-system spark-operator --replicas=0', 'kubectl wait pod -n spark-system -l app.kubernetes.io/name=spark-operator --for=delete --timeout=2m',
      `${upgrade} --set 'spark.jobNamespaces={team-a,team-b}' --take-ownership`, wait,
    ]);
  });

  test('the namespaces that --job-namespace omits stay with the other operator', async () => {
    const [there, back] = await commands(cluster([kubeflowWebhooks('spark-operator-webhook', ['team-a', 'team-b'])]), '--job-namespace=team-a');
    expect(there).toContain("helm upgrade spark-operator spark-operator/spark-operator -n spark-operator --version 2.5.0-rc.0 --reuse-values --set 'spark.jobNamespaces={team-b}'");
    expect(there.at(-1)).toBe('sparkctl doctor -n team-a && sparkctl list -n team-a');
    expect([...there, ...back].filter((command) => command.includes('deployment -n spark-operator') && command.includes('scale'))).toEqual([]);
    expect(back.find((command: string) => command.startsWith('helm '))).toContain("--set 'spark.jobNamespaces={team-a,team-b}'");

    const { stdout } = await check(cluster([], { namespaces: '""' }), '--job-namespace=team-a');
    expect(stdout).toContain("kubeflow's operator does not name its namespaces, so the steps need all namespaces with applications");
    expect(stdout).not.toContain('Move team-a');
  });

  test('continues when it is called between two steps, and leaves out namespaces of other operators', async () => {
    const objects = [application('team-a', 'runs', { state: 'RUNNING' }), application('elsewhere', 'runs', { state: 'RUNNING' })];
    const [there, back] = await commands(cluster([...objects, ownDeployment('team-a')], { namespaces: 'team-b' }));
    expect(there.filter((command: string) => command.startsWith('sparkctl migrate'))).toEqual(['sparkctl migrate --install --force-conflicts -n spark-system --job-namespace team-a,team-b']);
    expect(back.filter((command: string) => command.startsWith('helm')).map((command: string) => /\{.*\}/.exec(command)?.[0])).toEqual(['{team-b}', '{team-a,team-b}']);
    expect([...there, ...back].join()).not.toContain('elsewhere');

    // It was stopped at the end of the way back.
    const [again] = await commands(cluster([ownDeployment('team-a', 0)]));
    expect(again).toContain('sparkctl migrate --install --force-conflicts -n spark-system --job-namespace team-a');
  });

  test('there are no steps if an operator of all namespaces might have more than those that could be read', async () => {
    const fake = cluster([application('team-a', 'runs')], { namespaces: '""' });
    fake.forbidden.add('list scheduledsparkapplications');
    const { stdout } = await check(fake);
    expect(stdout).toContain('there are no steps');
    expect(stdout).not.toContain('Move team-a');
  });

  test('kinds that could not be read are not reported as absent', async () => {
    const absent = async (fake: FakeCluster) => (await check(fake)).stdout.match(/there are none|no application that has not ended/g) ?? [];
    expect(await absent(cluster())).toHaveLength(4);
    const fake = cluster();
    fake.forbidden.add('list sparkapplications').add('list scheduledsparkapplications');
    expect(await absent(fake)).toEqual(['there are none']);
  });

  test('there are no steps in the namespace of the other operator: with one Lease, one of the two waits', async () => {
    const { stdout } = await check(cluster(), '-n', 'spark-operator');
    expect(stdout).toContain('it runs in spark-operator, too');
    expect(stdout).not.toContain('Move team-a');
  });

  test('quotes names from the cluster, which a tenant might have chosen', async () => {
    const evil = 'x; touch /tmp/evil';
    const fake = cluster([application('team-a', 'runs', { state: 'RUNNING', driver: { serviceAccount: evil } })], { values: { spark: { jobNamespaces: [evil, 'b$(id)'] } }, namespaces: `${evil},b$(id)` });
    const { findings, steps, back } = JSON.parse((await check(fake, '-o', 'json')).stdout);
    expect(findings.map(({ remedy }: any) => remedy)).toContain(`kubectl create serviceaccount '${evil}' -n team-a`);
    const plain = [...steps, ...back].flatMap(({ commands: each }: any) => each).map((command: string) => command.replace(/'[^']*'/g, ''));
    expect(plain.filter((command) => /;|\$/.test(command))).toEqual([]);
  });

  test('names the cluster and the release that the user has chosen', async () => {
    const second = kubeflowDeployment('controller', ['--namespaces=team-c'], 'second');
    const [there] = await commands(cluster([second]), '--context=prod', '--kubeconfig=my config', '--release-namespace=spark-operator');
    expect(there.slice(0, 3)).toEqual([
      "export KUBECONFIG='my config'", 'kubectl config use-context prod',
      'sparkctl migrate --release-namespace spark-operator --release spark-operator -n spark-system --write operator.yaml',
    ]);
    expect(there).toContain('sparkctl migrate --install --release-namespace spark-operator --release spark-operator --force-conflicts -n spark-system --job-namespace team-a');
    expect((await check(cluster([second]))).stdout).toContain('there are several; the steps are for spark-operator/spark-operator-controller');
  });

  test('moves namespaces by a label, where the other operator selects them by labels', async () => {
    const values = { spark: { jobNamespaces: [], jobNamespaceSelector: 'spark=yes' } };
    const [there, back] = await commands(cluster(
      [
        application('team-a', 'runs', { state: 'RUNNING' }), application('team-b', 'runs', { state: 'RUNNING' }), application('unlabelled', 'runs', { state: 'RUNNING' }),
        ...['team-a', 'team-b'].map((name) => ({ kind: 'Namespace', metadata: { name, labels: { spark: 'yes' } } })), kubeflowWebhooks('spark-operator-webhook'),
      ],
      { values, namespaces: '', selector: 'spark=yes' },
    ));
    expect([...there, ...back].join()).not.toContain('unlabelled');
    // Its webhook reviews all namespaces, and would change executors of old drivers a second time.
    expect(there.filter((command: string) => command.startsWith('kubectl patch'))).toEqual([expect.stringContaining('"namespaceSelector":{"matchExpressions":[{"key":"sparkoperator.k8s.io/operator","operator":"NotIn","values":["cdk8s"]}]}')]);
    expect(there.shift()).toBe('sparkctl migrate -n spark-system --write operator.yaml');
    expect(there).toContain('sparkctl install --values operator.yaml --force-conflicts');
    expect(there[0]).toContain("--set-string 'spark.jobNamespaceSelector=spark=yes\\,sparkoperator.k8s.io/operator!=cdk8s'");
    expect(there.slice(1, 4)).toEqual([
      expect.stringContaining('kubectl patch mutatingwebhookconfiguration spark-operator-webhook'),
      'kubectl label namespace team-a sparkoperator.k8s.io/operator=cdk8s',
      'sparkctl migrate --install --force-conflicts -n spark-system --job-namespace team-a',
    ]);
    expect(back).toContain('kubectl label namespace team-a sparkoperator.k8s.io/operator-');
  });

  test('an empty list of names never becomes all namespaces, beside a selector', async () => {
    const labelled = ['team-b'].map((name) => ({ kind: 'Namespace', metadata: { name, labels: { spark: 'yes' } } }));
    const values = { spark: { jobNamespaces: ['team-a'], jobNamespaceSelector: 'spark=yes' } };
    const [there] = await commands(cluster([application('team-b', 'runs'), ...labelled], { values, namespaces: 'team-a', selector: 'spark=yes' }));
    expect(there.find((command: string) => command.includes('spark.jobNamespaces='))).toMatch(/ --set-json 'spark\.jobNamespaces=\[\]'$/);

    const plain = cluster([application('team-b', 'runs'), ...labelled], { namespaces: '', selector: 'spark=yes' });
    plain.forbidden.add('list secrets');
    expect((await commands(plain))[0].slice(0, 2)).toEqual([
      'kubectl patch deployment -n spark-operator spark-operator-controller --type=json --patch \'[{"op":"replace","path":"/spec/template/spec/containers/0/args/2","value":"--namespace-selector=spark=yes,sparkoperator.k8s.io/operator!=cdk8s"}]\'',
      'kubectl patch deployment -n spark-operator spark-operator-webhook --type=json --patch \'[{"op":"replace","path":"/spec/template/spec/containers/0/args/2","value":"--namespace-selector=spark=yes,sparkoperator.k8s.io/operator!=cdk8s"}]\'',
    ]);
  });

  test('without Helm, the webhooks of the other operator go before its pods', async () => {
    const validating = { ...kubeflowWebhooks('spark-operator-webhook'), kind: 'ValidatingWebhookConfiguration' };
    validating.webhooks = validating.webhooks.map((webhook: any) => ({ ...webhook, name: 'validate-sparkoperator-k8s-io-v1beta2-sparkapplication.sparkoperator.k8s.io' }));
    const plain = cluster([application('team-a', 'runs'), kubeflowWebhooks('spark-operator-webhook'), kubeflowWebhooks('of-another', undefined, 'second'), validating], { namespaces: '""' });
    plain.forbidden.add('list secrets');
    expect((await commands(plain, '-n', 'own'))[0].slice(-4)).toEqual([
      'kubectl delete mutatingwebhookconfiguration/spark-operator-webhook validatingwebhookconfiguration/spark-operator-webhook',
      'kubectl delete deployment -n spark-operator spark-operator-controller spark-operator-webhook',
      'sparkctl install --force-conflicts -n own --all-namespaces',
      'sparkctl doctor',
    ]);
  });

  test('names the namespaces of an operator of all of them, with and without Helm', async () => {
    const objects = ['team-a', 'team-b'].map((namespace) => application(namespace, 'runs', { state: 'RUNNING' }));
    const [there] = await commands(cluster(objects, { values: { spark: { jobNamespaces: [''] } }, namespaces: '""' }));
    expect(there[1]).toContain("--set spark.serviceAccount.create=false --set spark.rbac.create=false --set 'spark.jobNamespaces={team-a,team-b}'");

    const plain = cluster(objects, { namespaces: '""' });
    plain.forbidden.add('list secrets');
    const [withoutHelm] = await commands(plain);
    const patch = (component: string, names: string) => `kubectl patch deployment -n spark-operator spark-operator-${component} --type=json --patch '[{"op":"replace","path":"/spec/template/spec/containers/0/args/2","value":"--namespaces=${names}"}]'`;
    expect(withoutHelm.slice(0, 6)).toEqual([
      patch('controller', 'team-a,team-b'), patch('webhook', 'team-a,team-b'), patch('controller', 'team-b'), patch('webhook', 'team-b'),
      'kubectl rollout status deployment -n spark-operator spark-operator-controller',
      'sparkctl install --force-conflicts -n spark-system --job-namespace team-a',
    ]);
  });

  test('with this operator alone, there is nothing to migrate but what the other has left', async () => {
    const alone = (...objects: any[]) => {
      const fake = new FakeCluster().put('deployments', ownDeployment('team-a')).put('sparkapplications', application('team-a', 'new'));
      for (const object of objects) fake.put('mutatingwebhookconfigurations', object);
      return fake;
    };
    const { code, stdout } = await check(alone());
    expect(code).toBe(0);
    expect(stdout).toContain("kubeflow's operator is not installed, and this one is (Deployment spark-system/spark-operator): there is nothing to migrate");
    expect(stdout).not.toMatch(/SparkApplications|CRDs|Dashboards|RBAC|has no webhook/);
    const { findings } = JSON.parse((await check(alone(kubeflowWebhooks('left')), '-o', 'json')).stdout);
    expect(findings).toContainEqual({
      check: 'Webhooks', level: 'warning', message: "mutatingwebhookconfiguration/left of kubeflow's operator is left without its operator",
      remedy: 'kubectl delete mutatingwebhookconfiguration/left',
    });
  });

  test('prints text, and reports that there is no other operator', async () => {
    const { code, stdout } = await check(cluster([kubeflowWebhooks('spark-operator-webhook')]));
    expect(code).toBe(0);
    expect(stdout).toContain('\n2. Prepare the Helm release\n   helm upgrade ');
    expect(stdout).toContain('\nThe way back\n');
    expect(stdout).toContain('it would change pods of this operator a second time');

    const empty = await check(new FakeCluster());
    expect(empty.stdout).toContain("kubeflow's operator is not installed");
    expect(empty.stdout).not.toContain('Steps');

    const before = await check(new FakeCluster().put('sparkapplications', application('team-a', 'new')));
    expect(before.stdout).toContain('1 of 1: new: is submitted once this operator handles its namespace');
  });
});
