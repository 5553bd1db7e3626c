import { availableParallelism } from 'node:os';
import { measureMachine, slowness, worseOf } from '../../../tools/bench/speed.ts';

const QUIET = { loops: 100, share: 0.99, stolen: 0.01 };

test('the machine is measured by a fixed loop on all processors', async () => {
  const { loops, share, stolen } = await measureMachine(0.2);
  expect(loops).toBeGreaterThan(1);
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(1.1);
  expect(stolen).toBeGreaterThanOrEqual(0);
  expect(stolen).toBeLessThanOrEqual(availableParallelism());
});

test.each<[string, Parameters<typeof slowness>[0], number | undefined, RegExp[]]>([
  ['a quiet one', { machine: QUIET, load: 9, cores: 2 }, 105, []],
  ['the first one of its kind', { machine: QUIET, load: 0, cores: 2 }, undefined, []],
  ['slower processors', { machine: { ...QUIET, loops: 80 }, load: 0, cores: 2 }, 100, [/loop at 80 %/]],
  ['other programs', { machine: { ...QUIET, share: 0.7 }, load: 0, cores: 2 }, 100, [/70 % of a processor/]],
  ['a busy host', { machine: { ...QUIET, stolen: 0.2 }, load: 0, cores: 2 }, 100, [/0.20 processors/]],
  ['all at once', { machine: { loops: 50, share: 0.5, stolen: 1 }, load: 0, cores: 2 }, 100, [/loop/, /of a processor/, /stolen/]],
  ['one that was not measured, and not busy', { load: 0.5, cores: 2 }, 100, []],
  ['one that was not measured, and busy', { load: 0.6, cores: 2 }, 100, [/load average 0.60/]],
])('why figures come from a slow hour: %s', (_, measured, fastest, expected) => {
  const reasons = slowness(measured, fastest);
  expect(reasons).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('of two measurements the worse one of each figure counts', () => {
  expect(worseOf(QUIET, { loops: 90, share: 1, stolen: 0.3 })).toEqual({ loops: 90, share: 0.99, stolen: 0.3 });
});
