import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest } from '../../../tools/test/jest.ts';

const root = join(__dirname, '../../..');

test('what fails once is reported as flaky, what fails twice is not, and both count as failures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flaky-'));
  const reported: string[] = [];
  jest.spyOn(console, 'error').mockImplementation((line: string) => void reported.push(line));
  try {
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify({ projects: [{ displayName: 'unit', rootDir: folder, testMatch: ['<rootDir>/test/*.js'], transform: {} }] }));
    writeFileSync(join(folder, 'package.json'), '{}');
    mkdirSync(join(folder, 'test'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'test/some.js'), `
      const fs = require('fs');
      test('flaky', () => { const isFirst = !fs.existsSync('mark'); fs.writeFileSync('mark', ''); expect(isFirst).toBe(false); });
      test('broken', () => { throw new Error('no'); });
      test('good', () => undefined);
    `);
    writeFileSync(join(folder, 'test/setup.js'), `
      const fs = require('fs');
      if (!fs.existsSync('setup')) { fs.writeFileSync('setup', ''); throw new Error('no'); }
      test('after a setup', () => undefined);
    `);
    const renew = jest.fn(async () => {});
    const counts = await runJest(folder, 'unit', { args: [] }, process.env, (argv, env) => spawn(argv[0]!, argv.slice(1), { cwd: folder, env, stdio: 'ignore' }), renew);
    expect(counts).toEqual({ passed: 1, failed: 3 });
    expect(renew).toHaveBeenCalledTimes(1);
    expect(reported.filter((line) => line.startsWith('flaky:'))).toEqual(['flaky: some.js: flaky', 'flaky: setup.js']);
  } finally {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  }
}, 240_000);
