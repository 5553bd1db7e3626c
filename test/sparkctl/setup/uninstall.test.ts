/* Decisions of `sparkctl uninstall`. test/api/sparkctl-setup.test.ts has tests with a cluster. */
import { ApiError } from '../../../src/kube/errors';
import { confirm } from '../../../src/sparkctl/setup/confirm';
import { defineResource } from '../../../src/kube/resource';
import { reasonToKeep, isForeign } from '../../../src/sparkctl/setup/foreign-objects';
import { installationIn, installCommand, isOtherOperator } from '../../../src/sparkctl/setup/installation';
import { adopted, labelled } from '../../../src/sparkctl/setup/labels';
import { installedObjects, orphans } from '../../../src/sparkctl/setup/installed-objects';
import { namespacedKinds } from '../../../src/sparkctl/setup/namespaced-kinds';
import { isRunning, isServing, reachOf } from '../../../src/sparkctl/setup/running';
import { synthesized } from '../../constructs/operator-objects';
import { SparkOperatorProps } from '../../../src';

const signal = new AbortController().signal;

test.each([
  ['', false], ['SUBMITTED', true], ['RUNNING', true], ['SUCCEEDING', true], ['COMPLETED', false], ['FAILING', true], ['FAILED', false], ['SUBMISSION_FAILED', false],
  ['UNKNOWN', true], ['PENDING_RERUN', true], ['SUSPENDING', true], ['SUSPENDED', false], ['RESUMING', true], ['a state of later versions', true],
])('application in state %j: running %j', (state, runs) => {
  expect(isRunning({ status: { applicationState: { state, errorMessage: 'e' } } } as any)).toBe(runs);
});

test('a Spark Connect server runs unless it is stopped', () => {
  expect(['', 'Provisioning', 'Ready', 'NotReady', 'Failed', 'Suspended'].map((state) => isServing({ status: { state } } as any))).toEqual([false, true, true, true, false, false]);
});

test.each<[string, any, object[], readonly string[] | undefined]>([
  ['of the whole cluster', { isClusterWide: true, jobNamespaces: ['jobs'] }, [], undefined],
  ['of its namespaces', { isClusterWide: false, jobNamespaces: ['jobs'] }, [{ kind: 'Namespace', metadata: { name: 'ops' } }], ['jobs']],
  ['that is gone, of which a namespace is left', undefined, [{ kind: 'Namespace', metadata: { name: 'jobs' } }, { kind: 'Role', metadata: { name: 'driver', namespace: 'jobs' } }], ['jobs']],
  ['that is gone, of which rights in the whole cluster are left', undefined, [{ kind: 'ClusterRoleBinding', metadata: { name: 'operator' } }], undefined],
])('namespaces whose applications need an operator: one %s', (_title, installation, objects, namespaces) => {
  expect(reachOf(installation, objects as any)).toEqual(namespaces);
});

test('a namespace is kept for objects of neither the installation nor the cluster', () => {
  const object = (kind: string, name: string, more: object = {}): any => ({ kind, metadata: { name }, ...more });
  const isKept = (each: any, installation = 'ops') => isForeign(each, { installation, lock: 'lock', kinds: [defineResource({ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true })] });
  expect(isKept(object('ConfigMap', 'kube-root-ca.crt'))).toBe(false);
  expect(isKept(object('ConfigMap', 'mine'))).toBe(true);
  expect(isKept(object('Secret', 'token', { type: 'kubernetes.io/service-account-token' }))).toBe(false);
  expect(isKept(object('Secret', 'password', { type: 'Opaque' }))).toBe(true);
  expect(isKept(object('ServiceAccount', 'default'))).toBe(false);
  expect(isKept(object('ServiceAccount', 'ci'))).toBe(true);
  expect(isKept(object('Ingress', 'default'))).toBe(true);
  expect(['lock', 'lock-of-another', 'leader'].map((name) => isKept(object('Lease', name)))).toEqual([false, true, true]);
  expect(isKept(labelled(object('Secret', 'certs'), 'ops'))).toBe(false);
  expect(isKept(labelled(object('Secret', 'certs'), 'ops'), 'other')).toBe(true);
  expect(isKept(adopted(object('Secret', 'certs'), 'ops'))).toBe(true);
  expect(isKept(object('Pod', 'p', { metadata: { name: 'p', deletionTimestamp: '2026-03-01T00:00:00Z' } }))).toBe(false);
  const ownedBy = (...owners: readonly string[][]) => object('Secret', 's', { type: 'Opaque', metadata: { name: 's', ownerReferences: owners.map(([apiVersion, kind]) => ({ apiVersion, kind, name: 'o', uid: '1' })) } });
  expect(isKept(ownedBy(['apps/v1', 'Deployment']))).toBe(false);
  // Its owner is cluster-scoped or of an unknown kind: only this object keeps the namespace.
  expect([[['example.org/v1', 'ClusterShop']], [['v1', 'Deployment']], [['apps/v1', 'Deployment'], ['example.org/v1', 'ClusterShop']]].map((owners) => isKept(ownedBy(...owners)))).toEqual([true, true, true]);
});

describe('namespaces with other objects', () => {
  const resource = (name: string, kind: string, more: object = {}) => ({ name, kind, namespaced: true, verbs: ['list', 'delete'], ...more });
  const groups = [
    { name: 'example.org', versions: [{ version: 'v2' }, { version: 'v1' }] },
    { name: 'metrics.k8s.io', versions: [{ version: 'v1' }] },
    { name: 'sparkoperator.k8s.io', versions: [{ version: 'v1beta2' }] },
  ];
  const KINDS: Readonly<Record<string, object>> = {
    '/apis': { groups },
    '/api/v1': { resources: [resource('secrets', 'Secret'), resource('nodes', 'Node', { namespaced: false }), resource('pods/log', 'Pod'), resource('bindings', 'Binding', { verbs: ['create'] })] },
    '/apis/example.org/v2': { resources: [resource('shops', 'Shop')] },
    '/apis/example.org/v1': { resources: [resource('shops', 'Shop'), resource('stalls', 'Stall')] },
    '/apis/metrics.k8s.io/v1': { resources: [resource('pods', 'PodMetrics', { verbs: ['get', 'list'] })] },
    '/apis/sparkoperator.k8s.io/v1beta2': { resources: [resource('sparkapplications', 'SparkApplication')] },
  };
  /** Fake API server with kinds, objects, and errors by path or plural. */
  const server = (objects: Readonly<Record<string, readonly object[]>> = {}, errors: Readonly<Record<string, number>> = {}): any => {
    const refuse = (what: string) => {
      if (errors[what]) throw new ApiError({ verb: 'list', resource: what }, errors[what]);
    };
    return {
      request: async ({ path }: { readonly path: string }) => {
        refuse(path);
        return KINDS[path];
      },
      async *list({ plural }: { readonly plural: string }) {
        refuse(plural);
        yield* objects[plural] ?? [];
      },
    };
  };
  const inhabitant = async (client: any) => reasonToKeep(client, 'jobs', { installation: 'ops', lock: 'lock', ...await namespacedKinds(client, signal) }, signal);

  test('discovers namespaced kinds, each once', async () => {
    const { kinds, unknown } = await namespacedKinds(server(), signal);
    expect(kinds.map(({ plural, group, version }) => [plural, group, version].join(' '))).toEqual([
      'sparkapplications sparkoperator.k8s.io v1beta2', 'secrets  v1', 'shops example.org v2', 'stalls example.org v1',
    ]);
    expect(unknown).toEqual([]);
  });

  test('objects of other CRDs keep a namespace', async () => {
    expect(await inhabitant(server())).toBeUndefined();
    expect(await inhabitant(server({ stalls: [{ metadata: { name: 'fish' } }] }))).toBe('it contains Stall fish');
  });

  test.each<[string, Readonly<Record<string, number>>, string]>([
    ['its kinds cannot be read', { '/apis/example.org/v2': 503 }, 'the objects of example.org/v2 in it cannot be listed'],
    ['its objects cannot be listed', { stalls: 403 }, 'you cannot list its stalls'],
  ])('a namespace stays if %s', async (_, errors, why) => {
    expect(await inhabitant(server({}, errors))).toBe(why);
  });

  test('skips a kind that has been deleted or cannot be listed', async () => {
    expect(await inhabitant(server({}, { '/apis/example.org/v2': 404, 'stalls': 404, 'secrets': 405 }))).toBeUndefined();
  });
});

test('separates objects that existed before from those to remove', async () => {
  const account = (name: string): any => ({ metadata: { name, namespace: 'jobs' } });
  const client: any = {
    listPage: async ({ kind }: { readonly kind: string }, { labelSelector }: { readonly labelSelector: string }) => {
      expect(labelSelector).toBe('sparkoperator.k8s.io/installation=ops');
      return { items: kind === 'ServiceAccount' ? [labelled(account('made'), 'ops'), adopted(account('found'), 'ops')] : [], metadata: {} };
    },
  };
  const { own, adopted: others } = await installedObjects(client, 'ops', signal);
  expect([own, others].map((objects) => objects.map(({ metadata: { name } }) => name))).toEqual([['made'], ['found']]);
});

test('orphans are extra objects of an earlier installation, other than namespaces', () => {
  const objects = [['Role', 'a'], ['Role', 'b'], ['Namespace', 'c']].map(([kind, name]) => ({ kind, metadata: { name: name!, namespace: kind === 'Role' ? 'jobs' : undefined } }));
  expect(orphans(objects, [objects[0]!])).toEqual([objects[1]]);
});

test('only the right word on a terminal confirms', async () => {
  const asked = (answer: string | undefined) => confirm('All goes', 'yes-all', async () => answer, signal);
  await expect(asked('yes-all\n')).resolves.toBeUndefined();
  await expect(asked('y')).rejects.toThrow('nothing was changed, as it was not confirmed');
  await expect(asked(undefined)).rejects.toThrow('All goes; there is no terminal to confirm it: add --yes');
});

describe('operator of a Deployment', () => {
  const installed = (props: SparkOperatorProps) => installationIn(synthesized(props).find(({ kind }) => kind === 'Deployment'))!;

  test.each<[SparkOperatorProps, object, string]>([
    [{}, { jobNamespaces: ['default'], isClusterWide: false, lease: 'spark-operator-controller-lock', webhook: undefined }, 'sparkctl install --job-namespace default'],
    [{ allNamespaces: true, namespace: 'ops' }, { namespace: 'ops', jobNamespaces: [], isClusterWide: true }, 'sparkctl install -n ops --all-namespaces'],
    [{ namespaceSelector: { a: 'b' }, jobNamespaces: ['jobs'] }, { jobNamespaces: ['jobs'], isClusterWide: true }, 'sparkctl install --job-namespace jobs'],
    [{ replicas: 2, webhook: {} }, {
      webhook: { configuration: 'spark-operator-spark-operator', service: 'spark-operator-webhook-svc', secret: 'spark-operator-webhook-certs' },
    }, 'sparkctl install --job-namespace default --replicas 2 --webhook'],
    [{ leaderElection: { leaseName: 'mine' } }, { lease: 'mine' }, 'sparkctl install --job-namespace default'],
    [{ flags: ['--leader-election=false'] }, { lease: undefined }, 'sparkctl install --job-namespace default'],
  ])('%j', (props, expected, line) => {
    const { lease, webhook, ...others } = installed(props);
    expect({ lease, webhook, ...others }).toMatchObject(expected);
    expect(installCommand(installed(props))).toBe(line);
  });

  test('ignores Deployments of the webhook, the console and other operators', () => {
    const deployment = (container: object): any => ({ metadata: { name: 'x', namespace: 'y' }, spec: { template: { spec: { containers: [container] } } } });
    const beside = synthesized({ webhook: { deployment: {} }, console: {} }).filter(({ kind }) => kind === 'Deployment').slice(1);
    const kubeflows = [{ name: 'spark-operator-controller', args: ['controller', 'start'] }, { name: 'sparkoperator', args: ['-v=2'] }, { name: 'manager', command: ['/usr/bin/spark-operator', 'controller', 'start'] }].map(deployment);
    expect([...beside, ...kubeflows].map(installationIn)).toEqual(Array(5).fill(undefined));
    expect([...beside, ...kubeflows].map(isOtherOperator)).toEqual([false, false, true, true, true]);
  });
});
