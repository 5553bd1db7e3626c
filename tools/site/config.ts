import { dirname, relative } from 'node:path/posix';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { ICON } from '../../src/console/server/page-files.ts';
import { isFolder, OUTPUT_FOLDER, PACKAGE, PAGES_FOLDER, readPages, REPOSITORY, ROOT } from './content.ts';
import { anchorOf, siteLink } from './pages.ts';
import { sidebar } from './sidebar.ts';

/** Address of the site below that of its host: GitHub Pages uses the name of the repository. */
export const BASE = `/${REPOSITORY.split('/').at(-1)}/`;

type Renderer = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Makes links and images of a page those of the site. */
function withSiteLinks(md: Renderer): void {
  md.core.ruler.push('site_links', ({ tokens, env }) => {
    const { source } = env.frontmatter;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const name = token.type === 'image' ? 'src' : 'href';
      const value = token.attrGet(name);
      if (value === null || !['image', 'link_open'].includes(token.type)) continue;
      token.attrSet(name, token.type === 'image' ? imagePath(value, source, env.relativePath) : siteLink(value, source, REPOSITORY, isFolder));
    }
  });
}

/** Makes headings of columns without a text plain cells, as a screen reader would announce an empty heading. */
function withoutEmptyHeadings(md: Renderer): void {
  md.core.ruler.push('empty_headings', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type !== 'th_open' || tokens[index + 1]!.content !== '') return;
      token.tag = 'td';
      tokens[index + 2]!.tag = 'td';
    });
  });
}

/** Returns the path of an image of docs from a page of the site. */
function imagePath(src: string, source: string, page: string): string {
  if (/^[a-z]+:/.test(src)) return src;
  const path = relative(dirname(page), relative('docs', `${dirname(source)}/${src}`));
  return path.startsWith('.') ? path : `./${path}`;
}

const { pages, texts } = readPages();

export default defineConfig({
  title: 'cdk8s-spark-operator',
  description: PACKAGE.description,
  lang: 'en',
  base: BASE,
  srcDir: PAGES_FOLDER,
  outDir: OUTPUT_FOLDER,
  cacheDir: `${ROOT}/site/cache`,
  // Keeps facts of all pages out of each page.
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON.trim())}` }]],
  markdown: {
    anchor: { slugify: anchorOf },
    // A screenshot is as large as the rest of a page.
    image: { lazyLoading: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      withSiteLinks(md);
      withoutEmptyHeadings(md);
    },
  },
  vite: { publicDir: false, build: { reportCompressedSize: false } },
  themeConfig: {
    nav: [{ text: 'All pages', link: '/contents' }],
    sidebar: sidebar(pages, texts) as object[],
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      // Pages that people write come before the generated reference.
      options: { miniSearch: { searchOptions: { boostDocument: (id: string) => (id.includes('/reference/api/') ? 0.5 : 1) } } },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'Source on GitHub' }],
    editLink: { text: 'Edit this page', pattern: ({ frontmatter }) => frontmatter.edit },
    footer: { message: 'Licence: Apache-2.0' },
  },
});
