/* What `sparkctl uninstall` decides. What it does to a cluster is in test/api/sparkctl-setup.test.ts. */
import { confirm } from '../../../src/sparkctl/setup/confirm';
import { isSomebodys } from '../../../src/sparkctl/setup/inhabited';
import { installationIn, installCommand, isOtherOperator } from '../../../src/sparkctl/setup/installation';
import { labelled } from '../../../src/sparkctl/setup/labels';
import { leftovers } from '../../../src/sparkctl/setup/leftovers';
import { isRunning, isServing, reachOf } from '../../../src/sparkctl/setup/running';
import { synthesized } from '../../constructs/operator-objects';
import { SparkOperatorProps } from '../../../src';

const signal = new AbortController().signal;

test.each([
  ['', false], ['SUBMITTED', true], ['RUNNING', true], ['SUCCEEDING', true], ['COMPLETED', false], ['FAILING', true], ['FAILED', false], ['SUBMISSION_FAILED', false],
  ['UNKNOWN', true], ['PENDING_RERUN', true], ['SUSPENDING', true], ['SUSPENDED', false], ['RESUMING', true], ['a state of later versions', true],
])('an application in state %j runs: %j', (state, runs) => {
  expect(isRunning({ status: { applicationState: { state } } } as any)).toBe(runs);
});

test('a server of Spark Connect runs unless it is stopped', () => {
  expect(['', 'Provisioning', 'Ready', 'NotReady', 'Failed', 'Suspended'].map((state) => isServing({ status: { state } } as any))).toEqual([false, true, true, true, false, false]);
});

test.each<[string, any, object[], readonly string[] | undefined]>([
  ['of the whole cluster', { isClusterWide: true, jobNamespaces: ['jobs'] }, [], undefined],
  ['of its namespaces', { isClusterWide: false, jobNamespaces: ['jobs'] }, [{ kind: 'Namespace', metadata: { name: 'ops' } }], ['jobs']],
  ['that is gone, of which a namespace is left', undefined, [{ kind: 'Namespace', metadata: { name: 'jobs' } }, { kind: 'Role', metadata: { name: 'driver', namespace: 'jobs' } }], ['jobs']],
  ['that is gone, of which rights in the whole cluster are left', undefined, [{ kind: 'ClusterRoleBinding', metadata: { name: 'operator' } }], undefined],
])('where applications keep an operator: one %s', (_title, installation, objects, namespaces) => {
  expect(reachOf(installation, objects as any)).toEqual(namespaces);
});

test('what keeps a namespace: all that neither the installation nor the cluster has put there', () => {
  const object = (kind: string, name: string, more: object = {}): any => ({ kind, metadata: { name }, ...more });
  expect(isSomebodys(object('ConfigMap', 'kube-root-ca.crt'), 'ops')).toBe(false);
  expect(isSomebodys(object('ConfigMap', 'mine'), 'ops')).toBe(true);
  expect(isSomebodys(object('Secret', 'token', { type: 'kubernetes.io/service-account-token' }), 'ops')).toBe(false);
  expect(isSomebodys(object('Secret', 'password', { type: 'Opaque' }), 'ops')).toBe(true);
  expect(isSomebodys(labelled(object('Secret', 'certs'), 'ops'), 'ops')).toBe(false);
  expect(isSomebodys(labelled(object('Secret', 'certs'), 'ops'), 'other')).toBe(true);
  expect(isSomebodys(object('Pod', 'p', { metadata: { name: 'p', deletionTimestamp: '2026-03-01T00:00:00Z' } }), 'ops')).toBe(false);
});

test('what an earlier installation had more, but no namespace', () => {
  const objects = [['Role', 'a'], ['Role', 'b'], ['Namespace', 'c']].map(([kind, name]) => ({ kind, metadata: { name: name!, namespace: kind === 'Role' ? 'jobs' : undefined } }));
  expect(leftovers(objects, [objects[0]!])).toEqual([objects[1]]);
});

test('only the right word confirms, and only on a terminal', async () => {
  const asked = (answer: string | undefined) => confirm('All goes', 'yes-all', async () => answer, signal);
  await expect(asked('yes-all\n')).resolves.toBeUndefined();
  await expect(asked('y')).rejects.toThrow('nothing was done, as it was not confirmed');
  await expect(asked(undefined)).rejects.toThrow('All goes; there is no terminal to confirm it at: add --yes');
});

describe('what a Deployment tells of its operator', () => {
  const installed = (props: SparkOperatorProps) => installationIn(synthesized(props).find(({ kind }) => kind === 'Deployment'))!;

  test.each<[SparkOperatorProps, object, string]>([
    [{}, { jobNamespaces: ['default'], isClusterWide: false, lease: 'spark-operator-controller-lock', shards: 0, sparkSubmit: false, webhook: undefined }, 'sparkctl install --job-namespace default'],
    [{ allNamespaces: true, namespace: 'ops' }, { namespace: 'ops', jobNamespaces: [], isClusterWide: true }, 'sparkctl install -n ops --all-namespaces'],
    [{ namespaceSelector: { a: 'b' }, jobNamespaces: ['jobs'] }, { jobNamespaces: ['jobs'], isClusterWide: true }, 'sparkctl install --job-namespace jobs'],
    [{ replicas: 2, shards: 6, sparkSubmit: true, webhook: {} }, {
      shards: 6, sparkSubmit: true, webhook: { configuration: 'spark-operator-spark-operator', service: 'spark-operator-webhook-svc', secret: 'spark-operator-webhook-certs' },
    }, 'sparkctl install --job-namespace default --replicas 2 --shards 6 --webhook --spark-submit'],
    [{ leaderElection: { leaseName: 'mine' } }, { lease: 'mine' }, 'sparkctl install --job-namespace default'],
    [{ flags: ['--leader-election=false'] }, { lease: undefined }, 'sparkctl install --job-namespace default'],
  ])('%j', (props, expected, line) => {
    const { lease, webhook, ...others } = installed(props);
    expect({ lease, webhook, ...others }).toMatchObject(expected);
    expect(installCommand(installed(props))).toBe(line);
  });

  test('its webhook, and operators of others, are none', () => {
    const deployment = (container: object): any => ({ metadata: { name: 'x', namespace: 'y' }, spec: { template: { spec: { containers: [container] } } } });
    const webhook = synthesized({ webhook: { deployment: {} } }).filter(({ kind }) => kind === 'Deployment')[1];
    const kubeflows = [{ name: 'spark-operator-controller', args: ['controller', 'start'] }, { name: 'sparkoperator', args: ['-v=2'] }, { name: 'manager', command: ['/usr/bin/spark-operator', 'controller', 'start'] }].map(deployment);
    expect([webhook, ...kubeflows].map(installationIn)).toEqual(Array(4).fill(undefined));
    expect([webhook, ...kubeflows].map(isOtherOperator)).toEqual([false, true, true, true]);
  });
});
