import { findLongSentences } from '../../../tools/lint/sentences';

const words = (count: number) => Array.from({ length: count }, (_, index) => (index === 0 ? 'Word' : 'word')).join(' ');
const found = (source: string) => findLongSentences(source, 5).map(({ line, words: count }) => [line, count]);

test.each([
  ['a paragraph over several lines', `# Title\n\nOne two.\n${words(3)}\nand ${words(2)}.\n`, [[4, 6]]],
  ['each item of a list', `- ${words(6)}\n- ${words(4)}\n  ${words(2)}\n`, [[1, 6], [2, 6]]],
  ['the words of a link', 'A [link of four words](https://example.org/a b) ends here.', [[1, 7]]],
  ['the second sentence of a line', `One two. (${words(6)}) Three.\n`, [[1, 7]]],
])('%s is read', (_, source, expected) => expect(found(source)).toEqual(expected));

test.each([
  ['short sentences', 'One two three. Four five six! Seven eight nine?'],
  ['code, which is one word', 'Run `npm run test -- -- --testPathPatterns a` now.'],
  ['a block of code', '```sh\none two three four five six seven\n```'],
  ['a table', `| a | b |\n|---|---|\n| ${words(9)} | b |`],
  ['paragraphs and headings', '# One two three\nfour five\n\nsix seven'],
])('%s: none is too long', (_, source) => expect(found(source)).toEqual([]));
