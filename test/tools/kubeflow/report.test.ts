import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCEPTIONS } from '../../../tools/kubeflow/exceptions.ts';
import { evaluate, format, type SpecReport } from '../../../tools/kubeflow/report.ts';

const EXCEPTION = { specification: 'Pi is exact', failure: /roughly/, reason: 'It is not.' };

function spec(text: string, state = 'passed', message?: string): SpecReport {
  return {
    ContainerHierarchyTexts: ['Pi'], LeafNodeType: 'It', LeafNodeText: text, State: state, RunTime: 1.5e9,
    ...message !== undefined && { Failure: { Message: message, Location: { FileName: '/tmp/x/pi_test.go', LineNumber: 7 } } },
  };
}
const suiteNode = (type: string, state: string, message = '') => ({ ...spec('', state, message), ContainerHierarchyTexts: null, LeafNodeType: type });
const known = spec('is exact', 'failed', 'roughly 3');

/** Returns the results in short. */
function outcomes(specs: readonly SpecReport[] | null, { focus = false, special = [] as string[] } = {}): string[] {
  return evaluate([{ SpecReports: specs, SpecialSuiteFailureReasons: special }], [EXCEPTION], focus).map(({ name, outcome, reason }) => [name, outcome, ...reason ? [reason] : []].join(' | '));
}

test.each<[string, SpecReport[] | null, object, string[]]>([
  ['passed specifications and known exceptions', [spec('is small'), known], {}, ['Pi is small | passed', 'Pi is exact | known exception | It is not.']],
  ['a failure, with its place', [known, spec('is small', 'failed', 'it is large')], {}, ['Pi is exact | known exception | It is not.', 'Pi is small | failed | pi_test.go:7: it is large']],
  ['a panic', [known, spec('is small', 'panicked', 'nil')], {}, [expect.anything(), 'Pi is small | failed | panicked at pi_test.go:7: nil']],
  ['an exception that passes', [spec('is exact')], {}, [expect.stringContaining('Pi is exact | failed | passes, but is a known exception')]],
  ['another failure of an exception', [spec('is exact', 'failed', 'timeout')], {}, [expect.stringMatching(/^Pi is exact \| failed \| pi_test.go:7: timeout\n\(not the failure/)]],
  ['an exception without a specification', [spec('is small')], {}, ['Pi is small | passed', expect.stringContaining('Pi is exact | failed | the suite has no such specification')]],
  ['specifications out of focus', [spec('is exact', 'skipped'), spec('is small')], { focus: true }, ['Pi is small | passed']],
  ['a skipped specification', [known, spec('is small', 'skipped')], {}, [expect.anything(), 'Pi is small | failed | skipped: ']],
  ['a specification that skips itself', [known, spec('is small', 'skipped', 'no node')], { focus: true }, [expect.anything(), 'Pi is small | failed | skipped at pi_test.go:7: no node']],
  ['a failed installation', [suiteNode('BeforeSuite', 'failed', 'no chart'), spec('is exact', 'skipped')], { focus: true }, ['BeforeSuite | failed | pi_test.go:7: no chart']],
  ['what passes around specifications', [suiteNode('BeforeSuite', 'passed'), known, suiteNode('AfterSuite', 'passed')], {}, ['Pi is exact | known exception | It is not.']],
  ['an interruption', [known], { special: ['Interrupted by User'] }, [expect.anything(), 'the suite | failed | Interrupted by User']],
  ['a focus that matches nothing', [spec('is exact', 'skipped')], { focus: true }, ['the suite | failed | no specification ran']],
  ['an empty report', null, {}, [expect.stringContaining('Pi is exact | failed')]],
])('reports %s', (_, specs, options, expected) => {
  expect(outcomes(specs, options)).toEqual(expected);
});

test('prints one line a specification, and long reasons of failures in short', () => {
  const results = evaluate([{ SpecReports: [spec('is small'), known, spec('is odd', 'failed', ['first', ...Array(40).fill('x'), 'last'].join('\n'))] }], [EXCEPTION], false);
  const lines = format(results).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'passed             1.5 s  Pi is small',
    'known exception    1.5 s  Pi is exact: It is not.',
    'failed             1.5 s  Pi is odd',
    '                           pi_test.go:7: first',
  ]);
  expect(lines).toHaveLength(17);
  expect(lines.slice(-2)).toEqual(['                           last', '3 specifications: 1 passed, 1 known exceptions, 1 failed']);
});

test('docs/explain/compatibility.md lists the known exceptions', () => {
  const page = readFileSync(join(__dirname, '../../../docs/explain/compatibility.md'), 'utf8');
  const rows = page.slice(page.indexOf('## kubeflow')).split('\n').filter((line) => /^\| \w/.test(line)).slice(1);
  expect(rows).toEqual(EXCEPTIONS.map(({ specification, reason }) => `| ${specification} | ${reason} |`));
});
