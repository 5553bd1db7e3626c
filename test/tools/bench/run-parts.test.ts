import { hostname } from 'node:os';
import { SUBMISSION, SYNTH } from './report/sample';
import { parseOptions } from '../../../tools/bench/bench-options.ts';
import { impersonal, plainRelease } from '../../../tools/bench/impersonal.ts';
import { runParts, type Part } from '../../../tools/bench/run-parts.ts';

test('one part after the other; one that fails does not take the others with it', async () => {
  let now = Date.parse('2026-03-01T23:59:00Z');
  const told: string[] = [];
  const progress = { note: (line: string) => void told.push(line), step: <T>(label: string, work: () => Promise<T>) => (told.push(label), work()) };
  const part = (name: Part['name'], seconds: number, work: () => unknown): Part => ({
    name, seconds,
    async measure(own) {
      now += seconds * 1500;
      own.note('under way');
      return await own.step('a step', async () => work()) as any;
    },
  });
  const kept: string[] = [];
  const { parts, failures } = await runParts([
    part('submission', 60, () => SUBMISSION), part('population', 600, () => { throw new Error('no kwok in /here/tools'); }), part('synth', 30, () => SYNTH),
  ], {
    progress, now: () => now, version: 'abc', root: '/here', keep: (soFar) => void kept.push([...Object.keys(soFar.parts), ...soFar.failures.map(({ part: name }) => `!${name}`)].join(' ')),
  });

  expect(parts).toEqual({ submission: { day: '2026-03-01', seconds: 90, version: 'abc', figures: SUBMISSION }, synth: { day: '2026-03-02', seconds: 45, version: 'abc', figures: SYNTH } });
  expect(failures).toEqual([{ part: 'population', reason: 'no kwok in ./tools' }]);
  expect(kept).toEqual(['submission', 'submission !population', 'submission synth !population']);
  expect(told).toEqual([
    'submission: 1 of 3, takes about 1 min 00 s; 0 s gone, about 11 min 30 s of 11 min 30 s to go',
    '[submission, 1 min 30 s of about 1 min 00 s] under way', '[submission, 1 min 30 s of about 1 min 00 s] a step', 'submission: done in 1 min 30 s',
    'population: 2 of 3, takes about 10 min 00 s; 1 min 30 s gone, about 10 min 30 s of 11 min 30 s to go',
    expect.stringMatching(/^\[population/), expect.stringMatching(/^\[population/), expect.stringMatching(/^population: FAILED after 15 min 00 s\n.*no kwok/s),
    'synth: 3 of 3, takes about 30 s; 16 min 30 s gone, about 30 s of 11 min 30 s to go',
    expect.stringMatching(/^\[synth/), expect.stringMatching(/^\[synth/), 'synth: done in 45 s',
  ]);
});

test('a message does not tell whose machine it is, and is no novel', () => {
  expect(impersonal(`on ${hostname()}: /a/repository/tools is missing`, '/a/repository')).toBe('on HOST: ./tools is missing');
  expect(impersonal('x'.repeat(5000), '/a')).toHaveLength(1001);
  expect(plainRelease('6.18.44-acme-v6')).toBe('6.18.44');
});

test('flags', () => {
  const all = ['submission', 'population', 'neighbours', 'synth'];
  expect(parseOptions([])).toEqual({ quick: false, only: all, out: 'bench', merge: false, render: false, check: false, profile: false, keepProfiles: false, install: true });
  expect(parseOptions(['--quick', '--only', 'synth,submission', '--out=x', '--merge', '--check', '--profile', '--no-install']))
    .toEqual({ quick: true, only: ['submission', 'synth'], out: 'x', merge: true, render: false, check: true, profile: true, keepProfiles: false, install: false });
  expect(parseOptions(['--help'])).toBe('help');
  expect(() => parseOptions(['--only=lifecycle'])).toThrow('there is no part "lifecycle"');
  expect(() => parseOptions(['--chekc'])).toThrow();
});

test('to keep where the time goes, there has to be a profile', () => {
  expect(parseOptions(['--keep-profiles'])).toMatchObject({ profile: true, keepProfiles: true, out: 'test-reports/bench' });
});

test.each([[['--quick']], [['--only=synth']], [['--profile']]])('what is not a whole run, %s, does not go where the report is checked in', (args) => {
  expect(parseOptions(args)).toMatchObject({ out: 'test-reports/bench' });
});
