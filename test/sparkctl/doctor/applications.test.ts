/*
 * Problems that prevent applications from running: accounts, quotas and images; and stuck
 * applications.
 */
import { applicationFindings } from '../../../src/sparkctl/doctor/applications';
import { driverAccounts, driverFinding } from '../../../src/sparkctl/doctor/drivers';
import { imageFindings } from '../../../src/sparkctl/doctor/images';
import type { Reading } from '../../../src/sparkctl/doctor/reading';
import { quotaFindings } from '../../../src/sparkctl/doctor/quotas';
import { dataOf, textOf } from '../../../src/sparkctl/doctor/report';
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
    ['', 0.5, false], ['', 2, true], ['SUBMISSION_FAILED', 0, true], ['UNKNOWN', 2, true], ['PENDING_RERUN', 60, true],
  ])('state %j for %d minutes: stuck %j', (state, minutes, isStuck) => {
    const findings = applicationFindings(found([application('pi', state, minutes)]), 'in jobs', NOW);
    expect(findings.map(({ level }) => level)).toEqual([isStuck ? 'warning' : 'ok']);
  });

  test('reports stuck ones with reason and remedy; ten at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => application(`a${index}`, 'SUBMITTED', 20, { message: 'ImagePullBackOff\nsecond line' }));
    const findings = applicationFindings(found(many), 'in jobs', NOW);
    expect(findings).toHaveLength(11);
    expect(findings[0]).toEqual({ check: 'Applications', level: 'warning', message: expect.stringMatching(/^jobs\/a0 waits for its driver, since 20m: .*ImagePullBackOff$/), remedy: 'sparkctl status a0 -n jobs' });
    expect(findings[10]!.message).toBe('and 2 more applications in jobs are stuck');
  });

  test('a suspended new application is not stuck', () => {
    expect(applicationFindings(found([application('pi', '', 60, { spec: { suspend: true } })]), 'in jobs', NOW)[0]!.level).toBe('ok');
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
  const event = (reason: string, message: string, pod: string, minutes: number): any => ({ metadata: { name: 'e', namespace: 'jobs' }, reason, message, lastTimestamp: ago(minutes), involvedObject: { kind: 'Pod', name: pod } });
  test('reports failed pulls with the reason, once for all pods', () => {
    const events = [
      event('Failed', 'Failed to pull image "example.org/a:1": not found', 'p-1', 9),
      event('BackOff', 'Back-off pulling image "example.org/a:1"', 'p-2', 2),
      event('Failed', 'Error: ErrImagePull', 'p-1', 9),
      event('BackOff', 'Back-off restarting failed container x', 'p-3', 1),
      event('Failed', 'Failed to pull image "example.org/old:1": not found', 'p-0', 61),
    ];
    expect(imageFindings('jobs', found(events), NOW)).toEqual([{
      check: 'Images', level: 'error', message: 'example.org/a:1 could not be pulled for 2 pods in jobs 2m ago: Failed to pull image "example.org/a:1": not found', remedy: 'kubectl describe pod -n jobs p-2',
    }]);
  });

  test('no failed pull, or events that cannot be read', () => {
    expect(imageFindings('jobs', found([]), NOW)[0]).toMatchObject({ level: 'ok' });
    expect(imageFindings('jobs', FORBIDDEN, NOW)[0]).toMatchObject({ level: 'not allowed', remedy: 'kubectl auth can-i list events -n jobs' });
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
    { check: 'CRDs', level: 'error', message: 'there is\nno \x1b[31mCRD', remedy: 'sparkctl install' },
    { check: 'Cluster', level: 'not allowed', message: 'you cannot read it' },
  ];

  test('as text: grouped by check, and escaped for a terminal', () => {
    expect(textOf(findings, { isTerminal: false, colour: false })).toBe(`Cluster
  ok           Kubernetes v1.34.4
  not allowed  you cannot read it
CRDs
  error        there is no \\u001b[31mCRD
               → sparkctl install

1 error, 0 warnings, 1 ok, 1 not allowed to read
`);
  });

  test('as JSON and YAML', () => {
    expect(JSON.parse(dataOf(findings, 'json'))).toEqual({ findings, counts: { ok: 1, warning: 0, error: 1, notAllowed: 1 } });
    expect(dataOf(findings.slice(0, 1), 'yaml')).toBe('findings:\n  - check: Cluster\n    level: ok\n    message: Kubernetes v1.34.4\ncounts:\n  ok: 1\n  warning: 0\n  error: 0\n  notAllowed: 0\n');
  });
});
