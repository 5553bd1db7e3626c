import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sparkctl } from '../helpers';

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'image-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program in place of docker, which notes its arguments and the Dockerfile. */
function builder(exitCode = 0): string {
  const path = join(folder, `builder-${exitCode}`);
  writeFileSync(path, `#!/bin/sh\necho "$@" > ${folder}/arguments\ncat > ${folder}/Dockerfile\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('prints a Dockerfile that copies the training from the operator\'s image', async () => {
  const { code, stdout, stderr } = await sparkctl(['image', 'apache/spark:4.1.1']);

  expect([code, stderr]).toEqual([0, []]);
  expect(stdout).toBe([
    'FROM apache/spark:4.1.1',
    'USER root',
    'COPY --from=ghcr.io/cdk8s-spark-operator/spark-operator:1.2.3 /fast-start/ /opt/spark/fast-start/',
    'RUN ["/opt/spark/fast-start/train"]',
    'USER 185',
    '',
  ].join('\n'));
});

test('takes a registry of one\'s own, another user, and a program with arguments of its own', async () => {
  const { stdout } = await sparkctl([
    'image', 'example.org/etl:7', '--operator-image', 'example.org/operator:2', '--user', 'spark', '--', '--conf', 'spark.a=b "c"', '/opt/app/train.py',
  ]);

  expect(stdout).toContain('COPY --from=example.org/operator:2 /fast-start/ ');
  expect(stdout).toContain('\nRUN ["/opt/spark/fast-start/train","--conf","spark.a=b \\"c\\"","/opt/app/train.py"]\nUSER spark\n');
});

test('builds the image with the files of the package', async () => {
  const { code, stdout } = await sparkctl(['image', 'apache/spark:4.1.1', '--tag', 'fast:1', '--builder', builder()]);

  expect([code, stdout]).toEqual([0, '']);
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe(`build --tag fast:1 --file - ${root}/fast-start\n`);
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('\nCOPY . /opt/spark/fast-start/\n');
});

test('reports a builder that fails, or does not exist', async () => {
  const failed = await sparkctl(['image', 'spark', '--tag', 'fast', '--builder', builder(7)]);
  const missing = await sparkctl(['image', 'spark', '--tag', 'fast', '--builder', '/nonexistent/docker']);

  expect([failed.code, failed.stderr]).toEqual([1, [expect.stringMatching(/builder-7 built no image; its output has the reason$/)]]);
  expect([missing.code, missing.stderr]).toEqual([1, [
    'sparkctl image: /nonexistent/docker cannot be started: there is no such program; name another one by --builder, or omit --tag to print the Dockerfile',
  ]]);
});

test.each([
  [[], 'name one image of Spark'],
  [['one', 'two'], 'name one image of Spark'],
  [['spark\nRUN evil'], '"spark\\nRUN evil" is not the name of an image or user'],
  [['spark', '--user', '1 2'], '"1 2" is not the name of an image or user'],
  [['spark', '--tag', 'x', '--operator-image', 'y'], '--operator-image is for the printed Dockerfile; omit it with --tag'],
])('rejects %j', async (args, message) => {
  const { code, stderr } = await sparkctl(['image', ...args]);
  expect([code, stderr[0]]).toEqual([2, `sparkctl image: ${message}`]);
});
