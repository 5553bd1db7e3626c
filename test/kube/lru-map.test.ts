import { LruMap } from '../../src/kube/lru-map';

test('beyond the limit the entry goes that was not used for the longest time', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  expect(map.size).toBe(2);
});

test('a value that is replaced weighs as the new one, and one that is deleted nothing', () => {
  const map = new LruMap<string, string>(10, ({ length }) => length);
  map.set('a', '12345678');
  map.set('a', '123');
  map.set('b', '1234567');
  expect(map).toMatchObject({ size: 2, weight: 10 });
  map.delete('a');
  map.delete('a');
  expect(map).toMatchObject({ size: 1, weight: 7 });
});

test('as many entries go as one that comes needs, and one that is heavier than the limit is not kept', () => {
  const map = new LruMap<string, string>(10, ({ length }) => length);
  for (const key of ['a', 'b', 'c']) map.set(key, '123');
  map.set('d', '1234567');
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, undefined, '123', '1234567']);
  map.set('d', '12345678901');
  expect(map.get('d')).toBeUndefined();
  expect(map).toMatchObject({ size: 1, weight: 3 });
});
