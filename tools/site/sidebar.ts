import { posix } from 'node:path';
import type { Page } from './pages.ts';

/** An entry of the sidebar, as VitePress reads it. */
export interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly Entry[];
}

/** Folders by their order, with their titles. Others follow, with the title of their README or their name. */
const FOLDERS: readonly (readonly [string, string])[] = [
  ['get-started', 'Get started'],
  ['guides', 'Guides'],
  ['migrate', 'Migrate'],
  ['operate', 'Operate'],
  ['troubleshoot', 'Troubleshoot'],
  ['reference', 'Reference'],
  ['reference/constructs', 'Constructs'],
  ['reference/sparkctl', 'sparkctl'],
  ['reference/api', 'API'],
  ['explain', 'Explanations'],
  ['explain/decisions', 'Decisions'],
];
const TITLES = new Map(FOLDERS);
const ORDER = FOLDERS.map(([folder]) => folder);

/**
 * Returns the sidebar: folders are groups, and pages have the order in which `docs/README.md` and the README of their folder link to
 * them, then that of their titles.
 *
 * @param texts texts of the pages, by their paths
 */
export function sidebar(pages: readonly Page[], texts: ReadonlyMap<string, string>): Entry[] {
  return groupOf('', pages.filter(({ path }) => path !== 'index.md' && path !== 'contents.md'), texts, 0);
}

function groupOf(folder: string, pages: readonly Page[], texts: ReadonlyMap<string, string>, depth: number): Entry[] {
  const isDirect = ({ path }: Page) => posix.dirname(path) === (folder === '' ? '.' : folder);
  const order = linkOrder(folder, texts);
  const rank = ({ path }: Page) => (order.has(path) ? order.get(path)! : order.size);
  const direct = pages.filter((page) => isDirect(page) && posix.basename(page.path) !== 'index.md')
    .sort((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1))
    .map(({ title, path }) => ({ text: title, link: linkOf(path) }));
  const folders = subfolders(folder, pages).map((name) => folderEntry(name, pages, texts, depth));
  return folder === '' ? [...folders, ...direct.length > 0 ? [{ text: 'More', items: direct }] : []] : [...direct, ...folders];
}

function folderEntry(folder: string, pages: readonly Page[], texts: ReadonlyMap<string, string>, depth: number): Entry {
  const index = pages.find(({ path }) => path === `${folder}/index.md`);
  const name = posix.basename(folder).replaceAll('-', ' ');
  return {
    text: TITLES.get(folder) ?? index?.title ?? name.charAt(0).toUpperCase() + name.slice(1),
    // Only a group with a page of its own can be closed: otherwise its heading would be a button in a button.
    ...(index && { link: linkOf(index.path), ...(depth > 0 && { collapsed: true }) }),
    items: groupOf(folder, pages.filter(({ path }) => path.startsWith(`${folder}/`)), texts, depth + 1),
  };
}

function subfolders(folder: string, pages: readonly Page[]): string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const names = pages.flatMap(({ path }) => {
    const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    return rest.includes('/') ? [`${prefix}${rest.slice(0, rest.indexOf('/'))}`] : [];
  });
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Places of the links in the README of a folder, and before them in that of `docs`. */
function linkOrder(folder: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  for (const [index, base] of [['contents.md', ''], [`${folder}/index.md`, folder]] as const) {
    for (const [, link] of (texts.get(index) ?? '').matchAll(/\]\(([^)#:\s]+\.md)[^)]*\)/g)) {
      const path = posix.join(base, link!);
      if (!order.has(path)) order.set(path, order.size);
    }
  }
  return order;
}

function linkOf(path: string): string {
  return `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
}
