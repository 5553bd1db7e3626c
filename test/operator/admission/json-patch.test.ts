import fc from 'fast-check';
import { applied } from './apply-patch';
import { patchOf } from '../../../src/operator/admission/json-patch';

test('a patch contains only the differences', () => {
  const before = {
    metadata: { labels: { 'a/b': '1', 'c~d': '2' } }, spec: { containers: [{ name: 'spark', env: [{ name: 'A' }] }], priority: 0 },
  };
  const after = {
    metadata: {
      labels: { 'a/b': '3', 'c~d': '4' }, ownerReferences: [],
    }, spec: { containers: [{ name: 'spark', env: [{ name: 'A' }, { name: 'B' }] }, { name: 'side' }] },
  };

  expect(patchOf(before, after)).toEqual([
    { op: 'replace', path: '/metadata/labels/a~1b', value: '3' },
    { op: 'replace', path: '/metadata/labels/c~0d', value: '4' },
    { op: 'add', path: '/metadata/ownerReferences', value: [] },
    { op: 'remove', path: '/spec/priority' },
    { op: 'add', path: '/spec/containers/0/env/1', value: { name: 'B' } },
    { op: 'add', path: '/spec/containers/1', value: { name: 'side' } },
  ]);
});

test.each<[string, unknown, unknown]>([
  ['the same, in another order of fields', { a: 1, b: [2] }, { b: [2], a: 1 }],
  ['a field that is undefined, and none', { a: 1 }, { a: 1, b: undefined }],
])('no patch for %s', (_, before, after) => {
  expect(patchOf(before, after)).toEqual([]);
});

test('list entries are removed from the end', () => {
  expect(patchOf([1, 2, 3, 4], [1, 3])).toEqual([
    { op: 'replace', path: '/1', value: 3 }, { op: 'remove', path: '/3' }, { op: 'remove', path: '/2' },
  ]);
});

describe('with any JSON', () => {
  const few = fc.constantFrom('a', 'b', '/', '~', '~1', '', '0', 'constructor', '__proto__');
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' }, fc.constantFrom(null, true, 0, 1, '', 'x'), fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(few, tie('json')), { maxLength: 4 }).map(objectOf),
    ),
  }));

  test('a patch turns one value into the other, and modifies neither', () => {
    fc.assert(fc.property(json, json, (before, after) => {
      const [first, second] = [JSON.stringify(before), JSON.stringify(after)];
      expect(applied(before, patchOf(before, after))).toEqual(after);
      expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([first, second]);
    }), { numRuns: 2_000 });
  });

  test('a change in one place is one operation, in that place', () => {
    fc.assert(fc.property(json, fc.nat(), (before, place) => {
      const { after, path } = changed(before, place);
      expect(patchOf(before, after)).toEqual([{ op: 'replace', path, value: 'changed' }]);
    }));
  });
});

/** As JSON.parse creates it: every name is an ordinary property. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return entries.reduce((object, [name, value]) => Object.defineProperty(object, name, {
    value, enumerable: true, writable: true, configurable: true,
  }), {});
}

/** Returns the value with another value somewhere in it. */
function changed(value: unknown, place: number): { readonly after: unknown; readonly path: string } {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return { after: 'changed', path: '' };
  const chosen = entries[place % entries.length]!;
  const inner = changed(chosen[1], Math.floor(place / 3));
  const after = entries.map(([name, item]) => [name, name === chosen[0] ? inner.after : item] as const);
  return {
    after: Array.isArray(value) ? after.map(([, item]) => item) : objectOf(after),
    path: `/${chosen[0].replaceAll('~', '~0').replaceAll('/', '~1')}${inner.path}`,
  };
}
