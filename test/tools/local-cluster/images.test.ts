import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { javaArchives } from '../../../tools/local-cluster/images/applications.ts';
import { mirrorOf } from '../../../tools/local-cluster/images/debian.ts';
import { parseDockerfile } from '../../../tools/local-cluster/images/dockerfile.ts';
import { blobFile, packLayer, readImage, shareLayers, writeImage } from '../../../tools/local-cluster/images/layout.ts';
import { parseImageList } from '../../../tools/local-cluster/images/load.ts';
import { wantedPaths } from '../../../tools/local-cluster/images/node.ts';

describe('a Dockerfile', () => {
  test('starts from its base, of which an ARG may decide', () => {
    const text = 'ARG BASE_IMAGE=node:24-slim\nFROM ${BASE_IMAGE}\nCOPY --chown=1000 runtime/operator.cjs LICENSE /app/\nUSER 1000\n';
    expect(parseDockerfile(text)).toEqual({ bases: ['node:24-slim'], sources: ['runtime/operator.cjs', 'LICENSE'] });
    expect(parseDockerfile(text, { buildArgs: { BASE_IMAGE: 'spark.test/node:24' } }).bases).toEqual(['spark.test/node:24']);
  });

  test('does not depend on its own stages', () => {
    const text = 'FROM a:1 AS build\nCOPY src/ /src/\nFROM scratch AS bare\nCOPY --from=build /src/x /x\nFROM bare\nADD ["a file", "/there"]\n';
    expect(parseDockerfile(text)).toEqual({ bases: ['a:1'], sources: ['a file', 'src/'] });
  });

  test('takes in only what the wanted stage needs, also from other images', () => {
    const text = 'FROM a:1 AS Base\nCOPY one /\nFROM b:2 AS other\nCOPY --from=base /one /\nCOPY --from=c:3 /x /\nCOPY two /\nFROM base\nCOPY three /\n';
    expect(parseDockerfile(text)).toEqual({ bases: ['a:1'], sources: ['three', 'one'] });
    expect(parseDockerfile(text, { target: 'other' })).toEqual({ bases: ['b:2', 'a:1', 'c:3'], sources: ['two', 'one'] });
    expect(() => parseDockerfile(text, { target: 'nothing' })).toThrow('the Dockerfile has no stage nothing');
  });

  test('may have comments, continued lines, and defaults in its variables', () => {
    const text = '# syntax\narg TAG="1"\nfrom a:${TAG:-9} AS a\nCOPY one \\\n  # a comment in between\n  two \\\n  /\nFROM b:${OTHER:-2}\nCOPY --from=a /one /\n';
    expect(parseDockerfile(text)).toEqual({ bases: ['b:2', 'a:1'], sources: ['one', 'two'] });
  });
});

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
