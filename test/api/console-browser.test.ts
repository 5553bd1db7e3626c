/*
 * The console in a browser, as people use it: reload, back, bookmarks, several tabs, a lost
 * connection, an expired token, logs, actions on several applications, a desk and a phone. The
 * cluster is our own small API server, so that it does what a test needs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildPage } from '../../tools/build/console';
import { startClusterConsole } from '../../src/console/server/cluster-console';
import { startLocalConsole, type LocalConsole, type LocalConsoleOptions } from '../../src/console/server/local-console';
import { CHECK_PERIOD } from '../../src/console/server/operator-watch';
import type { RunningConsole } from '../../src/console/server/server';
import { RECHECK } from '../../src/console/server/while-allowed';
import { systemClock, type Clock } from '../../src/kube/clock';
import { silentLogger } from '../../src/kube/logger';
import { application, FakeCluster } from '../console/helpers/fake-cluster';
import { barriers, Cable, startBrowser } from '../helpers/browser';

const LABEL = 'sparkoperator.k8s.io/app-name';
const DESK = { width: 1400, height: 800 };
const PHONE = { width: 390, height: 844 };
const LONG = 'customers-enrichment-with-a-rather-long-name-for-the-european-region';
/** A clock on which the console repeats its checks, and forgets their results, within a second. Its limits stay as they are. */
const FAST: Clock = {
  ...systemClock,
  monotonic: () => 50 * systemClock.monotonic(),
  setTimeout: (callback, ms) => systemClock.setTimeout(callback, [RECHECK, CHECK_PERIOD].includes(ms) ? ms / 50 : ms),
};

const pageFiles = buildPage(join(__dirname, '../..'));
let browser: Browser;
let context: BrowserContext;
let page: Page;
let cluster: FakeCluster;
let console_: LocalConsole;
const complaints: string[] = [];

beforeAll(async () => { browser = await startBrowser({}, { hasScrollBars: true }); });
afterAll(() => browser?.close());

beforeEach(async () => {
  cluster = await FakeCluster.start();
  cluster.put('sparkapplications', application('pi', { metadata: { name: 'pi', namespace: 'default', labels: { team: 'data' } } }));
  cluster.put('sparkapplications', application('etl', { namespace: 'team-a' }));
  addDriver('pi', 'default', { phase: 'Running', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { running: { startedAt: '2026-03-01T10:00:09Z' } } }] });
  console_ = await startConsole();
  complaints.length = 0;
  await enterBrowser(DESK);
});

afterEach(async () => {
  // An error of a script, or something that the page's policy forbids.
  expect(complaints).toEqual([]);
  await context.close();
  await console_.stop();
  await cluster.stop();
});

function startConsole(options: Partial<LocalConsoleOptions> = {}): Promise<LocalConsole> {
  return startLocalConsole({
    client: cluster.client, dial: () => Promise.reject(new Error('there is no driver')), loadPage: () => pageFiles, port: 0, fallback: 'default', cluster: 'production', version: '1.2.3',
    logger: silentLogger, checkOperator: async () => ({ isActive: true, evidence: '' }), ...options,
  });
}

/** Opens another browser window of this size. */
async function enterBrowser(viewport: { readonly width: number; readonly height: number }): Promise<void> {
  await context?.close();
  context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce', timezoneId: 'Asia/Tokyo', acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  context.on('page', (opened) => {
    opened.on('pageerror', (error) => complaints.push(String(error)));
    opened.on('console', (message) => { if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) complaints.push(message.text()); });
  });
  page = await context.newPage();
}

function addDriver(name: string, namespace: string, status: object): void {
  cluster.put('pods', {
    metadata: { name: `${name}-driver`, namespace, labels: { [LABEL]: name, 'spark-role': 'driver' } },
    spec: { nodeName: 'node-1', containers: [{ name: 'spark-kubernetes-driver', image: 'spark:1', resources: { requests: { cpu: '1' }, limits: { memory: '2Gi' } } }] }, status,
  });
}

/** Signs in at a place in the console. */
async function open(hash = '#/applications', tab = page): Promise<void> {
  await tab.goto(`${console_.url}${hash}`);
  await isLive(tab);
}

const isLive = (tab = page) => tab.getByText('Live', { exact: true }).waitFor();
const origin = () => `http://127.0.0.1:${console_.port}`;
const row = (name: string, tab = page) => tab.locator('[role=row]', { has: tab.getByRole('link', { name, exact: true }) });
const stamped = (second: number, text: string) => `2026-03-01T10:00:${String(second % 60).padStart(2, '0')}.${String(second).padStart(6, '0')}000Z ${text}\n`;

test('back, forward and reload keep the place, with the filter of the list', async () => {
  await open();
  await row('etl').waitFor();
  await page.getByRole('searchbox').fill('team=data');
  await page.getByText('1 of 2 applications').waitFor();
  await page.getByRole('link', { name: 'pi', exact: true }).click();
  await page.getByRole('heading', { name: 'pi' }).waitFor();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByText('There are no events').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Facts' }).waitFor();
  await page.goBack();
  await page.getByText('1 of 2 applications').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('team=data');
  await page.goForward();
  await page.goForward();
  await page.getByText('There are no events').waitFor();
  await page.reload();
  await page.getByText('There are no events').waitFor();
  expect(page.url()).toBe(`${origin()}/#/applications/default/pi/events`);
});

test('a bookmark opens its tab, a link opens another tab, and all tabs follow the cluster', async () => {
  await open();
  const bookmark = await context.newPage();
  await bookmark.goto(`${origin()}/#/applications/default/pi/pods`);
  await bookmark.getByRole('cell', { name: 'pi-driver', exact: true }).waitFor();
  const [opened] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'etl', exact: true }).click({ modifiers: ['ControlOrMeta'] })]);
  await opened.getByRole('heading', { name: 'etl' }).waitFor();
  await row('etl').waitFor();
  // An action in one tab is seen in the others.
  await bookmark.getByRole('button', { name: 'Suspend' }).click();
  await bookmark.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await bookmark.getByText('pi is being suspended').waitFor();
  await bookmark.getByRole('button', { name: 'Resume' }).waitFor();
  expect(await bookmark.evaluate('document.activeElement.textContent')).toBe('Resume');
  const other = await context.newPage();
  await other.goto(`${origin()}/#/applications/default/pi`);
  await other.getByRole('button', { name: 'Resume' }).waitFor();
  cluster.remove('sparkapplications', 'default', 'pi');
  await row('pi').waitFor({ state: 'detached' });
  await other.getByText('There is no such application (any more).').waitFor();
  await other.getByRole('button', { name: 'Resume' }).waitFor({ state: 'detached' });
  expect(await other.getByLabel('Why').count()).toBe(0);
});

test('an address of something that does not exist says so', async () => {
  await open('#/applications/default/nope');
  await page.getByText('There is no such application (any more).').waitFor();
  await page.getByRole('navigation', { name: 'Parts of the application' }).waitFor({ state: 'detached' });
  await open('#/schedules/default/nope');
  await page.getByText('There is no such schedule (any more).').waitFor();
  await page.getByRole('heading', { name: 'nope' }).waitFor();
  await open('#/applications/default/pi/logs?pod=nope');
  await page.getByText('There is no pod nope (any more). This is the log of pi-driver.').waitFor();
  await open('#/nosuch/default/pi');
  await row('pi').waitFor();
  expect(await page.title()).toBe('Applications · Spark');
});

test('a console that was started again asks for its new address, and then all tabs continue', async () => {
  await open('#/applications/default/pi');
  const { port } = console_;
  await console_.stop();
  await page.getByText(/Connection lost: no news since .*; this might be outdated/).waitFor();
  console_ = await startConsole({ port });
  await page.getByText('open the address that sparkctl ui printed').waitFor();
  const renewed = await context.newPage();
  await open('', renewed);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'pi' }).waitFor();
  await isLive();
});

test('after a lost connection, a log continues without a gap', async () => {
  let log = stamped(1, 'before the loss');
  cluster.logs.set('default/pi-driver', () => log);
  const cable = await Cable.to(console_.port);
  const other = await startBrowser({ [`127.0.0.1:${console_.port}`]: `127.0.0.1:${cable.port}` });
  try {
    const tab = await other.newPage();
    await open('#/applications/default/pi/logs', tab);
    const lines = tab.getByRole('region', { name: 'Log of pi-driver' });
    await lines.getByText('before the loss').waitFor();
    await cable.cut();
    await tab.getByText(/Connection lost: no news since .*; this might be outdated/).waitFor();
    log += stamped(2, 'during the loss');
    await cable.plug();
    await lines.getByText('during the loss').waitFor();
    expect((await lines.innerText()).trim().split('\n')).toEqual(['before the loss', 'during the loss']);
  } finally {
    await other.close();
    await cable.cut();
  }
});

describe('in a cluster', () => {
  let running: RunningConsole;

  beforeEach(async () => {
    cluster.tokens.set('token-of-ann', 'ann').set('token-of-bob', 'bob');
    cluster.rbac = ({ namespace, subresource }, user) => user !== 'bob' || (namespace === 'default' && subresource !== 'log');
    running = await startClusterConsole({
      client: cluster.client, loadPage: () => pageFiles, listen: { host: '127.0.0.1', port: 0 }, cluster: 'production', version: '1.2.3', logger: silentLogger, clock: FAST,
      operatorLease: { namespace: 'spark-operator', name: 'lock' },
    });
  });

  afterEach(() => running.close());

  async function signIn(token: string, tab = page): Promise<void> {
    await tab.getByLabel('Bearer token').fill(token);
    await tab.keyboard.press('Enter');
    await isLive(tab);
  }

  test('a bookmark asks for a token first; a reload keeps it, and another tab does not have it', async () => {
    await page.goto(`http://127.0.0.1:${running.port}/#/applications/default/pi/pods`);
    await signIn('token-of-ann');
    await page.getByRole('cell', { name: 'pi-driver', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'pi-driver', exact: true }).waitFor();
    const tab = await context.newPage();
    await tab.goto(page.url());
    await tab.getByText('sign in with a bearer token').waitFor();
  });

  test('an expired token asks for another one, in the same place, and shows nothing that the next user must not see', async () => {
    await page.goto(`http://127.0.0.1:${running.port}/#/applications`);
    await signIn('token-of-ann');
    await row('etl').waitFor();
    cluster.tokens.delete('token-of-ann');
    await page.getByText('the API server does not accept this token; it might have expired').waitFor();
    expect(await page.getByText('etl').count()).toBe(0);
    await signIn('token-of-bob');
    await row('pi').waitFor();
    await row('etl').waitFor({ state: 'detached' });
    await page.goto(`http://127.0.0.1:${running.port}/#/applications/default/pi/logs`);
    await page.getByText('bob is not allowed to get pods/log pi-driver in default').waitFor();
  });

  test('a banner says that no operator runs, until one does; nothing can be changed', async () => {
    await page.goto(`http://127.0.0.1:${running.port}/#/applications`);
    await signIn('token-of-ann');
    await page.getByText('No operator runs: there is no Lease spark-operator/lock.').waitFor();
    await row('pi').getByText('no operator').waitFor();
    cluster.put('leases', { metadata: { namespace: 'spark-operator', name: 'lock' }, spec: { holderIdentity: 'a', renewTime: new Date().toISOString() } });
    await page.getByText('No operator runs').waitFor({ state: 'detached' });
    // Without an action, there is nothing to select for.
    await row('pi').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});

describe('a log', () => {
  const TRACEBACK = ['Traceback (most recent call last):', '  File "fail.py", line 5, in <module>', `AnalysisException: [UNRESOLVED_COLUMN] no column x ${'and so on '.repeat(40)}`];

  beforeEach(() => {
    const lines = [...Array.from({ length: 400 }, (_, index) => `26/03/01 10:00:00 INFO TaskSetManager: Finished task ${index}.0`), '26/03/01 10:00:01 WARN Utils: careful', 'printed', ...TRACEBACK,
      ...Array.from({ length: 50 }, (_, index) => `26/03/01 10:00:02 INFO ShutdownHookManager: after ${index}`)];
    cluster.logs.set('default/pi-driver', lines.map((line, index) => stamped(index, line)).join(''));
    addDriver('pi', 'default', { phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode: 1, finishedAt: '2026-03-01T10:07:35Z' } } }] });
    const { status, ...failed } = application('pi', { state: 'FAILED' });
    cluster.put('sparkapplications', { ...failed, status: { ...status, applicationState: { state: 'FAILED', errorMessage: 'AnalysisException: [UNRESOLVED_COLUMN] no column x (fail.py:5)' } } });
  });

  test('leads to the error, and is searched, filtered, wrapped, copied and saved', async () => {
    await open('#/applications/default/pi');
    await page.locator('.why').getByRole('link').click();
    const lines = page.getByRole('region', { name: 'Log of pi-driver' });
    await lines.locator('.log-line.current', { hasText: 'no column x' }).waitFor();
    expect(page.url()).toContain('/logs?jump=error');

    const search = page.getByRole('searchbox', { name: 'Search the log' });
    await page.keyboard.press('/');
    await page.keyboard.type('FINISHED TASK');
    await page.getByText('400 matching lines').waitFor();
    await search.press('Shift+Enter');
    await page.getByText('400 of 400').waitFor();
    await search.press('Enter');
    await page.getByText('1 of 400').waitFor();
    await lines.locator('.log-line.current mark', { hasText: 'Finished task' }).waitFor();
    await page.getByRole('checkbox', { name: 'Only matches' }).check();
    await page.getByText('400 of 455 lines, ended').waitFor();
    await search.fill('');

    await page.getByRole('button', { name: 'ERROR 1' }).click();
    await page.getByText('3 of 455 lines, ended').waitFor();
    expect(await lines.locator('.log-line').count()).toBe(3);
    const oneRow = (await lines.locator('.log-body').boundingBox())!.height;
    await page.getByRole('checkbox', { name: 'Wrap' }).check();
    await page.waitForFunction((before) => (globalThis as any).document.querySelector('.log-body').getBoundingClientRect().height > before, oneRow);
    // The rows that were counted are those that the browser needs.
    const heights = await lines.evaluate((region: any) => [region.querySelector('.log-body'), region.querySelector('.log-window')].map((each) => each.getBoundingClientRect().height));
    expect(heights[0]).toBe(heights[1]);
    await page.getByRole('checkbox', { name: 'Times' }).check();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied.split('\n').map((line) => line.trimEnd())).toEqual(TRACEBACK.map((line) => expect.stringMatching(new RegExp(`^2026-03-01T10:0\\d:\\d\\d\\.\\d{3}Z ${line.slice(0, 20).replace(/[().[]/g, '\\$&')}`))));
    await page.reload();
    expect(await page.getByRole('checkbox', { name: 'Wrap' }).isChecked()).toBe(true);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('pi-driver.log');
    expect(readFileSync(await download.path(), 'utf8').split('\n')).toHaveLength(456);
  });

  test('of a driver that has not started is explained, and appears when it starts', async () => {
    cluster.logs.delete('default/pi-driver');
    cluster.put('sparkapplications', application('pi', { state: 'SUBMITTED' }));
    addDriver('pi', 'default', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient memory.' }] });
    await open('#/applications/default/pi/logs');
    await page.getByText('Container spark-kubernetes-driver of pod pi-driver has not started yet: Unschedulable: no node has enough memory').waitFor();
    expect(await page.getByText('400').count()).toBe(0);
    cluster.logs.set('default/pi-driver', stamped(1, 'it has started'));
    await page.getByText('it has started').waitFor();
    await page.getByText('has not started yet').waitFor({ state: 'detached' });
  });
});

test('an action on several applications asks with their names, and reports each result', async () => {
  cluster.rbac = ({ verb, namespace, resource }) => verb !== 'patch' || namespace !== 'team-a' || resource !== 'sparkapplications';
  cluster.put('sparkapplications', application('done', { state: 'COMPLETED' }));
  cluster.put('sparkapplications', application('tau'));
  await open();
  for (const name of ['pi', 'tau', 'done', 'etl']) await row(name).getByRole('checkbox').check();
  const bar = page.getByRole('group', { name: 'Actions on the selected applications' });
  await bar.getByRole('button', { name: 'Suspend', disabled: false }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('list', { name: 'Applications', exact: true }).innerText()).toMatch(/^default\/pi It began \d+d ago\.\ndefault\/tau It began \d+d ago\.$/);
  expect(await dialog.getByRole('list', { name: 'Unchanged applications' }).innerText()).toBe('default/done it has ended\nteam-a/etl you have no permission for this in this namespace');
  expect(await barriers(page)).toEqual([]);
  // One of them is replaced by another of its name in the meantime.
  cluster.remove('sparkapplications', 'default', 'tau');
  cluster.put('sparkapplications', application('tau', { metadata: { name: 'tau', namespace: 'default', uid: 'another' } }));
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByText('Suspend: 1 of 2 applications; 1 failed').waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Close');
  await dialog.getByText('default/pi is being suspended').waitFor();
  await dialog.getByText(/default\/tau nothing was changed: tau was deleted/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(cluster.calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path.split('/').at(-1), body.spec])).toEqual(expect.arrayContaining([['pi', { suspend: true }]]));
  await bar.getByText('3 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  // The result stays when the last selected row disappears.
  await row('done').getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Delete 1 application?').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await row('done').waitFor({ state: 'detached' });
  await dialog.getByText('Delete: 1 of 1 application').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

describe('the list', () => {
  const message = 'driver does not start: FailedMount: references non-existent key etl.conf, which a rather long message explains in two lines of a card on a phone';

  beforeEach(() => {
    const failed = application('failed', { state: 'FAILED' });
    cluster.put('sparkapplications', { ...failed, status: { ...failed.status, applicationState: { state: 'FAILED', errorMessage: message } } });
  });

  test('leaves the room that short names do not need to the reason', async () => {
    await open();
    const width = (column: string) => row('failed').locator(`.col-${column}`).evaluate((cell: any) => cell.clientWidth);
    expect(await width('reason')).toBeGreaterThan(550);
    cluster.put('sparkapplications', application(LONG));
    await row(LONG).waitFor();
    expect([await width('name') > 400, await width('reason') > 300]).toEqual([true, true]);
    const [title, cell] = await Promise.all(['[role=columnheader].col-reason', '[role=gridcell].col-reason'].map((each) => page.locator(each).first().boundingBox()));
    expect(title!.x).toBe(cell!.x);
  });

  test('has cards on a phone that are as high as their lines', async () => {
    await enterBrowser(PHONE);
    await open();
    const height = async (name: string) => (await row(name).boundingBox())!.height;
    const [short, long] = [await height('pi'), await height('failed')];
    expect([short < 80, long > short + 30, long < 120]).toEqual([true, true, true]);
    const cut = await page.evaluate('[...document.querySelectorAll(\'.grid .row\')].filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).length');
    expect(cut).toBe(0);
  });
});

test('the lists are not wider than the window, whatever its width', async () => {
  cluster.put('scheduledsparkapplications', {
    metadata: { name: 'nightly', namespace: 'default' }, spec: { schedule: '0 3 * * *', timeZone: 'America/Argentina/Buenos_Aires', template: {} },
    status: { scheduleState: 'FailedValidation' },
  });
  for (const [path, text] of [['schedules', 'nightly'], ['applications', 'pi']] as const) {
    await open(`#/${path}`);
    await page.locator('.grid').getByText(text, { exact: true }).waitFor();
    for (const width of [780, 900, 1_001, 1_024, 1_031, 1_100, 1_180, 1_201, 1_300]) {
      await page.setViewportSize({ width, height: 700 });
      expect([path, width, await page.evaluate('[\'.grid\', \'.grid .row\'].flatMap((each) => [...document.querySelectorAll(each)]).filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length')])
        .toEqual([path, width, 0]);
    }
  }
});

describe.each([['a desk', DESK], ['a phone', PHONE]] as const)('on %s', (_, size) => {
  test('every view fits, breaks no word, has all values, and axe finds nothing', async () => {
    await console_.stop();
    cluster.usage = [{ metadata: { name: `${LONG}-driver` }, containers: [{ usage: { cpu: '250m', memory: '1Gi' } }] }];
    cluster.put('sparkapplications', application(LONG, {
      namespace: 'data-platform-production',
      spec: { type: 'Python', sparkVersion: '4.1.1', image: 'registry.example.org/data-platform/spark:4.1.1', mainApplicationFile: `s3a://bucket/${'folder/'.repeat(30)}main.py`, driver: { cores: 1 }, executor: { instances: 4, memory: '4g' } },
    }));
    addDriver(LONG, 'data-platform-production', { phase: 'Running', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { running: { startedAt: '2026-03-01T10:00:09Z' } } }] });
    cluster.put('events', {
      metadata: { name: 'e', namespace: 'data-platform-production' }, involvedObject: { kind: 'SparkApplication', name: LONG, uid: `uid-data-platform-production-${LONG}` }, type: 'Warning',
      reason: 'SparkDriverFailed', message: `no file s3a://bucket/${'folder/'.repeat(40)}`, count: 1, firstTimestamp: '2026-03-01T10:00:00Z', lastTimestamp: '2026-03-01T10:00:00Z',
    });
    cluster.put('scheduledsparkapplications', {
      metadata: { name: 'nightly', namespace: 'default' }, spec: { schedule: '0 3 * * *', timeZone: 'Europe/Berlin', template: {} },
      status: { scheduleState: 'Scheduled', nextRun: '2026-03-02T02:00:00Z', runHistory: [{ name: 'nightly-1', startTime: '2026-03-01T02:00:00Z', scheduledTime: '2026-03-01T02:00:00Z', endTime: '2026-03-01T02:09:00Z', result: 'Failed', cause: 'no column x' }] },
    });
    console_ = await startConsole({ historyServer: 'https://history.example.org' });
    await enterBrowser(size);
    await open();
    const at = `#/applications/data-platform-production/${LONG}`;
    for (const [hash, ...texts] of [
      ['#/applications', LONG], [at, 's3a://bucket/', '4 × 1 core, 4g', 'spark:1'], [`${at}/pods`, `${LONG}-driver`, '0.25 of 1', '1Gi of 2Gi'],
      [`${at}/events`, 'SparkDriverFailed', 'Warning', 'no file s3a://bucket/'], [`${at}/objects`, 'There are no objects'], [`${at}/spec`, 'mainApplicationFile'], ['#/schedules', 'nightly'],
      ['#/schedules/default/nightly', 'nightly-1', 'no column x', 'Europe/Berlin'], ['#/metrics', 'Running now'],
    ] as const) {
      await page.evaluate((to) => { (globalThis as any).location.hash = to; }, hash);
      for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
      expect([hash, await page.evaluate(WIDER)]).toEqual([hash, []]);
      expect([hash, await brokenWords()]).toEqual([hash, []]);
      expect([hash, await barriers(page)]).toEqual([hash, []]);
    }
  });
});

/** Finds parts of the page that are wider than the page, or than their card. */
const WIDER = `[document.documentElement, ...document.querySelectorAll('main, .filters, .table, .table td')]
  .filter(({ scrollWidth, clientWidth, className }) => scrollWidth > clientWidth && !/name|text/.test(className)).map(({ className }) => className)`;

/** Returns the cells with a word on two lines that would have fitted on one. */
function brokenWords(): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('td, [role=gridcell]')].flatMap((cell) => {
    const broken = [];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const match of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
        const isSplit = new Set(parts.map(({ top }) => Math.round(top))).size > 1;
        if (isSplit && parts.reduce((sum, { width }) => sum + width, 0) < node.parentElement.clientWidth) broken.push(match[0]);
      }
    }
    return broken;
  })`);
}
