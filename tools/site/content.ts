import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { editAddress, pagePath, titleOf, type Page } from './pages.ts';

/** Root of the project. */
export const ROOT = join(import.meta.dirname, '../..');
/** Folder with the copies of the pages, and folder with the site that is made of them. */
export const PAGES_FOLDER = join(ROOT, 'site/pages');
export const OUTPUT_FOLDER = join(ROOT, 'site/html');

export const PACKAGE: { readonly description: string; readonly repository: { readonly url: string } } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Address of the repository on the web. */
export const REPOSITORY = PACKAGE.repository.url.replace(/^git\+|\.git$/g, '');

/** Returns all pages, and their texts by path. */
export function readPages(): { readonly pages: readonly Page[]; readonly texts: ReadonlyMap<string, string> } {
  const sources = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].sort();
  const texts = new Map(sources.map((source) => [pagePath(source)!, readFileSync(join(ROOT, source), 'utf8')]));
  const pages = sources.map((source) => ({ source, path: pagePath(source)!, title: titleOf(texts.get(pagePath(source)!)!) }));
  return { pages, texts };
}

export function isFolder(path: string): boolean {
  return existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory();
}

/** Writes the copies of the pages, with what VitePress needs to know of each, and of the images of docs. */
export function writePages(): void {
  rmSync(PAGES_FOLDER, { recursive: true, force: true });
  const { pages, texts } = readPages();
  for (const { source, path } of pages) {
    const text = texts.get(path)!;
    const facts = { source, edit: editAddress(source, text, REPOSITORY) };
    mkdirSync(dirname(join(PAGES_FOLDER, path)), { recursive: true });
    writeFileSync(join(PAGES_FOLDER, path), `---\n${JSON.stringify(facts)}\n---\n${text}`);
  }
  cpSync(join(ROOT, 'docs/images'), join(PAGES_FOLDER, 'images'), { recursive: true });
}
