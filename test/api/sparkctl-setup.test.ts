/* `sparkctl install`, `doctor` and `uninstall` with a real API server. */
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecondApiServer } from './helpers/second-api-server';
import { ServiceAddress } from './helpers/service-address';
import { testConnection } from '../helpers/test-connection';
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
// The tests can run on a terminal.
jest.mock('../../src/sparkctl/setup/confirm', () => ({ ...jest.requireActual('../../src/sparkctl/setup/confirm'), askOnTerminal: async () => undefined }));

const NAMESPACE = 'setup-operator';
const JOBS = 'setup-jobs';
/** Namespace of another user, with a service account. */
const OTHERS = 'setup-others';
const MORE = `${NAMESPACE}-more`;
const ARGUMENTS = ['-n', NAMESPACE, '--job-namespace', JOBS, '--create-job-namespaces', '--webhook', '--image', 'example.org/operator:1'];
const SERVICE = 'spark-operator-webhook-svc';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line in this process: jest cannot load the module with which the bundle finds its
 * cluster.
 */
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
    packageFolder: '/nonexistent',
    connect: async ({ namespace = 'default' }) => ({ client: new KubeClient(connection), connection, namespace }),
    terminal: { isTerminal: false, colour: false },
    now: () => Date.now() + later,
    signal: new AbortController().signal,
  });
  return { code, ...out };
}

/** Returns the findings of `doctor`, other than that the API server of the tests has no nodes. */
async function findings(args: readonly string[] = [], options?: Parameters<typeof sparkctl>[1]): Promise<Finding[]> {
  const { stdout, stderr } = await sparkctl(['doctor', '--operator-namespace', NAMESPACE, ...args, '-o', 'json'], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout).findings.filter(({ check }: Finding) => check !== 'Nodes');
}

const wrong = (found: readonly Finding[]) => found.filter(({ level }) => level !== 'ok').map(({ check, level, message }) => `${check}: ${level}: ${message}`);

/** Returns the objects by the first word of their line. */
function changes(stdout: string): Record<string, string[]> {
  const lines = stdout.trim().split('\n').map((line) => line.split(/ {2,}/) as [string, string]);
  return Object.fromEntries([...new Set(lines.map(([change]) => change))].map((change) => [change, lines.filter(([each]) => each === change).map(([, what]) => what)]));
}

async function until<T>(look: () => Promise<T | undefined>, seconds = 90): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Repeats a read until its result is as expected: authorizers and controllers have a delay. */
async function soon<T>(look: () => Promise<T>, expected: unknown, seconds = 90): Promise<void> {
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

/** Acts as the kubelet: makes the pods of the operator ready. */
async function makeReady(): Promise<void> {
  const status = { phase: 'Running', podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }], conditions: ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True', lastTransitionTime: new Date().toISOString() })) };
  await until(async () => {
    // A rollout can be in progress, in which pods replace each other.
    const pods = (await list(NAMESPACE, 'pods')).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const { metadata: { name } } of pods) await tryKubectl(['patch', 'pod', name, '-n', NAMESPACE, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    return isAvailable(await get(NAMESPACE, 'deployment', 'spark-operator')) || undefined;
  });
}

const INSTALLED = `app.kubernetes.io/managed-by=sparkctl,sparkoperator.k8s.io/installation=${NAMESPACE}`;

/** Lists all objects with the labels of this installation. */
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
  await tryKubectl(['delete', 'namespace', NAMESPACE, JOBS, OTHERS, MORE, '--ignore-not-found', '--wait=false']);
  for (const kind of ['mutatingwebhookconfiguration', 'validatingwebhookconfiguration', 'validatingadmissionpolicy', 'validatingadmissionpolicybinding', 'clusterrole', 'clusterrolebinding']) await tryKubectl(['delete', kind, '-l', INSTALLED, '--ignore-not-found']);
});

describe('an installation', () => {
  test('is rejected as a whole if one object is rejected', async () => {
    const { code, stdout, stderr } = await sparkctl(['install', ...ARGUMENTS.filter((arg) => arg !== '--create-job-namespaces')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`there is no namespace ${JOBS}; nothing was changed. Create it, or add --create-job-namespaces if it is a job namespace`);
    expect(await installed()).toEqual([]);
  });

  test('a dry run by the server prints the changes without making them', async () => {
    const { code, stdout, stderr } = await sparkctl(['install', ...ARGUMENTS, '--dry-run=server']);
    expect(code).toBe(0);
    expect(stdout).toContain(`would be created  Namespace ${NAMESPACE}\n`);
    expect(stdout).toContain(`would be created  Deployment ${NAMESPACE}/spark-operator\n`);
    expect(stderr).toMatch(new RegExp(`^The cluster can validate \\d+ objects only once their namespaces exist: .*\\b${JOBS}\\b`));
    expect(await installed()).toEqual([]);
  });

  test('is complete once its Deployment is available; installing again changes nothing', async () => {
    const installing = sparkctl(['install', ...ARGUMENTS, '--timeout=180s']);
    await until(async () => ((await tryKubectl(['get', 'deployment', 'spark-operator', '-n', NAMESPACE])).code === 0 ? true : undefined));
    await makeReady();
    const { code, stdout, stderr } = await installing;
    expect({ code, stderr }).toEqual({ code: 0, stderr: `waiting for Deployment ${NAMESPACE}/spark-operator …\n` });
    const first = changes(stdout);
    expect(first.created).toEqual(expect.arrayContaining([`Deployment ${NAMESPACE}/spark-operator`, `Role ${JOBS}/spark-operator`, `ServiceAccount ${JOBS}/spark`, `Namespace ${JOBS}`]));
    expect(first.available).toEqual([`Deployment ${NAMESPACE}/spark-operator`]);

    const again = changes((await sparkctl(['install', ...ARGUMENTS])).stdout);
    expect({ ...again, unchanged: [] }).toEqual({ available: first.available, unchanged: [] });
  });

  test('reports why it is not available in time', async () => {
    const { code, stderr } = await sparkctl(['install', ...ARGUMENTS, '--replicas=2', '--timeout=2s']);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Deployment ${NAMESPACE}/spark-operator is not available after 2 s: pod spark-operator-\\S+: Unschedulable: .*the cluster has no nodes: add some`));
    await sparkctl(['install', ...ARGUMENTS, '--prune', '--no-wait']);
  });

  test('fields of other managers stay theirs, unless they are taken over', async () => {
    const scaled = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'spark-operator', namespace: NAMESPACE }, spec: { replicas: 0 } });
    await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=scaler', '-f', '-'], scaled);
    const { code, stdout, stderr } = await sparkctl(['install', ...ARGUMENTS]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Deployment ${NAMESPACE}/spark-operator: spec.replicas (scaler)\nChange them there, or take them over: add --force-conflicts`);

    expect(changes((await sparkctl(['install', ...ARGUMENTS, '--force-conflicts', '--no-wait'])).stdout).changed).toEqual([`Deployment ${NAMESPACE}/spark-operator`]);
    await makeReady();
  });

  test('objects of an earlier installation stay until they are pruned', async () => {
    // Other tests install into the namespace default.
    await kubectl(['create', 'namespace', MORE]);
    const withAnother = [...ARGUMENTS, '--job-namespace', `${JOBS},${MORE}`];
    await sparkctl(['install', ...withAnother, '--no-wait']);
    const kept = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait'])).stdout).kept;
    expect(kept).toContain(`Role ${MORE}/spark-operator: of an earlier installation; --prune removes it`);
    const pruned = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait', '--prune'])).stdout);
    expect(pruned.removed).toEqual(expect.arrayContaining([`Role ${MORE}/spark-operator`, `ServiceAccount ${MORE}/spark`]));
    // The garbage collector finishes what sparkctl has begun.
    await kubectl(['wait', '--for=delete', 'role/spark-operator', '-n', MORE, '--timeout=60s']);
  });

  test('reports and keeps objects that existed before', async () => {
    await kubectl(['create', 'namespace', OTHERS]);
    await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'spark', namespace: OTHERS, annotations: { 'example.org/role': 'etl' } } });
    const there = changes((await sparkctl(['install', ...ARGUMENTS, '--job-namespace', `${JOBS},${OTHERS}`, '--no-wait'])).stdout);
    expect(there.changed).toEqual(expect.arrayContaining([`Namespace ${OTHERS}`, `ServiceAccount ${OTHERS}/spark`].map((title) => `${title}: it existed before; \`sparkctl uninstall\` keeps it`)));

    const { removed } = changes((await sparkctl(['install', ...ARGUMENTS, '--no-wait', '--prune'])).stdout);
    expect(removed).toContain(`Role ${OTHERS}/spark-operator`);
    expect(removed).not.toContain(`ServiceAccount ${OTHERS}/spark`);
    expect((await get(OTHERS, 'serviceaccount', 'spark')).metadata.annotations).toMatchObject({ 'example.org/role': 'etl' });
    await makeReady();
  });
});

describe('doctor', () => {
  let operator: OperatorProcess;
  let service: ServiceAddress;

  beforeAll(async () => {
    await makeReady();
    service = await ServiceAddress.of(NAMESPACE, SERVICE);
    // No controller creates the endpoints of pods without a node.
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

  /** Acts as the pod of the operator. */
  async function start(): Promise<void> {
    const { spec: { template: { spec: { containers: [{ args }] } } } } = await get(NAMESPACE, 'deployment', 'spark-operator');
    const others = args.filter((arg: string) => !/^--(metrics-bind|health-probe|webhook-port)/.test(arg));
    operator = new OperatorProcess([...others, `--kubeconfig=${process.env.KUBECONFIG}`, '--webhook-port=0', '--leader-election=true', `--leader-election-lock-namespace=${NAMESPACE}`], { POD_NAMESPACE: NAMESPACE });
    service.targets = [await operator.webhookPort()];
    await operator.ready();
  }

  /** Changes objects, and restores them by applying their previous versions. */
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

  test('finds no problems other than missing nodes', async () => {
    await soon(async () => wrong(await findings()), []);
    expect(new Set((await findings()).map(({ check }) => check))).toEqual(new Set(['Cluster', 'CRDs', 'Operator', 'Leader', 'Permissions of the operator', 'Webhook', 'Other operators', 'Your permissions', 'Service accounts', 'Quotas', 'Images', 'Applications']));

    const { code, stdout } = await sparkctl(['doctor', '--operator-namespace', NAMESPACE]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Problems\n {2}error {8}Nodes: the cluster has no nodes: no driver can start\n {15}→ kubectl get nodes\n/);
  });

  test('finds a missing permission of the operator', async () => {
    await without('role', 'spark-operator', JOBS, async () => {
      const found = await until(async () => wrong(await findings()).find((each) => each.startsWith('Permissions of the operator')));
      expect(found).toContain(`error: ServiceAccount ${NAMESPACE}/spark-operator cannot get, list, watch, create, delete sparkapplications.sparkoperator.k8s.io; update sparkapplications.sparkoperator.k8s.io/status`);
    });
  });

  test('finds a missing service account of drivers, and missing permissions', async () => {
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
      expect(found).toContain(`ServiceAccount ${JOBS}/spark cannot get, list, watch, create, patch, delete, deletecollection pods`);
    });
  });

  test('finds a quota that is used up, and a pod that waits for its image, but no event of a deleted pod', async () => {
    const pod = {
      apiVersion: 'v1', kind: 'Pod', metadata: { name: 'waits', namespace: JOBS },
      spec: { serviceAccountName: 'spark', automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example.org/none:1' }] },
    };
    await kubectl(['create', '-f', '-'], JSON.stringify(pod));
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "example.org/none:1"' };
    const status = { phase: 'Pending', containerStatuses: [{ name: 'main', image: 'example.org/none:1', imageID: '', ready: false, restartCount: 0, state: { waiting } }] };
    await kubectl(['patch', 'pod', 'waits', '-n', JOBS, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    await kubectl(['create', 'quota', 'none', '-n', JOBS, '--hard=pods=0']);
    const { metadata: { uid } } = await get(JOBS, 'pod', 'waits');
    const event = (name: string, podUid: string) => ({
      apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: JOBS }, type: 'Warning', reason: 'Failed', message: `Failed to pull image "example.org/${name}:1": not found`,
      lastTimestamp: new Date().toISOString(), involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'waits', namespace: JOBS, uid: podUid },
    });
    for (const each of [event('none', uid), event('before', 'another-uid')]) await kubectl(['create', '-f', '-'], JSON.stringify(each));
    try {
      await soon(async () => wrong(await findings()), [
        expect.stringMatching(`^Images: error: pod ${JOBS}/waits has waited for an image for .*: ImagePullBackOff: the registry does not have the image example\\.org/none:1`),
        `Quotas: warning: ResourceQuota ${JOBS}/none is used up: pods 1 of 0; applications wait there until it is raised`,
      ]);
    } finally {
      await kubectl(['delete', 'quota/none', 'event/none', 'event/before', 'pod/waits', '-n', JOBS, '--force', '--grace-period=0']);
    }
  });

  test('reports unreadable objects to a user without permissions', async () => {
    const found = await findings([], { connection: testConnection({ 'impersonate-user': 'jane' }) });
    const levels = new Map(found.map(({ check, level }) => [check, level]));
    expect(Object.fromEntries(levels)).toMatchObject({ 'Cluster': 'ok', 'CRDs': 'not allowed', 'Other operators': 'not allowed', 'Your permissions': 'warning' });
    expect(found.filter(({ level }) => level === 'not allowed').every(({ remedy }) => remedy?.startsWith('kubectl auth can-i '))).toBe(true);
  });

  test('a user who can only read the three kinds gets no error about a running operator', async () => {
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

  test('finds a webhook that is not trusted, not called, or not served', async () => {
    await without('validatingwebhookconfiguration', `spark-operator-${NAMESPACE}`, undefined, async () => {
      const found = await until(async () => {
        const seen = wrong(await findings());
        return seen.some((each) => each.includes('an invalid application was accepted')) ? seen : undefined;
      });
      expect(found).toContain(`Webhook: error: there is no ValidatingWebhookConfiguration spark-operator-${NAMESPACE}, so that the API server does not call the webhook`);
    });

    // The operator would restore its own CA.
    await operator.stop();
    const authority = testAuthority('another');
    const caBundle = Buffer.from(authority.certificate.toString()).toString('base64');
    for (const kind of ['mutatingwebhookconfiguration', 'validatingwebhookconfiguration']) {
      const { webhooks } = JSON.parse(await kubectl(['get', kind, `spark-operator-${NAMESPACE}`, '-o', 'json']));
      const patch = webhooks.map((_: unknown, index: number) => ({ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }));
      await kubectl(['patch', kind, `spark-operator-${NAMESPACE}`, '--type=json', '-p', JSON.stringify(patch)]);
    }
    expect(wrong(await findings())).toEqual(expect.arrayContaining([
      expect.stringContaining('its certificate is not signed by the CA of the webhook configuration'),
      expect.stringContaining('an invalid application was accepted in'),
    ]));
  });

  test('finds a stopped operator, and an application that is not reconciled', async () => {
    await kubectl(['create', '-f', '-'], application('forgotten'));
    const found = wrong(await findings([], { later: 120_000 }));
    expect(found).toEqual(expect.arrayContaining([
      expect.stringMatching(/^(Leader|Operator): error: (no replica holds the Lease|.* not reconciled|.* it does not reconcile any more)/),
      expect.stringMatching(new RegExp(`^Applications: warning: (no operator handles .*)?(SparkApplication )?${JOBS}/forgotten\\b`)),
    ]));
    await kubectl(['delete', 'sparkapplication', 'forgotten', '-n', JOBS]);
  });
});

describe('uninstall', () => {
  const status = (state: string) => kubectl(['patch', 'sparkapplication', 'running', '-n', JOBS, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { applicationState: { state }, driverInfo: {} } })]);

  test('is rejected while applications run', async () => {
    await kubectl(['create', '-f', '-'], application('running'));
    await status('RUNNING');
    const { code, stdout, stderr } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`SparkApplication ${JOBS}/running (RUNNING)\nWait until applications have ended`);
    const dryRun = await sparkctl(['uninstall', '-n', NAMESPACE, '--dry-run']);
    expect(dryRun).toMatchObject({ code: 1, stderr });
    expect(changes(dryRun.stdout)['would be removed']).toContain(`Deployment ${NAMESPACE}/spark-operator`);
  });

  test('a dry run prints removed and kept objects', async () => {
    await status('COMPLETED');
    const before = await installed();
    const { 'would be removed': removed, 'would be kept': kept } = changes((await sparkctl(['uninstall', '-n', NAMESPACE, '--dry-run'])).stdout);
    expect(removed).toEqual(expect.arrayContaining([`Deployment ${NAMESPACE}/spark-operator`, `Namespace ${NAMESPACE}`]));
    expect(kept).toEqual(expect.arrayContaining([
      `Namespace ${JOBS}: it contains SparkApplication running; kubectl delete namespace ${JOBS} removes all of it`,
      `ServiceAccount ${OTHERS}/spark: it existed before the installation`,
      expect.stringMatching(/^CustomResourceDefinition sparkapplications\.sparkoperator\.k8s\.io: with \d+ SparkApplications?; --crds removes them$/),
    ]));
    expect(await installed()).toEqual(before);
  });

  test('keeps only objects of others', async () => {
    const { code, stdout, stderr } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'New applications wait until an operator is installed again.\n' });
    expect(changes(stdout).removed).toContain(`Namespace ${NAMESPACE}`);
    expect(await installed()).toEqual([`namespace/${JOBS}`]);
    expect((await tryKubectl(['get', 'namespace', NAMESPACE])).code).not.toBe(0);
    expect((await tryKubectl(['get', 'sparkapplication', 'running', '-n', JOBS])).code).toBe(0);

    expect((await tryKubectl(['get', 'serviceaccount', 'spark', '-n', OTHERS])).code).toBe(0);

    await kubectl(['delete', 'sparkapplication', 'running', '-n', JOBS]);
    await kubectl(['create', 'role', 'readers', '-n', JOBS, '--verb=get', '--resource=pods']);
    expect(changes((await sparkctl(['uninstall', '-n', NAMESPACE])).stdout).kept).toContain(`Namespace ${JOBS}: it contains Role readers; kubectl delete namespace ${JOBS} removes all of it`);
    await kubectl(['delete', 'role', 'readers', '-n', JOBS]);
    expect(await sparkctl(['uninstall', '-n', NAMESPACE])).toMatchObject({ code: 0, stderr: '' });
    expect(await installed()).toEqual([]);
    const { code: again, stderr: nothing } = await sparkctl(['uninstall', '-n', NAMESPACE]);
    expect(again).toBe(1);
    expect(nothing).toContain(`sparkctl has installed nothing for an operator in the namespace ${NAMESPACE}`);
  });
});

describe('on a separate cluster', () => {
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

  test('doctor reports that nothing is installed', async () => {
    const { code, stdout } = await sparkctl(['doctor'], { connection: fresh() });
    expect(code).toBe(1);
    for (const plural of ['sparkapplications', 'scheduledsparkapplications', 'sparkconnects']) expect(stdout).toContain(`there is no CRD ${plural}.sparkoperator.k8s.io`);
    expect(stdout).toContain('there is no operator of this package in the cluster: applications are not reconciled');
  });

  test('uninstall removes CRDs only with confirmation', async () => {
    const { code, stdout } = await sparkctl(['install', '--no-wait', '--create-job-namespaces', '--job-namespace', 'jobs'], { connection: fresh() });
    expect({ code, crds: stdout.match(/^created {4}CustomResourceDefinition /gm)?.length }).toEqual({ code: 0, crds: 3 });
    const unconfirmed = await sparkctl(['uninstall', '--crds'], { connection: fresh() });
    expect(unconfirmed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('there is no terminal to confirm it: add --yes') });
  });

  test('doctor finds a missing CRD, and install restores it', async () => {
    const kube = (args: readonly string[]) => tryKubectl(['--server', server.url, ...args]);
    await kube(['delete', 'crd', 'sparkconnects.sparkoperator.k8s.io']);
    const { stdout } = await sparkctl(['doctor', '-o', 'json'], { connection: fresh() });
    const crds: Finding[] = JSON.parse(stdout).findings.filter(({ check }: Finding) => check === 'CRDs');
    expect(crds.map(({ level }) => level)).toEqual(['error', 'ok', 'ok']);
    expect(crds[0]).toMatchObject({ message: 'there is no CRD sparkconnects.sparkoperator.k8s.io: the API server does not serve SparkConnects', remedy: expect.stringMatching(/^sparkctl install --job-namespace jobs {3}#/) });

    const again = await sparkctl(['install', '--no-wait', '--create-job-namespaces', '--job-namespace', 'jobs'], { connection: fresh() });
    expect(changes(again.stdout).created).toEqual(['CustomResourceDefinition sparkconnects.sparkoperator.k8s.io']);
  });
});
