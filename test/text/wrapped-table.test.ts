import { wrappedTableLines } from '../../src/text/wrapped-table';

const HEADER = ['POD', 'WHY'];
const WHY = 'no node has room for it, and none will have';

test('the last column wraps', () => {
  expect(wrappedTableLines(HEADER, [['pi', WHY]])).toEqual(['POD   WHY', `pi    ${WHY}`]);
  expect(wrappedTableLines(HEADER, [['pi', WHY]], 32)).toEqual(['POD   WHY', 'pi    no node has room for it,', '      and none will have']);
});

test('in a narrow terminal it has lines of its own', () => {
  expect(wrappedTableLines(HEADER, [['a-long-name', WHY], ['b', '']], 32)).toEqual(['POD           WHY', 'a-long-name', '    no node has room for it, and', '    none will have', 'b']);
});
