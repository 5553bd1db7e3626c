/* What of a release can be looked at, or run with a stand-in for docker, in a moment; test/packages/release.test.ts builds one. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { IMAGE_REPOSITORY } from '../src/constructs/_package';
import { newestRelease, nextVersion } from '../tools/release/changelog.ts';

const root = join(__dirname, '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step { readonly name?: string; readonly if?: string; readonly uses?: string; readonly run?: string; readonly env?: Record<string, string> }
interface Job { readonly needs?: string | string[]; readonly if?: string; readonly permissions: Record<string, string>; readonly environment?: string; readonly steps: Step[] }
const WORKFLOWS = readdirSync(join(root, '.github/workflows'));
const jobsOf = (workflow: string): Record<string, Job> => parse(text(`.github/workflows/${workflow}`)).jobs;
const jobs = jobsOf('release.yml');

describe('the version', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.10.0 (2026-03-01)\n\n- now\n\n## 1.9.0 (2026-02-01)\n\n- before\n';

  test('is the newest in the changelog, with its text', () => {
    expect(newestRelease(changelog)).toEqual({ version: '1.10.0', notes: '- now' });
    expect(nextVersion(changelog, '1.9.0')).toBe('1.10.0');
  });

  test.each([
    ['that is there already', '1.10.0', changelog, 'no version after 1.10.0'],
    ['that is older', '1.11.0', changelog, 'no version after 1.11.0'],
    ['that nobody has written', '0.0.0', '# Changelog\n\n## Unreleased\n\n- all\n', 'has no released version'],
    ['without a date', '0.0.0', '## Unreleased\n\n## v1.0.0\n\n- all\n', 'has the heading "## v1.0.0"'],
    ['without a text', '0.0.0', '## 1.0.0 (2026-03-01)\n\n## 0.9.0 (2026-02-01)\n\n- before\n', 'says nothing about 1.0.0'],
  ])('is none %s', (_, current, wrong, reason) => {
    expect(() => nextVersion(wrong, current)).toThrow(reason);
  });
});

describe('the workflows', () => {
  const steps = WORKFLOWS.flatMap((workflow) => Object.entries(jobsOf(workflow)).flatMap(([job, { steps: all }]) => all.map((step) => ({ where: `${workflow} ${job}`, ...step }))));

  test('call what exists, and actions only by a commit or a version that cannot move', () => {
    expect(steps.length).toBeGreaterThan(40);
    const { scripts } = JSON.parse(text('package.json'));
    const { tasks } = JSON.parse(text('.projen/tasks.json'));
    for (const { where, uses, run = '' } of steps) {
      if (uses) expect(`${where}: ${uses}`).toMatch(/: [\w-]+\/[\w-]+@([0-9a-f]{40}|v\d+\.\d+\.\d+)$/);
      for (const [, name] of run.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(name);
      for (const [, name] of run.matchAll(/npx projen (\S+)/g)) expect(Object.keys(tasks)).toContain(name);
      for (const [, name] of run.matchAll(/publib@(\S+)/g)) expect(name).toMatch(/^\d+\.\d+\.\d+'$/);
      // What others write, such as the name of a branch, comes into a shell by its environment only.
      expect(`${where}: ${run}`).not.toMatch(/\$\{\{ *(github\.(event|head_ref|actor)|inputs\.)/);
    }
  });

  test('may write where they publish, and nowhere else', () => {
    const writing = WORKFLOWS.flatMap((workflow) => Object.entries(jobsOf(workflow)).flatMap(([job, { permissions }]) => Object.entries(permissions).flatMap(([name, access]) => (access === 'write' ? [`${workflow} ${job}: ${name}`] : []))));
    expect(writing.sort()).toEqual([
      'release.yml release_github: contents',
      'release.yml release_image: packages',
      'release.yml release_image_tags: packages',
      'release.yml release_npm: id-token',
      'release.yml release_pypi: id-token',
    ]);
    for (const [name, { environment }] of Object.entries(jobs)) expect({ name, environment }).toEqual({ name, environment: name === 'release' ? undefined : 'release' });
    // With the right to publish nothing of ours is installed: an install script could use it.
    for (const { where, run = '' } of steps.filter((step) => step.where.startsWith('release.yml release_'))) expect(`${where}: ${run}`).not.toMatch(/npm (ci|install)/);
  });

  test('publish images first, packages then, and the tag last', () => {
    const needs = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, [job.needs ?? []].flat().sort()]));
    expect(needs).toEqual({
      release: [],
      release_image: ['release'],
      release_image_tags: ['release', 'release_image'],
      release_npm: ['release', 'release_image_tags'],
      release_pypi: ['release', 'release_image_tags'],
      release_github: ['release', 'release_npm', 'release_pypi'],
    });
    expect(new Set(Object.entries(jobs).flatMap(([name, job]) => (name === 'release' ? [] : [job.if]))).size).toBe(1);
  });

  test('publish the images that the constructs name', () => {
    const images = steps.flatMap(({ env }) => (env?.IMAGE ? [env.IMAGE] : []));
    expect(images).toEqual([IMAGE_REPOSITORY, IMAGE_REPOSITORY, IMAGE_REPOSITORY]);
  });
});

describe('images of a release', () => {
  const REVISION = 'a'.repeat(40);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'images-'));
    for (const path of ['bin', 'dist/js', 'digests/image-digests-amd64', 'digests/image-digests-arm64']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'dist/version.txt'), '0.1.0');
    for (const architecture of ['amd64', 'arm64']) {
      for (const variant of ['plain', 'spark-submit']) writeFileSync(join(folder, `digests/image-digests-${architecture}/${variant}`), `sha256:${variant}-${architecture}\n`);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a step as it stands in the workflow, with a program in docker's place; returns what that was asked to change. */
  function runStep(job: string, name: string, docker: string, env: Record<string, string> = {}) {
    writeFileSync(join(folder, 'bin/docker'), `#!/bin/bash\n${docker}\n`);
    chmodSync(join(folder, 'bin/docker'), 0o755);
    const step = jobs[job]!.steps.find((candidate) => candidate.name === name)!;
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', step.run!], {
      cwd: folder, encoding: 'utf8',
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, IMAGE: 'registry/image', GITHUB_SHA: REVISION, GITHUB_SERVER_URL: 'https://server', GITHUB_REPOSITORY: 'o/r', ...env },
    });
    return { status, output: stdout + stderr, created: stdout.split('\n').filter((line) => line.startsWith('docker ')) };
  }
  const tag = (inspect: string) => runStep('release_image_tags', 'Tag the images', `if [ "$3" = inspect ]; then ${inspect}; else echo "docker $*"; fi`);
  const index = (revision: string) => JSON.stringify({ annotations: { 'org.opencontainers.image.revision': revision } });

  test('get their tags together, each for both architectures', () => {
    expect(tag('echo "ERROR: registry/image: not found" >&2; exit 1')).toMatchObject({
      status: 0,
      created: ['', '-spark-submit'].map((suffix) => `docker buildx imagetools create --tag registry/image:0.1.0${suffix} --annotation index:org.opencontainers.image.revision=${REVISION} `
        + `registry/image@sha256:${suffix.slice(1) || 'plain'}-amd64 registry/image@sha256:${suffix.slice(1) || 'plain'}-arm64`),
    });
  });

  test('that an earlier run has left are completed', () => {
    expect(tag(`case $5 in *-spark-submit) echo "not found" >&2; exit 1;; *) echo '${index(REVISION)}';; esac`).created).toEqual([expect.stringContaining('--tag registry/image:0.1.0-spark-submit ')]);
    expect(tag(`echo '${index(REVISION)}'`)).toMatchObject({ status: 0, created: [] });
  });

  test.each([
    ['of another commit', `case $5 in *-spark-submit) echo '${index('b'.repeat(40))}';; *) echo "not found" >&2; exit 1;; esac`, 'was made from bbbb'],
    ['of nobody knows what', "echo '{}'", 'was made from an unknown commit'],
    ['that cannot be looked at', 'echo "502 Bad Gateway" >&2; exit 1', '502 Bad Gateway'],
  ])('%s end the release before anything is published', (_, inspect, reason) => {
    const { status, output, created } = tag(inspect);
    expect({ status, created }).toEqual({ status: 1, created: [] });
    expect(output).toContain(reason);
  });

  test('of one architecture only are not published', () => {
    rmSync(join(folder, 'digests/image-digests-arm64'), { recursive: true });
    expect(tag('echo "not found" >&2; exit 1')).toMatchObject({ status: 1, created: [] });
  });

  test.each([['true', 'type=image,name=registry/image,push=true,push-by-digest=true,name-canonical=true'], ['false', 'type=oci,dest=plain.tar']])('are built with SBOM and provenance, from the packed package; pushed: %s', (push, output) => {
    mkdirSync(join(folder, 'package'));
    writeFileSync(join(folder, 'package/Dockerfile'), 'FROM scratch\n');
    spawnSync('tar', ['-czf', 'dist/js/package.tgz', 'package'], { cwd: folder });
    rmSync(join(folder, 'digests'), { recursive: true });
    const docker = 'echo "docker $*"; while [ $# -gt 0 ]; do if [ "$1" = --metadata-file ]; then echo \'{"containerimage.digest":"sha256:1"}\' >"$2"; fi; shift; done';
    const { status, created } = runStep('release_image', 'Build the images', docker, { ARCHITECTURE: 'arm64', PUSH: push });
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'context/Dockerfile'), 'utf8')).toBe('FROM scratch\n');
    const builds = created.filter((line) => line.includes('buildx build'));
    expect(builds).toHaveLength(2);
    for (const build of builds) expect(build).toMatch(/--platform linux\/arm64 .*--sbom=true --provenance=mode=max .*image\.version=0\.1\.0 .*image\.revision=a{40} /);
    expect(builds[0]).toContain(`--output ${output} `);
    expect(builds[1]).toContain('--target spark-submit ');
    expect(readdirSync(join(folder, 'digests'))).toEqual(['plain', 'spark-submit']);
  });
});
