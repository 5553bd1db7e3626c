/* `sparkctl install`, `doctor` and `uninstall` with a real API server: what is installed, what is found when something of it breaks, and that nothing of it stays. */
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecondApiServer } from './helpers/second-api-server';
import { ServiceAddress } from './helpers/service-address';
import { testConnection } from './helpers/connection';
import { testAuthority } from '../helpers/certificates';
import { apply, get, kubectl, list, tryKubectl } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { version } from '../../package.json';
import { KubeClient } from '../../src/kube/client';
import type { Connection } from '../../src/kube/connection';
import type { Finding } from '../../src/sparkctl/doctor/finding';
import { runProgram } from '../../src/sparkctl/program';
import { isAvailable } from '../../src/sparkctl/setup/available';
import { startConsole, synthesizeOperator } from '../../src/bin/programs';

jest.mock('../../src/sparkctl/setup/bundled', () => jest.requireActual('../sparkctl/setup/crds'));
// Whoever runs the tests may sit at a terminal.
jest.mock('../../src/sparkctl/setup/confirm', () => ({ ...jest.requireActual('../../src/sparkctl/setup/confirm'), askOnTerminal: async () => undefined }));

const NAMESPACE = 'setup-operator';
const JOBS = 'setup-jobs';
/** A namespace that somebody else has made, and keeps a service account in. */
const OTHERS = 'setup-others';
const ARGUMENTS = ['-n', NAMESPACE, '--job-namespace', JOBS, '--create-job-namespaces', '--webhook', '--image', 'example.org/operator:1'];
const SERVICE = 'spark-operator-webhook-svc';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process: jest cannot load what the bundle finds its cluster with. */
async function sparkctl(args: readonly string[], { connection = testConnection(), later = 0 }: { readonly connection?: Connection; readonly later?: number } = {}): Promise<Run> {
  const out = { stdout: '', stderr: '' };
  const code = await runProgram(args, {
    io: {
      stdout: (text: string) => { out.stdout += text; },
      stderr: (text: string) => { out.stderr += text; },
    } as any,
    startConsole,
    synthesizeOperator,
    version,
    schemas: async () => { throw new Error('no manifest is checked here'); },
    connect: async ({ namespace = 'default' }) => ({ client: new KubeClient(connection), connection, namespace }),
    terminal: { isTerminal: false, colour: false },
    now: () => Date.now() + later,
    signal: new AbortController().signal,
  });
  return { code, ...out };
}

/** What `doctor` finds, without that the API server of the tests has no nodes. */
async function findings(args: readonly string[] = [], options?: Parameters<typeof sparkctl>[1]): Promise<Finding[]> {
  const { stdout, stderr } = await sparkctl(['doctor', '--operator-namespace', NAMESPACE, ...args, '-o', 'json'], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout).findings.filter(({ check }: Finding) => check !== 'Nodes');
}

const wrong = (found: readonly Finding[]) => found.filter(({ level }) => level !== 'ok').map(({ check, level, message }) => `${check}: ${level}: ${message}`);

/** What becomes of objects, by the first word of a line. */
function changes(stdout: string): Record<string, string[]> {
  const lines = stdout.trim().split('\n').map((line) => line.split(/ {2,}/) as [string, string]);
  return Object.fromEntries([...new Set(lines.map(([change]) => change))].map((change) => [change, lines.filter(([each]) => each === change).map(([, what]) => what)]));
}

async function until<T>(look: () => Promise<T | undefined>, seconds = 30): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Looks until all is as expected: authorizers and controllers follow at a distance. */
async function soon<T>(look: () => Promise<T>, expected: unknown, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    try {
      expect(seen).toEqual(expected);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Plays the kubelet: the pods of the operator are ready. */
async function makeReady(): Promise<void> {
  const status = { phase: 'Running', podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }], conditions: ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True', lastTransitionTime: new Date().toISOString() })) };
  await until(async () => {
    // A rollout may be under way, in which one pod follows the other.
    const pods = (await list(NAMESPACE, 'pods')).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const { metadata: { name } } of pods) await tryKubectl(['patch', 'pod', name, '-n', NAMESPACE, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    return isAvailable(await get(NAMESPACE, 'deployment', 'spark-operator')) || undefined;
  });
}

const INSTALLED = `app.kubernetes.io/managed-by=sparkctl,sparkoperator.k8s.io/installation=${NAMESPACE}`;

/** All objects that are labelled as installed here. */
async function installed(): Promise<string[]> {
  const kinds = 'namespaces,deployments,services,secrets,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings,mutatingwebhookconfigurations,validatingwebhookconfigurations';
  return (await kubectl(['get', kinds, '-A', '-l', INSTALLED, '-o', 'name'])).trim().split('\n').filter(Boolean);
}

const application = (name: string, state?: string) => JSON.stringify({
  apiVersion: 'sparkoperator.k8s.io/v1beta2',
  kind: 'SparkApplication',
  metadata: { name, namespace: JOBS },
  spec: { type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {} },
  ...(state && { status: { applicationState: { state }, driverInfo: {} } }),
});

afterAll(async () => {
  await tryKubectl(['delete', 'namespace', NAMESPACE, JOBS, OTHERS, '--ignore-not-found', '--wait=false']);
  for (const kind of ['mutatingwebhookconfiguration', 'validatingwebhookconfiguration', 'validatingadmissionpolicy', 'validatingadmissionpolicybinding', 'clusterrole', 'clusterrolebinding']) await tryKubectl(['delete', kind, '-l', INSTALLED, '--ignore-not-found']);
});

describe('an installation', () => {
  test('is refused as a whole if anything of it is', async () => {
    const { code, stdout, stderr } = await sparkctl(['install', ...ARGUMENTS.filter((arg) => arg !== '--create-job-namespaces')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`ServiceAccount ${JOBS}/spark: there is no namespace ${JOBS}; create it, or add --create-job-namespaces`);
    expect(await installed()).toEqual([]);
  });

  test('a dry run by the server tells what it would do, and does nothing', async () => {
    const { code, stdout } = await sparkctl(['install', ...ARGUMENTS, '--dry-run=server']);
    expect(code).toBe(0);
    expect(stdout).toContain(`created    Namespace ${NAMESPACE} (server dry run)\n`);
    expect(await installed()).toEqual([]);
  });

  test('is there once its Deployment is available, and applied again changes nothing', async () => {
    const installing = sparkctl(['install', ...ARGUMENTS, '--timeout=60s']);
    await until(async () => ((await tryKubectl(['get', 'deployment', 'spark-operator', '-n', NAMESPACE])).code === 0 ? true : undefined));
    await makeReady();
    const { code, stdout, stderr } = await installing;
    expect({ code, stderr }).toEqual({ code: 0, stderr: `waiting for Deployment ${NAMESPACE}/spark-operator …\n` });
    const first = changes(stdout);
    expect(first.created).toEqual(expect.arrayContaining([`Deployment ${NAMESPACE}/spark-operator`, `Role ${JOBS}/spark-operator`, `ServiceAccount ${JOBS}/spark`, `Namespace ${JOBS}`]));
    expect(first.available).toEqual([`Deployment ${NAMESPACE}/spark-operator`]);

    const again = changes((await sparkctl(['install', ...ARGUMENTS])).stdout);
    expect(Object.keys(again).sort()).toEqual(['available', 'unchanged']);
  });

  test('what is not available in time is told with the reason', async () => {
    const { code, stderr } = await sparkctl(['install', ...ARGUMENTS, '--replicas=2', '--timeout=2s']);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Deployment ${NAMESPACE}/spark-operator is not available after 2 s: pod spark-operator-\\S+: Unschedulable: .*no node has room for it`));
    await sparkctl(['install', ...ARGUMENTS, '--prune', '--no-wait']);
  });

  test('fields that others manage stay theirs, unless they are taken over', async () => {
    const scaled = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'spark-operator', namespace: NAMESPACE }, spec: { replicas: 0 } });
    await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=scaler', '-f', '-'], scaled);
    const { code, stdout, stderr } = await sparkctl(['install', ...ARGUMENTS]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Deployment ${NAMESPACE}/spark-operator: .spec.replicas (scaler)\nChange them there, or take them over: add --force-conflicts`);

    expect(changes((await sparkctl(['install', ...ARGUMENTS, '--force-conflicts', '--no-wait'])).stdout).changed).toEqual([`Deployment ${NAMESPACE}/spark-operator`]);
    await makeReady();
  });

  test('what an earlier one has made stays until it is pruned', async () => {
    const withAnother = [...ARGUMENTS, '--job-namespace', `${JOBS},default`];
    await sparkctl(['install', ...withAnother, '--no-wait']);
    const kept = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait'])).stdout).kept;
    expect(kept).toContain('Role default/spark-operator: of an earlier installation; --prune removes it');
    const pruned = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait', '--prune'])).stdout);
    expect(pruned.removed).toEqual(expect.arrayContaining(['Role default/spark-operator', 'ServiceAccount default/spark']));
    expect((await tryKubectl(['get', 'role', 'spark-operator', '-n', 'default'])).code).not.toBe(0);
  });

  test('what was there before stays, and is told of', async () => {
    await kubectl(['create', 'namespace', OTHERS]);
    await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'spark', namespace: OTHERS, annotations: { 'example.org/role': 'etl' } } });
    const there = changes((await sparkctl(['install', ...ARGUMENTS, '--job-namespace', `${JOBS},${OTHERS}`, '--no-wait'])).stdout);
    expect(there.changed).toEqual(expect.arrayContaining([`Namespace ${OTHERS}`, `ServiceAccount ${OTHERS}/spark`].map((title) => `${title}: it was there before; \`sparkctl uninstall\` leaves it`)));

    const { removed } = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait', '--prune'])).stdout);
    expect(removed).toContain(`Role ${OTHERS}/spark-operator`);
    expect(removed).not.toContain(`ServiceAccount ${OTHERS}/spark`);
    expect((await get(OTHERS, 'serviceaccount', 'spark')).metadata.annotations).toMatchObject({ 'example.org/role': 'etl' });
    await makeReady();
  });
});

describe('the doctor', () => {
  let operator: OperatorProcess;
  let service: ServiceAddress;

  beforeAll(async () => {
    await makeReady();
    service = await ServiceAddress.of(NAMESPACE, SERVICE);
    // Of pods without a node nobody makes one.
    await apply({
      apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'webhook', namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': SERVICE } },
      addressType: 'IPv4', endpoints: [{ addresses: ['10.9.9.9'], conditions: { ready: true } }], ports: [{ name: 'webhook', port: 9443 }],
    });
    await start();
  });
  afterAll(async () => {
    await operator?.stop();
    await service?.close();
  });

  /** Plays the pod of the operator. */
  async function start(): Promise<void> {
    const { spec: { template: { spec: { containers: [{ args }] } } } } = await get(NAMESPACE, 'deployment', 'spark-operator');
    const others = args.filter((arg: string) => !/^--(metrics-bind|health-probe|webhook-port)/.test(arg));
    operator = new OperatorProcess([...others, `--kubeconfig=${process.env.KUBECONFIG}`, '--webhook-port=0', '--leader-election=true', `--leader-election-lock-namespace=${NAMESPACE}`], { POD_NAMESPACE: NAMESPACE });
    service.targets = [await operator.webhookPort()];
    await operator.ready();
  }

  /** Breaks something, and mends it again by applying what was there. */
  async function without(kind: string, name: string, namespace: string | undefined, look: () => Promise<void>): Promise<void> {
    const where = namespace === undefined ? [] : ['-n', namespace];
    const before = await kubectl(['get', kind, name, ...where, '-o', 'json']);
    await kubectl(['delete', kind, name, ...where]);
    try {
      await look();
    } finally {
      const { metadata: { name: _, resourceVersion: __, uid: ___, creationTimestamp: ____, managedFields: _____, ...metadata }, ...object } = JSON.parse(before);
      await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=sparkctl', '-f', '-'], JSON.stringify({ ...object, metadata: { ...metadata, name } }));
    }
  }

  test('finds nothing where nothing is wrong, but that there are no nodes', async () => {
    await soon(async () => wrong(await findings()), []);
    expect(new Set((await findings()).map(({ check }) => check))).toEqual(new Set(['Cluster', 'CRDs', 'Operator', 'Leader', 'Rights of the operator', 'Webhook', 'Other operators', 'Your rights', 'Service accounts', 'Quotas', 'Images', 'Applications']));

    const { code, stdout } = await sparkctl(['doctor', '--operator-namespace', NAMESPACE]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Nodes\n {2}error {8}the cluster has no nodes: no driver can start\n {15}→ kubectl get nodes\n/);
  });

  test('a right of the operator', async () => {
    await without('role', 'spark-operator', JOBS, async () => {
      const found = await until(async () => wrong(await findings()).find((each) => each.startsWith('Rights of the operator')));
      expect(found).toContain(`error: ServiceAccount ${NAMESPACE}/spark-operator may not get, list, watch, create, delete sparkapplications.sparkoperator.k8s.io; update sparkapplications.sparkoperator.k8s.io/status`);
    });
  });

  test('the service account of drivers, and its rights', async () => {
    await without('serviceaccount', 'spark', JOBS, async () => {
      await soon(async () => wrong(await findings()), [`Service accounts: error: there is no ServiceAccount ${JOBS}/spark, which drivers run as`]);
      const { metadata: { generation } } = await get(NAMESPACE, 'deployment', 'spark-operator');
      const { remedy } = (await findings()).find(({ check, level }) => check === 'Service accounts' && level === 'error')!;
      expect(remedy).toMatch(/^kubectl /);
      await kubectl(remedy!.split(' ').slice(1));
      await soon(async () => wrong(await findings()), []);
      expect((await get(NAMESPACE, 'deployment', 'spark-operator')).metadata.generation).toBe(generation);
    });
    await without('role', 'spark-driver', JOBS, async () => {
      const found = await until(async () => wrong(await findings()).find((each) => each.startsWith('Service accounts')));
      expect(found).toContain(`ServiceAccount ${JOBS}/spark may not get, list, watch, create, patch, delete, deletecollection pods`);
    });
  });

  test('a quota that is used up, and an image that does not come', async () => {
    await kubectl(['create', 'quota', 'none', '-n', JOBS, '--hard=pods=0']);
    const event = {
      apiVersion: 'v1', kind: 'Event', metadata: { name: 'pull', namespace: JOBS }, type: 'Warning', reason: 'Failed', message: 'Failed to pull image "example.org/none:1": not found',
      lastTimestamp: new Date().toISOString(), involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'pi-driver', namespace: JOBS },
    };
    await kubectl(['create', '-f', '-'], JSON.stringify(event));
    await soon(async () => wrong(await findings()), [
      `Quotas: warning: ResourceQuota ${JOBS}/none is used up: pods 0 of 0; applications wait there until something ends`,
      expect.stringMatching(`^Images: error: example\\.org/none:1 could not be pulled for pod ${JOBS}/pi-driver .* ago: Failed to pull image`),
    ]);
    await kubectl(['delete', 'quota/none', 'event/pull', '-n', JOBS]);
  });

  test('who may do nothing is told what could not be looked at', async () => {
    const found = await findings([], { connection: testConnection({ 'impersonate-user': 'jane' }) });
    const levels = new Map(found.map(({ check, level }) => [check, level]));
    expect(Object.fromEntries(levels)).toMatchObject({ 'Cluster': 'ok', 'CRDs': 'not allowed', 'Other operators': 'not allowed', 'Your rights': 'warning' });
    expect(found.filter(({ level }) => level === 'not allowed').every(({ remedy }) => remedy?.startsWith('kubectl auth can-i '))).toBe(true);
  });

  test('a user who can only read the three kinds gets no error about an operator that runs', async () => {
    await kubectl(['create', 'clusterrole', 'setup-reader', '--verb=get,list,watch', '--resource=sparkapplications.sparkoperator.k8s.io,scheduledsparkapplications.sparkoperator.k8s.io,sparkconnects.sparkoperator.k8s.io']);
    await kubectl(['create', 'clusterrolebinding', 'setup-reader', '--clusterrole=setup-reader', '--user=setup-reader']);
    const connection = testConnection({ 'impersonate-user': 'setup-reader' });
    const operatorIn = async (where: readonly string[]) => {
      const { stdout } = await sparkctl(['doctor', ...where, '-n', JOBS, '-o', 'json'], { connection });
      return (JSON.parse(stdout).findings as Finding[]).filter(({ check, level }) => check === 'Operator' || level === 'error');
    };
    const notAllowed = (where: string, remedy: string) => [{ check: 'Operator', level: 'not allowed', message: `you cannot read the Deployments of ${where}, which show whether an operator runs`, remedy }];
    try {
      await soon(() => operatorIn([]), notAllowed('all namespaces', 'kubectl auth can-i list deployments -A'));
      expect(await operatorIn(['--operator-namespace', NAMESPACE])).toEqual(notAllowed(`the namespace ${NAMESPACE}`, `kubectl auth can-i list deployments -n ${NAMESPACE}`));
    } finally {
      await kubectl(['delete', 'clusterrole/setup-reader', 'clusterrolebinding/setup-reader']);
    }
  });

  test('a webhook that nobody trusts, asks, or serves', async () => {
    await without('validatingwebhookconfiguration', `spark-operator-${NAMESPACE}`, undefined, async () => {
      const found = await until(async () => {
        const seen = wrong(await findings());
        return seen.some((each) => each.includes('a mistake was taken')) ? seen : undefined;
      });
      expect(found).toContain(`Webhook: error: there is no ValidatingWebhookConfiguration spark-operator-${NAMESPACE}, so that the API server does not ask the webhook`);
    });

    // The operator would put its own CA there again.
    await operator.stop();
    const authority = testAuthority('another');
    const caBundle = Buffer.from(authority.certificate.toString()).toString('base64');
    for (const kind of ['mutatingwebhookconfiguration', 'validatingwebhookconfiguration']) {
      const { webhooks } = JSON.parse(await kubectl(['get', kind, `spark-operator-${NAMESPACE}`, '-o', 'json']));
      const patch = webhooks.map((_: unknown, index: number) => ({ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }));
      await kubectl(['patch', kind, `spark-operator-${NAMESPACE}`, '--type=json', '-p', JSON.stringify(patch)]);
    }
    expect(wrong(await findings())).toEqual(expect.arrayContaining([
      expect.stringContaining('its certificate is not signed by the CA that the API server is told to trust'),
      expect.stringContaining('a mistake was taken in'),
    ]));
  });

  test('an operator that has stopped, and an application that nobody looks at', async () => {
    await kubectl(['create', '-f', '-'], application('forgotten'));
    const found = wrong(await findings([], { later: 120_000 }));
    expect(found).toEqual(expect.arrayContaining([
      expect.stringMatching(/^Leader: error: (nobody has the Lease|.* it does not work any more)/),
      expect.stringMatching(new RegExp(`^Applications: warning: ${JOBS}/forgotten nobody looks at it, since 2m`)),
    ]));
    await kubectl(['delete', 'sparkapplication', 'forgotten', '-n', JOBS]);
  });
});

describe('an uninstallation', () => {
  const status = (state: string) => kubectl(['patch', 'sparkapplication', 'running', '-n', JOBS, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { applicationState: { state }, driverInfo: {} } })]);

  test('is refused while applications run', async () => {
    await kubectl(['create', '-f', '-'], application('running'));
    await status('RUNNING');
    const { code, stdout, stderr } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`SparkApplication ${JOBS}/running (RUNNING)\nWait until they have ended`);
  });

  test('a dry run tells what goes and what stays', async () => {
    await status('COMPLETED');
    const before = await installed();
    const { removed, kept } = changes((await sparkctl(['uninstall', '-n', NAMESPACE, '--dry-run'])).stdout);
    expect(removed).toEqual(expect.arrayContaining([`Deployment ${NAMESPACE}/spark-operator (dry run)`, `Namespace ${NAMESPACE} (dry run)`]));
    expect(kept).toEqual(expect.arrayContaining([
      `Namespace ${JOBS}: SparkApplication running is in it; kubectl delete namespace ${JOBS} removes all of it (dry run)`,
      `ServiceAccount ${OTHERS}/spark: it was there before the installation (dry run)`,
      expect.stringMatching(/^CustomResourceDefinition sparkapplications\.sparkoperator\.k8s\.io: with \d+ SparkApplications?; --crds removes them \(dry run\)$/),
    ]));
    expect(await installed()).toEqual(before);
  });

  test('leaves nothing but what others keep', async () => {
    const { code, stdout, stderr } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Applications that are applied from now on wait until there is an operator again.\n' });
    expect(changes(stdout).removed).toContain(`Namespace ${NAMESPACE}`);
    expect(await installed()).toEqual([`namespace/${JOBS}`]);
    expect((await tryKubectl(['get', 'namespace', NAMESPACE])).code).not.toBe(0);
    expect((await tryKubectl(['get', 'sparkapplication', 'running', '-n', JOBS])).code).toBe(0);

    expect((await tryKubectl(['get', 'serviceaccount', 'spark', '-n', OTHERS])).code).toBe(0);

    await kubectl(['delete', 'sparkapplication', 'running', '-n', JOBS]);
    await kubectl(['create', 'role', 'readers', '-n', JOBS, '--verb=get', '--resource=pods']);
    expect(changes((await sparkctl(['uninstall', '-n', NAMESPACE])).stdout).kept).toContain(`Namespace ${JOBS}: Role readers is in it; kubectl delete namespace ${JOBS} removes all of it`);
    await kubectl(['delete', 'role', 'readers', '-n', JOBS]);
    expect(await sparkctl(['uninstall', '-n', NAMESPACE])).toMatchObject({ code: 0, stderr: '' });
    expect(await installed()).toEqual([]);
    const { code: again, stderr: nothing } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect(again).toBe(1);
    expect(nothing).toContain(`sparkctl has installed nothing for an operator in the namespace ${NAMESPACE}`);
  });
});

describe('on a cluster of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  let server: SecondApiServer;
  beforeAll(async () => {
    server = SecondApiServer.find(16446, `/setup-${process.pid}-${Date.now()}`);
    await server.start();
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(folder, { recursive: true });
  });

  const fresh = (): Connection => ({ ...testConnection(), server: server.url });

  test('the doctor finds that nothing is there', async () => {
    const { code, stdout } = await sparkctl(['doctor'], { connection: fresh() });
    expect(code).toBe(1);
    for (const plural of ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects']) expect(stdout).toContain(`there is no CRD ${plural}.sparkoperator.k8s.io`);
    expect(stdout).toContain('there is no operator of this package in the cluster: nobody looks after applications');
  });

  test('CRDs go only when it is meant', async () => {
    const { code, stdout } = await sparkctl(['install', '--no-wait', '--create-job-namespaces', '--job-namespace', 'jobs'], { connection: fresh() });
    expect({ code, crds: stdout.match(/^created {4}CustomResourceDefinition /gm)?.length }).toEqual({ code: 0, crds: 3 });
    const unconfirmed = await sparkctl(['uninstall', '--crds'], { connection: fresh() });
    expect(unconfirmed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('there is no terminal to confirm it at: add --yes') });
  });

  test('a CRD that is missing is found, and installed again', async () => {
    const kube = (args: readonly string[]) => tryKubectl(['--server', server.url, ...args]);
    await kube(['delete', 'crd', 'sparkconnects.sparkoperator.k8s.io']);
    const { stdout } = await sparkctl(['doctor', '-o', 'json'], { connection: fresh() });
    const crds: Finding[] = JSON.parse(stdout).findings.filter(({ check }: Finding) => check === 'CRDs');
    expect(crds.map(({ level }) => level)).toEqual(['ok', 'ok', 'error']);
    expect(crds[2]).toMatchObject({ message: 'there is no CRD sparkconnects.sparkoperator.k8s.io: the cluster does not know SparkConnects', remedy: 'sparkctl install --job-namespace jobs' });

    const again = await sparkctl(['install', '--no-wait', '--create-job-namespaces', '--job-namespace', 'jobs'], { connection: fresh() });
    expect(changes(again.stdout).created).toEqual(['CustomResourceDefinition sparkconnects.sparkoperator.k8s.io']);
  });
});
