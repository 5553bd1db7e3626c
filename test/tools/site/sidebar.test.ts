import { pagePath } from '../../../tools/site/pages';
import { sidebar } from '../../../tools/site/sidebar';

/** The sidebar of files: path in docs → text. Each page has its path as title. */
function sidebarOf(files: Readonly<Record<string, string>>) {
  const pages = Object.keys(files).map((path) => ({ source: `docs/${path}`, path: pagePath(`docs/${path}`)!, title: path }));
  return sidebar(pages, new Map(Object.entries(files).map(([path, text]) => [pagePath(`docs/${path}`)!, text])));
}

test('known folders are groups in their order, and others follow', () => {
  const entries = sidebarOf({ 'zoo/a.md': '', 'operate/a.md': '', 'get-started/a.md': '', 'loose.md': '' });
  expect(entries.map(({ text }) => text)).toEqual(['Get started', 'Operate', 'Zoo', 'More']);
  expect(entries[0]!.items).toEqual([{ text: 'get-started/a.md', link: '/get-started/a' }]);
});

test('pages have the order of the index, then that of the index of their folder, then that of their titles', () => {
  const [group] = sidebarOf({
    'README.md': '[first](guides/z.md) and [elsewhere](https://example.org/y.md)', 'guides/README.md': '[second](y.md#a-heading)',
    'guides/a.md': '', 'guides/b.md': '', 'guides/y.md': '', 'guides/z.md': '',
  });
  expect(group!.items!.map(({ link }) => link)).toEqual(['/guides/z', '/guides/y', '/guides/a', '/guides/b']);
});

test('a folder inside another one is closed if it has a page of its own, which its heading opens', () => {
  const [group] = sidebarOf({ 'reference/fields.md': '', 'reference/api/README.md': '', 'reference/api/web-ui.md': '', 'reference/constructs/a.md': '' });
  expect(group!.items).toEqual([
    { text: 'reference/fields.md', link: '/reference/fields' },
    { text: 'Constructs', items: [{ text: 'reference/constructs/a.md', link: '/reference/constructs/a' }] },
    { text: 'API', link: '/reference/api/', collapsed: true, items: [{ text: 'reference/api/web-ui.md', link: '/reference/api/web-ui' }] },
  ]);
});
