import { WeightedCache } from '../../../src/operator/admission/weighted-cache';

const keys = (cache: WeightedCache<string>) => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined);

test('what was used last is kept, up to a weight', () => {
  const cache = new WeightedCache<string>(10);
  cache.set('a', '1', 4);
  cache.set('b', '2', 4);
  expect(cache.get('a')).toBe('1');
  cache.set('c', '3', 4);
  expect(keys(cache)).toEqual(['a', 'c']);
});

test('a value replaces the previous one of its key, with its weight', () => {
  const cache = new WeightedCache<string>(10);
  cache.set('a', '1', 9);
  cache.set('a', '2', 1);
  cache.set('b', '3', 9);
  expect(keys(cache)).toEqual(['a', 'b']);
  expect(cache.get('a')).toBe('2');
});

test('a heavy value makes room for itself; one that is heavier than all that is kept is not', () => {
  const cache = new WeightedCache<string>(10);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 3);
  cache.set('d', 'd', 10);
  expect(keys(cache)).toEqual(['d']);
  cache.set('a', 'a', 11);
  expect(keys(cache)).toEqual([]);
  cache.set('b', 'b', 10);
  expect(keys(cache)).toEqual(['b']);
});

test('what is deleted takes nothing', () => {
  const cache = new WeightedCache<string>(10);
  cache.set('a', 'a', 10);
  cache.delete('a');
  cache.delete('a');
  cache.set('b', 'b', 5);
  cache.set('c', 'c', 5);
  expect(keys(cache)).toEqual(['b', 'c']);
});
