import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { javaArchives } from '../../../tools/local-cluster/images/applications.ts';
import { mirrorOf } from '../../../tools/local-cluster/images/debian.ts';
import { blobFile, packImage, packLayer, readImage, shareLayers, writeImage } from '../../../tools/local-cluster/images/layout.ts';
import { parseImageList } from '../../../tools/local-cluster/images/load.ts';
import { wantedPaths } from '../../../tools/local-cluster/images/node.ts';

describe('a layout', () => {
  let folder: string;
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'layout-')); });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function pack(name: string, content: string) {
    const source = join(folder, `source-${name}`);
    mkdirSync(source);
    writeFileSync(join(source, 'file'), content);
    return await packLayer(join(folder, name), source, join(folder, 'log'));
  }

  test('holds an image under its name', async () => {
    const layer = await pack('one', 'content');
    writeImage(join(folder, 'one'), 'spark.test/one:1', [layer], { User: '185' });
    const image = readImage(join(folder, 'one'));
    expect(image.reference).toBe('spark.test/one:1');
    expect(image.blobs).toHaveLength(3);
    const [, configuration] = image.blobs.map((digest) => readFileSync(blobFile(image.folder, digest)));
    expect(JSON.parse(configuration!.toString())).toMatchObject({ os: 'linux', config: { User: '185' }, rootfs: { diff_ids: [layer.digest] } });
  });

  test('has equal layers for equal contents, whenever they were made', async () => {
    const [one, two, other] = [await pack('one', 'content'), await pack('two', 'content'), await pack('other', 'other')];
    expect(two).toEqual(one);
    expect(other.digest).not.toBe(one.digest);
  });

  test('is packed from a folder on the layers of another one', async () => {
    const layer = await pack('one', 'content');
    writeImage(join(folder, 'one'), 'spark.test/one:1', [layer], {});
    const root = join(folder, 'root');
    mkdirSync(root);
    for (const file of ['wanted', 'other']) writeFileSync(join(root, file), file);
    await packImage(join(folder, 'two'), {
      reference: 'spark.test/two:1', root, paths: ['wanted'], base: join(folder, 'one'), config: { User: '185' }, log: join(folder, 'log'),
    });
    const image = readImage(join(folder, 'two'));
    expect(image.reference).toBe('spark.test/two:1');
    expect(image.layers).toEqual([layer, expect.objectContaining({ mediaType: layer.mediaType })]);
    expect(execFileSync('tar', ['--list', '--file', blobFile(image.folder, image.layers[1]!.digest)], { encoding: 'utf8' })).toBe('wanted\n');
    expect(existsSync(blobFile(image.folder, layer.digest))).toBe(true);
    expect(existsSync(root)).toBe(false);
  });

  test('shares layers with another one without a copy', async () => {
    const layer = await pack('one', 'content');
    shareLayers(join(folder, 'two'), join(folder, 'one'), [layer]);
    const [one, two] = ['one', 'two'].map((name) => statSync(blobFile(join(folder, name), layer.digest)).ino);
    expect(two).toBe(one);
  });
});

test('Java sources are packed by folder, or each by itself', () => {
  expect(javaArchives(['pi.py', 'JavaPi.java', 'wordCount/Main.java', 'wordCount/text/Words.java', 'wordCount/words.txt'])).toEqual({
    'java-pi.jar': ['JavaPi.java'],
    'word-count.jar': ['wordCount/Main.java', 'wordCount/text/Words.java'],
  });
});

test('the mirror is the one that apt uses for the suite', () => {
  const targets = 'https://tools.example/ stable main\nhttps://mirror.example/debian/ bookworm main\nhttps://mirror.example/security/ bookworm-security main\n';
  expect(mirrorOf(targets, 'bookworm')).toBe('https://mirror.example/debian/');
  expect(mirrorOf(targets, 'noble')).toBeUndefined();
});

test('the list of a cluster\'s images leaves out those without a name', () => {
  const table = `REF                     TYPE                                       DIGEST       SIZE     PLATFORMS   LABELS
sha256:aaaa             application/vnd.oci.image.manifest.v1+json sha256:bbbb  10 MiB   linux/amd64 io.cri-containerd.image=managed
spark.test/pause:1      application/vnd.oci.image.manifest.v1+json sha256:bbbb  10 MiB   linux/amd64 io.cri-containerd.image=managed
`;
  expect(parseImageList(table)).toEqual([{ reference: 'spark.test/pause:1', digest: 'sha256:bbbb' }]);
});

test('the files of packages are where the links in the root lead to', () => {
  const paths = wantedPaths(['/lib/x86_64-linux-gnu/libc.so.6', '/usr/share/doc/libc6/copyright', '/usr/lib/x86_64-linux-gnu/gconv/X.so', '/etc/host.conf']);
  expect(paths).toContain('./usr/lib/x86_64-linux-gnu/libc.so.6');
  expect(paths).toContain('./etc/host.conf');
  expect(paths).toContain('./lib');
  expect([...paths].filter((path) => /doc|gconv/.test(path))).toEqual([]);
});
