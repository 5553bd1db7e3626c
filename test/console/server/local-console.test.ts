/*
 * The console of `sparkctl ui`, over real HTTP with a small API server: authentication, views and
 * actions.
 */
import { LocalConsole, startLocalConsole } from '../../../src/console/server/local-console';
import { silentLogger } from '../../../src/kube/logger';
import { application, FakeCluster } from '../helpers/fake-cluster';
import { Visitor } from '../helpers/visitor';

let cluster: FakeCluster;
let console_: LocalConsole;
/** Client with a session. */
let user: Visitor;
/** Client without a session. */
let stranger: Visitor;

beforeEach(async () => {
  cluster = await FakeCluster.start();
  cluster.put('sparkapplications', application('pi'));
  ({ console_, user, stranger } = await start());
});

afterEach(async () => {
  await console_.stop();
  await cluster.stop();
});

async function start(options: Partial<Parameters<typeof startLocalConsole>[0]> = {}) {
  const started = await startLocalConsole({
    client: cluster.client, dial: () => Promise.reject(new Error('no driver here')),
    loadPage: async () => ({ script: 'start()', style: 'a{}' }), port: 0, fallback: 'default', cluster: 'test', version: '1.2.3',
    logger: silentLogger, ...options,
  });
  const visitor = new Visitor(started.port, { host: `127.0.0.1:${started.port}` });
  return { console_: started, stranger: visitor, user: await visitor.admitted(started.url) };
}

test('it starts with a namespace although the API server reviews no permissions', async () => {
  const client = Object.create(cluster.client, { request: { value: async () => { throw new Error('no reviews'); } } });
  const { console_: other } = await start({ client, namespace: 'default' });
  expect([other.namespace, other.canList]).toEqual(['default', true]);
  await other.stop();
});

describe('authentication', () => {
  const admit = (token: unknown) => stranger.post('/api/admit', JSON.stringify({ token }));
  const tokenIn = (url: string) => new URL(url).searchParams.get('token')!;

  test('the page exchanges the token for a session, which it sends in a header and never as a cookie', async () => {
    const { search } = new URL(console_.url);
    expect(search).toMatch(/^\?token=[\w-]{43}$/);
    const page = await stranger.get(`/${search}`);
    const exchanged = await admit(tokenIn(console_.url));
    expect(page).toMatchObject({ status: 200, headers: { 'referrer-policy': 'no-referrer' } });
    expect(JSON.parse(exchanged.text)).toEqual({ session: expect.stringMatching(/^[\w-]{43}$/) });
    for (const { headers } of [page, exchanged, await user.get('/api/session')]) expect(headers).not.toHaveProperty('set-cookie');
    expect(JSON.parse((await user.get('/api/session')).text)).toEqual({ version: '1.2.3', cluster: 'test', readOnly: false });
  });

  test('an address for the browser works once', async () => {
    const ticket = tokenIn(console_.newUrl());
    expect((await admit(ticket)).status).toBe(200);
    expect((await admit(ticket)).status).toBe(401);
  });

  test.each<[string, (token: string, session: string) => Record<string, string>]>([
    ['without a session', () => ({})],
    ['with a wrong one', () => ({ authorization: 'Bearer AAAA' })],
    ['with the session as a cookie', (_, session) => ({ cookie: `session=${session}; token=${session}` })],
    ['with the token in place of the session', (token) => ({ authorization: `Bearer ${token}` })],
  ])('other clients are rejected: %s', async (_, headers) => {
    const token = tokenIn(console_.url);
    const visitor = stranger.with(headers(token, JSON.parse((await admit(token)).text).session));
    for (const path of [
      '/api/session', '/api/rows', '/api/allowed/default', '/api/applications/default/pi',
      '/api/applications/default/pi/log?pod=pi-driver', '/api/nothing',
    ]) {
      expect(await visitor.get(path)).toMatchObject({ status: 401, text: expect.stringContaining('sparkctl ui') });
    }
    expect((await visitor.post('/api/applications/default/pi/delete')).status).toBe(401);
    for (const wrong of ['wrong', 7, undefined]) expect((await admit(wrong)).status).toBe(401);
    expect((await visitor.get('/api/admit')).status).toBe(405);
    expect(cluster.calls.filter(({ path }) => !path.endsWith('reviews'))).toEqual([]);
  });

  test.each([
    'evil.example:80', 'localhost.evil.example', '127.0.0.1', '',
  ])('a host name of another machine is rejected: %s', async (host) => {
    const visitor = user.with({ host: host === '' ? 'x' : host });
    expect((await visitor.get('/api/session')).status).toBe(421);
    expect((await visitor.get('/')).status).toBe(421);
  });

  test.each<[string, Record<string, string>, number]>([
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    ['another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ['another named origin', { origin: 'http://evil.example' }, 403],
    ['an origin without a name', { origin: 'null' }, 403],
    ['the page itself', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
  ])('requests of %s', async (_, headers, status) => {
    expect((await user.with(headers).get('/api/session')).status).toBe(status);
    expect((await user.with(headers).post('/api/applications/default/pi/suspend')).status).toBe(status);
    expect(cluster.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(status === 200 ? 1 : 0);
  });

  test('a link on another site can open the page, but a form of another site is rejected', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await stranger.with(link).get('/')).status).toBe(200);
    expect((await user.with(link).get('/api/session')).status).toBe(403);
    expect((await user.with({ ...link, 'sec-fetch-dest': 'iframe' }).get('/')).status).toBe(403);
    expect((await user.with({ 'content-type': 'application/x-www-form-urlencoded' }).post(
      '/api/applications/default/pi/delete', 'a=b',
    )).status).toBe(415);
  });

  test('other sites cannot read or frame answers, and inline scripts do not run', async () => {
    for (const path of ['/', '/console.js', '/console.css', '/api/session', '/api/nothing', '/nothing']) {
      const { headers } = await user.get(path);
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'.*script-src 'self';.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff', 'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('rows', () => {
  test('the stream has all rows, then the changes, then the deletions', async () => {
    const follower = await user.follow();
    await follower.until((rows) => rows.applications.size === 1 && !rows.loading);
    expect(follower.rows.applications.get('default/pi')).toEqual({
      namespace: 'default', name: 'pi', uid: 'uid-default-pi', state: 'RUNNING', created: Date.parse('2026-03-01T10:00:00Z'),
      begun: Date.parse('2026-03-01T10:00:05Z'), attempts: 1, requested: 2, type: 'Python',
      sparkVersion: '4.1.1',
    });
    const before = follower.updates.length;
    cluster.put('sparkapplications', application('pi', { state: 'COMPLETED' }));
    await follower.until((rows) => rows.applications.get('default/pi')!.state === 'COMPLETED');
    cluster.remove('sparkapplications', 'default', 'pi');
    await follower.until((rows) => rows.applications.size === 0);
    expect(follower.updates.slice(before)).toEqual([
      { applications: { put: [expect.objectContaining({ state: 'COMPLETED' })] } }, { applications: { drop: ['default/pi'] } },
    ]);
    follower.leave();
  });

  test('after a lost connection, the current rows are sent again', async () => {
    const lost = await user.follow();
    await lost.until((rows) => !rows.loading && rows.applications.size === 1);
    lost.leave();
    cluster.put('sparkapplications', application('tau'));
    cluster.remove('sparkapplications', 'default', 'pi');
    const other = await user.follow();
    await other.until((rows) => rows.applications.has('default/tau') && rows.applications.size === 1);
    other.leave();

    const follower = await user.follow();
    await follower.until((rows) => rows.applications.size === 1);
    expect(follower.updates[0]).toMatchObject({ reset: true, applications: { put: [{ name: 'tau' }] } });
    follower.leave();
  });

  test('a user without permission for all namespaces sees their own', async () => {
    await console_.stop();
    cluster.put('sparkapplications', application('elsewhere', { namespace: 'other' }));
    cluster.rbac = ({ namespace }) => namespace === 'default';
    ({ console_, user } = await start());
    expect(console_.namespace).toBe('default');
    const follower = await user.follow();
    await follower.until((rows) => !rows.loading && rows.applications.size > 0);
    expect([...follower.rows.applications.keys()]).toEqual(['default/pi']);
    follower.leave();
  });

  test('the page reports that no operator runs, and when one runs again', async () => {
    await console_.stop();
    let isActive = false;
    ({ console_, user } = await start({ checkOperator: async () => ({ isActive, evidence: 'the Lease a/b was last renewed 53m ago' }) }));
    const follower = await user.follow();
    await follower.until((rows) => rows.noOperator !== '');
    expect(follower.rows.noOperator).toBe('the Lease a/b was last renewed 53m ago');
    follower.leave();
    await console_.stop();
    isActive = true;
    ({ console_, user } = await start({ checkOperator: async () => ({ isActive, evidence: '' }) }));
    const other = await user.follow();
    await other.until((rows) => !rows.loading);
    expect(other.rows.noOperator).toBe('');
    other.leave();
  });

  test('the page reports that the cluster cannot be read', async () => {
    await console_.stop();
    cluster.rbac = ({ verb, resource }) => verb !== 'watch' || resource !== 'scheduledsparkapplications';
    ({ console_, user } = await start());
    const follower = await user.follow();
    await follower.until((rows) => rows.trouble !== '');
    expect(follower.rows.trouble).toContain('you are not allowed to watch scheduledsparkapplications');
    follower.leave();
  });

  test('without the right to list schedules the page waits for none, and checks whether an operator runs', async () => {
    await console_.stop();
    cluster.rbac = ({ verb, resource }) => verb !== 'list' || resource !== 'scheduledsparkapplications';
    ({ console_, user } = await start({ namespace: 'default', checkOperator: async () => ({ isActive: false, evidence: 'no Lease' }) }));
    const follower = await user.follow();
    await follower.until((rows) => !rows.loading && rows.noOperator !== '' && rows.unlisted.schedules.length > 0);
    expect([[...follower.rows.applications.keys()], follower.rows.unlisted, follower.rows.trouble]).toEqual([
      ['default/pi'], { applications: [], schedules: ['default'] }, '',
    ]);
    follower.leave();
  });
});

describe('one application', () => {
  test('details have a sentence, a time line and YAML', async () => {
    cluster.put('pods', {
      metadata: {
        name: 'pi-driver', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' },
      }, spec: { containers: [{ name: 'sidecar' }, { name: 'spark-kubernetes-driver' }] }, status: { phase: 'Running' },
    });
    cluster.put('events', {
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi' }, type: 'Normal', reason: 'SparkDriverRunning',
      message: 'Driver pi-driver is running', count: 1, firstTimestamp: '2026-03-01T10:00:09Z',
      lastTimestamp: '2026-03-01T10:00:09Z',
    });
    const { status, text } = await user.get('/api/applications/default/pi');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      headline: 'runs',
      states: [{ state: '' }, { state: 'SUBMITTED' }, { state: 'RUNNING', from: Date.parse('2026-03-01T10:00:09Z') }],
      attempts: [{ number: 1, state: 'RUNNING' }],
      pods: [{ name: 'pi-driver', role: 'driver', state: 'RUNNING', containers: ['spark-kubernetes-driver', 'sidecar'] }],
      events: [{ reason: 'SparkDriverRunning' }],
      yaml: expect.stringMatching(/^apiVersion: sparkoperator.k8s.io\/v1beta2\nkind: SparkApplication\n/),
      hidden: [],
    });
  });

  test('the newest of many events are shown, whatever their names, and the driver among many pods', async () => {
    const pod = (name: string, role: string) => cluster.put('pods', {
      metadata: {
        name, namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': role },
      }, status: { phase: 'Running' },
    });
    for (let index = 0; index < 2_000; index++) pod(`exec-${index}`, 'executor');
    pod('pi-driver', 'driver');
    for (let index = 0; index < 1_200; index++) {
      const time = new Date(Date.parse('2026-03-01T10:00:00Z') + 1_000 * index).toISOString();
      // In the order of their names: the newest first.
      const event = { type: 'Normal', reason: `Number${index}`, message: 'm', count: 1, firstTimestamp: time, lastTimestamp: time };
      cluster.put('events', {
        metadata: { name: `e-${9_999 - index}`, namespace: 'default' }, involvedObject: index % 2 ? {
          kind: 'Pod', name: 'pi-driver',
        } : { kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi' }, ...event,
      });
      cluster.put('events', {
        metadata: { name: `f-${index}`, namespace: 'default' }, involvedObject: {
          kind: 'SparkApplication', name: 'pi', uid: 'uid-default-pi',
        }, ...event, reason: 'Old', firstTimestamp: '2026-03-01T09:00:00Z', lastTimestamp: '2026-03-01T09:00:00Z',
      });
    }
    const detail = JSON.parse((await user.get('/api/applications/default/pi')).text);
    expect(detail.events.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array.from({ length: 500 }, (_, index) => `Number${700 + index}`),
    );
    expect(detail.pods[0]).toMatchObject({ name: 'pi-driver', role: 'driver' });
  });

  test('parts without permission are missing and listed as hidden', async () => {
    cluster.rbac = ({ resource }) => resource !== 'events';
    expect(JSON.parse((await user.get('/api/applications/default/pi')).text)).toMatchObject({
      events: [], hidden: ['list events in default'],
    });
  });

  test("a log is text that no browser interprets, and only for the application's own pods", async () => {
    cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } } });
    cluster.put('pods', { metadata: { name: 'database', namespace: 'default' } });
    cluster.logs.set('default/pi-driver', '<script>alert(1)</script>\n');
    expect(await user.get('/api/applications/default/pi/log?pod=pi-driver')).toMatchObject({
      status: 200, text: '<script>alert(1)</script>\n',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
    expect((await user.get('/api/applications/default/pi/log?pod=database')).status).toBe(404);
    expect((await user.get('/api/applications/default/pi/log')).status).toBe(400);
  });

  test.each<[string, object, string]>([
    ['waits for a node', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }] }, 'Unschedulable: 0/3 nodes'],
    ['waits for its image', { phase: 'Pending', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ErrImagePull' } } }] }, 'ErrImagePull'],
    ['is being created', { phase: 'Pending' }, 'ContainerCreating'],
  ])('the log of a driver that %s is explained, in place of an error of the kubelet', async (_, status, reason) => {
    cluster.put('pods', { metadata: { name: 'pi-driver', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } }, status });
    const { status: code, text } = await user.get('/api/applications/default/pi/log?pod=pi-driver&container=spark-kubernetes-driver');
    expect([code, JSON.parse(text).error]).toEqual([409, `Container spark-kubernetes-driver of pod pi-driver has not started yet: ${reason}`]);
  });

  test('a log resumes at a time, and only for the same pod: the driver of the next attempt has the same name', async () => {
    cluster.put('pods', {
      metadata: { name: 'pi-driver', uid: 'first', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } },
    });
    cluster.logs.set('default/pi-driver', (query) => `${query}\n`);
    const log = '/api/applications/default/pi/log?pod=pi-driver&uid=first';
    expect((await user.get(log)).text).toBe('follow=false&tailLines=1000\n');
    expect((await user.get(`${log}&timestamps=true&since=2026-03-01T10:00:07.900Z`)).text).toBe(
      'follow=false&sinceTime=2026-03-01T10%3A00%3A07Z&timestamps=true\n',
    );
    expect((await user.get(`${log}&since=yesterday`)).status).toBe(400);
    cluster.put('pods', {
      metadata: { name: 'pi-driver', uid: 'second', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi' } },
    });
    expect(await user.get(log)).toMatchObject({ status: 404, text: expect.stringContaining('pi has no pod pi-driver (any more)') });
  });

  test('the Spark UI opens under the name by which the user opened the console, on an allowed port', async () => {
    const { url } = JSON.parse(
      (await user.with({ host: `localhost:${console_.port}` }).post('/api/applications/default/pi/spark-ui')).text,
    );
    expect(new URL(url).hostname).toBe('localhost');
    const { port } = new URL(url);
    await console_.stop();
    ({ console_, user } = await start({ sparkUiPorts: { first: Number(port), last: Number(port) } }));
    expect(new URL(JSON.parse((await user.post('/api/applications/default/pi/spark-ui')).text).url).host).toBe(`127.0.0.1:${port}`);
  });

  test('an application that the user cannot read is not missing', async () => {
    cluster.rbac = ({ verb, resource }) => verb !== 'get' || resource !== 'sparkapplications';
    const { status, text } = await user.get('/api/applications/default/pi');
    expect([status, JSON.parse(text).error]).toEqual([403, 'you are not allowed to get sparkapplications.sparkoperator.k8s.io pi in default']);
  });

  test('an unknown application is not found', async () => {
    expect(await user.get('/api/applications/default/none')).toMatchObject({
      status: 404, text: expect.stringContaining('no SparkApplication none in default'),
    });
    expect((await user.get('/api/applications/default/%2e%2e')).status).toBeGreaterThanOrEqual(400);
  });
});

describe('actions', () => {
  test.each([
    ['applications/default/pi/suspend', 'PATCH', { spec: { suspend: true } }],
    ['applications/default/pi/resume', 'PATCH', { spec: { suspend: false } }],
    ['applications/default/pi/rerun', 'PATCH', {
      spec: { driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': expect.any(String) } } },
    }],
    ['applications/default/pi/delete', 'DELETE', expect.objectContaining({ propagationPolicy: 'Background' })],
    ['schedules/default/nightly/run', 'PATCH', { metadata: { annotations: { 'sparkoperator.k8s.io/run-now': expect.any(String) } } }],
    ['schedules/default/nightly/suspend', 'PATCH', { spec: { suspend: true } }],
  ])('%s', async (path, method, body) => {
    cluster.put('scheduledsparkapplications', { metadata: { name: 'nightly', namespace: 'default' }, spec: { schedule: '@daily' } });
    expect((await user.post(`/api/${path}`)).status).toBe(200);
    expect(cluster.calls.filter((call) => call.method !== 'POST')).toEqual([
      { method, path: expect.stringMatching(/\/(pi|nightly)$/), body },
    ]);
  });

  test.each([
    'applications/default/pi/delete', 'applications/default/pi/suspend',
  ])('%s affects only the object that the page showed', async (action) => {
    const refused = await user.post(`/api/${action}`, JSON.stringify({ uid: 'of-the-one-before' }));
    expect(refused).toMatchObject({
      status: 409, text: expect.stringContaining('nothing was changed: pi was deleted, and a new object has its name'),
    });
    expect((await user.get('/api/applications/default/pi')).text).not.toContain('suspend: true');
    expect((await user.post(`/api/${action}`, JSON.stringify({ uid: 7 }))).status).toBe(400);
    expect((await user.post(`/api/${action}`, JSON.stringify({ uid: 'uid-default-pi' }))).status).toBe(200);
  });

  test('GET requests change nothing, and unknown actions are rejected', async () => {
    expect((await user.get('/api/applications/default/pi/delete')).status).toBe(405);
    expect((await user.post('/api/applications/default/pi/explode')).status).toBe(404);
    expect((await user.post('/api/constructor/default/pi/name')).status).toBe(404);
    expect(cluster.calls.filter(({ method }) => method !== 'POST')).toEqual([]);
  });

  test('the API server decides what the user is allowed to do, and its rejection is reported', async () => {
    cluster.rbac = ({ verb }) => verb !== 'delete';
    expect(JSON.parse((await user.get('/api/allowed/default')).text)).toEqual({
      change: true, remove: false, changeSchedules: true, forward: true,
    });
    expect(await user.post('/api/applications/default/pi/delete')).toMatchObject({
      status: 403, text: expect.stringContaining('Forbidden'),
    });
  });
});

test('when schedules are due within a span of time', async () => {
  cluster.put('scheduledsparkapplications', { metadata: { name: 'hourly', namespace: 'default' }, spec: { schedule: '0 * * * *' } });
  cluster.put('scheduledsparkapplications', {
    metadata: { name: 'off', namespace: 'default' }, spec: { schedule: '0 * * * *', suspend: true },
  });
  const follower = await user.follow();
  await follower.until((rows) => rows.schedules.size === 2);
  follower.leave();
  const [from, to] = [Date.parse('2026-03-01T10:00:00Z'), Date.parse('2026-03-01T12:30:00Z')];
  const { text } = await user.get(`/api/planned?from=${from}&to=${to}&key=default/hourly&key=default/off&key=default/none`);
  expect(JSON.parse(text)).toEqual({
    'default/hourly': [10, 11, 12].map((hour) => Date.parse(`2026-03-01T${hour}:00:00Z`)), 'default/off': [],
  });
  expect((await user.get('/api/planned?from=0&to=99999999999')).status).toBe(400);
});

test('runs that a schedule skipped are in its events', async () => {
  cluster.put('scheduledsparkapplications', { metadata: { name: 'hourly', namespace: 'default' }, spec: { schedule: '0 * * * *' } });
  const skip = (name: string, time: string, about = 'uid-default-hourly', reason = 'ScheduledRunSkipped') => cluster.put('events', {
    metadata: { name, namespace: 'default' }, involvedObject: { kind: 'ScheduledSparkApplication', name: 'hourly', uid: about }, reason, message: `Skipped ${name}`, lastTimestamp: time,
  });
  skip('a', '2026-03-01T11:00:00Z');
  skip('b', '2026-03-01T10:00:00Z');
  skip('c', '2026-03-01T12:00:00Z', 'another');
  skip('d', '2026-03-01T12:00:00Z', 'uid-default-hourly', 'ScheduledRunCreated');
  const follower = await user.follow();
  await follower.until((rows) => rows.schedules.size === 1);
  follower.leave();
  const skipped = async (name: string) => JSON.parse((await user.get(`/api/schedules/default/${name}/skipped`)).text);
  const runs = [['10', 'b'], ['11', 'a']].map(([hour, name]) => ({ at: Date.parse(`2026-03-01T${hour}:00:00Z`), message: `Skipped ${name}` }));
  expect(await skipped('hourly')).toEqual({ runs, hidden: [] });
  expect(await skipped('none')).toEqual({ runs: [], hidden: [] });
  cluster.rbac = ({ resource }) => resource !== 'events';
  expect(await skipped('hourly')).toEqual({ runs: [], hidden: ['list events in default'] });
});
