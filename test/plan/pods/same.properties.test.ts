/* Long lists are compared by an index; the result must be the same as item by item. */
import fc from 'fast-check';
import { KnownItems } from '../../../src/plan/pods/lists';
import { includes, same, sameText } from '../../../src/plan/pods/same';

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', 'a', 0, 1, '1', '1000m', 420, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('name', 'limits', 'readOnly', 'securityContext', 'sizeLimit', 'defaultMode'), tie('value'), { maxKeys: 3 },
    ),
  ),
}));

test('equal values have the same text', () => {
  fc.assert(fc.property(value, value, (a, b) => {
    expect(!same(a, b) || sameText(a) === sameText(b)).toBe(true);
    expect(new KnownItems([a]).has(b)).toBe(same(a, b));
  }), { numRuns: 2_000 });
});

test('every item of a long list is found, and no other', () => {
  const object = fc.dictionary(fc.constantFrom('name', 'limits', 'readOnly', 'sizeLimit', 'x'), value, { maxKeys: 4 });
  fc.assert(fc.property(fc.array(
    object, { minLength: 9, maxLength: 20 },
  ), fc.array(object, { minLength: 1, maxLength: 3 }), fc.boolean(), (present, others, isThere) => {
    const wanted = isThere ? present.toReversed().map(({ x: _, ...rest }) => rest) : others;
    expect(includes({ list: present }, { list: wanted })).toBe(wanted.every((item) => present.some((other) => includes(other, item))));
  }), { numRuns: 1_000 });
});
