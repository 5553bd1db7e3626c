import fc from 'fast-check';
import { areDisjoint, fulfils, type LabelRequirement, parseSelector, problemOfSelector, requirementText } from '../../src/rules/label-selector';

const inSet = (key: string, ...values: string[]): LabelRequirement => ({ key, operator: 'In', values });
const notIn = (key: string, ...values: string[]): LabelRequirement => ({ key, operator: 'NotIn', values });

test.each<[string, readonly LabelRequirement[]]>([
  ['a', [{ key: 'a', operator: 'Exists' }]],
  ['!a', [{ key: 'a', operator: 'DoesNotExist' }]],
  ['a=b', [inSet('a', 'b')]],
  ['a==b', [inSet('a', 'b')]],
  ['a!=b', [notIn('a', 'b')]],
  ['a=', [inSet('a', '')]],
  ['a in (b,c)', [inSet('a', 'b', 'c')]],
  ['a notin (b, c)', [notIn('a', 'b', 'c')]],
  ['example.org/team=data', [inSet('example.org/team', 'data')]],
  ['a,b=c,d in (e,f),!g', [{ key: 'a', operator: 'Exists' }, inSet('b', 'c'), inSet('d', 'e', 'f'), { key: 'g', operator: 'DoesNotExist' }]],
  [' a = b , c ', [inSet('a', 'b'), { key: 'c', operator: 'Exists' }]],
  ['kubernetes.io/metadata.name in (x)', [inSet('kubernetes.io/metadata.name', 'x')]],
])('%s is a label selector', (selector, requirements) => {
  expect(parseSelector(selector)).toEqual(requirements);
  expect(problemOfSelector(selector)).toBeUndefined();
});

test.each([
  ['', '"" is not the key of a label'],
  ['a=b=c', '"a=b=c" is not the key'],
  ['a,,b', '"" is not the key'],
  ['a=b c', '"b c" is not the value'],
  ['a in b', '"a in b" is not the key'],
  ['a in (b', '"a in (b" is not the key'],
  ['a in (b c)', '"b c" is not the value'],
  ['-a=b', '"-a" is not the key'],
  ['a/b/c', '"a/b/c" is not the key'],
  ['a>1', '"a>1" is not the key'],
  [`a=${'b'.repeat(64)}`, 'is not the value'],
])('%s is none', (selector, problem) => expect(problemOfSelector(selector)).toContain(problem));

const keys = fc.constantFrom('a', 'b');
const values = fc.uniqueArray(fc.constantFrom('x', 'y', ''), { minLength: 1 });
const requirements = fc.array(fc.oneof(
  fc.record({ key: keys, operator: fc.constantFrom('In' as const, 'NotIn' as const), values }),
  fc.record({ key: keys, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
), { minLength: 1, maxLength: 4 });
const labels = fc.dictionary(keys, fc.constantFrom('x', 'y', '', 'z'));

test('a requirement as text is read again', () => {
  fc.assert(fc.property(requirements, (all) => {
    expect(parseSelector(all.map(requirementText).join(','))).toEqual(all);
  }));
});

test('no labels fulfil two selectors that are disjoint', () => {
  fc.assert(fc.property(requirements, requirements, labels, (one, other, of) => {
    if (areDisjoint(one, other)) expect([...one, ...other].every((requirement) => fulfils(of, requirement))).toBe(false);
  }));
});
