import { problemOfSelector } from '../../src/rules/label-selector';

test.each([
  'a', '!a', 'a=b', 'a==b', 'a!=b', 'a=', 'a in (b,c)', 'a notin (b, c)', 'example.org/team=data', 'a,b=c,d in (e,f),!g', ' a = b , c ', 'kubernetes.io/metadata.name in (x)',
])('%s is a label selector', (selector) => expect(problemOfSelector(selector)).toBeUndefined());

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
  [`a=${'b'.repeat(64)}`, 'is not the value'],
])('%s is none', (selector, problem) => expect(problemOfSelector(selector)).toContain(problem));
