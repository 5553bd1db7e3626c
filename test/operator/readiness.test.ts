import type { ElectionHealth } from '../../src/kube/leader-election';
import { liveness, readiness, readinessOfWebhookAlone, webhookReadiness } from '../../src/operator/readiness';

const OK = { namespace: 'a', synced: true, silentFor: 1_000 };

test.each([
  ['all namespaces are watched', [OK, { ...OK, namespace: 'b' }], 200, 'a: ok\nb: ok\n'],
  ['one was not seen yet', [OK, { namespace: 'b', synced: false, silentFor: 0 }], 503, 'a: ok\nb: the caches are not filled yet\n'],
  ['one is refused', [OK, { namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden', refused: true }], 200, 'a: ok\nb: cannot be watched: 403 Forbidden\n'],
  ['one that was watched is refused by now', [OK, { namespace: 'b', synced: true, silentFor: 400_000, problem: '403 Forbidden', refused: true }], 200, 'a: ok\nb: cannot be watched: 403 Forbidden\n'],
  ['one cannot be reached', [OK, { namespace: 'b', synced: false, silentFor: 0, problem: 'no route' }], 503, 'a: ok\nb: cannot be watched: no route\n'],
  ['all are refused', [{ namespace: 'b', synced: false, silentFor: 0, problem: '403 Forbidden', refused: true }], 503, 'b: cannot be watched: 403 Forbidden\n'],
  ['a watch is silent', [OK, { namespace: 'b', synced: true, silentFor: 301_000 }], 503, 'a: ok\nb: nothing was heard from the API server for 301 s\n'],
])('%s', (_, namespaces, status, body) => {
  expect(readiness(namespaces)).toEqual({ status, body });
});

/** Health of an election with one Lease. */
const standing = (election: ElectionHealth, line = '') => ({ election, line });
const LEADING = standing({ leading: true, hasTerm: true, leader: 'a' }, 'leading');

test('a standby replica is ready and reports the leader', () => {
  expect(readiness([OK], standing({ leading: false, hasTerm: false }, 'standing by, no leader'))).toEqual({ status: 200, body: 'a: ok\nstanding by, no leader\n' });
  expect(readiness([OK], LEADING)).toMatchObject({ status: 200, body: 'a: ok\nleading\n' });
});

test('the watch of all namespaces must not be denied', () => {
  const all = { namespace: '*', synced: false, silentFor: 0, problem: '403 Forbidden', refused: true, isRequired: true };
  expect(readiness([OK, all]).status).toBe(503);
});

test.each([
  ['are watched', [OK], 200, 'a: ok\ndefaults and limits of a: ok\n'],
  ['are refused in a namespace of applications', [{ ...OK, refused: true, problem: '403' }], 200, 'a: ok\ndefaults and limits of a: cannot be watched: 403\n'],
  ['are refused in the namespace of the operator', [{ ...OK, refused: true, problem: '403', isRequired: true }], 503, 'a: ok\ndefaults and limits of a: cannot be watched: 403\n'],
])('defaults and limits %s', (_, defaults, status, body) => expect(readiness([OK], undefined, defaults)).toEqual({ status, body }));

test('schedules that cannot be watched are reported, and do not make applications wait', () => {
  const schedules = { name: 'scheduled-spark-application', health: () => [OK, { namespace: 'b', synced: false, silentFor: 0, problem: '404 Not Found', refused: true }] };
  const b = { ...OK, namespace: 'b' };
  expect(readiness([OK, b], undefined, [], undefined, [schedules])).toEqual({ status: 200, body: 'a: ok\nb: ok\nscheduled-spark-application in b: cannot be watched: 404 Not Found\n' });
  expect(readiness([OK, { ...b, refused: true, problem: '403' }], undefined, [], undefined, [schedules])).toEqual({ status: 200, body: 'a: ok\nb: cannot be watched: 403\n' });
});

test('that defaults can be read does not make up for applications that cannot', () => {
  expect(readiness([{ ...OK, refused: true }], undefined, [OK]).status).toBe(503);
});

const NOW = Date.parse('2026-03-01T00:00:00Z');
const notAfter = new Date('2026-06-01T00:00:00Z');

test.each([
  ['with a certificate', { certificate: { notAfter }, leaving: false }, true, 'webhook: the certificate is valid until 2026-06-01T00:00:00.000Z'],
  ['without one', { certificate: { problem: 'Secret ops/certs does not exist; create it' }, leaving: false }, false, 'webhook: there is no certificate yet; Secret ops/certs does not exist; create it'],
  ['with a problem that is none yet', { certificate: { notAfter, problem: 'the CA cannot be written: 403' }, leaving: false }, true, 'webhook: the certificate is valid until 2026-06-01T00:00:00.000Z; the CA cannot be written: 403'],
  ['with a certificate that has ended', { certificate: { notAfter: new Date(NOW) }, leaving: false }, false, 'webhook: the certificate has ended 2026-03-01T00:00:00.000Z'],
  ['while it ends', { certificate: { notAfter }, leaving: true }, false, 'webhook: ending; the certificate is valid until 2026-06-01T00:00:00.000Z'],
])('a webhook %s', (_, health, isReady, line) => {
  const webhook = webhookReadiness(health, NOW);
  expect(webhook).toEqual({ isReady, line });
  // A replica that serves it is ready if both are, as Services lead to replicas that are ready.
  expect(readiness([OK], undefined, [], webhook)).toEqual({ status: isReady ? 200 : 503, body: `a: ok\n${line}\n` });
  expect(readinessOfWebhookAlone([], [], webhook)).toEqual({ status: isReady ? 200 : 503, body: `${line}\n` });
});

test('a webhook alone has to know which namespaces are selected, and the defaults', () => {
  const webhook = webhookReadiness({ certificate: { notAfter }, leaving: false }, NOW);
  const unseen = { namespace: 'namespaces with team', synced: false, silentFor: 0, isRequired: true };
  expect(readinessOfWebhookAlone([unseen], [], webhook)).toMatchObject({ status: 503 });
  expect(readinessOfWebhookAlone([], [unseen], webhook)).toMatchObject({ status: 503, body: expect.stringContaining('defaults and limits of') });
  expect(readinessOfWebhookAlone([{ ...unseen, synced: true }], [], webhook)).toMatchObject({ status: 200 });
});

const READY = { isReady: true, line: 'webhook' };
const UNREACHABLE = { namespace: 'b', synced: false, silentFor: 0, problem: 'list pods: 500' };

test.each([
  ['one namespace cannot be listed', [OK, UNREACHABLE], 200],
  ['one that was read is silent', [{ ...OK, silentFor: 400_000 }], 200],
  ['one was not asked for yet', [OK, { namespace: 'b', synced: false, silentFor: 0 }], 503],
  ['none could be read', [UNREACHABLE], 503],
  ['the watch of all could not', [OK, { ...UNREACHABLE, isRequired: true }], 503],
])('the webhook of all is in service or not: %s', (_, namespaces, status) => expect(readiness(namespaces, undefined, [], READY).status).toBe(status));

test('nor do defaults of one namespace take it away', () => {
  expect(readiness([OK], undefined, [OK, UNREACHABLE], READY).status).toBe(200);
  expect(readinessOfWebhookAlone([], [OK, UNREACHABLE], READY).status).toBe(200);
});

const DEAD = { namespace: 'a', synced: true, silentFor: 901_000 };

test.each([
  ['all is well', [OK], LEADING, 200],
  ['there is no election', [OK], undefined, 200],
  ['one watch of two is dead, as its namespace may be the reason', [OK, DEAD], undefined, 200],
  ['all watches are dead', [DEAD, { ...DEAD, namespace: 'b' }], undefined, 503],
  ['the API server has been away for some minutes', [{ ...DEAD, silentFor: 600_000 }], undefined, 200],
  ['the API server refuses us, as it would refuse a new process', [{ ...DEAD, refused: true }], undefined, 200],
  ['it stands by', [OK], standing({ leading: false, hasTerm: false, leader: 'b' }), 200],
  ['a lost lead is being ended', [OK], standing({ leading: false, hasTerm: true, overdueFor: 5_000 }), 200],
  ['the work of a lost lead does not end', [OK], standing({ leading: false, hasTerm: true, overdueFor: 61_000 }), 503],
])('alive or not: %s', (_, namespaces, election, status) => expect(liveness(namespaces, election).status).toBe(status));
