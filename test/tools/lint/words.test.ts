import { findPhrases } from '../../../tools/lint/words';

const phrases = (source: string) => findPhrases(source).map(({ line, phrase }) => [line, phrase]);

test('comments and texts are read, with the line of each phrase', () => {
  expect(phrases('const a = 1;\n// The user is told why.\nlog(`the run goes on without it`);\n')).toEqual([[2, 'is told'], [3, 'goes on']]); // words: ok
});

test.each([
  ['/** What is kept of a pod. */', '/** What'], // words: ok
  [' * Nobody reads it.', 'Nobody'], // words: ok
  ['// Of a new application, there is no status.', '// Of a new application, there'], // words: ok
])('%s', (source, phrase) => expect(phrases(source)).toEqual([[1, phrase]]));

test.each([
  ['<p class="dim">There is nothing besides its pods.</p>', 'besides'], // words: ok
  ['<p>\n  Nobody {count} reads it.\n</p>', 'Nobody'], // words: ok
])('the text of a page is read: %s', (page, phrase) => {
  expect(findPhrases(`const a = ${page};`, 'src/page.tsx').map((found) => found.phrase)).toEqual([phrase]);
  expect(findPhrases(`const a = ${page};`, 'src/page.tsx')[0]!.line).toBe(page.split('\n').findIndex((line) => line.includes(phrase)) + 1);
});

test('all lines of Markdown are read, with their headings', () => {
  expect(findPhrases('# Applications\n\n## What waits\n\nThe run goes on.\n', 'docs/page.md').map(({ line, phrase }) => [line, phrase])).toEqual([[3, '## What w'], [5, 'goes on']]); // words: ok
});

test.each([
  ['identifiers', 'const besides = standsAlone(nobody);'], // words: ok
  ['short texts, which are keys', "const key = 'besides';"], // words: ok
  ['lines that quote a phrase', '// The word besides is banned. words: ok'],
  ['plain words', '/** Returns the pods of the current attempt. */'],
])('%s are accepted', (_, source) => expect(phrases(source)).toEqual([]));
