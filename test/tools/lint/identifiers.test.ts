import { findNames } from '../../../tools/lint/identifiers';

const names = (source: string, path = 'src/operator/a.ts') => findNames(source, path).map(({ line, name }) => [line, name]);

test.each([
  'class Hindered {}', 'const LOOK_AGAIN = 1;', 'interface A { readonly toldToken?: string }', 'function madeFor() {}', 'const { a: taken } = b;',
  '(world: World) => a;', "import { besidesSpark } from './b';",
])('%s is found', (source) => {
  expect(names(`\n${source}`)).toHaveLength(1);
  expect(names(`\n${source}`)[0]![0]).toBe(2);
});

test('the name of a file is found', () => {
  expect(names('', 'src/operator/driver/hindrance-to-start.ts')).toEqual([[1, 'hindrance-to-start.ts']]);
});

test.each([
  ['uses of what another file declares', 'a.told(Hindered.made);'],
  ['parts of words', 'const [castells, outlook, remade] = a;'],
  ['the usual phrase for a name in use', 'const isNameTaken = true;'],
  ['a line that needs the word', 'const made = 1; // words: ok'],
])('%s are accepted', (_, source) => expect(names(source)).toEqual([]));
