/*
 * The console in a real browser, beside a real API server. There is no node: the statuses of applications and pods are written by the test, and logs come from a proxy in front of the API server, which
 * also puts names into its answers that no API server would take.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { parse } from 'yaml';
import { buildPage } from '../../tools/build/console';
import { startClusterConsole } from '../../src/console/server/cluster-console';
import { Page as PageFiles } from '../../src/console/server/page-files';
import { startLocalConsole, type LocalConsole } from '../../src/console/server/local-console';
import { KubeClient } from '../../src/kube/client';
import type { Connection } from '../../src/kube/connection';
import { silentLogger } from '../../src/kube/logger';
import { kubeconfigOfAccount, type AccountFile } from '../helpers/account';
import { FaultProxy } from '../helpers/fault-proxy';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, tokenOf } from '../helpers/kubectl';
import { ApiServer } from '../helpers/api-server';
import { ago, Population } from './helpers/population';
import { barriers, Cable, pressOnceSeen, startBrowser, workWhileScrolling } from '../helpers/browser';

const root = join(__dirname, '../..');
/** The API server has a tenth of the applications; the proxy adds the copies of each. */
const POPULATION = 1_000;
let copies = 9;

/** A text that a page must show and not run. */
const HOSTILE = '"><img src=x onerror=window.hacked=1><script>window.hacked=1</script>';
/** Replaces it where the API server would reject it. */
const PLACEHOLDER = 'hostile-placeholder';

// Beside other tests a browser is slow; a wait for something fails after 30 s by itself.

let installation: Installation;
let namespace: string;
let account: AccountFile;
let proxy: FaultProxy;
let client: KubeClient;
let pageFiles: { readonly script: string; readonly style: string };
let console_: LocalConsole;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let population: Population;
const api = new ApiServer();
const complaints: string[] = [];

beforeAll(async () => {
  installation = await install('console');
  namespace = installation.jobs;
  await apply([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'console-user', namespace } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'console-user', namespace }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [{ kind: 'ServiceAccount', name: 'console-user', namespace }] },
  ]);
  account = await kubeconfigOfAccount(namespace, 'console-user');
  proxy = await FaultProxy.start(account.file);
  proxy.rule = async (exchange) => {
    const { resource, verb } = exchange.call;
    if (resource === 'pods/log') return exchange.give({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(logOf(exchange.call.path)) });
    if (verb === 'watch') return exchange.pass(new Transform({ transform: (chunk, _, done) => done(null, withHostileNames(chunk)) }));
    const answer = await exchange.forward();
    exchange.give({ ...answer, body: withHostileNames(resource === 'sparkapplications' ? older(answer.body, exchange.call.name) : answer.body) });
  };
  client = new KubeClient(connectionOf(proxy));
  pageFiles = await buildPage(root);
  population = new Population(api, namespace);
  await population.addMany(POPULATION, 60);
  await population.addStory('spark-pi', `Driver failed: ${HOSTILE}`);
  await population.create('broken');
  await population.setStatus('broken', {
    applicationState: { state: 'FAILED', errorMessage: `driver container failed: ${HOSTILE}` }, submissionAttempts: 3, lastSubmissionAttemptTime: ago(9), terminationTime: ago(7),
  });
  await population.create(PLACEHOLDER);
  await population.create('victim');
  for (const [name, schedule] of [['nightly', '0 3 * * *'], ['hourly', '15 * * * *'], ['often', '*/20 * * * *'], ['weekly', '30 6 * * mon']] as const) await population.addSchedule(name, schedule);
  console_ = await startConsole(client);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await console_?.stop();
  client?.close();
  await proxy?.close();
  account?.remove();
  await population?.clear().catch(() => {});
  await installation?.remove();
  api.close();
});

beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await context.newPage();
  complaints.length = 0;
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) complaints.push(message.text()); });
});

afterEach(async () => {
  // An error of a script, or something that the page's policy forbids.
  expect(complaints).toEqual([]);
  await context.close();
});

function startConsole(as: KubeClient): Promise<LocalConsole> {
  return startLocalConsole({
    client: as, dial: () => Promise.reject(new Error('there is no node')), loadPage: async () => pageFiles, port: 0, namespace, fallback: namespace, cluster: 'production', version: '1.2.3',
    logger: silentLogger,
  });
}

function connectionOf(through: FaultProxy): Connection {
  const { clusters: [{ cluster }], users: [{ user }] } = parse(through.kubeconfig());
  return { server: cluster.server, credentials: () => ({ headers: { authorization: `Bearer ${user.token}` }, tls: {} }) };
}

function withHostileNames(body: Buffer): Buffer {
  return body.includes(PLACEHOLDER) ? Buffer.from(body.toString().replaceAll(PLACEHOLDER, JSON.stringify(HOSTILE).slice(1, -1))) : body;
}

/** Adds copies of each application of the population to a list: to create 10,000 takes a minute. */
function manifold(body: string): string {
  const list = JSON.parse(body);
  if (!Array.isArray(list.items)) return body;
  const copiesOf = ({ metadata, ...rest }: any) => Array.from({ length: copies }, (_, index) => ({ ...rest, metadata: { ...metadata, name: `${metadata.name}-${index}`, uid: `${metadata.uid}-${index}` } }));
  return JSON.stringify({ ...list, items: list.items.flatMap((item: any) => [item, ...item.metadata.labels?.team && item.metadata.name !== 'spark-pi' ? copiesOf(item) : []]) });
}

/** All are created now; what the test says of their past would be before that. */
function older(body: Buffer, name: string | undefined): Buffer {
  return Buffer.from(manifold(body.toString()).replace(/"creationTimestamp":"([^"]+)"/g, (_, created: string) => {
    const time = Date.parse(created);
    const minutes = name === undefined ? 400 + 2 * new Date(time).getSeconds() : 31;
    return `"creationTimestamp":"${new Date(time - minutes * 60_000).toISOString()}"`;
  }));
}

/** The current logs of drivers, by pod; all other pods have a long log. */
const logs = new Map<string, string>();

/** A log with times, as the kubelet gives it; it ends at once, although the container runs. */
function logOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://cluster');
  const pod = pathname.split('/').at(-2)!;
  const since = Date.parse(searchParams.get('sinceTime') ?? '1970-01-01');
  return (logs.get(pod) ?? longLog(pod)).split('\n').filter((line) => line === '' || Date.parse(line.split(' ', 1)[0]!) >= since).join('\n');
}

function longLog(pod: string): string {
  const lines = Array.from({ length: 3_000 }, (_, index) => `26/03/01 10:00:${String(index % 60).padStart(2, '0')} INFO TaskSetManager: Finished task ${index}.0 in stage 4.0`);
  const all = [...lines, `\x1b[31m26/03/01 10:01:00 ERROR Main: ${HOSTILE}\x1b[0m`, `the last line of ${pod}`];
  return [...all.map((line, index) => `${new Date(Date.UTC(2026, 2, 1, 10) + index).toISOString()} ${line}`), ''].join('\n');
}

/** Comes in, to a place in the console. */
async function open(hash = '#/applications', of = console_): Promise<void> {
  await page.goto(`${of.url}${hash}`);
  await page.getByText('Live', { exact: true }).waitFor();
}

const rowsShown = () => page.locator('.total').innerText();
const row = (name: string) => page.locator('[role=row]', { has: page.getByRole('link', { name, exact: true }) });

/** A picture of the page for the docs. */
async function picture(name: string): Promise<void> {
  const folder = join(root, 'test-reports/images');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  if (process.env.UPDATE_IMAGES !== '1') return;
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  copyFileSync(join(folder, `${name}.png`), join(root, `docs/images/${name}.png`));
}

test('the page is small', () => {
  const size = new PageFiles(pageFiles).gzippedBytes;
  console.log(`the page has ${(size / 1024).toFixed(1)} KiB gzipped`);
  expect(size).toBeLessThan(100 * 1024);
});

test('the address with the token opens the list, and the token is gone from the address bar', async () => {
  await open('');
  expect(page.url()).toBe(`http://127.0.0.1:${console_.port}/`);
  await page.getByText(/10,0\d\d applications/).waitFor();
  await page.reload();
  await page.getByText(/10,0\d\d applications/).waitFor();
  // Another tab of the same browser is in, too; another browser is not.
  const stranger = await browser.newContext();
  const elsewhere = await stranger.newPage();
  await elsewhere.goto(`http://127.0.0.1:${console_.port}/`);
  await elsewhere.getByText('open the address that sparkctl ui printed').waitFor();
  await stranger.close();
});

test('10,000 applications stay smooth', async () => {
  await open();
  await page.getByText(/10,0\d\d applications/).waitFor();
  expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toMatch(/^10,?0\d\d$/);
  expect(await page.locator('.row').count()).toBeLessThan(80);
  const work: Record<'all' | 'some', number[]> = { all: [], some: [] };
  for (let turn = 0; turn < 3; turn++) {
    work.all.push(await workWhileScrolling(page, '[role=grid]', 320, 80));
    const begin = Date.now();
    await page.getByRole('searchbox').fill('clickstream team=ads');
    await page.getByText(/^1,6\d\d of 10,0\d\d applications$/).waitFor();
    console.log(`filtered within ${Date.now() - begin} ms`);
    work.some.push(await workWhileScrolling(page, '[role=grid]', 320, 80));
    await page.getByRole('searchbox').fill('');
    await page.getByText(/^10,0\d\d applications$/).waitFor();
  }
  console.log(`milliseconds per frame with 10,000 and 1,600 rows: ${JSON.stringify(work)}`);
  // A frame costs the same, however many rows there are. The least of each is without compilation and other programs.
  expect(Math.min(...work.all)).toBeLessThan(2 * Math.min(...work.some) + 5);
});

test('what changes is shown at once', async () => {
  await open('#/applications?q=victim');
  await row('victim').getByText('NEW').waitFor();
  await population.setStatus('victim', { applicationState: { state: 'SUBMITTED', errorMessage: 'waits for a node' }, submissionAttempts: 1, lastSubmissionAttemptTime: ago(0) });
  await row('victim').getByText('SUBMITTED').waitFor();
  await row('victim').getByText('waits for a node').waitFor();
});

test('filters are in the address, and the keyboard is enough', async () => {
  await open();
  await page.keyboard.press('/');
  await page.keyboard.type('spark-pi');
  await page.getByText(/^1 of/).waitFor();
  expect(page.url()).toContain('#/applications?q=spark-pi');
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await page.locator('.row.selected').waitFor();
  expect(await page.locator('[role=grid]').getAttribute('aria-activedescendant')).toBe('row-0');
  await pressOnceSeen(page, 'h1', 'l');
  await page.keyboard.press('Enter');
  await page.getByText('the last line of spark-pi-driver').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role=grid]').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('link', { name: 'nightly', exact: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.getByText('Running now').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('next row, previous row').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Where the focus is can be seen.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
});

test('one application: why it is as it is, its time, executors, events, logs and YAML', async () => {
  await open(`#/applications/${namespace}/spark-pi`);
  await page.getByText('The driver runs').waitFor();
  await page.locator('.stretch.attempt').nth(1).waitFor();
  await page.getByRole('img', { name: /Running executors: 3 running, 1 pending/ }).waitFor();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByText('Attempt 2 was submitted').waitFor();
  await page.getByRole('link', { name: 'YAML' }).click();
  await page.getByText('mainApplicationFile: local:///pi.py').waitFor();
  await page.getByRole('link', { name: 'Pods' }).click();
  await page.getByRole('cell', { name: 'spark-pi-driver', exact: true }).waitFor();
});

test('the log continues after its stream has ended, and with the driver of the next attempt', async () => {
  const [pods, driver] = [`/api/v1/namespaces/${namespace}/pods`, 'spark-pi-driver'];
  const first = '2026-03-01T10:00:01.000000000Z attempt one begins\n';
  logs.set(driver, first);
  try {
    await open(`#/applications/${namespace}/spark-pi/logs`);
    const shown = page.getByRole('region', { name: `Log of ${driver}` });
    await shown.getByText('attempt one begins').waitFor();
    logs.set(driver, `${first}2026-03-01T10:00:02.000000000Z attempt one continues\n`);
    await shown.getByText('attempt one continues').waitFor();
    expect((await shown.innerText()).trim().split('\n')).toEqual(['attempt one begins', 'attempt one continues']);

    const { metadata: { name, labels }, spec: { containers } } = await api.must('GET', `${pods}/${driver}`);
    await api.must('DELETE', `${pods}/${driver}?gracePeriodSeconds=0`);
    logs.set(driver, '2026-03-01T10:05:00.000000000Z attempt two begins\n');
    await api.must('POST', pods, { metadata: { name, namespace, labels }, spec: { containers: [{ name: containers[0].name, image: containers[0].image }] } });
    await shown.getByText('attempt two begins').waitFor();
    expect((await shown.innerText()).trim()).toBe('attempt two begins');
  } finally {
    logs.clear();
  }
});

test('the Spark UI opens also for who has come by the name localhost, as through a tunnel', async () => {
  await page.goto(`${console_.url.replace('127.0.0.1', 'localhost')}#/applications/${namespace}/spark-pi`);
  const button = page.getByRole('button', { name: 'Open the Spark UI' });
  await page.locator('button[aria-disabled=false]', { hasText: 'Open the Spark UI' }).waitFor();
  const [opened] = await Promise.all([context.waitForEvent('page'), button.click()]);
  // It is in, and there the way ends here: there is no node.
  await opened.getByText('the driver does not answer: there is no node').waitFor();
  expect(new URL(opened.url()).hostname).toBe('localhost');
});

test('what is hostile is shown, and not run', async () => {
  await open(`#/applications?q=${encodeURIComponent('onerror')}`);
  await row(HOSTILE).waitFor();
  await page.getByText(`driver container failed: ${HOSTILE}`).waitFor();
  await row('broken').click();
  await page.getByRole('heading', { name: 'broken' }).waitFor();
  await page.locator('.why').getByText(HOSTILE).waitFor();
  await page.goto(`http://127.0.0.1:${console_.port}/#/applications/${namespace}/spark-pi/logs`);
  await page.getByText(`ERROR Main: ${HOSTILE}`).waitFor();
  await page.goto(`http://127.0.0.1:${console_.port}/#/applications/${namespace}/spark-pi/events`);
  await page.getByText(`Driver failed: ${HOSTILE}`).first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
});

test('suspend, resume, run again and delete, each after a question', async () => {
  await open(`#/applications/${namespace}/victim`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await get(namespace, 'sparkapplication', 'victim')).spec.suspend).toBeUndefined();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect((await get(namespace, 'sparkapplication', 'victim')).spec.suspend).toBe(true);
  expect(await page.getByRole('button', { name: 'Run again' }).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  expect((await get(namespace, 'sparkapplication', 'victim')).spec.suspend).toBe(false);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await page.getByText('victim will run again').waitFor();
  expect((await get(namespace, 'sparkapplication', 'victim')).spec.driver.annotations).toHaveProperty(['sparkoperator.k8s.io/rerun-at']);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('victim is being deleted').waitFor();
  await page.locator('[role=grid]').waitFor();
  expect((await api.call('GET', population.path('victim'))).code).toBe(404);
});

test('a button for an action that the user is not allowed is disabled, and shows why', async () => {
  await apply([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'onlooker', namespace } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'onlooker', namespace }, rules: [{ apiGroups: ['sparkoperator.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] }] },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'onlooker', namespace }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'onlooker' }, subjects: [{ kind: 'ServiceAccount', name: 'onlooker', namespace }] },
  ]);
  const onlooker = await kubeconfigOfAccount(namespace, 'onlooker');
  const way = await FaultProxy.start(onlooker.file);
  const theirs = new KubeClient(connectionOf(way));
  const restricted = await startConsole(theirs);
  try {
    await open(`#/applications/${namespace}/spark-pi/pods`, restricted);
    await page.getByText(`You cannot list pods in ${namespace}.`).waitFor();
    const button = page.getByRole('button', { name: 'Delete' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.click({ force: true });
    await page.getByText('Delete: you have no permission for this in this namespace').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  } finally {
    await restricted.stop();
    theirs.close();
    await way.close();
    onlooker.remove();
  }
});

test('after a lost connection the page shows the current rows again', async () => {
  const cable = await Cable.to(console_.port);
  const other = await startBrowser({ [`127.0.0.1:${console_.port}`]: `127.0.0.1:${cable.port}` });
  try {
    page = await other.newPage();
    await open('#/applications?q=comeback');
    await page.getByText(/^0 of 10,0\d\d applications$/).waitFor();
    await cable.cut();
    await page.getByText(/Connection lost: no news since .*; this might be outdated/).waitFor();
    await population.create('comeback');
    expect(await rowsShown()).toMatch(/^0 of/);
    const resumed = page.waitForRequest((request) => request.url().endsWith('/api/rows'));
    await cable.plug();
    await resumed;
    await row('comeback').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  } finally {
    await other.close();
    await cable.cut();
  }
});

test('when the cluster cannot be read, the page says so', async () => {
  await open();
  await proxy.refuse();
  await page.getByText(/The cluster cannot be read/).waitFor({ timeout: 20_000 });
  await proxy.listen();
  await page.getByText(/The cluster cannot be read/).waitFor({ state: 'detached', timeout: 40_000 });
});

test('pages of others cannot reach the console, although the browser is signed in', async () => {
  await open();
  const evil = await context.newPage();
  await evil.route('http://evil.example/', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>evil</title>' }));
  await evil.goto('http://evil.example/');
  const tried = await evil.evaluate(async (base) => {
    const attempt = (to: string, options: RequestInit) => fetch(`${base}${to}`, options).then(async (response) => `${response.status} ${response.type} ${(await response.text()).length}`, (error) => String(error));
    return {
      read: await attempt('/api/session', { credentials: 'include' }),
      act: await attempt('/api/applications/x/y/delete', { method: 'POST', credentials: 'include', mode: 'no-cors' }),
      asJson: await attempt('/api/applications/x/y/delete', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' }),
    };
  }, `http://127.0.0.1:${console_.port}`);
  expect(tried).toEqual({ read: expect.stringContaining('TypeError'), act: expect.stringMatching(/opaque 0$|TypeError/), asJson: expect.stringContaining('TypeError') });
});

test('in a cluster: a bearer token signs in, and shows what its user may see', async () => {
  const delegator = `console-server-${namespace}`;
  const readers = (...names: string[]) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'reader', namespace }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }, subjects: names.map((name) => ({ kind: 'ServiceAccount', name, namespace })) });
  await apply([
    ...['console-server', 'reader', 'outsider'].map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } })),
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: delegator }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' }, subjects: [{ kind: 'ServiceAccount', name: 'console-server', namespace }] },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader', namespace }, rules: [{ apiGroups: ['sparkoperator.k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] }, { apiGroups: [''], resources: ['pods', 'events'], verbs: ['get', 'list'] }] },
    readers('console-server', 'reader'),
  ]);
  const server = await kubeconfigOfAccount(namespace, 'console-server');
  const way = await FaultProxy.start(server.file);
  const own = new KubeClient(connectionOf(way));
  const running = await startClusterConsole({ client: own, loadPage: async () => pageFiles, listen: { host: '127.0.0.1', port: 0 }, namespaces: [namespace], cluster: 'production', version: '1.2.3', logger: silentLogger });
  const tokenFor = (name: string) => tokenOf(namespace, name);
  try {
    await page.goto(`http://127.0.0.1:${running.port}/#/applications?q=spark-pi`);
    await page.getByText('sign in with a bearer token').waitFor();
    for (const cut of ['eyJhbGci…', 'eyJh bGci', '"eyJhbGci"']) {
      await page.getByLabel('Bearer token').fill(cut);
      await page.keyboard.press('Enter');
      await page.getByText('This is not a whole bearer token').waitFor();
    }
    await page.getByLabel('Bearer token').fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('the API server does not accept this token').waitFor();
    await page.getByLabel('Bearer token').fill(await tokenFor('outsider'));
    await page.keyboard.press('Enter');
    await page.getByText(`You cannot list sparkapplications.sparkoperator.k8s.io in ${namespace}: ask for this permission.`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Bearer token').fill(await tokenFor('reader'));
    await page.keyboard.press('Enter');
    await page.getByTitle(`system:serviceaccount:${namespace}:reader`).waitFor();
    // A list without marks has no column for them.
    expect(await row('spark-pi').locator('.col-state').evaluate((cell) => cell.clientWidth)).toBeGreaterThan(100);
    await row('spark-pi').click();
    await page.getByText('The driver runs').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).getAttribute('title')).toBe('this console is read-only');
    await page.getByRole('link', { name: 'Logs' }).click();
    await page.getByText(`system:serviceaccount:${namespace}:reader is not allowed to get pods/log spark-pi-driver in ${namespace}`).waitFor();
    // A withdrawn permission: the page no longer shows what it has read before.
    await apply([readers('console-server')]);
    await page.getByText(`system:serviceaccount:${namespace}:reader is not allowed to get sparkapplications`).waitFor();
    expect(await page.getByText(/The driver runs|RUNNING/).count()).toBe(0);
  } finally {
    await running.close();
    own.close();
    await way.close();
    server.remove();
    await kubectl(['delete', 'clusterrolebinding', delegator]);
  }
});

test.each(['light', 'dark'] as const)('all users can read it: axe finds nothing (%s)', async (colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const found: Record<string, string[]> = {};
  await open();
  for (const [name, hash, text] of [
    ['list', '#/applications', /10,0\d\d applications/], ['application', `#/applications/${namespace}/spark-pi`, 'The driver runs'], ['logs', `#/applications/${namespace}/spark-pi/logs`, 'the last line of'],
    ['events', `#/applications/${namespace}/spark-pi/events`, 'Attempt 2 was submitted'], ['pods', `#/applications/${namespace}/spark-pi/pods`, 'spark-pi-driver'], ['yaml', `#/applications/${namespace}/spark-pi/spec`, 'mainApplicationFile'],
    ['schedules', '#/schedules', 'nightly'], ['schedule', `#/schedules/${namespace}/hourly`, 'hourly-run-1'], ['metrics', '#/metrics', 'Running now'],
  ] as const) {
    await page.evaluate((to) => { (globalThis as any).location.hash = to; }, hash);
    await page.getByText(text).first().waitFor();
    const barriersHere = await barriers(page);
    if (barriersHere.length > 0) found[name] = barriersHere;
  }
  expect(found).toEqual({});
});

test('pictures for the docs', async () => {
  // Hostile texts, and thousands of applications without an operator, would only puzzle readers.
  await Promise.all(['broken', PLACEHOLDER, 'victim', 'comeback'].map((name) => api.call('DELETE', population.path(name))));
  await api.deleteAll(`${population.path()}?labelSelector=team`);
  copies = 0;
  await population.addMany(60, 60);
  await population.addStory('customer-churn', 'ValueError: the column age has no values (churn.py:41)');
  await open('#/applications');
  await page.getByText('81 applications').waitFor();
  await picture('console-applications');
  await page.goto(`http://127.0.0.1:${console_.port}/#/applications/${namespace}/customer-churn`);
  await page.getByText('The driver runs').waitFor();
  await page.getByRole('img', { name: /Running executors/ }).waitFor();
  await picture('console-application');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(`http://127.0.0.1:${console_.port}/#/schedules`);
  await page.locator('.tick.planned').first().waitFor();
  await picture('console-schedules');
  await page.goto(`http://127.0.0.1:${console_.port}/#/metrics?range=6h`);
  await page.locator('rect.bar').first().waitFor();
  await page.getByText('Running now').waitFor();
  await picture('console-metrics');
});
