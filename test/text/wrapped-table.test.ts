import { wrappedTableLines } from '../../src/text/wrapped-table';

const HEADER = ['POD', 'WHY'];
const WHY = 'no node has room for it, and none will have';

test('the last column wraps', () => {
  expect(wrappedTableLines(HEADER, [['pi', WHY]])).toEqual(['POD   WHY', `pi    ${WHY}`]);
  expect(wrappedTableLines(HEADER, [['pi', WHY]], 32)).toEqual(['POD   WHY', 'pi    no node has room for it,', '      and none will have']);
});

test('columns that do not fit even without the last one are shortened', () => {
  const shorten = [{ title: 'POD', least: 8, at: 'middle' }] as const;
  expect(wrappedTableLines(['POD', 'STATE', 'WHY'], [['a-very-long-name', 'FAILED', 'boom']], 20, shorten)).toEqual([
    'POD           STATE', 'a-ver…-name   FAILED', '    boom',
  ]);
});

test('in a narrow terminal it has lines of its own', () => {
  expect(wrappedTableLines(HEADER, [['a-long-name', WHY], ['b', '']], 32)).toEqual(['POD           WHY', 'a-long-name', '    no node has room for it, and', '    none will have', 'b']);
});
