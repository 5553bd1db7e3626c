import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentKey, fileDigest, folderInputs } from '../../../tools/local-cluster/build/content.ts';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'content-')); });
afterEach(() => rmSync(folder, { recursive: true }));

test('a key does not depend on the order of the inputs', () => {
  expect(contentKey({ a: '1', b: '2' })).toBe(contentKey({ b: '2', a: '1' }));
  expect(contentKey({ a: '1' })).toMatch(/^[0-9a-f]{12}$/);
});

test.each([
  [{ a: '1' }, { a: '2' }],
  [{ a: '1' }, { b: '1' }],
  [{ a: '1', b: '' }, { a: '1' }],
  [{ a: '12', b: '3' }, { a: '1', b: '23' }],
  [{ a: '1\n"b" 1\n2' }, { a: '1', b: '2' }],
])('%j and %j have different keys', (one, other) => {
  expect(contentKey(one as Record<string, string>)).not.toBe(contentKey(other as Record<string, string>));
});

test('the inputs of a folder are its files, whatever their depth, and whether they may be executed', () => {
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub', 'file'), 'content');
  writeFileSync(join(folder, 'script'), '#!/bin/sh');
  chmodSync(join(folder, 'script'), 0o755);
  expect(folderInputs(folder)).toEqual({ 'sub/file plain': Buffer.from('content'), 'script executable': Buffer.from('#!/bin/sh') });
  expect(Object.keys(folderInputs(folder, (path) => path !== 'sub'))).toEqual(['script executable']);
});

test('the digest of a file is its SHA-256', async () => {
  writeFileSync(join(folder, 'file'), 'abc');
  expect(await fileDigest(join(folder, 'file'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
