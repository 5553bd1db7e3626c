/* A console in a cluster has its own permissions and must not reveal what its users cannot see. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Rows } from '../../../src/console/page/rows';
import { startClusterConsole } from '../../../src/console/server/cluster-console';
import { UNKNOWN_TOKENS } from '../../../src/console/server/limits';
import type { RunningConsole } from '../../../src/console/server/server';
import { COALESCE } from '../../../src/console/server/stream';
import { RECHECK } from '../../../src/console/server/while-allowed';
import { silentLogger } from '../../../src/kube/logger';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { application, FakeCluster } from '../helpers/fake-cluster';
import { Visitor, type Follower } from '../helpers/visitor';

let cluster: FakeCluster;
let running: RunningConsole;
let visitor: Visitor;

beforeEach(async () => {
  cluster = await FakeCluster.start();
  cluster.tokens.set('token-of-ann', 'ann').set('token-of-root', 'root');
  cluster.put('sparkapplications', application('pi', { namespace: 'team-a' }));
  cluster.put('sparkapplications', application('tau', { namespace: 'team-b' }));
  // The console itself is allowed everything; ann is limited to her namespace.
  cluster.rbac = ({ namespace }, user) => user !== 'ann' || namespace === 'team-a';
  running = await startClusterConsole({
    client: cluster.client, loadPage: async () => ({ script: '', style: '' }), listen: { host: '127.0.0.1', port: 0 },
    cluster: 'test', version: '1.2.3', logger: silentLogger,
  });
  visitor = new Visitor(running.port);
});

afterEach(async () => {
  await running.close();
  await cluster.stop();
});

const as = (user: string) => visitor.with({ authorization: `Bearer token-of-${user}` });

test('the API rejects requests without a token that the API server accepts; the page itself is public', async () => {
  for (const headers of [
    {}, { authorization: 'Bearer wrong' }, { authorization: 'Basic YTpi' }, { cookie: 'token=token-of-ann' },
  ] as Record<string, string>[]) {
    for (const path of ['/api/session', '/api/rows', '/api/applications/team-a/pi', '/api/planned?from=0&to=1']) {
      expect(await visitor.with(headers).get(path)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    }
  }
  expect((await visitor.get('/')).status).toBe(200);
});

test('rows are limited to what the user is allowed to list', async () => {
  const [ann, root] = [await as('ann').follow(), await as('root').follow()];
  await root.until((rows) => rows.applications.size === 2);
  await ann.until((rows) => rows.applications.size === 1);
  expect([...ann.rows.applications.keys()]).toEqual(['team-a/pi']);

  // She does not learn of changes elsewhere, not even names.
  cluster.put('sparkapplications', application('secret', { namespace: 'team-b' }));
  cluster.remove('sparkapplications', 'team-b', 'tau');
  cluster.put('sparkapplications', application('rho', { namespace: 'team-a' }));
  await ann.until((rows) => rows.applications.has('team-a/rho'));
  await root.until((rows) => rows.applications.has('team-b/secret'));
  expect(JSON.stringify(ann.updates)).not.toMatch(/team-b|secret|tau/);
  ann.leave();
  root.leave();
});

test('the page names the configured namespaces that the user cannot list, and no others', async () => {
  const unlistedOf = async (user: string) => {
    const follower = await as(user).follow();
    await follower.until((rows) => !rows.loading);
    follower.leave();
    return follower.rows.unlisted;
  };
  cluster.rbac = ({ namespace, resource }, user) => user !== 'ann' || (namespace === 'team-a' && resource === 'sparkapplications');
  expect([await unlistedOf('root'), await unlistedOf('ann')]).toEqual([
    { applications: [], schedules: [] }, { applications: ['*'], schedules: ['*'] },
  ]);
  await running.close();
  running = await startClusterConsole({
    client: cluster.client, loadPage: async () => ({ script: '', style: '' }), listen: { host: '127.0.0.1', port: 0 }, namespaces: ['team-a', 'team-c'],
    cluster: 'test', version: '1.2.3', logger: silentLogger,
  });
  visitor = new Visitor(running.port);
  expect([await unlistedOf('root'), await unlistedOf('ann')]).toEqual([
    { applications: [], schedules: [] }, { applications: ['team-c'], schedules: ['team-a', 'team-c'] },
  ]);
});

describe('the row of a schedule', () => {
  const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`label-${index}`, 'x']));
  const deep = JSON.parse(`${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`);

  test.each([
    ['24 labels with a small template', { mode: 'cluster' }, 24],
    ['20 labels with a large template', { mode: 'cluster', arguments: ['x'.repeat(20_000)] }, 20],
    ['20 labels with a deeply nested template', deep, 20],
  ])('has at most %s', async (_, template, count) => {
    cluster.put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'team-a', labels }, spec: { schedule: '@daily', template } });
    const root = await as('root').follow();
    await root.until((rows) => rows.schedules.has('team-a/nightly'));
    const row = root.rows.schedules.get('team-a/nightly')!;
    expect([row.schedule, Object.keys(row.labels!)]).toEqual(['@daily', Object.keys(labels).slice(0, count)]);
    root.leave();
  });
});

test('each read reviews the permission of the user', async () => {
  expect(JSON.parse((await as('ann').get('/api/session')).text)).toEqual({
    version: '1.2.3', cluster: 'test', readOnly: true, user: 'ann',
  });
  expect((await as('ann').get('/api/applications/team-a/pi')).status).toBe(200);
  expect(await as('ann').get('/api/applications/team-b/tau')).toMatchObject({
    status: 403, text: expect.stringContaining('ann is not allowed to get sparkapplications.sparkoperator.k8s.io tau in team-b'),
  });
  expect((await as('ann').get('/api/applications/team-b/tau/log?pod=tau-driver')).status).toBe(403);
  expect((await as('root').get('/api/applications/team-b/tau')).status).toBe(200);
});

test('parts that the user is not allowed to read are missing, although the console could read them', async () => {
  cluster.rbac = ({ resource }, user) => user !== 'ann' || resource === 'sparkapplications';
  cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'team-a', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } } });
  const detail = JSON.parse((await as('ann').get('/api/applications/team-a/pi')).text);
  expect(detail).toMatchObject({ pods: [], events: [], owned: [] });
  expect(detail.hidden).toContain('list pods in team-a');
  expect((await as('ann').get('/api/applications/team-a/pi/log?pod=pi-driver')).status).toBe(403);
});

describe('streams', () => {
  let clock: ManualClock;
  let other: RunningConsole;
  let ann: Visitor;

  beforeEach(async () => {
    clock = new ManualClock();
    other = await startClusterConsole({
      client: cluster.client, loadPage: async () => ({ script: '', style: '' }), listen: { host: '127.0.0.1', port: 0 },
      cluster: 'test', version: '1.2.3', logger: silentLogger, clock,
    });
    ann = new Visitor(other.port).with({ authorization: 'Bearer token-of-ann' });
  });

  afterEach(() => other.close());

  /** Waits until the rows of a follower match, and lets the coalescing time pass. */
  async function until(follower: Follower, fits: (rows: Rows) => boolean): Promise<void> {
    while (!fits(follower.rows)) {
      await Promise.race([once(follower.response, 'data'), clock.timer((ms) => ms === COALESCE).then(() => clock.advanceAsync(COALESCE))]);
    }
  }

  test('of rows review each namespace only periodically, however often rows change', async () => {
    const count = 40;
    for (let index = 0; index < count; index++) cluster.put('sparkapplications', application('pi', { namespace: `many-${index}` }));
    const root = await new Visitor(other.port).with({ authorization: 'Bearer token-of-root' }).follow();
    await until(root, (rows) => rows.applications.size === count + 2);
    root.leave();
    const asked = () => cluster.calls.filter(({ path, body }) => path.endsWith('subjectaccessreviews') && body.spec.user === 'ann'
      && body.spec.resourceAttributes.namespace?.startsWith('many-')).length;
    const follower = await ann.follow();
    await until(follower, (rows) => rows.applications.has('team-a/pi'));
    expect(asked()).toBe(2 * count);

    // Longer than reviews are cached.
    for (let change = 0; change < 3; change++) {
      await clock.advanceAsync(RECHECK / 4);
      cluster.put('sparkapplications', application(`tau-${change}`, { namespace: 'team-a' }));
      await until(follower, (rows) => rows.applications.has(`team-a/tau-${change}`));
    }
    expect(asked()).toBe(2 * count);
    // A new namespace is reviewed at once, without the others, whose cached reviews have expired.
    cluster.put('sparkapplications', application('pi', { namespace: 'many-more' }));
    cluster.put('sparkapplications', application('rho', { namespace: 'team-a' }));
    await until(follower, (rows) => rows.applications.has('team-a/rho'));
    expect(asked()).toBe(2 * count + 2);

    await clock.advanceAsync(RECHECK);
    cluster.put('sparkapplications', application('sigma', { namespace: 'team-a' }));
    await until(follower, (rows) => rows.applications.has('team-a/sigma'));
    expect(asked()).toBe(2 * count + 2 + 2 * (count + 1));
    follower.leave();
  });

  test('of rows end when the token is no longer valid', async () => {
    const { response } = await ann.follow();
    await clock.timer((ms) => ms === RECHECK);
    const closed = new Promise((resolve) => response.once('close', resolve));
    cluster.tokens.delete('token-of-ann');
    await clock.advanceAsync(RECHECK);
    await closed;
    expect((await ann.get('/api/rows')).status).toBe(401);
  });

  test('of a log end when the permission to read it is revoked', async () => {
    cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'team-a', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } } });
    cluster.logs.set('team-a/pi-driver', 'the first line\n');
    const log = ann.get('/api/applications/team-a/pi/log?pod=pi-driver&follow=true').then(() => 'ended', () => 'broken off');
    await clock.timer((ms) => ms === RECHECK);
    cluster.rbac = ({ subresource }, user) => user !== 'ann' || subresource !== 'log';
    await clock.advanceAsync(RECHECK);
    expect(await log).toBe('broken off');
  });
});

describe('while the API server does not answer', () => {
  const TOKEN_REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews';
  const strangers = (count: number) => Array.from({ length: count }, (_, index) => visitor.with({
    authorization: `Bearer invented-${index}`,
  }));
  const reviewed = () => cluster.calls.flatMap(({ path, body }) => (path === TOKEN_REVIEWS ? [body.spec.token] : []));

  /** Delays calls; resolves when so many are waiting. */
  function hold(isMeant: (path: string) => boolean, count: number): { readonly held: Promise<void>; readonly release: () => void } {
    let [arrive, release] = [() => {}, () => {}];
    const held = new Promise<void>((resolve) => { arrive = resolve; });
    const released = new Promise<void>((resolve) => { release = resolve; });
    let seen = 0;
    cluster.hold = (path) => {
      if (!isMeant(path)) return undefined;
      if (++seen === count) arrive();
      return released;
    };
    return { held, release };
  }

  test('requests of disconnected clients are dropped', async () => {
    const { held, release } = hold((path) => path === TOKEN_REVIEWS, UNKNOWN_TOKENS.limitPerKey);
    const requests = strangers(50).map((stranger) => stranger.open('/api/session'));
    await held;
    const first = reviewed();
    requests.forEach((request, index) => { if (!first.includes(`invented-${index}`)) request.destroy(); });
    const last = as('ann').get('/api/session');
    // After all that were sent before.
    expect((await visitor.get('/healthz')).status).toBe(200);
    release();
    // She would be the last in a queue with the disconnected ones.
    expect((await last).status).toBe(200);
    expect(reviewed()).toEqual([...first, 'token-of-ann']);
    for (const request of requests) request.destroy();
  });

  test.each([
    ['the review of a token', '/api/session', (path: string) => path === TOKEN_REVIEWS],
    ['the reading of an application', '/api/applications/team-a/pi', (path: string) => path.endsWith('/sparkapplications/pi')],
  ])('%s is aborted when the client disconnects', async (_, path, isMeant) => {
    const { held, release } = hold(isMeant, 1);
    const request = as('ann').open(path);
    await held;
    request.destroy();
    while (cluster.abandoned.length === 0) await setImmediate();
    expect(cluster.abandoned.filter(isMeant)).toHaveLength(1);
    release();
  });

  test('a flood of invented tokens is rejected with a retry time, and does not delay a known token', async () => {
    expect((await as('ann').get('/api/session')).status).toBe(200);
    const { held, release } = hold((path) => path === TOKEN_REVIEWS, UNKNOWN_TOKENS.limitPerKey);
    const most = UNKNOWN_TOKENS.limitPerKey + UNKNOWN_TOKENS.waiting;
    const flood = strangers(most + 20).map((stranger) => stranger.get('/api/session'));
    await held;
    let refused = 0;
    await new Promise<void>((resolve) => { for (const reply of flood) void reply.then(() => { if (++refused === 20) resolve(); }); });
    expect((await as('ann').get('/api/session')).status).toBe(200);
    release();
    const replies = await Promise.all(flood);
    expect(replies.filter(({ status }) => status === 503).map(({ headers }) => headers['retry-after'])).toEqual(Array(20).fill('1'));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(most);
  });
});

test('the console changes nothing and proxies nothing', async () => {
  for (const path of [
    'applications/team-a/pi/suspend', 'applications/team-a/pi/delete', 'applications/team-a/pi/spark-ui',
    'schedules/team-a/nightly/run',
  ]) {
    expect((await as('root').post(`/api/${path}`)).status).toBe(403);
  }
  expect(JSON.parse((await as('root').get('/api/allowed/team-a')).text)).toEqual({
    change: false, remove: false, changeSchedules: false, forward: false,
  });
  expect(cluster.calls.filter(({ path }) => !path.endsWith('reviews'))).toEqual([]);
});

test('reviews are cached', async () => {
  await as('ann').get('/api/applications/team-a/pi');
  const asked = cluster.calls.length;
  await as('ann').get('/api/applications/team-a/pi');
  expect(cluster.calls.length).toBe(asked);
  // Other tokens are still reviewed.
  await as('root').get('/api/session');
  expect(cluster.calls.length).toBe(asked + 1);
});
