/*
 * The documentation site, which `npm run docs:site` makes from README.md and docs/: its links, its size, and its pages in a
 * browser at a desk and on a phone, light and dark. With UPDATE_IMAGES=1, and after a failure, screenshots are in test-reports/site.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriers, startBrowser } from '../helpers/browser';
import { SiteServer } from '../helpers/site-server';

const root = join(__dirname, '../..');
const folder = join(root, 'site/html');
const BASE = '/cdk8s-spark-operator/';
const REPOSITORY = 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator';
/** Bytes of a page with its scripts, styles and images, compressed by gzip as GitHub Pages sends them. The index of the search is not included. */
const LIMIT = 200 * 1024;
/** Bytes of the images of a page that the browser loads when they come into view. */
const LAZY_LIMIT = 250 * 1024;
/** Folder for screenshots. */
const IMAGES = join(root, 'test-reports/site');
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

test('a page has at most 200 KiB with scripts, styles and images, and 250 KiB of images that wait until they are in view', () => {
  const sizes = new Map<string, number>();
  const compressed = (path: string) => sizes.get(path) ?? sizes.set(path, gzipSync(readFileSync(join(folder, path))).length).get(path)!;
  const sum = (parts: readonly string[]) => [...new Set(parts)].reduce((bytes, part) => bytes + compressed(part), 0);
  const totals = pages.map(({ path, html }) => {
    const parts = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, part]) => part!.slice(BASE.length));
    const images = imagesOf(html);
    return {
      path,
      bytes: sum([path, ...parts, ...images.filter(({ isLazy }) => !isLazy).map(({ file }) => file)]),
      lazy: sum(images.filter(({ isLazy }) => isLazy).map(({ file }) => file)),
    };
  });
  // A page without its scripts or images would pass for nothing.
  expect(Math.min(...totals.map(({ bytes }) => bytes))).toBeGreaterThan(20 * 1024);
  expect(Math.max(...totals.map(({ lazy }) => lazy))).toBeGreaterThan(20 * 1024);
  expect(totals.filter(({ bytes, lazy }) => bytes > LIMIT || lazy > LAZY_LIMIT)).toEqual([]);
});

/** Returns the images of a page that are files. */
function imagesOf(html: string): { readonly file: string; readonly isLazy: boolean }[] {
  return [...html.matchAll(/<img [^>]*>/g)].flatMap(([tag]) => {
    const [, source] = / src="([^"]+)"/.exec(tag) ?? [];
    return source?.startsWith(BASE) ? [{ file: source.slice(BASE.length), isLazy: tag.includes(' loading="lazy"') }] : [];
  });
}

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Requests to other hosts, and errors of the page. */
  readonly complaints: readonly string[];
}

/** Opens a window. A site that works without a network asks no other host. */
async function visit(viewport: { readonly width: number; readonly height: number }, scheme: 'light' | 'dark'): Promise<Visit> {
  const complaints: string[] = [];
  const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' });
  await context.route((url) => url.origin !== server.origin, (route) => { complaints.push(route.request().url()); return route.abort(); });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  return { context, page, complaints };
}

const isTooWide = (page: Page) => page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth > (globalThis as any).innerWidth);

/** Runs a part of a test. Takes a screenshot if it fails, and if the images are to be updated. */
async function pictured<T>(page: Page, name: string, part: () => Promise<T>): Promise<T> {
  const take = async () => {
    mkdirSync(IMAGES, { recursive: true });
    await page.screenshot({ path: join(IMAGES, `${name.replaceAll(/[^a-z0-9]+/g, '-')}.png`) });
  };
  try {
    const result = await part();
    if (process.env.UPDATE_IMAGES === '1') await take();
    return result;
  } catch (error) {
    // A page that does not answer must not hide the failure.
    await take().catch(() => {});
    throw error;
  }
}

test('the content of pages that people write is accessible, and as wide as a phone', async () => {
  const all = written().filter(({ path, html }) => !path.startsWith('reference/api/') && !/\/edit\/main\/src\/sparkctl\//.test(html)).map(({ path }) => path);
  expect(all.length).toBeGreaterThan(60);
  // All of them take more than a minute: `npm run test:site` does that for each pull request.
  const paths = process.env.SITE_PAGES === 'all' ? all : all.filter((_, index) => index % 4 === 0);
  const { context, page, complaints } = await visit(PHONE, 'light');
  const start = Date.now();
  for (const path of paths) {
    await page.goto(`${server.origin}${BASE}${path}`, { waitUntil: 'load' });
    // The frame around the content is the same on all pages, and checked below.
    await pictured(page, `phone-${path}`, async () => {
      expect({ path, barriers: await barriers(page, 'main'), isTooWide: await isTooWide(page) }).toEqual({ path, barriers: [], isTooWide: false });
    });
  }
  console.log(`${paths.length} pages took ${((Date.now() - start) / 1_000).toFixed(0)} s`);
  await context.close();
  expect(complaints).toEqual([]);
}, 600_000);

describe.each([
  { device: 'a desk', viewport: DESK, scheme: 'light' },
  { device: 'a desk', viewport: DESK, scheme: 'dark' },
  { device: 'a phone', viewport: PHONE, scheme: 'light' },
  { device: 'a phone', viewport: PHONE, scheme: 'dark' },
] as const)('$scheme, on $device', ({ device, viewport, scheme }) => {
  let current: Visit;
  let page: Page;
  const shown = <T>(name: string, part: () => Promise<T>) => pictured(page, `${device.replace('a ', '')}-${scheme}-${name}`, part);

  beforeEach(async () => {
    server.sent.clear();
    current = await visit(viewport, scheme);
    page = current.page;
  });
  afterEach(async () => {
    await current.context.close();
    expect(current.complaints).toEqual([]);
    expect([...server.sent].filter(([, bytes]) => bytes === 0)).toEqual([]);
  });

  /** Opens a page, and waits until its scripts have named the switch of colours. */
  async function open(path: string): Promise<void> {
    await page.goto(`${server.origin}${BASE}${path}`, { waitUntil: 'networkidle' });
    await page.locator('.VPSwitchAppearance[title^="Switch"]').first().waitFor({ state: 'attached' });
  }

  test('pages are accessible, as wide as the window, and small', async () => {
    const longest = written().toSorted((a, b) => b.html.length - a.html.length)[0]!.path;
    const paths = ['', 'contents.html', longest, 'guides/console.html', 'reference/sparkctl/create.html', 'reference/sparkapplication.html', 'reference/api/spark-operator.html', 'reference/api/index.html'];
    for (const path of paths) {
      server.sent.clear();
      await open(path);
      const lazy = await page.locator('img[loading=lazy]').evaluateAll((images: any[]) => images.map(({ src }) => new URL(src).pathname));
      const bytes = [...server.sent].filter(([file]) => !lazy.includes(file)).reduce((sum, [, each]) => sum + each, 0);
      await shown(path === '' ? 'home' : path, async () => {
        expect({ path, barriers: await barriers(page), isTooWide: await isTooWide(page), isSmall: bytes < LIMIT }).toEqual({ path, barriers: [], isTooWide: false, isSmall: true });
      });
    }
  }, 240_000);

  test('colours are those that the system prefers, and a switch changes them', async () => {
    await open('contents.html');
    const isDark = () => page.evaluate(() => (globalThis as any).document.documentElement.classList.contains('dark'));
    await shown('switched', async () => {
      expect(await isDark()).toBe(scheme === 'dark');
      if (device === 'a phone') await page.getByRole('button', { name: 'mobile navigation' }).click();
      await page.getByRole('switch').locator('visible=true').click();
      expect(await isDark()).toBe(scheme !== 'dark');
    });
  });

  /** Types words into the search of the home page. */
  async function search(words: string): Promise<void> {
    await open('');
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill(words);
  }
  const results = () => page.getByRole('dialog').getByRole('link');

  test('a search finds a heading without a network, and its result opens the page', async () => {
    await search('SparkApplicationSpec');
    const result = results().filter({ hasText: /SparkApplication.*SparkApplicationSpec/ }).first();
    await shown('search', async () => {
      await result.waitFor();
      expect(await barriers(page)).toEqual([]);
      await result.click();
      await page.waitForURL(/reference\/sparkapplication\.html#sparkapplicationspec$/);
      await page.getByRole('heading', { name: 'SparkApplicationSpec' }).waitFor();
    });
  });

  // The order of results depends on neither.
  if (device !== 'a desk' || scheme !== 'light') return;

  test('a search for two words finds the heading that has both first', async () => {
    await search('exit codes');
    await shown('search-two-words', async () => {
      await results().filter({ hasText: 'Exit codes' }).first().waitFor();
      expect(await results().first().getAttribute('href')).toMatch(/troubleshoot\/errors\.html#exit-codes$/);
    });
  });

  test('a search finds pages that people write before the reference of the API', async () => {
    await search('SparkJobNamespace');
    await shown('search-order', async () => {
      await results().nth(1).waitFor();
      const links = await results().evaluateAll((all: any[]) => all.map((link) => link.getAttribute('href') as string));
      expect(links[0]).toMatch(/reference\/constructs\/spark-job-namespace\.html(?:#sparkjobnamespace)?$/);
      expect(links.slice(1)).toEqual(expect.arrayContaining([expect.stringMatching(/reference\/api\/spark-job-namespace\.html/)]));
    });
  });
});
