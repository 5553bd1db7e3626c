/*
 * A browser that is signed in to a console, and a hostile driver on the same machine, which serves
 * everything that could help it to the session. There is no node: the way to the driver begins
 * where the kubelet would be.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildPage } from '../../tools/build/console';
import { startLocalConsole, type LocalConsole } from '../../src/console/server/local-console';
import { silentLogger } from '../../src/kube/logger';
import { serveSparkUi } from '../../src/sparkctl/forward/spark-ui-server';
import { application, FakeCluster } from '../console/helpers/fake-cluster';
import { startBrowser } from '../helpers/browser';

/** The attempts of the driver's page, and their results. */
const ATTEMPTS = `
  const tried = {};
  const attempt = async (name, act) => { tried[name] = String(await Promise.resolve().then(act).catch((error) => error.name)); };
  const base = new URLSearchParams(location.search).get('console');
  (async () => {
    await attempt('cookies', () => document.cookie);
    await attempt('storage', () => JSON.stringify({ ...localStorage, ...sessionStorage }));
    await attempt('opener', () => String(window.opener));
    await attempt('read', async () => (await fetch(base + '/api/session', { credentials: 'include' })).status);
    await attempt('act', async () => (await fetch(base + '/api/applications/default/pi/delete', { method: 'POST', mode: 'no-cors', credentials: 'include' })).type);
    await attempt('worker', async () => (await navigator.serviceWorker.register('/worker.js')).scope);
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = base + '/';
    await new Promise((resolve) => { frame.onload = resolve; });
    await attempt('frame', () => frame.contentWindow.localStorage.session);
    window.tried = tried;
  })();
`;
/** A service worker that would answer for the next server on its port. */
const WORKER = 'self.addEventListener("install", () => self.skipWaiting()); self.addEventListener("fetch", (event) => event.respondWith(new Response("taken over")));';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let cluster: FakeCluster;
let console_: LocalConsole;
let driver: Server;
let seen: string[];
const pageFiles = buildPage(join(__dirname, '../..'));

beforeAll(async () => { browser = await startBrowser(); });
afterAll(() => browser?.close());

beforeEach(async () => {
  seen = [];
  driver = createServer((request, response) => {
    seen.push(textOf(request));
    if (request.url === '/') return void response.writeHead(302, { location: `http://${request.headers.host}/jobs/` }).end();
    const isWorker = request.url === '/worker.js';
    response.writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html', 'service-worker-allowed': '/', 'set-cookie': 'session=fixed; Path=/', 'access-control-allow-origin': '*' });
    response.end(isWorker ? WORKER : `<!doctype html><title>Spark</title><body><script>${ATTEMPTS}</script>`);
  });
  driver.listen(0, '127.0.0.1');
  await once(driver, 'listening');
  cluster = await FakeCluster.start();
  cluster.put('sparkapplications', application('pi'));
  cluster.put('pods', {
    metadata: { name: 'pi-driver', namespace: 'default', labels: { 'sparkoperator.k8s.io/app-name': 'pi', 'spark-role': 'driver' } }, status: { phase: 'Running' },
  });
  context = await browser.newContext();
  page = await context.newPage();
  console_ = await startConsole();
});

afterEach(async () => {
  await context.close();
  await console_.stop();
  await cluster.stop();
  driver.closeAllConnections();
  driver.close();
});

async function startConsole(port = 0): Promise<LocalConsole> {
  return startLocalConsole({
    client: cluster.client, dial, loadPage: () => pageFiles, port, namespace: 'default', fallback: 'default', cluster: 'test', version: '1.2.3', logger: silentLogger,
  });
}

async function dial() {
  return connect((driver.address() as AddressInfo).port, '127.0.0.1');
}

/** Returns the whole head of a request. */
function textOf({ method, url, rawHeaders }: IncomingMessage): string {
  return [`${method} ${url}`, ...rawHeaders].join('\n');
}

/** Signs in, and returns the session. */
async function signIn(): Promise<string> {
  await page.goto(console_.url);
  await page.getByText('Live', { exact: true }).waitFor();
  return page.evaluate(() => (globalThis as any).localStorage.getItem('session'));
}

/** Opens the driver's page in another tab, and returns its results. */
async function visit(url: string): Promise<any> {
  const tab = await context.newPage();
  await tab.goto(`${url}/jobs/?console=${encodeURIComponent(`http://127.0.0.1:${console_.port}`)}`);
  await tab.waitForFunction('window.tried');
  return tab.evaluate('window.tried');
}

/** Starts the server of `sparkctl forward`. */
async function forward(port = 0) {
  const server = createTcpServer(serveSparkUi({ isLoopback: true, mainName: 'driver', dial, onError: () => {} }));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    // The browser can keep connections that it has opened in advance.
    close: () => new Promise((resolve) => {
      server.close(resolve);
      sockets.forEach((socket) => socket.destroy());
    }),
  };
}

const NOTHING = { opener: 'null', read: 'TypeError', act: expect.stringMatching(/^(TypeError|opaque)$/), frame: 'SecurityError' };

function expectNoSecrets(session: string): void {
  expect(session).toMatch(/^[\w-]{43}$/);
  expect(seen).not.toEqual([]);
  for (const text of seen) {
    expect(text).not.toContain(session);
    expect(text).not.toContain(new URL(console_.url).searchParams.get('token'));
    expect(text).not.toMatch(/spark-console/i);
  }
  expect(cluster.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
}

test('that the console leads to: nothing', async () => {
  const session = await signIn();
  await page.goto(`http://127.0.0.1:${console_.port}/#/applications/default/pi`);
  const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Open the Spark UI' }).click()]);
  await tab.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/jobs\/$/);
  expect((await tab.reload())!.status()).toBe(200);
  expect(await visit(new URL(tab.url()).origin)).toEqual({ ...NOTHING, cookies: '', storage: '{}', worker: 'TypeError' });
  expectNoSecrets(session);
  expect(seen.join('\n')).not.toMatch(/^cookie$/im);
});

test('that sparkctl forward serves, opened by a link of another page: its redirect and a reload work', async () => {
  const way = await forward();
  await page.goto(`http://127.0.0.1:${(driver.address() as AddressInfo).port}/jobs/`);
  await page.setContent(`<a href="http://127.0.0.1:${way.port}/">Spark</a>`);
  await page.getByRole('link', { name: 'Spark' }).click();
  await page.waitForURL(`http://127.0.0.1:${way.port}/jobs/`);
  expect((await page.reload())!.status()).toBe(200);
  await page.goto('about:blank');
  await way.close();
});

test('that sparkctl forward leads to: nothing, and it leaves nothing for the console that is there later', async () => {
  const session = await signIn();
  const way = await forward();
  expect(await visit(`http://127.0.0.1:${way.port}`)).toEqual({ ...NOTHING, cookies: '', storage: '{}', worker: 'TypeError' });
  expectNoSecrets(session);
  expect(seen.join('\n')).not.toMatch(/^cookie$/im);
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  await way.close();

  await console_.stop();
  console_ = await startConsole(way.port);
  await signIn();
});

test('whose bytes are passed on as they are, as by kubectl port-forward: no session, as there is no cookie', async () => {
  const session = await signIn();
  const { port } = driver.address() as AddressInfo;
  for (const name of ['127.0.0.1', 'localhost']) expect(await visit(`http://${name}:${port}`)).toMatchObject({ ...NOTHING, storage: '{}' });
  expectNoSecrets(session);
  // A cookie that it has set itself changes nothing for the console.
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
});
