/* Parts of a release that a test can read, or run with a program in docker's place, in a moment; test/packages/release.test.ts builds one. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { App, Chart } from 'cdk8s';
import { SparkOperator } from '../src';
import { baseImages, pinned } from '../tools/release/base-images.ts';
import { newestRelease, nextVersion } from '../tools/release/changelog.ts';
import { TIERS } from '../tools/test/lanes.ts';
import { withRelease } from './helpers/release-copy';

const root = join(__dirname, '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly name?: string; readonly if?: string; readonly uses?: string; readonly run?: string; readonly env?: Record<string, string>; readonly with?: Record<string, unknown>;
}
interface Job {
  readonly needs?: string | string[]; readonly if?: string; readonly permissions: Record<string, string>; readonly environment?: string; readonly steps: Step[];
}
const WORKFLOWS = readdirSync(join(root, '.github/workflows'));
const jobsOf = (workflow: string): Record<string, Job> => parse(text(`.github/workflows/${workflow}`)).jobs;
const jobs = jobsOf('release.yml');

describe('the version', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.10.0 (2026-03-01)\n\n- now\n\n## 1.9.0 (2026-02-01)\n\n- before\n';

  test('is the newest in the changelog, with its text', () => {
    expect(newestRelease(changelog)).toEqual({ version: '1.10.0', notes: '- now' });
    expect(nextVersion(changelog, '1.9.0')).toBe('1.10.0');
  });

  test('of a dry run has an entry of its own, in the commit that makes a release, too', () => {
    const released = changelog.replace('- later\n\n', '');
    expect([changelog, released].map((before) => newestRelease(withRelease(before, '2.0.0')))).toEqual([
      { version: '2.0.0', notes: '- What 2.0.0 brings.\n\n- later' },
      { version: '2.0.0', notes: '- What 2.0.0 brings.' },
    ]);
  });

  test.each([
    ['that is there already', '1.10.0', changelog, 'no version after 1.10.0'],
    ['that is older', '1.11.0', changelog, 'no version after 1.11.0'],
    ['that the changelog lacks', '0.0.0', '# Changelog\n\n## Unreleased\n\n- all\n', 'has no released version'],
    ['without a date', '0.0.0', '## Unreleased\n\n## v1.0.0\n\n- all\n', 'has the heading "## v1.0.0"'],
    ['without a text', '0.0.0', '## 1.0.0 (2026-03-01)\n\n## 0.9.0 (2026-02-01)\n\n- before\n', 'has no text for 1.0.0'],
  ])('is none %s', (_, current, wrong, reason) => {
    expect(() => nextVersion(wrong, current)).toThrow(reason);
  });
});

describe('the workflows', () => {
  const steps = WORKFLOWS.flatMap((workflow) => Object.entries(jobsOf(workflow)).flatMap(([job, { steps: all }]) => all.map((step) => ({ where: `${workflow} ${job}`, ...step }))));

  test('call what exists, and actions only by a commit', () => {
    expect(steps.length).toBeGreaterThan(40);
    const { scripts } = JSON.parse(text('package.json'));
    const { tasks } = JSON.parse(text('.projen/tasks.json'));
    for (const { where, uses, run = '' } of steps) {
      if (uses) expect(`${where}: ${uses}`).toMatch(/: [\w-]+(\/[\w-]+)+@[0-9a-f]{40}$/);
      for (const [, name] of run.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(name);
      for (const [, name] of run.matchAll(/npx projen (\S+)/g)) expect(Object.keys(tasks)).toContain(name);
      for (const [, name] of run.matchAll(/publib@(\S+)/g)) expect(name).toMatch(/^\d+\.\d+\.\d+'$/);
      // Texts of other authors, such as the name of a branch, reach a shell only through its environment.
      expect(`${where}: ${run}`).not.toMatch(/\$\{\{ *(github\.(event|head_ref|actor)|inputs\.)/);
    }
  });

  test('may write where they publish, and nowhere else', () => {
    const writing = WORKFLOWS.flatMap((workflow) => Object.entries(jobsOf(workflow)).flatMap(([job, { permissions }]) => Object.entries(permissions).flatMap(([name, access]) => (access === 'write' ? [`${workflow} ${job}: ${name}`] : []))));
    expect(writing.sort()).toEqual([
      'release.yml release_github: contents',
      'release.yml release_image: packages',
      'release.yml release_image_tags: attestations',
      'release.yml release_image_tags: id-token',
      'release.yml release_image_tags: packages',
      'release.yml release_npm: id-token',
      'release.yml release_pypi: id-token',
      'site.yml deploy: id-token',
      'site.yml deploy: pages',
    ]);
    for (const [name, { environment }] of Object.entries(jobs)) expect({ name, environment }).toEqual({ name, environment: ['release', 'release_outdated'].includes(name) ? undefined : 'release' });
    // With the right to publish nothing that the project depends on is installed: an install script could use it.
    for (const { where, run = '' } of steps.filter((step) => step.where.startsWith('release.yml release_'))) expect(`${where}: ${run}`).not.toMatch(/npm (ci|install)/);
  });

  test('run no install scripts where packages are built, nor where they are published', () => {
    for (const [job, { steps: all }] of Object.entries({ build: jobsOf('build.yml').build!, release: jobs.release! })) {
      expect({ job, installs: all.flatMap(({ run = '' }) => (/\bnpm (ci|install)\b/.test(run) ? [run] : [])) }).toEqual({ job, installs: ['npm ci --ignore-scripts'] });
    }
    const others = steps.filter(({ run = '' }) => /npm run test:packages|npx '-p'/.test(run));
    expect(others).toHaveLength(3);
    for (const { where, env } of others) expect({ where, env }).toEqual({ where, env: expect.objectContaining({ NPM_CONFIG_IGNORE_SCRIPTS: 'true' }) });
  });

  test('sign where the image and the packages come from', () => {
    const signed = steps.filter(({ uses = '' }) => uses.startsWith('actions/attest@'));
    expect(signed.map(({ where, if: condition, with: given }) => ({ where, condition, given }))).toEqual([{
      where: 'release.yml release_image_tags',
      condition: '${{ !inputs.dry_run }}',
      given: {
        'subject-name': 'ghcr.io/cdk8s-spark-operator/spark-operator', 'subject-digest': '${{ steps.tag_the_image.outputs.digest }}', 'push-to-registry': true, 'create-storage-record': false,
      },
    }]);
    // npm's is asked for in the step; that for PyPI is the default of trusted publishing, and can be turned off.
    expect(steps.filter(({ env = {} }) => 'PYPI_DISABLE_ATTESTATIONS' in env)).toEqual([]);
    expect(jobs.release_pypi!.steps.at(-1)!.env).toMatchObject({ PYPI_TRUSTED_PUBLISHER: 'true' });
  });

  test('get new digests of the base images with the other dependencies', () => {
    const { tasks } = JSON.parse(text('.projen/tasks.json'));
    expect(tasks['post-upgrade'].steps).toEqual([{ exec: 'node tools/release/pin-base-images.ts', condition: 'test -n "$GITHUB_ACTIONS"' }]);
    expect(tasks.upgrade.steps.at(-1)).toEqual({ spawn: 'post-upgrade' });
    expect(jobsOf('upgrade-main.yml').upgrade!.steps.map(({ run }) => run)).toContain('npx projen upgrade');
  });

  test('publish images first, packages then, and the tag last', () => {
    const needs = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, [job.needs ?? []].flat().sort()]));
    expect(needs).toEqual({
      release: [],
      release_outdated: ['release'],
      release_image: ['release'],
      release_image_tags: ['release', 'release_image'],
      release_npm: ['release', 'release_image_tags'],
      release_pypi: ['release', 'release_image_tags'],
      release_github: ['release', 'release_npm', 'release_pypi'],
    });
    const conditions = Object.entries(jobs).map(([name, job]) => [name, job.if]);
    const { release, release_outdated: outdated, ...publishing } = Object.fromEntries(conditions);
    expect(release).toBe("github.ref == 'refs/heads/main'");
    expect(new Set(Object.values(publishing)).size).toBe(1);
    // One of both holds, so that a run that releases nothing does not look like one that does.
    expect(Object.values(publishing)[0]).toContain('needs.release.outputs.latest_commit == github.sha');
    expect(outdated).toBe('needs.release.outputs.latest_commit != github.sha');
    expect(jobs.release_outdated!.steps.at(-1)!.run).toMatch(/::error::.* moved on .*exit 1$/);
  });

  test('check style and packages before anything is handed on', () => {
    for (const [job, { steps: all }] of Object.entries({ build: jobsOf('build.yml').build!, release: jobs.release! })) {
      const handedOn = all.findIndex(({ name }) => name === 'Upload artifact');
      const before = all.slice(0, handedOn).map(({ run }) => run);
      expect({ job, before }).toEqual({ job, before: expect.arrayContaining([`npx projen ${job}`, 'npm run lint:ci', 'npm run test:packages']) });
    }
  });

  test('run on what is merged, all tests too', () => {
    for (const workflow of ['build.yml', 'all-tests.yml']) expect(parse(text(`.github/workflows/${workflow}`)).on).toMatchObject({ push: { branches: ['main'] }, workflow_dispatch: {} });
    const { strategy, steps: all } = jobsOf('all-tests.yml')['all-tests'] as any;
    expect(strategy.matrix.tiers.flatMap((tiers: string) => tiers.split(' ')).sort()).toEqual([...TIERS].sort());
    expect(all.map(({ run }: { run?: string }) => run)).toContainEqual(expect.stringMatching(/npm test -- \$TIERS$/));
    expect(jobsOf('all-tests.yml').lint!.steps.at(-1)!.run).toBe('npm run lint:ci');
  });

  test('change nothing in a dry run', () => {
    const changing = /docker login|imagetools create|npm publish|publib|gh release/;
    const found = steps.filter(({ run = '' }) => changing.test(run));
    expect(found.map(({ where }) => where.split(' ')[1]).sort()).toEqual(['release_github', 'release_image', 'release_image_tags', 'release_image_tags', 'release_npm', 'release_pypi']);
    for (const { where, if: condition } of found) expect({ where, condition }).toEqual({ where, condition: '${{ !inputs.dry_run }}' });
  });

  test('publish the images that the constructs name', () => {
    const chart = new Chart(new App(), 'chart');
    new SparkOperator(chart, 'operator');
    const { image } = chart.toJson().find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
    const images = steps.flatMap(({ env }) => (env?.IMAGE ? [`${env.IMAGE}:${JSON.parse(text('package.json')).version}`] : []));
    expect(images).toEqual([image, image, image, image]);
  });
});

describe('the image of a release', () => {
  const REVISION = 'a'.repeat(40);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'images-'));
    for (const path of ['bin', 'dist/js', 'digests/image-digests-amd64', 'digests/image-digests-arm64']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'dist/version.txt'), '0.1.0');
    for (const architecture of ['amd64', 'arm64']) {
      writeFileSync(join(folder, `digests/image-digests-${architecture}/image`), `sha256:${architecture}\n`);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs an unchanged step of the workflow, with a program in docker's or npm's place; returns the changes that this was asked for. */
  function runStep(job: string, name: string, standIn: string, env: Record<string, string> = {}, program: 'docker' | 'npm' = 'docker') {
    writeFileSync(join(folder, 'bin', program), `#!/bin/bash\n${standIn}\n`);
    chmodSync(join(folder, 'bin', program), 0o755);
    const step = jobs[job]!.steps.find((candidate) => candidate.name === name)!;
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', step.run!], {
      cwd: folder, encoding: 'utf8',
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, IMAGE: 'registry/image', PACKAGE: 'package', GITHUB_SHA: REVISION, GITHUB_SERVER_URL: 'https://server', GITHUB_OUTPUT: join(folder, 'output'), GITHUB_REPOSITORY: 'o/r', ...env },
    });
    return { status, output: stdout + stderr, created: stdout.split('\n').filter((line) => line.startsWith(`${program} `)) };
  }
  const DIGEST = `sha256:${'1'.repeat(64)}`;
  const tag = (inspect: string, digest = DIGEST) => runStep('release_image_tags', 'Tag the image', `case "$3 $4" in 'inspect --raw') ${inspect};; inspect*) echo ${digest};; *) echo "docker $*";; esac`);
  const NOT_FOUND = 'echo "ERROR: $5: not found" >&2; exit 1';
  const index = (revision: string) => JSON.stringify({ annotations: { 'org.opencontainers.image.revision': revision } });

  test('gets its tag for both architectures', () => {
    expect(tag(NOT_FOUND)).toMatchObject({
      status: 0,
      created: [`docker buildx imagetools create --tag registry/image:0.1.0 --annotation index:org.opencontainers.image.revision=${REVISION} registry/image@sha256:amd64 registry/image@sha256:arm64`],
    });
  });

  test('its digest is an output for the step that signs', () => {
    expect(tag(NOT_FOUND).status).toBe(0);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe(`digest=${DIGEST}\n`);
    expect(tag(NOT_FOUND, 'nothing')).toMatchObject({ status: 1, output: expect.stringContaining('::error::registry/image:0.1.0 has no digest: nothing') });
  });

  test('is left as it is if an earlier run has tagged it', () => {
    expect(tag(`echo '${index(REVISION)}'`)).toMatchObject({ status: 0, created: [] });
  });

  test.each([
    ['of another commit', `echo '${index('b'.repeat(40))}'`, 'was made from bbbb'],
    ['of an unknown commit', "echo '{}'", 'was made from an unknown commit'],
    ['that cannot be read', 'echo "502 Bad Gateway" >&2; exit 1', '502 Bad Gateway'],
    ['whose registry is not found', 'echo "ERROR: failed to do request: lookup registry: host not found" >&2; exit 1', 'host not found'],
    ['for which the credentials are not found', 'echo "ERROR: error getting credentials - err: docker-credential-pass: executable file not found in \$PATH" >&2; exit 1', 'executable file not found'],
  ])('a tag %s ends the release before anything is published', (_, inspect, reason) => {
    const { status, output, created } = tag(inspect);
    expect({ status, created }).toEqual({ status: 1, created: [] });
    expect(output).toContain(reason);
  });

  test('of one architecture only is not published', () => {
    rmSync(join(folder, 'digests/image-digests-arm64'), { recursive: true });
    expect(tag(NOT_FOUND)).toMatchObject({ status: 1, created: [] });
  });

  const look = (docker: string) => runStep('release_image_tags', 'Check that anyone can pull the image', docker);
  const manifests = (...architectures: string[]) => JSON.stringify({ manifests: [...architectures, 'unknown'].map((architecture) => ({ platform: { os: architecture === 'unknown' ? 'unknown' : 'linux', architecture } })) });

  test('can be pulled by anyone, for both architectures', () => {
    const anonymous = `[ -d "$DOCKER_CONFIG" ] && [ -z "$(ls -A "$DOCKER_CONFIG")" ] || exit 1; echo "$5" >>looked; echo '${manifests('amd64', 'arm64')}'`;
    expect(look(anonymous).status).toBe(0);
    expect(readFileSync(join(folder, 'looked'), 'utf8')).toBe('registry/image:0.1.0\n');
  });

  test.each([
    ['only its owner can read', 'echo "denied" >&2; exit 1', '0.1.0 cannot be read without credentials: make the package public, then re-run failed jobs'],
    ['that lacks an architecture', `echo '${manifests('amd64')}'`, 'has no image for arm64'],
    ['that is no index', "echo '{}'", 'has no image for amd64'],
  ])('one %s ends the release', (_, docker, reason) => {
    const { status, output } = look(docker);
    expect(status).toBe(1);
    expect(output).toContain(reason);
  });

  test.each([
    ['is published', '', ['npm publish --access public --provenance dist/js/package@0.1.0.tgz']],
    ['that an earlier run has published is left', 'echo 0.1.0;', []],
    ['is published if npm does not know the package', 'echo "E404" >&2; exit 1;', ['npm publish --access public --provenance dist/js/package@0.1.0.tgz']],
  ])('whose package %s', (_, view, created) => {
    writeFileSync(join(folder, 'dist/js/package@0.1.0.tgz'), '');
    expect(runStep('release_npm', 'Release', `if [ "$1 $2" = "view package@0.1.0" ]; then ${view} exit 0; fi; echo "npm $*"`, {}, 'npm')).toMatchObject({ status: 0, created });
  });

  /** Builds the images of a package with this Dockerfile. */
  function buildImages(dockerfile: string, push: string) {
    mkdirSync(join(folder, 'package'));
    writeFileSync(join(folder, 'package/Dockerfile'), dockerfile);
    spawnSync('tar', ['-czf', 'dist/js/package.tgz', 'package'], { cwd: folder });
    rmSync(join(folder, 'digests'), { recursive: true });
    const docker = 'echo "docker $*"; while [ $# -gt 0 ]; do if [ "$1" = --metadata-file ]; then echo \'{"containerimage.digest":"sha256:1"}\' >"$2"; fi; shift; done';
    return runStep('release_image', 'Build the image', docker, { ARCHITECTURE: 'arm64', PUSH: push });
  }

  test('are not published from base images that a tag names, which can move', () => {
    const { status, output, created } = buildImages('ARG BASE_IMAGE=node:24-slim\nFROM ${BASE_IMAGE} AS base\nFROM example.org/other\nFROM base\n', 'true');
    expect({ status, created }).toEqual({ status: 1, created: [] });
    expect(output).toContain('::error::the Dockerfile names base images without a digest: node:24-slim example.org/other. Run the workflow upgrade-main');
  });

  test('are built from those for a pull request, with a warning', () => {
    expect(buildImages('ARG BASE_IMAGE=node:24-slim\nFROM ${BASE_IMAGE}\n', 'false')).toMatchObject({ status: 0, output: expect.stringContaining('::warning::the Dockerfile names base images without a digest: node:24-slim.') });
  });

  test('are published from base images with digests, as the workflow for upgrades writes them', () => {
    const dockerfile = text('Dockerfile');
    const images = baseImages(dockerfile);
    expect(images).toEqual(['node:24-slim']);
    // Nothing else comes from a registry.
    expect([...dockerfile.matchAll(/^(?:FROM|COPY --from=)\s*(\S+)/gm)].map(([, from]) => from)).toEqual(['${BASE_IMAGE}']);
    const digests = new Map(images.map((image, number) => [image, `sha256:${String(number + 1).repeat(64)}`]));
    const withDigests = pinned(dockerfile, (image) => digests.get(image)!);
    expect(withDigests).toContain(`ARG BASE_IMAGE=node:24-slim@sha256:${'1'.repeat(64)}\n`);
    // Again, when images have others.
    expect(pinned(withDigests, () => DIGEST)).toContain(`ARG BASE_IMAGE=node:24-slim@${DIGEST}\n`);
    expect(buildImages(withDigests, 'true').status).toBe(0);
    expect(() => pinned(dockerfile, () => '<no value>')).toThrow('node:24-slim has the digest "<no value>", which is none');
  });

  test.each([['true', 'type=image,name=registry/image,push=true,push-by-digest=true,name-canonical=true'], ['false', 'type=oci,dest=image.tar']])('are built with SBOM and provenance, from the packed package; pushed: %s', (push, output) => {
    const { status, created } = buildImages('FROM scratch\n', push);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'context/Dockerfile'), 'utf8')).toBe('FROM scratch\n');
    const builds = created.filter((line) => line.includes('buildx build'));
    expect(builds).toHaveLength(1);
    for (const build of builds) expect(build).toMatch(/--platform linux\/arm64 .*--sbom=true --provenance=mode=max .*image\.version=0\.1\.0 .*image\.revision=a{40} /);
    expect(builds[0]).toContain(`--output ${output} `);
    expect(readdirSync(join(folder, 'digests'))).toEqual(['image']);
  });
});
