import { anchorOf, editAddress, pagePath, siteLink, titleOf } from '../../../tools/site/pages';

const REPOSITORY = 'https://example.org/owner/name';
const link = (href: string, source = 'docs/guides/s3.md') => siteLink(href, source, REPOSITORY, (path) => ['docs/reference/api', 'examples', 'examples/kueue'].includes(path));

test.each([
  ['README.md', 'index.md'],
  ['docs/README.md', 'contents.md'],
  ['docs/guides/s3.md', 'guides/s3.md'],
  ['docs/reference/api/README.md', 'reference/api/index.md'],
  ['CONTRIBUTING.md', undefined],
  ['examples/README.md', undefined],
])('%s is the page %s', (source, page) => expect(pagePath(source)).toBe(page));

test.each([
  ['a page beside it', 'jars.md#maven', '/guides/jars.md#maven'],
  ['a page of another folder', '../operate/install.md', '/operate/install.md'],
  ['the index of a folder', '../reference/api/README.md', '/reference/api/index.md'],
  ['a folder with an index', '../reference/api', '/reference/api/index.md'],
  ['the README', '../../README.md#quick-start', '/index.md#quick-start'],
  ['a heading of the same page', '#maven', '#maven'],
  ['another site', 'https://spark.apache.org/', 'https://spark.apache.org/'],
  ['a source', '../../src/api/states.ts', `${REPOSITORY}/blob/main/src/api/states.ts`],
  ['a folder of sources', '../../examples/kueue/', `${REPOSITORY}/tree/main/examples/kueue`],
  ['a document that is no page', '../../CONTRIBUTING.md#layout', `${REPOSITORY}/blob/main/CONTRIBUTING.md#layout`],
])('a link to %s', (_, href, expected) => expect(link(href)).toBe(expected));

test('a page is edited where it is written: a generated one at its origin', () => {
  expect(editAddress('docs/guides/s3.md', '# S3\n', REPOSITORY)).toBe(`${REPOSITORY}/edit/main/docs/guides/s3.md`);
  expect(editAddress('docs/reference/api/web-ui.md', '<!-- Generated from src/constructs/web-ui.ts by `npm run generate`; do not edit. -->\n', REPOSITORY)).toBe(`${REPOSITORY}/edit/main/src/constructs/web-ui.ts`);
  expect(editAddress('docs/reference/sparkapplication.md', '<!-- Generated from src/api by `npm run generate`; do not edit. -->\n', REPOSITORY)).toBe(`${REPOSITORY}/tree/main/src/api`);
});

test('titles are plain, and anchors are those of GitHub', () => {
  expect(titleOf('<!-- a comment -->\n# The `driver`, and [pods](pods.md)\n')).toBe('The driver, and pods');
  expect(titleOf('# SparkApplication (`sparkoperator.k8s.io/v1beta2`)\n')).toBe('SparkApplication');
  expect(anchorOf('Dependencies: jars & `--packages`')).toBe('dependencies-jars----packages');
});
