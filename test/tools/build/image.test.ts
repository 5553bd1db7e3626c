import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentTag } from '../../../tools/build/image.ts';

test('the tag of the operator image changes with the files that the Dockerfile copies, and only with them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    mkdirSync(join(folder, 'runtime'));
    writeFileSync(join(folder, 'Dockerfile'), readFileSync(join(__dirname, '../../../Dockerfile')));
    const tagWith = (file: string, text: string) => {
      writeFileSync(join(folder, file), text);
      return contentTag(folder);
    };
    const tags = [
      tagWith('runtime/operator.cjs', '1'), tagWith('runtime/operator.cjs', '2'), tagWith('runtime/part-client-operator.cjs', '1'),
      tagWith('Dockerfile', 'FROM scratch\nCOPY runtime/operator.cjs /\n'),
    ];
    expect(tags[0]).toMatch(/^spark\.test\/operator:[0-9a-f]{12}$/);
    expect(new Set(tags).size).toBe(tags.length);
    expect(tagWith('runtime/part-sparkctl.cjs', '1')).toBe(tags.at(-1));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
