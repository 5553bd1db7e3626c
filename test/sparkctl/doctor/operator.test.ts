/* Checks of the operator, of other operators, and of permissions. */
import { synthesized } from '../../constructs/operator-objects';
import { OperatorNaming, type SparkOperatorProps } from '../../../src';
import { leaderFindings, leaseFinding } from '../../../src/sparkctl/doctor/lease';
import type { Reading } from '../../../src/sparkctl/doctor/reading';
import { operatorFindings, unhandledFindings } from '../../../src/sparkctl/doctor/operator';
import { otherOperatorFindings, otherWriterFindings, overlapFindings } from '../../../src/sparkctl/doctor/others';
import { attributesOf, permissionsFinding, permissionsOf } from '../../../src/sparkctl/doctor/permissions';
import { installationIn, installCommand } from '../../../src/sparkctl/setup/installation';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const found = <T>(value: T): Reading<T> => ({ kind: 'found', value });
const FORBIDDEN: Reading<never> = { kind: 'forbidden', call: { verb: 'get', resource: 'leases', namespace: 'spark-operator' } };

const READY = { observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };

function installation(props: SparkOperatorProps = {}, status: object = READY, labels: object = { 'app.kubernetes.io/version': '1.2.3' }) {
  const { metadata, ...deployment } = synthesized({ image: 'example.org/operator:1', ...props }).find(({ kind }) => kind === 'Deployment');
  return installationIn({ ...deployment, metadata: { ...metadata, generation: 1, labels }, status })!;
}

describe('the Deployment', () => {
  test.each<[SparkOperatorProps, object, string, string]>([
    [{}, READY, 'ok', 'Deployment spark-operator/spark-operator: 1 of 1 replica is ready'],
    [{}, {}, 'error', '0 of 1 replica is ready, so that applications are not reconciled'],
    [{}, { conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] }, 'error', 'applications are not reconciled: exceeded quota'],
    [{ replicas: 0 }, {}, 'error', 'is scaled to no replicas'],
    [{ replicas: 2 }, READY, 'warning', '1 of 2 replicas are ready'],
    [{}, { ...READY, observedGeneration: 0 }, 'warning', 'not all have its newest version'],
  ])('%j %j', (props, status, level, message) => {
    expect(operatorFindings(installation(props, status), '1.2.3')[0]).toMatchObject({ level, message: expect.stringContaining(message) });
  });

  test('its version', () => {
    expect(operatorFindings(installation(), '1.2.3')[1]).toMatchObject({ level: 'ok', message: 'it has version 1.2.3, like this sparkctl: example.org/operator:1' });
    expect(operatorFindings(installation(), '1.3.0')[1]).toMatchObject({ level: 'warning', message: expect.stringContaining('it has version 1.2.3, and this sparkctl has 1.3.0'), remedy: 'sparkctl install --job-namespace default   # with the other options of its installation, such as --image, --console and --values; or use sparkctl 1.2.3' });
    expect(operatorFindings(installation({}, READY, {}), '1.3.0')[1]).toMatchObject({ level: 'warning', message: expect.stringContaining('the version of the operator is unknown') });
  });
});

test('a namespace that no operator handles is reported, unless labels decide', () => {
  const one = installation({ jobNamespaces: ['a'] });
  expect(unhandledFindings([one], ['a', 'b'])).toEqual([{
    check: 'Operator', level: 'error', message: 'no operator handles the namespace b: its applications are not reconciled', remedy: 'repeat the installation as you made it, with b added to --job-namespace, or to jobNamespaces of the values or the cdk8s program',
  }]);
  expect(unhandledFindings([one, installation({ namespaceSelector: { team: 'b' } })], ['b'])).toEqual([]);
  expect(unhandledFindings([installation({ allNamespaces: true })], ['b'])).toEqual([]);
});

test.each<[SparkOperatorProps, string, string]>([
  [{ naming: OperatorNaming.KUBEFLOW }, 'sparkctl install --naming kubeflow --job-namespace default', 'spark-operator-spark'],
  [{ naming: OperatorNaming.KUBEFLOW, name: 'blue', namespace: 'ops' }, 'sparkctl install -n ops --name blue --naming kubeflow --job-namespace default', 'blue-spark'],
  [{ name: 'blue', driverServiceAccount: { name: 'jobs' } }, 'sparkctl install --name blue --job-namespace default', 'jobs'],
])('the names of an installation are known: %j', (props, command, driverAccount) => {
  const there = installationIn(synthesized(props).find(({ kind }) => kind === 'Deployment'))!;
  expect([installCommand(there), there.driverAccount]).toEqual([command, driverAccount]);
});

test.each<[SparkOperatorProps, object]>([
  [{}, { configuration: 'spark-operator-spark-operator', service: 'spark-operator-webhook-svc', secret: 'spark-operator-webhook-certs' }],
  [{ naming: OperatorNaming.KUBEFLOW }, { configuration: 'spark-operator-webhook', service: 'spark-operator-webhook-svc', secret: 'spark-operator-webhook-certs' }],
  [{ name: 'blue' }, { configuration: 'blue-spark-operator', service: 'blue-webhook-svc', secret: 'blue-webhook-certs' }],
])('the objects of its webhook are known, with and without pods of its own: %j', (props, expected) => {
  for (const webhook of [{}, { deployment: {} }]) {
    const deployments = synthesized({ ...props, webhook }).filter(({ kind }) => kind === 'Deployment');
    expect(deployments.flatMap((deployment) => installationIn(deployment)?.webhook ?? [])).toEqual([expected]);
    expect(deployments.map(({ metadata }) => metadata.labels['app.kubernetes.io/name'])).toContain('spark-operator');
  }
});

describe('the Lease', () => {
  const lease = (holderIdentity: string, seconds: number): any => ({ metadata: { name: 'l' }, spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: new Date(NOW - seconds * 1000).toISOString().replace('Z', '000Z') } });
  test.each<[Reading<any>, string, string]>([
    [found(lease('pod-1', 2)), 'ok', 'pod-1 holds the Lease spark-operator/spark-operator-controller-lock, renewed 2s ago'],
    [found(lease('pod-1', 31)), 'error', 'renewed 31s ago: it does not reconcile any more'],
    [found({ metadata: { name: 'l' }, spec: { holderIdentity: 'pod-1', renewTime: 'some time' } }), 'error', 'does not reconcile any more'],
    [found(lease('', 2)), 'error', 'no replica holds the Lease'],
    [{ kind: 'missing' }, 'error', 'there is no Lease spark-operator/spark-operator-controller-lock: no replica has started to reconcile'],
    [FORBIDDEN, 'not allowed', 'you cannot read the Lease'],
  ])('%j', (looked, level, message) => {
    expect(leaseFinding(installation(), looked, NOW)).toMatchObject({ check: 'Leader', level, message: expect.stringContaining(message) });
  });

  test('without a ready replica, only the Deployment is reported', () => {
    expect(leaderFindings(installation({}, {}), found(lease('pod-1', 31)), NOW)).toEqual([]);
    expect(leaderFindings(installation(), found(lease('pod-1', 31)), NOW)).toHaveLength(1);
    expect(leaderFindings(installation({}, {}), found(lease('pod-1', 2)), NOW)).toMatchObject([{ level: 'ok' }]);
  });
});

describe('another operator', () => {
  const kubeflows = (replicas: number, readyReplicas: number, args: readonly string[] = [], name = 'spark-operator-controller'): any => ({
    metadata: { name: 'spark-operator-controller', namespace: 'spark' }, spec: { replicas, template: { spec: { containers: [{ name, args }] } } }, status: { readyReplicas },
  });
  const own = [installation({ jobNamespaces: ['jobs'] })];
  test.each<[Reading<any[]>, typeof own, string, string]>([
    [found([]), own, 'ok', "no other operator of these kinds, such as kubeflow's, is installed"],
    [found([own[0]!.deployment]), own, 'ok', 'no other operator'],
    [found([kubeflows(1, 1)]), own, 'error', 'runs at the same time: both act on the applications of jobs'],
    [found([kubeflows(1, 0)]), own, 'warning', 'none of its replicas is ready'],
    [found([kubeflows(0, 0)]), own, 'ok', 'scaled to no replicas'],
    [found([kubeflows(1, 1)]), [], 'warning', 'is running, and this one is not installed'],
    [FORBIDDEN, own, 'not allowed', 'you cannot read the Deployments of all namespaces'],
  ])('%#', (looked, installations, level, message) => {
    expect(otherOperatorFindings(looked, installations)).toEqual([expect.objectContaining({ level, message: expect.stringContaining(message) })]);
  });

  test.each<[SparkOperatorProps, readonly string[], string, string]>([
    [{ jobNamespaces: ['jobs'] }, ['--namespaces=other,more'], 'ok', 'runs at the same time, in other namespaces'],
    [{ jobNamespaces: ['a', 'jobs'] }, ['--namespaces', 'other,jobs'], 'error', 'both act on the applications of jobs'],
    // As kubeflow's chart writes it.
    [{ jobNamespaces: ['jobs'] }, ['--namespaces=""'], 'error', 'both act on the applications of jobs'],
    [{ allNamespaces: true }, ['--namespaces=other'], 'error', 'both act on the applications of other'],
    [{ jobNamespaces: ['jobs'] }, ['--namespace-selector=spark=theirs'], 'warning', 'labels of namespaces decide which ones they watch'],
    [{ namespaceSelector: { spark: 'ours' } }, ['--namespaces=other'], 'warning', 'labels of namespaces decide which ones they watch'],
  ])('%j beside %j: %s', (props, args, level, message) => {
    expect(otherOperatorFindings(found([kubeflows(1, 1, ['controller', 'start', ...args])]), [installation(props)])).toEqual([expect.objectContaining({ level, message: expect.stringContaining(message) })]);
  });

  test('the namespaces of its predecessor are unknown', () => {
    expect(otherOperatorFindings(found([kubeflows(1, 1, ['-namespace=other'], 'sparkoperator')]), own)).toEqual([
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('its command line does not show') }),
    ]);
  });

  test('with two operators of this package, each overlap is reported', () => {
    const both = [installation({ jobNamespaces: ['a'] }), installation({ jobNamespaces: ['b'] })];
    expect(otherOperatorFindings(found([kubeflows(1, 1, ['--namespaces=b'])]), both)[0]).toMatchObject({ level: 'error', message: expect.stringContaining('both act on the applications of b') });
  });
});

describe('several operators of this package', () => {
  test.each<[string, SparkOperatorProps, SparkOperatorProps, string, string]>([
    ['other names', { jobNamespaces: ['a'] }, { jobNamespaces: ['b'] }, 'ok', 'the 2 operators of this package act on different namespaces'],
    ['one name', { jobNamespaces: ['a', 'b'] }, { jobNamespaces: ['b'] }, 'error', 'the operators one/spark-operator and two/spark-operator both act on the applications of b'],
    ['all namespaces', { jobNamespaces: ['a'] }, { allNamespaces: true }, 'error', 'both act on the applications of a'],
    ['one label, other values', { namespaceSelector: { team: 'a' } }, { namespaceSelector: { team: 'b', tier: 'c' } }, 'ok', 'different namespaces'],
    ['the same labels', { namespaceSelector: { team: 'a' } }, { namespaceSelector: { team: 'a' } }, 'error', 'both act on the applications of the namespaces with team=a'],
    ['other labels', { namespaceSelector: { team: 'a' } }, { namespaceSelector: { tier: 'b' } }, 'warning', 'labels of namespaces decide whether there is one'],
    ['more labels', { namespaceSelector: { team: 'a' } }, { namespaceSelector: { team: 'a', tier: 'b' } }, 'warning', 'labels of namespaces decide'],
    ['a name and a label', { jobNamespaces: ['a'] }, { namespaceSelector: { team: 'b' } }, 'warning', 'labels of namespaces decide'],
  ])('%s', (_, one, other, level, message) => {
    const findings = overlapFindings([installation({ namespace: 'one', ...one }), installation({ namespace: 'two', ...other })]);
    expect(findings).toEqual([expect.objectContaining({ check: 'Other operators', level, message: expect.stringContaining(message) })]);
  });

  test('selectors of another form are compared by what they require', () => {
    const selects = (selector: string) => {
      const { deployment } = installation({ namespaceSelector: { team: 'a' } });
      const text = JSON.stringify(deployment).replace('--namespace-selector=team=a', `--namespace-selector=${selector}`);
      return installationIn(JSON.parse(text))!;
    };
    const levels = [['team in (a,b)', 'team=c'], ['team!=a', 'team=a'], ['team==a', 'team=b'], ['team', 'team=a'], ['team in (a,b)', 'team!=a']] as const;
    expect(levels.map(([one, other]) => overlapFindings([selects(one), selects(other)])[0]!.level)).toEqual(['ok', 'ok', 'ok', 'warning', 'warning']);
  });

  test('one alone has nothing to be compared with', () => {
    expect(overlapFindings([installation()])).toEqual([]);
  });
});

describe('field manager of the status', () => {
  const written = (manager: string, minutes: number): any => ({
    metadata: { name: 'pi', namespace: 'jobs', managedFields: [{ manager, subresource: 'status', time: new Date(NOW - minutes * 60_000).toISOString() }] },
  });
  test.each([
    ['spark-operator', 2, true], ['spark-operator', 11, false], ['cdk8s-spark-operator', 2, false], ['kubectl-edit', 2, false],
  ])('%s, %d minutes ago: another operator %j', (manager, minutes, isOther) => {
    const findings = otherWriterFindings([written(manager, minutes), written('cdk8s-spark-operator', 1)], NOW);
    expect(findings.map(({ message }) => message)).toEqual(isOther ? ["kubeflow's operator has written the status of SparkApplication jobs/pi 2m ago, and of 0 more applications in the last 10 minutes"] : []);
  });
});

describe('permissions', () => {
  test('are checked verb by verb, with the names of Kubernetes', () => {
    const permissions = permissionsOf([{ group: 'sparkoperator.k8s.io', resource: 'sparkapplications/status', verbs: ['get', 'update'] }, { group: '', resource: 'configmaps', verbs: ['watch'], name: 'defaults' }], 'jobs');
    expect(permissions.map(attributesOf)).toEqual([
      { group: 'sparkoperator.k8s.io', resource: 'sparkapplications', subresource: 'status', verb: 'get', namespace: 'jobs' },
      { group: 'sparkoperator.k8s.io', resource: 'sparkapplications', subresource: 'status', verb: 'update', namespace: 'jobs' },
      { group: '', resource: 'configmaps', verb: 'watch', name: 'defaults', namespace: 'jobs' },
    ]);
  });

  test('missing ones are named', () => {
    const what = { check: 'Rights', who: 'ServiceAccount ops/o', where: 'in jobs', what: 'do everything that the operator does', severity: 'error', remedy: 'sparkctl install' } as const;
    const permissions = permissionsOf([{ group: '', resource: 'pods', verbs: ['get', 'create'] }, { group: 'policy', resource: 'poddisruptionbudgets', verbs: ['list'] }]);
    expect(permissionsFinding(what, permissions.map((permission) => ({ permission, isAllowed: true })))).toEqual({ check: 'Rights', level: 'ok', message: 'ServiceAccount ops/o can do everything that the operator does in jobs' });
    expect(permissionsFinding(what, permissions.map((permission) => ({ permission, isAllowed: permission.verb === 'get' })))).toEqual({
      check: 'Rights', level: 'error', message: 'ServiceAccount ops/o cannot create pods; list poddisruptionbudgets.policy in jobs', remedy: 'sparkctl install',
    });
  });
});
