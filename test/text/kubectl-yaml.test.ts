/* Scalars as kubectl reads them: its library is https://github.com/yaml/go-yaml, version 2. */
import { parse } from 'yaml';
import { KUBECTL_YAML } from '../../src/text/kubectl-yaml';

test.each([
  ['e3', 'e3'], ['E10', 'E10'], ['.', '.'], ['-', '-'], ['+.', '+.'], ['e3x', 'e3x'], ['1e3', 1000], ['.5e1', 5], ['-1.5', -1.5], ['1.', 1], ['.5', 0.5], ['1_0.5', 10.5],
  ['.inf', Infinity], ['.nan', NaN], ['yes', true], ['0x1f', 31], ['2026-03-01', '2026-03-01'], ['1:30', '1:30'],
])('%s', (text, expected) => expect(parse(`- ${text === '-' ? "'-'" : text}`, KUBECTL_YAML)).toEqual([expected]));
