import { areEqualAsJson } from '../../src/model/json-equality';

test.each<[a: unknown, b: unknown]>([
  [{ a: 1, b: { c: ['x'] } }, { b: { c: ['x'] }, a: 1 }],
  [{ a: 1, b: undefined }, { a: 1 }],
  [{}, { b: undefined }],
  [[], []],
  [null, null],
])('%j and %j are equal', (a, b) => {
  expect([areEqualAsJson(a, b), areEqualAsJson(b, a)]).toEqual([true, true]);
});

test.each<[a: unknown, b: unknown]>([
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { b: 1 }],
  [{ a: null }, {}],
  [{ a: '' }, {}],
  [['x', 'y'], ['y', 'x']],
  [[], {}],
  [{}, null],
])('%j and %j differ', (a, b) => {
  expect([areEqualAsJson(a, b), areEqualAsJson(b, a)]).toEqual([false, false]);
});
