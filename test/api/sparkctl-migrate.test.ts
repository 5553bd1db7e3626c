/* `sparkctl migrate` with a real API server: a Helm release's Secret, its objects, and what kubeflow's operator leaves of applications. */
import { ApiServer } from '../helpers/api-server';
import { testConnection } from '../helpers/test-connection';
import { place, type Situation } from './helpers/kubeflow-cluster';
import { apply, get, kubectl, list, tryKubectl } from '../helpers/kubectl';
import { application, driverAccount, kubeflowDeployment, kubeflowWebhooks, releaseSecret, schedule } from '../sparkctl/migrate/kubeflow-cluster';
import { version } from '../../package.json';
import { KubeClient } from '../../src/kube/client';
import type { Finding } from '../../src/sparkctl/doctor/finding';
import { runProgram } from '../../src/sparkctl/program';
import { startConsole, synthesizeOperator } from '../../src/bin/programs';

jest.mock('../../src/sparkctl/setup/bundled', () => jest.requireActual('../sparkctl/setup/crds'));

const THEIRS = 'migrate-kubeflow';
const OWN = 'migrate-operator';
const [A, B] = ['migrate-a', 'migrate-b'] as const;
const RELEASE = ['--release=spark-operator', `--release-namespace=${THEIRS}`];
const WEBHOOK = 'migrate-kubeflow-webhook';
const IMAGE = 'example.org/operator:1';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly written: Readonly<Record<string, string>>;
}

const api = new ApiServer();

/** Runs a command line in this process. */
async function sparkctl(args: readonly string[], files: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}): Promise<Run> {
  const out = { stdout: '', stderr: '', written: {} as Record<string, string> };
  const connection = testConnection(headers);
  const code = await runProgram(args, {
    io: {
      stdout: (text: string) => { out.stdout += text; },
      stderr: (text: string) => { out.stderr += text; },
      readFile: async (path: string) => files[path]!,
      writeFile: async (path: string, text: string) => { out.written[path] = text; },
    } as any,
    startConsole,
    synthesizeOperator,
    version,
    packageFolder: '/nonexistent',
    connect: async ({ namespace = 'default' }) => ({ client: new KubeClient(connection), connection, namespace }),
    terminal: { isTerminal: false, colour: false },
    now: Date.now,
    signal: new AbortController().signal,
  });
  return { code, ...out };
}

/** Returns the objects by the first word of their line. */
function changes(stdout: string): Record<string, string[]> {
  const lines = stdout.split('\n').filter((line) => /^(?:created|changed|unchanged|removed|kept) /.test(line)).map((line) => line.split(/ {2,}/) as [string, string]);
  return Object.fromEntries([...new Set(lines.map(([change]) => change))].map((change) => [change, lines.filter(([each]) => each === change).map(([, what]) => what)]));
}

/** Runs a command line of kubectl that sparkctl has printed. */
const runPrinted = (command: string) => kubectl([...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, inner, word]) => inner ?? word!).slice(1));

/** Runs as the chart's account. */
const change: Situation['change'] = (object, objects) => {
  object.spec.driver.serviceAccount = 'spark-operator-spark';
  for (const { kind, spec } of objects) if (kind === 'Pod') spec.serviceAccountName = 'spark-operator-spark';
};

const SITUATIONS: readonly (Situation & { readonly namespace: string })[] = [
  { name: 'runs', fixture: 'running', namespace: A, change },
  { name: 'exposed', fixture: 'running-exposed', namespace: A, change },
  { name: 'paused', fixture: 'suspended', namespace: A, change },
  { name: 'done', fixture: 'completed', namespace: B, change },
  { name: 'retries', fixture: 'failing', namespace: B, change },
];

/** Labels and annotations that Helm writes. */
const ofHelm = ({ metadata, ...object }: any) => ({
  ...object,
  metadata: {
    ...metadata, labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'spark-operator', ...metadata.labels },
    annotations: { 'meta.helm.sh/release-name': 'spark-operator', 'meta.helm.sh/release-namespace': THEIRS, ...metadata.annotations },
  },
});

beforeAll(async () => {
  for (const namespace of [THEIRS, A, B]) await kubectl(['create', 'namespace', namespace]);
  const values = { controller: { workers: 20, pprof: { enable: true }, nodeSelector: { pool: 'system' } }, spark: { jobNamespaces: [A, B] } };
  const args = [`--namespaces=${A},${B}`, '--leader-election=true'];
  const theirs = [kubeflowDeployment('controller', args, THEIRS), kubeflowDeployment('webhook', args, THEIRS), driverAccount(A), driverAccount(B)].map(ofHelm);
  await kubectl(['apply', '--server-side', '--field-manager=helm', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: theirs }));
  await apply([releaseSecret({ namespace: THEIRS, values: { spark: { jobNamespaces: ['old'] } } }), releaseSecret({ namespace: THEIRS, values, revision: 2 })]);
  await apply(kubeflowWebhooks(WEBHOOK, undefined, THEIRS));
  for (const situation of SITUATIONS) await place(api, situation.namespace, situation);
  await apply([
    application(B, 'wrong', { sparkConf: { 'spark.driver.extraJavaOptions': '-Xmx1g' } }), schedule(A, 'hourly'), schedule(B, 'local', { timeZone: 'Local', schedule: '0 * * * *' }),
    {
      apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', metadata: { name: 'notebooks', namespace: A },
      spec: { sparkVersion: '4.1.1', image: 'example.org/spark:1', server: {}, executor: {} },
    },
  ]);
});

afterAll(async () => {
  await tryKubectl(['delete', 'namespace', THEIRS, OWN, A, B, '--ignore-not-found', '--wait=false']);
  await tryKubectl(['delete', 'mutatingwebhookconfiguration', WEBHOOK, '--ignore-not-found']);
  const kinds = 'mutatingwebhookconfigurations,validatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings,clusterroles,clusterrolebindings';
  await tryKubectl(['delete', kinds, '-l', `sparkoperator.k8s.io/installation=${OWN}`, '--ignore-not-found']);
  api.close();
});

describe('--check', () => {
  let report: { readonly findings: readonly Finding[]; readonly steps: any[]; readonly back: any[] };
  let code: number;
  beforeAll(async () => {
    const run = await sparkctl(['migrate', '--check', ...RELEASE, '-n', OWN, '--job-namespace', `${A},${B}`, '-o', 'json']);
    report = JSON.parse(run.stdout);
    code = run.code;
  });

  const messages = (level: string) => report.findings.filter((finding) => finding.level === level).map(({ message }) => message);

  test('reports for each object what would change or be rejected', () => {
    expect(code).toBe(1);
    expect(messages('error')).toEqual([expect.stringContaining(`${B}/wrong would be rejected: spec.sparkConf[spark.driver.extraJavaOptions]`)]);
    expect(report.findings.find(({ level }) => level === 'error')!.object).toEqual({ kind: 'SparkApplication', namespace: B, name: 'wrong' });
    expect(messages('warning')).toEqual(expect.arrayContaining([
      expect.stringContaining(`${A}/exposed has driverIngressOptions with an ingressURLFormat`),
      expect.stringContaining(`${B}/local has timeZone: Local`),
      expect.stringContaining('controller.pprof.enable: the operator is no Go program'),
    ]));
    expect(messages('ok')).toEqual(expect.arrayContaining([
      expect.stringMatching(/^\d of 6: runs: driver and executors are not touched/), expect.stringMatching(/^1 of 6: suspended: stays suspended/),
      expect.stringMatching(/^1 of 1: the server keeps running/),
    ]));
  });

  test('reports the other operator, its webhook, the CRDs, and the accounts that Helm would delete', () => {
    expect(messages('ok')).toEqual(expect.arrayContaining([
      `kubeflow's operator (Deployment ${THEIRS}/spark-operator-controller; release spark-operator, chart 2.5.0-rc.0) runs the applications of ${A}, ${B}`,
      'sparkapplications.sparkoperator.k8s.io exists, and is that of this version',
    ]));
    expect(messages('warning')).toEqual(expect.arrayContaining([
      expect.stringMatching(`^MutatingWebhookConfiguration ${WEBHOOK} of kubeflow's operator reviews objects of all namespaces`),
      expect.stringMatching(`^ServiceAccount ${A}/spark-operator-spark, .* belongs to the Helm release spark-operator`),
    ]));
  });

  test("the API server accepts the commands of the steps that change the other operator's objects", async () => {
    const commands: string[] = [...report.steps, ...report.back].flatMap((step) => step.commands);
    const patches = commands.filter((command) => command.startsWith('kubectl patch mutatingwebhookconfiguration '));
    expect(patches.length).toBeGreaterThan(0);
    for (const command of patches.filter((each) => each.includes(WEBHOOK))) await runPrinted(command);
    const [webhook] = JSON.parse(await kubectl(['get', 'mutatingwebhookconfiguration', WEBHOOK, '-o', 'json'])).webhooks;
    expect(webhook.objectSelector).toEqual({
      matchLabels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' }, matchExpressions: [{ key: 'sparkoperator.k8s.io/app-uid', operator: 'DoesNotExist' }],
    });
    expect(commands).toEqual(expect.arrayContaining([
      expect.stringContaining(`--set 'spark.jobNamespaces={${B}}'`), `kubectl scale deployment -n ${THEIRS} spark-operator-controller --replicas=0`,
    ]));
  });

  test('without permission to read Secrets, the steps change the command lines of the Deployments', async () => {
    await kubectl(['create', 'clusterrole', 'migrate-reader', '--verb=get,list', '--resource=deployments.apps,sparkapplications.sparkoperator.k8s.io']);
    await kubectl(['create', 'clusterrolebinding', 'migrate-reader', '--clusterrole=migrate-reader', '--user=migrate-reader']);
    try {
      let run = await sparkctl(['migrate', '--check', `--release-namespace=${THEIRS}`, '-n', OWN, '--job-namespace', `${A},${B}`, '-o', 'json'], {}, { 'impersonate-user': 'migrate-reader' });
      for (let count = 0; count < 50 && !JSON.parse(run.stdout).steps; count++) { // authorizers have a delay
        await new Promise((resolve) => setTimeout(resolve, 200));
        run = await sparkctl(['migrate', '--check', `--release-namespace=${THEIRS}`, '-n', OWN, '--job-namespace', `${A},${B}`, '-o', 'json'], {}, { 'impersonate-user': 'migrate-reader' });
      }
      const { findings, steps } = JSON.parse(run.stdout);
      expect(findings.filter(({ level }: Finding) => level === 'not allowed').map(({ message }: Finding) => message)).toEqual(expect.arrayContaining([
        expect.stringContaining('you cannot list Secrets'), expect.stringContaining('the scheduledsparkapplications in'),
      ]));
      const move = steps.find(({ title }: any) => title === `Move ${A}`).commands.filter((command: string) => command.startsWith('kubectl patch deployment'));
      expect(move).toHaveLength(2);
      for (const command of move) await runPrinted(command);
      const { spec: { template: { spec: { containers: [{ args }] } } } } = await get(THEIRS, 'deployment', 'spark-operator-controller');
      expect(args).toEqual(['controller', 'start', `--namespaces=${B}`, '--leader-election=true']);
    } finally {
      await kubectl(['delete', 'clusterrole/migrate-reader', 'clusterrolebinding/migrate-reader']);
    }
  });
});

describe('--install', () => {
  // It is not installed for a namespace that the other operator still has.
  beforeAll(() => kubectl(['scale', 'deployment', 'spark-operator-controller', '-n', THEIRS, '--replicas=0']));

  const install = (namespaces: string, ...more: string[]) => (
    sparkctl(['migrate', '--install', ...RELEASE, '-n', OWN, '--job-namespace', namespaces, '--image', IMAGE, '--no-wait', ...more])
  );

  test('moves one namespace, whose account it shares with the other operator', async () => {
    const refused = await install(A);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`ServiceAccount ${A}/spark-operator-spark: metadata.labels`) });
    expect((await tryKubectl(['get', 'namespace', OWN])).code).not.toBe(0);

    const { code, stdout } = await install(A, '--force-conflicts');
    expect(code).toBe(0);
    const made = changes(stdout);
    expect(made.created).toEqual(expect.arrayContaining([`Namespace ${OWN}`, `Deployment ${OWN}/spark-operator`, `Deployment ${OWN}/spark-operator-webhook`]));
    expect(made.changed).toContain(`ServiceAccount ${A}/spark-operator-spark: it existed before; \`sparkctl uninstall\` keeps it`);
    const { spec: { template: { spec: { nodeSelector, containers: [{ args, image }] } } } } = await get(OWN, 'deployment', 'spark-operator');
    expect({ nodeSelector, image }).toEqual({ nodeSelector: { pool: 'system' }, image: IMAGE });
    expect(args).toEqual(expect.arrayContaining([`--namespaces=${A}`, '--controller-threads=20']));
    expect((await list(B, 'roles')).filter(({ metadata }) => metadata.labels?.['sparkoperator.k8s.io/installation'] === OWN)).toEqual([]);
    // The driver's account can do what drivers do.
    const canI = await tryKubectl(['auth', 'can-i', 'create', 'pods', '-n', A, `--as=system:serviceaccount:${A}:spark-operator-spark`]);
    expect(canI.stdout.trim()).toBe('yes');
  });

  test('the written values file installs the same', async () => {
    const { written } = await sparkctl(['migrate', ...RELEASE, '-n', OWN, '--job-namespace', A, '--image', IMAGE, '--write', 'operator.yaml']);
    const { code, stdout } = await sparkctl(['install', '--values', 'operator.yaml', '--dry-run=server'], written);
    expect(code).toBe(0);
    expect({ ...changes(stdout), unchanged: [] }).toEqual({ unchanged: [] });
  });

  test('moves the next namespace, and goes back', async () => {
    expect(changes((await install(`${A},${B}`, '--force-conflicts')).stdout).created).toContain(`Role ${B}/spark-operator`);
    const { removed } = changes((await install(A, '--force-conflicts', '--prune')).stdout);
    expect(removed).toContain(`Role ${B}/spark-operator`);
    expect(removed).not.toContain(`ServiceAccount ${B}/spark-operator-spark`);
    expect((await get(B, 'serviceaccount', 'spark-operator-spark')).metadata.annotations).toMatchObject({ 'meta.helm.sh/release-name': 'spark-operator' });
  });
});
