import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '..');

beforeAll(() => {
  const check = spawnSync(process.execPath, ['tools/generate/main.ts', '--check'], { cwd: root, encoding: 'utf8' });
  result = `${check.stdout}${check.stderr}`;
  status = check.status;
}, 240_000);
let result: string;
let status: number | null;

test('CRDs, reference pages and the pages of the API are those of the sources', () => {
  expect({ status, result }).toEqual({ status: 0, result: expect.stringContaining('up to date') });
});

test('known failure 15: each CRD fits into the annotation in which kubectl keeps what it has applied', () => {
  const folder = join(root, 'crds');
  const files = readdirSync(folder);
  expect(files).not.toEqual([]);
  // The limit of all annotations together, of which some belong to others (Kubernetes: TotalAnnotationSizeLimitB).
  for (const file of files) expect(JSON.stringify(parse(readFileSync(join(folder, file), 'utf8'))).length).toBeLessThan(0.9 * 256 * 1024);
});
