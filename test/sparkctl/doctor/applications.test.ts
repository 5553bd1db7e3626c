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
    ['', 0.1, false], ['', 0.9, false], ['', 1.1, true], ['SUBMISSION_FAILED', 0, true], ['UNKNOWN', 2, true], ['PENDING_RERUN', 60, true],
  ])('state %j for %d minutes: stuck %j', (state, minutes, stuck) => {
    expect(isStuck({ application: application('pi', state, minutes), now: NOW })).toBe(stuck);
  });

  test.each([
    ['an image that cannot be pulled, at once', application('pi', 'SUBMITTED', 1, { message: 'driver does not start: ImagePullBackOff: x' }), true],
    ['a failed attempt that is retried', application('pi', 'FAILING', 11, { spec: { restartPolicy: { type: 'Always', onFailureRetryInterval: 3_600 } } }), false],
    ['a recent failure, which is final', application('pi', 'FAILED', 1, { message: 'exit code 1' }), false],
    ['a suspended new application', application('pi', '', 60, { spec: { suspend: true } }), false],
  ])('%s', (_, given, stuck) => {
    expect(isStuck({ application: given, now: NOW })).toBe(stuck);
  });

  test('reports stuck ones with reason, the time until the operator gives up, and the remedy; the rest is counted', () => {
    const stuck = ['a0', 'a1'].map((name) => ({
      observed: { application: application(name, 'SUBMITTED', 20, { message: 'driver does not start: ImagePullBackOff: x\nsecond line' }), now: NOW },
      giveUp: 'the operator gives up in about 3m (--driver-start-timeout=25m)',
    }));
    const findings = applicationFindings(found(stuck.map(({ observed }) => observed.application)), 'in jobs', stuck, 12);
    expect(findings[0]).toEqual({
      check: 'Applications', level: 'warning', object: { kind: 'SparkApplication', namespace: 'jobs', name: 'a0' },
      message: 'jobs/a0 waits for its driver, since 20m: The driver has waited for 20m: ImagePullBackOff: x; '
        + 'the operator gives up in about 3m (--driver-start-timeout=25m)',
      remedy: expect.stringContaining('spec.image'),
    });
    expect(findings.at(-1)!.message).toBe('and 10 more applications in jobs are stuck');
    expect(applicationFindings(found([application('a', 'RUNNING', 1)]), 'in jobs', [])).toEqual([{ check: 'Applications', level: 'ok', message: 'none of the 1 applications in jobs is stuck' }]);
  });
});

describe('quotas', () => {
  const quota = (hard: object, used: object): any => ({ metadata: { name: 'q', namespace: 'jobs' }, status: { hard, used } });
  test.each<[any[], string, string]>([
    [[], 'ok', 'jobs has none'],
    [[quota({ 'requests.memory': '10Gi' }, { 'requests.memory': '9Gi' })], 'ok', 'that of jobs leaves room'],
    [[quota({ 'requests.memory': '10Gi', 'pods': '5' }, { 'requests.memory': '10240Mi', 'pods': '4' })], 'warning', 'ResourceQuota jobs/q is used up: requests.memory 10240Mi of 10Gi; applications wait there until something ends'],
    [[quota({ secrets: '1' }, { secrets: '1' })], 'ok', 'leaves room'],
    [[{ metadata: { name: 'new', namespace: 'jobs' } }], 'ok', 'leaves room'],
  ])('%j', (quotas, level, message) => {
    expect(quotaFindings('jobs', found(quotas))).toEqual([expect.objectContaining({ level, message: expect.stringContaining(message) })]);
  });
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
      message: 'example.org/a:1 cannot be pulled for 2 pods in jobs, since 9m: Failed to pull image "example.org/a:1": not found',
    }]);
  });

  test('events of a deleted pod are no problem, even if another pod has its name', () => {
    const events = found([event('p-0', 'Failed to pull image "example.org/a:1": not found')]);
    expect(imageFindings('jobs', found([]), events, NOW)).toEqual([{ check: 'Images', level: 'ok', message: 'no pod in jobs waits for an image' }]);
    const next = { ...pod('p-0', 1), metadata: { ...pod('p-0', 1).metadata, uid: 'another' } };
    expect(imageFindings('jobs', found([next]), events, NOW)[0]!.message).toMatch(/ImagePullBackOff: Back-off pulling image "example.org\/a:1"$/);
  });

  test('without the permission to list events the reason is that of the pod; without pods it is unknown', () => {
    expect(imageFindings('jobs', found([pod('p-1', 9)]), FORBIDDEN, NOW)[0]).toMatchObject({ level: 'error', message: expect.stringContaining('since 9m: ImagePullBackOff: ') });
    expect(imageFindings('jobs', FORBIDDEN, FORBIDDEN, NOW)[0]).toMatchObject({ level: 'not allowed' });
  });
});

describe('service accounts of drivers', () => {
  const own = { namespace: 'jobs', name: 'spark', isOwn: true };
  const rights = (isAllowed: boolean) => found([{ permission: { group: '', resource: 'pods', verb: 'create', namespace: 'jobs' }, isAllowed }]);
  const account = found({ metadata: { name: 'spark', namespace: 'jobs' } });

  test('are those of job namespaces and of applications', () => {
    const applications = [application('a', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'spark' } } }), application('b', 'RUNNING', 1, { spec: { driver: { serviceAccount: 'mine' } } }), application('c', 'RUNNING', 1)];
    expect(driverAccounts(['jobs'], applications)).toEqual([own, { namespace: 'jobs', name: 'mine', isOwn: false }, { namespace: 'jobs', name: 'default', isOwn: false }]);
  });

  test('must exist, and need the permissions of drivers', () => {
    expect(driverFinding(own, account, rights(true), 'sparkctl install')).toMatchObject({ level: 'ok', message: 'ServiceAccount jobs/spark can do everything that a driver does in jobs' });
    expect(driverFinding(own, account, rights(false), 'sparkctl install')).toMatchObject({ level: 'error', message: 'ServiceAccount jobs/spark cannot create pods in jobs', remedy: 'sparkctl install' });
    expect(driverFinding(own, { kind: 'missing' }, rights(true), 'sparkctl install')).toMatchObject({ level: 'error', remedy: 'kubectl create serviceaccount spark -n jobs' });
    const mine = { ...own, name: 'mine', isOwn: false };
    expect(driverFinding(mine, { kind: 'missing' }, rights(true), '').remedy).toBe('kubectl create serviceaccount mine -n jobs');
    expect(driverFinding(mine, { kind: 'missing' }, rights(false), '').remedy).toMatch(/^kubectl create serviceaccount mine -n jobs && kubectl create rolebinding /);
    expect(driverFinding(own, account, FORBIDDEN, '')).toMatchObject({ level: 'not allowed' });
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
