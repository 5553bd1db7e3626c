import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUri } from '../../../src/plan/properties/dependencies';
import { contentOf, escapedPath, partSizeOf, placeOf } from '../../../src/sparkctl/upload/content';

const folder = mkdtempSync(join(tmpdir(), 'content-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const MEBIBYTE = 1024 * 1024;

test.each([0, 1, 16 * MEBIBYTE, 16 * MEBIBYTE + 1, 40 * MEBIBYTE])('%d bytes: computes the hash of the file and of each part', async (size) => {
  const bytes = Buffer.alloc(size, 'spark');
  const path = join(folder, `${size}.jar`);
  writeFileSync(path, bytes);
  const { parts, ...content } = await contentOf(path);
  expect(content).toEqual({ path, name: `${size}.jar`, size, sha256: sha256(bytes) });
  expect(parts.map(({ start, size: length, sha256: sum }) => ({ start, sum, length }))).toEqual(
    Array.from({ length: Math.max(1, Math.ceil(size / partSizeOf(size))) }, (_, index) => {
      const part = bytes.subarray(index * partSizeOf(size), (index + 1) * partSizeOf(size));
      return { start: index * partSizeOf(size), sum: sha256(part), length: part.length };
    }),
  );
});

test('a file of terabytes has at most the number of parts that S3 accepts', () => {
  for (const size of [1, 160e9, 5e12]) expect(Math.ceil(size / partSizeOf(size))).toBeLessThanOrEqual(10_000);
});

test('rejects a folder, and a missing file', async () => {
  mkdirSync(join(folder, 'classes'));
  await expect(contentOf(join(folder, 'classes'))).rejects.toThrow(/it is not a file; pack a folder into an archive first$/);
  await expect(contentOf(join(folder, 'absent.py'))).rejects.toThrow(/absent\.py: there is no such file; check the path$/);
});

test('the path of an upload depends on the content, and keeps the name', () => {
  const content = { sha256: '0123456789abcdef'.repeat(4), name: 'etl.py' };
  expect(placeOf(content, 'jobs/etl')).toBe('jobs/etl/0123456789abcdef0123456789abcdef/etl.py');
  expect(placeOf(content, '')).toBe('0123456789abcdef0123456789abcdef/etl.py');
});

test.each(['my file.py', 'a+b.jar', '50%25.py', 'ä,ö#1?.py', "it's (new)!.py", 'a&b=c;d@e:f.jar'])('Java and Node read the same name from the URI of %s', (name) => {
  const uri = `s3a://jobs/${escapedPath(`x/${name}`)}`;
  expect(isUri(uri)).toBe(true);
  expect(uri).not.toMatch(/[,#?* ]/);
  expect(decodeURIComponent(uri)).toBe(`s3a://jobs/x/${name}`);
});
