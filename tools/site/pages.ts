import { posix } from 'node:path';

/** A page of the site, made of a Markdown file of the project. */
export interface Page {
  /** The file, from the root of the project. */
  readonly source: string;
  /** The page, from the root of the site, with the ending `.md`. */
  readonly path: string;
  readonly title: string;
}

/** Returns the page of a Markdown file; undefined if it has none. The README is the home page. */
export function pagePath(source: string): string | undefined {
  if (source === 'README.md') return 'index.md';
  if (!source.startsWith('docs/')) return undefined;
  const path = source.slice('docs/'.length);
  if (path === 'README.md') return 'contents.md';
  return path.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns the first heading of a page as plain text, without what it has in brackets. */
export function titleOf(text: string): string {
  return plainText(/^# +(.*)$/m.exec(text)?.[1] ?? '').replace(/ \([^)]*\)$/, '');
}

function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/<[^>]*>|[`*]/g, '').trim();
}

/** Returns the anchor that GitHub gives a heading, for which links of the pages are written. */
export function anchorOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}

/**
 * Returns a link of a page for the site. Links to pages stay on the site; those to other files of the project lead to its repository.
 *
 * @param source file of the page, from the root of the project
 * @param repository its address, such as `https://github.com/owner/name`
 * @param isFolder whether a path from the root is a folder
 */
export function siteLink(href: string, source: string, repository: string, isFolder: (path: string) => boolean): string {
  if (href === '' || href.startsWith('#') || /^[a-z][a-z+.-]*:/i.test(href)) return href;
  const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href)!;
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const page = pagePath(isFolder(target) ? `${target}/README.md` : target);
  if (page?.endsWith('.md')) return `/${page}${anchor}`;
  return `${repository}/${isFolder(target) ? 'tree' : 'blob'}/main/${target}${anchor}`;
}

/** Returns where the text of a page is changed: generated pages name the file that they are made from. */
export function editAddress(source: string, text: string, repository: string): string {
  const origin = /^<!-- Generated from (\S+) /.exec(text)?.[1] ?? source;
  return `${repository}/${origin.includes('.') ? 'edit' : 'tree'}/main/${origin}`;
}
