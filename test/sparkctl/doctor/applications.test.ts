/*
 * Problems that prevent applications from running: accounts, quotas and images; and stuck
 * applications.
 */
import { applicationFindings, isStuck } from '../../../src/sparkctl/doctor/applications';
import { driverAccounts, driverFinding } from '../../../src/sparkctl/doctor/drivers';
import { imageFindings } from '../../../src/sparkctl/doctor/images';
import type { Reading } from '../../../src/sparkctl/doctor/reading';
import { quotaFindings } from '../../../src/sparkctl/doctor/quotas';
import { dataOf, omittedText, textOf } from '../../../src/sparkctl/doctor/report';
import type { Finding } from '../../../src/sparkctl/doctor/finding';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const found = <T>(value: T): Reading<T> => ({ kind: 'found', value });
const FORBIDDEN: Reading<never> = { kind: 'forbidden', call: { verb: 'list', resource: 'events', namespace: 'jobs' } };

function application(name: string, state: string, minutes: number, more: any = {}): any {
  return {
    metadata: { name, namespace: 'jobs', creationTimestamp: ago(minutes) }, spec: { driver: {}, executor: {}, ...more.spec },
    ...(state !== '' && { status: { applicationState: { state, errorMessage: more.message }, lastSubmissionAttemptTime: ago(minutes), driverInfo: {} } }),
  };
}

describe('applications', () => {
  test.each([
    ['RUNNING', 10_000, false], ['COMPLETED', 10_000, false], ['FAILED', 10_000, false], ['SUSPENDED', 10_000, false], ['SUBMITTED', 5, false], ['SUBMITTED', 11, true],
    ['', 0.1, false], ['', 0.9, false], ['', 1.1, true], ['UNKNOWN', 2, true], ['PENDING_RERUN', 60, true],
  ])('state %j for %d minutes: stuck %j', (state, minutes, stuck) => {
    expect(isStuck({ application: application('pi', state, minutes), now: NOW })).toBe(stuck);
  });

  test.each([
    ['an image that cannot be pulled, at once', application('pi', 'SUBMITTED', 1, { message: 'driver does not start: ImagePullBackOff: x' }), true],
    ['a failed attempt that is retried', application('pi', 'FAILING', 11, { spec: { restartPolicy: { type: 'Always', onFailureRetryInterval: 3_600 } } }), false],
    ['a failed submission, at once', application('pi', 'SUBMISSION_FAILED', 0, { message: 'it was refused' }), true],
    ['a recent failure, which is final', application('pi', 'FAILED', 1, { message: 'exit code 1' }), false],
    ['a suspended new application', application('pi', '', 60, { spec: { suspend: true } }), false],
  ])('%s', (_, given, stuck) => {
    expect(isStuck({ application: given, now: NOW })).toBe(stuck);
  });

  test('reports stuck ones with reason, the time until the operator gives up, and the remedy; the rest is counted', () => {
    const stuck = ['a0', 'a1'].map((name) => {
      const given = application(name, 'SUBMITTED', 20, { message: 'driver does not start: ImagePullBackOff: x.\nsecond line' });
      return { application: { ...given, status: { ...given.status, startDeadlineTime: new Date(NOW + 180_000).toISOString() } }, now: NOW };
    });
    const findings = applicationFindings(found(stuck.map(({ application: each }) => each)), 'in jobs', stuck, 12);
    expect(findings[0]).toEqual({
      check: 'Applications', level: 'error', object: { kind: 'SparkApplication', namespace: 'jobs', name: 'a0' },
      message: 'SparkApplication jobs/a0 SUBMITTED: The driver has waited for 20m: ImagePullBackOff: x; '
        + 'the operator gives up in 3m (--driver-start-timeout)',
      remedy: expect.stringContaining('spec.image'),
    });
    expect(findings.at(-1)!.message).toBe('and 10 more applications in jobs are stuck');
    expect(applicationFindings(found([application('a', 'RUNNING', 1)]), 'in jobs', [])).toEqual([{ check: 'Applications', level: 'ok', message: 'none of the 1 applications in jobs is stuck' }]);
  });
});

test.each([
  ['SUBMITTED', 'driver does not start: FailedMount: secret "s" not found', '2026-03-01T10:00:00Z', 'error'],
  ['', 'driver cannot be created yet: no account', '2026-03-01T10:00:00Z', 'error'],
  ['', 'driver cannot be created yet: exceeded quota: q, requested: pods=1', undefined, 'warning'],
  ['SUBMITTED', 'driver does not start: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.', undefined, 'warning'],
])('what makes an application fail without action is an error: %s %s until %s', (state, errorMessage, startDeadlineTime, level) => {
  const given = application('pi', state, 3, { message: errorMessage });
  const waiting = { ...given, status: { ...given.status, applicationState: { state, errorMessage }, startDeadlineTime } };
  expect(applicationFindings(found([waiting]), 'in jobs', [{ application: waiting, now: NOW }])).toMatchObject([{ level }]);
});

test('a driver that cannot be created is reported once, with its time', () => {
  const given = application('pi', 'SUBMITTED', 3);
  const waiting = { ...given, status: { startDeadlineTime: new Date(NOW + 120_000).toISOString(), applicationState: { state: '', errorMessage: 'driver cannot be created yet: no account.' } } };
  expect(applicationFindings(found([waiting]), 'in jobs', [{ application: waiting, now: NOW }])[0]!.message)
    .toBe('SparkApplication jobs/pi NEW for 3m: The driver cannot be created yet: no account; the operator gives up in 2m (--driver-start-timeout)');
});

describe('quotas', () => {
  const quota = (hard: object, used: object): any => ({ metadata: { name: 'q', namespace: 'jobs' }, status: { hard, used } });
  test.each<[any[], string, string]>([
    [[], 'ok', 'jobs has none'],
    [[quota({ 'requests.memory': '10Gi' }, { 'requests.memory': '9Gi' })], 'ok', 'that of jobs is not used up'],
    [[quota({ 'requests.memory': '10Gi', 'pods': '5' }, { 'requests.memory': '10240Mi', 'pods': '4' })], 'warning', 'ResourceQuota jobs/q is used up: requests.memory 10240Mi of 10Gi; applications wait there until something ends'],
    [[quota({ 'pods': '5', 'requests.nvidia.com/gpu': '0' }, { 'pods': '5', 'requests.nvidia.com/gpu': '0' })], 'warning', 'until something ends'],
    [[quota({ pods: '0' }, { pods: '0' })], 'warning', 'ResourceQuota jobs/q is used up: pods 0 of 0; applications wait there until it is raised'],
    [[quota({ secrets: '1' }, { secrets: '1' })], 'ok', 'is not used up'],
    [[{ metadata: { name: 'new', namespace: 'jobs' } }], 'ok', 'is not used up'],
  ])('%j', (quotas, level, message) => {
    expect(quotaFindings('jobs', found(quotas))).toEqual([expect.objectContaining({ level, message: expect.stringContaining(message) })]);
  });
});

test('a quota with too little room for an application that waits is no quota with room', () => {
  const small: any = { metadata: { name: 'small', namespace: 'jobs' }, status: { hard: { 'requests.cpu': '50m' }, used: { 'requests.cpu': '0' } } };
  const message = 'driver cannot be created yet: pods "pi-driver" is forbidden: exceeded quota: small, requested: requests.cpu=100m, used: requests.cpu=0, limited: requests.cpu=50m';
  const waiting = { ...application('pi', 'x', 3), status: { applicationState: { state: '', errorMessage: message } } };
  const warning = {
    check: 'Quotas', level: 'warning', remedy: 'kubectl describe resourcequota -n jobs small',
    object: { kind: 'ResourceQuota', namespace: 'jobs', name: 'small' }, applications: ['jobs/pi'],
    message: 'ResourceQuota jobs/small has too little room for SparkApplication jobs/pi: requested: requests.cpu=100m, used: requests.cpu=0, limited: requests.cpu=50m',
  };
  expect(quotaFindings('jobs', found([small]), [waiting])).toEqual([warning]);
  expect(quotaFindings('jobs', found([small]), [waiting, waiting])).toEqual([{ ...warning, applications: ['jobs/pi', 'jobs/pi'], message: expect.stringContaining('for SparkApplication jobs/pi and 1 more: requested') }]);
  const full = { ...small, status: { hard: { pods: '1' }, used: { pods: '1' } } };
  expect(quotaFindings('jobs', found([full]), [waiting, application('etl', 'RUNNING', 3)])).toMatchObject([{ message: expect.stringContaining('is used up'), object: warning.object, applications: ['jobs/pi'] }]);
  expect(quotaFindings('jobs', found([full]))[0]).not.toHaveProperty('applications');
  expect(quotaFindings('jobs', found([small]), [application('pi', 'FAILED', 3, { message })])).toMatchObject([{ level: 'ok' }]);
});

describe('images', () => {
  const pod = (name: string, minutes: number, image = 'example.org/a:1', reason = 'ImagePullBackOff'): any => ({
    metadata: { name, namespace: 'jobs', uid: name, creationTimestamp: ago(minutes) },
    status: { startTime: ago(minutes), containerStatuses: [{ image, state: { waiting: { reason, message: `Back-off pulling image "${image}"` } } }] },
  });
  const event = (name: string, message: string): any => ({ metadata: { name: 'e', namespace: 'jobs' }, reason: 'Failed', message, lastTimestamp: ago(1), involvedObject: { kind: 'Pod', name, uid: name } });

  test('reports the images for which pods wait, with the answer of the registry, once for all pods', () => {
    const pods = [pod('p-1', 9), pod('p-2', 2), pod('p-3', 1, 'x', 'ContainerCreating')];
    const events = [event('p-1', 'Failed to pull image "example.org/a:1": not found'), event('p-1', 'Error: ErrImagePull')];
    expect(imageFindings('jobs', found(pods), found(events), NOW)).toEqual([{
      check: 'Images', level: 'error', object: { kind: 'Pod', namespace: 'jobs', name: 'p-2' }, remedy: 'kubectl describe pod -n jobs p-2',
      message: 'pod jobs/p-1 and 1 more have waited for an image for up to 9m: ImagePullBackOff: the registry does not have the image example.org/a:1',
    }]);
  });

  const labelled = (name: string, role: string, label = 'app-name') => {
    const { metadata, ...others } = pod(`${name}-${role}`, 1);
    return { metadata: { ...metadata, labels: { 'spark-role': role, [`sparkoperator.k8s.io/${label}`]: name } }, ...others };
  };

  test('a pod of an application has the words and the remedy of `sparkctl status`', () => {
    const detail = 'Failed to pull image "example.org/a:1": failed to pull and unpack image "example.org/a:1": failed to do request: '
      + 'Head "https://example.org/v2/a/manifests/1": dial tcp: lookup example.org on 10.0.0.53:53: i/o timeout';
    const given = (one: any) => imageFindings('jobs', found([one]), found([event(one.metadata.name, detail)]), NOW)[0]!;
    const why = 'ImagePullBackOff: the registry example.org of the image example.org/a:1 cannot be resolved';
    const remedy = expect.stringMatching(/^check spec\.image, /);
    expect(given(labelled('pi', 'driver'))).toMatchObject({ message: `SparkApplication jobs/pi has waited for an image for 1m: ${why}`, remedy });
    expect(given(labelled('shared', 'connect-server', 'connect-name')))
      .toMatchObject({ message: `SparkConnect jobs/shared has waited for an image for 1m: ${why}`, remedy: expect.stringContaining('imagePullSecrets in spec.server.template') });
    expect(given(pod('p-1', 1))).toMatchObject({ message: `pod jobs/p-1 has waited for an image for 1m: ${why}`, remedy: 'kubectl describe pod -n jobs p-1' });
  });

  test('names the applications whose drivers wait', () => {
    const [finding] = imageFindings('jobs', found([labelled('a', 'driver'), labelled('b', 'executor'), pod('c', 1)]), found([]), NOW);
    expect(finding).toMatchObject({ applications: ['jobs/a'], message: expect.stringMatching(/^SparkApplication jobs\/a and 2 more have waited /) });
  });

  test('of servers are apart from those of applications, on which the operator gives up', () => {
    const pods = [labelled('a', 'connect-server', 'connect-name'), labelled('b', 'driver')];
    const images = imageFindings('jobs', found(pods), found([]), NOW);
    expect(images.map(({ connects, applications }: any) => [connects, applications])).toEqual([[['jobs/a'], undefined], [undefined, ['jobs/b']]]);
  });

  test('names the SparkConnects whose servers wait', () => {
    const pods = [labelled('a', 'connect-server', 'connect-name'), labelled('b', 'executor', 'connect-name')];
    const [finding] = imageFindings('jobs', found(pods), found([]), NOW);
    expect(finding).toHaveProperty('connects', ['jobs/a']);
    expect(finding).not.toHaveProperty('applications');
  });

  test('events of a deleted pod are no problem, even if another pod has its name', () => {
    const events = found([event('p-0', 'Failed to pull image "example.org/a:1": not found')]);
    expect(imageFindings('jobs', found([]), events, NOW)).toEqual([{ check: 'Images', level: 'ok', message: 'no pod in jobs waits for an image' }]);
    const next = { ...pod('p-0', 1), metadata: { ...pod('p-0', 1).metadata, uid: 'another' } };
    expect(imageFindings('jobs', found([next]), events, NOW)[0]!.message).toMatch(/ImagePullBackOff: Back-off pulling image "example.org\/a:1"$/);
  });

  test('without the permission to list events the reason is that of the pod; without pods it is unknown', () => {
    expect(imageFindings('jobs', found([pod('p-1', 9)]), FORBIDDEN, NOW)[0]).toMatchObject({ level: 'error', message: expect.stringContaining('for 9m: ImagePullBackOff: ') });
    expect(imageFindings('jobs', FORBIDDEN, FORBIDDEN, NOW)[0]).toMatchObject({ level: 'not allowed' });
  });
});

describe('service accounts of drivers', () => {
  const role = { kind: 'role', name: 'spark-driver' } as const;
  const own = { namespace: 'jobs', name: 'spark', isOwn: true, role };
  const noOwn = new Map<string, string>();
  const needed = [{ group: '', resource: 'pods', verb: 'create', namespace: 'jobs' }];
  const rights = (isAllowed: boolean) => found(needed.map((permission) => ({ permission, isAllowed })));
  type Given = Parameters<typeof driverFinding>;
  const findingOf = (given: Given[0], reading: Given[1], permissions: Given[3], install: string) => driverFinding(given, reading, needed, permissions, install);
  const account = found({ metadata: { name: 'spark', namespace: 'jobs' } });

  test('are those of job namespaces and of applications', () => {
    const applications = [application('a', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'spark' } } }), application('b', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'mine' } } }), application('c', 'RUNNING', 1)];
    expect(driverAccounts(new Map([['jobs', 'spark']]), applications)).toEqual([
      { ...own, applications: ['a'] }, { namespace: 'jobs', name: 'mine', isOwn: false, role, applications: ['b'] },
      { namespace: 'jobs', name: 'default', isOwn: false, role, applications: ['c'] },
    ]);
  });

  test('are not those of applications that have ended; a missing one has the names of its applications', () => {
    const given = (name: string, state: string) => application(name, state, 1, { spec: { driver: { serviceAccount: 'mine' } } });
    expect(driverAccounts(noOwn, [given('a', 'FAILED'), given('b', 'COMPLETED')])).toEqual([]);
    const textFor = (...applications: any[]) => findingOf(driverAccounts(noOwn, applications)[0]!, { kind: 'missing' }, rights(true), '').message;
    expect(textFor(given('a', 'FAILED'), given('b', ''))).toBe('there is no ServiceAccount jobs/mine, which the driver of SparkApplication jobs/b runs as');
    expect(textFor(given('b', ''), given('c', 'FAILING'), given('d', 'RUNNING'))).toMatch(/which the drivers of SparkApplication jobs\/b and 2 more run as$/);
    expect(findingOf(driverAccounts(noOwn, [given('b', '')])[0]!, { kind: 'missing' }, rights(true), '').applications).toEqual(['jobs/b']);
    expect(findingOf(own, { kind: 'missing' }, rights(true), '').message).toBe('there is no ServiceAccount jobs/spark, which drivers run as');
  });

  test('can have another name, also in the remedy for the account of an application', () => {
    const [its, mine] = driverAccounts(new Map([['jobs', 'spark-operator-spark']]), [application('a', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'mine' } } })]);
    expect(its).toMatchObject({ name: 'spark-operator-spark', isOwn: true });
    expect(findingOf(mine!, account, rights(false), '').remedy).toContain('--role=spark-operator-spark-driver --serviceaccount=jobs:mine');
  });

  test('must exist, and need the permissions of drivers', () => {
    expect(findingOf(own, account, rights(true), 'sparkctl install')).toMatchObject({ level: 'ok', message: 'ServiceAccount jobs/spark can do everything that a driver does in jobs' });
    expect(findingOf(own, account, rights(false), 'sparkctl install')).toMatchObject({ level: 'error', message: 'ServiceAccount jobs/spark cannot create pods in jobs', remedy: 'sparkctl install' });
    expect(findingOf(own, { kind: 'missing' }, rights(true), 'sparkctl install')).toMatchObject({ level: 'error', remedy: 'kubectl create serviceaccount spark -n jobs' });
    const mine = { ...own, name: 'mine', isOwn: false };
    expect(findingOf(mine, { kind: 'missing' }, rights(true), '').remedy).toBe('kubectl create serviceaccount mine -n jobs');
    expect(findingOf(mine, { kind: 'missing' }, rights(false), '').remedy).toMatch(/^kubectl create serviceaccount mine -n jobs && kubectl create rolebinding /);
    expect(findingOf(own, account, FORBIDDEN, '')).toMatchObject({ level: 'not allowed' });
  });

  test.each<[string, any, string]>([
    ['without a role, also if their permissions are unreadable', undefined, 'kubectl create role mine-driver -n jobs --verb=create --resource=pods && kubectl create rolebinding mine-driver -n jobs --role=mine-driver'],
    ['with the ClusterRole of an operator', 'spark-driver:ops', 'kubectl create rolebinding mine-driver -n jobs --clusterrole=spark-driver:ops'],
  ])('%s, each is bound by commands that touch no other account', (_, clusterRole, commands) => {
    const [mine] = driverAccounts(noOwn, [application('a', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'mine' } } })], () => clusterRole);
    for (const permissions of [rights(false), FORBIDDEN]) {
      expect(findingOf(mine!, { kind: 'missing' }, permissions, '').remedy).toBe(`kubectl create serviceaccount mine -n jobs && ${commands} --serviceaccount=jobs:mine`);
    }
  });

  test('are bound by names that are not taken', () => {
    const [mine] = driverAccounts(noOwn, [application('a', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'mine' } } })]);
    expect(driverFinding(mine!, account, needed, rights(false), '', { role: true, binding: true }).remedy)
      .toBe('kubectl create role mine-driver-2 -n jobs --verb=create --resource=pods && kubectl create rolebinding mine-driver-2 -n jobs --role=mine-driver-2 --serviceaccount=jobs:mine');
  });
});

describe('output', () => {
  const findings: Finding[] = [
    { check: 'Cluster', level: 'ok', message: 'Kubernetes v1.34.4' },
    { check: 'Nodes', level: 'warning', message: 'one is not ready' },
    { check: 'CRDs', level: 'error', message: 'there is\nno \x1b[31mCRD', remedy: 'sparkctl install' },
    { check: 'Cluster', level: 'not allowed', message: 'you cannot read it' },
  ];

  const terminal = { isTerminal: false, colour: false };

  test('as text: problems first, then the rest by check, escaped for a terminal', () => {
    expect(textOf(findings, terminal)).toBe(`Problems
  error        CRDs: there is no \\u001b[31mCRD
               → sparkctl install
  warning      Nodes: one is not ready

Cluster
  ok           Kubernetes v1.34.4
  not allowed  you cannot read it

1 error, 1 warning, 1 ok, 1 not allowed to read
`);
  });

  test('in a terminal, messages and remedies continue in their column, and commands stay whole', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const command = `kubectl get pods ${'x'.repeat(80)} -n jobs`;
    const given: Finding[] = [
      { check: 'Images', level: 'error', message: words(30), remedy: words(30) }, { check: 'Nodes', level: 'error', message: 'no', remedy: command },
      { check: 'Cluster', level: 'ok', message: words(30) },
    ];
    for (const quiet of [false, true]) {
      const lines = textOf(given, { ...terminal, columns: 80 }, quiet).split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([expect.stringContaining(command)]);
      const continued = lines.filter((line) => /^ +word/.test(line)).map((line) => line.search(/\S/) + (quiet ? 2 : 0));
      expect(new Set(continued)).toEqual(new Set([15, 17]));
    }
  });

  test('an only problem is followed by one empty line', () => {
    expect(textOf([{ check: 'Cluster', level: 'error', message: 'no answer' }], terminal)).toBe('Problems\n  error        Cluster: no answer\n\n1 error, 0 warnings, 0 ok\n');
  });

  test('--quiet: a note about what could not be read', () => {
    expect(omittedText(findings)).toBe('1 not allowed to read: without --quiet, it lists them\n');
    expect(omittedText(findings.slice(0, 3))).toBe('');
  });

  test('only problems; nothing without any', () => {
    expect(textOf(findings, terminal, true)).toBe(`error        CRDs: there is no \\u001b[31mCRD
             → sparkctl install
warning      Nodes: one is not ready
`);
    expect(textOf(findings.slice(0, 1), terminal, true)).toBe('');
  });

  test('as JSON and YAML: problems first, and the number of all findings', () => {
    const [ok, warning, error, notAllowed] = findings;
    const counts = { ok: 1, warning: 1, error: 1, notAllowed: 1 };
    expect(JSON.parse(dataOf(findings, 'json'))).toEqual({ findings: [error, warning, ok, notAllowed], counts });
    expect(JSON.parse(dataOf(findings, 'json', true))).toEqual({ findings: [error, warning], counts });
    expect(dataOf(findings.slice(0, 1), 'yaml')).toBe('findings:\n  - check: Cluster\n    level: ok\n    message: Kubernetes v1.34.4\ncounts:\n  ok: 1\n  warning: 0\n  error: 0\n  notAllowed: 0\n');
  });
});
