/*
 * The documentation site, which `npm run docs:site` makes from README.md and docs/: its links, its size, and its pages in a
 * browser at a desk and on a phone, light and dark.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriers, startBrowser } from '../helpers/browser';
import { SiteServer } from '../helpers/site-server';

const root = join(__dirname, '../..');
const folder = join(root, 'site/html');
const BASE = '/cdk8s-spark-operator/';
const REPOSITORY = 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator';
/** Bytes of a page with its scripts and styles, compressed by gzip as GitHub Pages sends them. Images and the index of the search are not included. */
const LIMIT = 200 * 1024;
const DESK = { width: 1400, height: 900 };
const PHONE = { width: 390, height: 844 };

let pages: readonly { readonly path: string; readonly html: string }[];
let server: SiteServer;
let browser: Browser;

beforeAll(async () => {
  execFileSync(process.execPath, ['tools/site/main.ts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  pages = globSync('**/*.html', { cwd: folder }).sort().map((path) => ({ path, html: readFileSync(join(folder, path), 'utf8') }));
  server = await SiteServer.start(folder, BASE);
  browser = await startBrowser();
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Pages that are made from Markdown: all but the one for unknown addresses. */
const written = () => pages.filter(({ path }) => path !== '404.html');

test('each Markdown file of docs has a page, and the README is the home page', () => {
  const sources = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];
  expect(written().map(({ path }) => path)).toHaveLength(sources.length);
  expect(pages.find(({ path }) => path === 'index.html')!.html).toContain('Quick start');
});

test('links lead to pages and headings of the site, or to files of the repository', () => {
  const ids = new Map(pages.map(({ path, html }) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const wrong = pages.flatMap(({ path, html }) => linksOf(html).filter((link) => !leadsSomewhere(link, path, ids)).map((link) => `${path}: ${link}`));
  expect([...new Set(wrong)]).toEqual([]);
});

const linksOf = (html: string): string[] => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

function leadsSomewhere(link: string, from: string, ids: ReadonlyMap<string, ReadonlySet<string | undefined>>): boolean {
  if (link.startsWith(REPOSITORY)) {
    const [, path] = /^\/(?:blob|tree|edit)\/main\/([^#]+)/.exec(link.slice(REPOSITORY.length)) ?? [];
    return path === undefined || existsSync(join(root, path));
  }
  if (/^[a-z]+:/.test(link)) return true;
  const [path, id] = link.split('#') as [string, string?];
  const page = path === '' ? from : posix.relative(BASE, path.endsWith('/') ? `${path}index.html` : path);
  return ids.has(page) && (id === undefined || id === '' || ids.get(page)!.has(decodeURIComponent(id)));
}

test('each page has a link to edit its source', () => {
  const without = written().filter(({ html }) => !linksOf(html).some((link) => new RegExp(`^${REPOSITORY}/(edit|tree)/main/`).test(link)));
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('a page has at most 200 KiB with scripts and styles, compressed by gzip', () => {
  const sizes = new Map<string, number>();
  const compressed = (path: string) => sizes.get(path) ?? sizes.set(path, gzipSync(readFileSync(join(folder, path))).length).get(path)!;
  const totals = pages.map(({ path, html }) => {
    const parts = new Set([...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, part]) => part!.slice(BASE.length)));
    return { path, bytes: [...parts].reduce((sum, part) => sum + compressed(part), compressed(path)) };
  });
  // A page without its scripts would pass for nothing.
  expect(Math.min(...totals.map(({ bytes }) => bytes))).toBeGreaterThan(20 * 1024);
  expect(totals.filter(({ bytes }) => bytes > LIMIT)).toEqual([]);
});

describe.each([
  { device: 'a desk', viewport: DESK, scheme: 'light' },
  { device: 'a desk', viewport: DESK, scheme: 'dark' },
  { device: 'a phone', viewport: PHONE, scheme: 'light' },
  { device: 'a phone', viewport: PHONE, scheme: 'dark' },
] as const)('$scheme, on $device', ({ device, viewport, scheme }) => {
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeEach(async () => {
    complaints.length = 0;
    server.sent.clear();
    context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' });
    // A site that works without a network asks no other host.
    await context.route((url) => url.origin !== server.origin, (route) => { complaints.push(route.request().url()); return route.abort(); });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
    expect([...server.sent].filter(([, bytes]) => bytes === 0)).toEqual([]);
  });

  /** Opens a page, and waits until its scripts have named the switch of colours. */
  async function open(path: string): Promise<void> {
    await page.goto(`${server.origin}${BASE}${path}`, { waitUntil: 'networkidle' });
    await page.locator('.VPSwitchAppearance[title^="Switch"]').first().waitFor({ state: 'attached' });
  }

  const isTooWide = () => page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth > (globalThis as any).innerWidth);

  test('pages are accessible, as wide as the window, and small', async () => {
    const longest = written().toSorted((a, b) => b.html.length - a.html.length)[0]!.path;
    for (const path of ['', 'contents.html', longest, 'reference/sparkapplication.html', 'reference/api/spark-operator.html', 'reference/api/index.html']) {
      server.sent.clear();
      await open(path);
      const text = [...server.sent].filter(([file]) => !/\.(png|svg)$/.test(file)).reduce((sum, [, bytes]) => sum + bytes, 0);
      expect({ path, barriers: await barriers(page), isTooWide: await isTooWide(), isSmall: text < LIMIT }).toEqual({ path, barriers: [], isTooWide: false, isSmall: true });
    }
  }, 180_000);

  test('colours are those that the system prefers, and a switch changes them', async () => {
    await open('contents.html');
    const isDark = () => page.evaluate(() => (globalThis as any).document.documentElement.classList.contains('dark'));
    expect(await isDark()).toBe(scheme === 'dark');
    if (device === 'a phone') await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.getByRole('switch').locator('visible=true').click();
    expect(await isDark()).toBe(scheme !== 'dark');
  });

  test('a search finds a heading without a network, and its result opens the page', async () => {
    await open('');
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('timeToLiveSeconds');
    const result = page.getByRole('dialog').getByRole('link').filter({ hasText: /SparkApplication.*SparkApplicationSpec/ }).first();
    await result.waitFor();
    expect(await barriers(page)).toEqual([]);
    await result.click();
    await page.waitForURL(/reference\/sparkapplication\.html#sparkapplicationspec$/);
    await page.getByRole('heading', { name: 'SparkApplicationSpec' }).waitFor();
  });
});
