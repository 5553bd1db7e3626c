import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDS, obtainFetched } from '../../../tools/test/fetched.ts';

const needs = [
  { file: 'test/e2e/a.test.ts', obtain: async () => ({ A: '/a' }) },
  { file: 'test/e2e/b.test.ts', obtain: async () => { throw new Error('the registry does not answer'); } },
  { file: 'test/e2e/c.test.ts', obtain: async () => ({ C: '/c' }) },
  { file: 'test/api/d.test.ts', obtain: async () => { throw new Error('not of this tier'); } },
];

test('a file whose needs cannot be obtained is left out with the reason, and the others run', async () => {
  const { environment, missing } = await obtainFetched('e2e', {}, false, new Map([['test/e2e/c.test.ts', 'is local']]), needs);
  expect(environment).toEqual({ A: '/a' });
  expect([...missing]).toEqual([['test/e2e/c.test.ts', 'is local'], ['test/e2e/b.test.ts', expect.stringContaining('the registry does not answer')]]);
});

test('where they are required, it fails', async () => {
  await expect(obtainFetched('e2e', {}, true, undefined, needs)).rejects.toThrow('the registry does not answer');
});

test.each(NEEDS.map(({ file }) => file))('%s exists', (file) => {
  expect(existsSync(join(__dirname, '../../..', file))).toBe(true);
});
