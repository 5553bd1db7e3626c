import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDS, obtainFetched } from '../../../tools/test/fetched.ts';

const needs = [
  { file: 'a.test.ts', obtain: async () => ({ A: '/a' }) },
  { file: 'b.test.ts', obtain: async () => { throw new Error('the registry does not answer'); } },
  { file: 'c.test.ts', obtain: async () => ({ C: '/c' }) },
];

test('a file whose needs cannot be obtained is left out with the reason, and the others run', async () => {
  const { environment, missing } = await obtainFetched({}, false, new Map([['c.test.ts', 'is local']]), needs);
  expect(environment).toEqual({ A: '/a' });
  expect([...missing]).toEqual([['c.test.ts', 'is local'], ['b.test.ts', expect.stringContaining('the registry does not answer')]]);
});

test('where they are required, it fails', async () => {
  await expect(obtainFetched({}, true, undefined, needs)).rejects.toThrow('the registry does not answer');
});

test.each(NEEDS.map(({ file }) => file))('%s exists', (file) => {
  expect(existsSync(join(__dirname, '../../..', file))).toBe(true);
});
