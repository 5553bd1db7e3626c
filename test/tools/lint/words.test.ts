import { findPhrases } from '../../../tools/lint/words';

const phrases = (source: string) => findPhrases(source).map(({ line, phrase }) => [line, phrase]);

test('comments and texts are read, with the line of each phrase', () => {
  expect(phrases('const a = 1;\n// The user is told why.\nlog(`the run goes on without it`);\n')).toEqual([[2, 'is told'], [3, 'goes on']]); // words: ok
});

test.each([
  ['/** What is kept of a pod. */', 1, 'What is'], // words: ok
  ['/**\n * Reads all, but nothing is looked\n * at.\n */', 3, 'is looked at'], // words: ok
  ['// Waits.\n// Of a new application, there is no status.', 2, 'Of a new application, there'], // words: ok
  ['const a = 1; // It stands here.', 1, 'stands'], // words: ok
  ["const a = 'the reason of each '\n  + 'stands in the status';", 2, 'stands'], // words: ok
  ['const USAGE = `\n  --gpus   a node that\n           is told so\n`;', 3, 'is told'], // words: ok
  ['const a = `${b} says so, ${c ? `and ${d} goes on` : 1}`;', 1, 'says'], // words: ok
  ["const a = 'short ' + `${b ? 'the run goes on' : c}`;", 1, 'goes on'], // words: ok
  ["const a = 'first\\n  the run goes on\\n';", 1, 'goes on'], // words: ok
])('%j', (source, line, phrase) => expect(phrases(source)).toEqual([[line, phrase]]));

test.each([
  ['a cell of a table', '| state | cause |\n|---|---|\n| NEW | What runs is kept |', 3, 'What runs'], // words: ok
  ['an item of a list', '1. Start it.\n2. What runs is kept.', 2, 'What runs'], // words: ok
  ['a paragraph', 'The status of a job stands\nin a table, which goes\non.', 1, 'stands'], // words: ok
  ['a phrase that the end of a line breaks', 'The run\ngoes\non.', 3, 'goes on'], // words: ok
  ['a comment in a block of code', '```yaml\n# What runs is kept\n```', 2, 'What runs'], // words: ok
])('in Markdown: %s', (_, source, line, phrase) => {
  expect(findPhrases(source, 'docs/page.md').map((found) => [found.line, found.phrase])).toContainEqual([line, phrase]);
});

test('comments and texts of other files are read', () => {
  expect(findPhrases("name: a\n# The run goes on.\nabout: Please tell us\nlabel: 'It stands in a list' # more\n", '.github/a.yml').map(({ line, phrase }) => [line, phrase])) // words: ok
    .toEqual([[2, 'goes on'], [3, 'tell'], [4, 'stands']]); // words: ok
});

test('the titles of tests have more words', () => {
  const source = "test('a job says why it may wait, and goes on');"; // words: ok
  expect(findPhrases(source, 'test/a.test.ts').map(({ phrase }) => phrase)).toEqual(['goes on']); // words: ok
  expect(findPhrases(source, 'src/a.ts')).toHaveLength(1);
});

test.each([
  ['<p class="dim">There is nothing besides its pods.</p>', 'besides'], // words: ok
  ['<p>\n  Nobody {count} reads it.\n</p>', 'Nobody'], // words: ok
])('the text of a page is read: %s', (page, phrase) => {
  expect(findPhrases(`const a = ${page};`, 'src/page.tsx').map((found) => found.phrase)).toEqual([phrase]);
  expect(findPhrases(`const a = ${page};`, 'src/page.tsx')[0]!.line).toBe(page.split('\n').findIndex((line) => line.includes(phrase)) + 1);
});

test('all lines of Markdown are read, with their headings', () => {
  expect(findPhrases('# Applications\n\n## What waits\n\nThe run goes on.\n', 'docs/page.md').map(({ line, phrase }) => [line, phrase])).toEqual([[3, 'What waits'], [5, 'goes on']]); // words: ok
});

test.each([
  ['identifiers', 'const besides = standsAlone(nobody);'], // words: ok
  ['short texts, which are keys', "const key = 'besides';"], // words: ok
  ['lines that quote a phrase', '// The word besides is banned. words: ok'],
  ['plain words', '/** Returns the pods of the current attempt. */'],
])('%s are accepted', (_, source) => expect(phrases(source)).toEqual([]));
