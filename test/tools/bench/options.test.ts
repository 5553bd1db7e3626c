import { parseOptions } from '../../../tools/bench/options.ts';

test('without flags', () => {
  expect(parseOptions([])).toEqual({ applications: 2000, workers: 10, turns: 16, jvmRuns: 12, profile: false, json: undefined, check: false, install: true });
});

test('with all flags', () => {
  expect(parseOptions(['--applications', '10', '--workers=2', '--turns=4', '--no-jvm', '--profile', '--json', 'a.json', '--check', '--no-install']))
    .toEqual({ applications: 10, workers: 2, turns: 4, jvmRuns: 0, profile: true, json: 'a.json', check: true, install: false });
  expect(parseOptions(['--help'])).toBe('help');
});

test.each([['--applications', '0'], ['--workers', '65'], ['--turns', '26'], ['--jvm-runs', '101'], ['--chekc']])('%s %s is refused', (...args) => {
  expect(() => parseOptions(args)).toThrow();
});
