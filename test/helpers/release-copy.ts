import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** No server answers there: a request to a package registry, an image registry or GitHub in spite of the dry run fails. */
const OFFLINE = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0', HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' };
const GIT = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com' };

/**
 * A changelog with a version to release. It gets an entry of its own: in the commit that makes a release there is nothing under "Unreleased".
 */
export function withRelease(changelog: string, version: string): string {
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (2026-03-01)\n\n- What ${version} brings.\n`);
}

/** A copy of what a release is made of, in a git repository of its own. */
export class ReleaseCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'release-'));

  /** Of the work tree as it is, compiled, with a changelog that has been made ready for a version. */
  constructor(version: string) {
    for (const path of ['.projen', '.projenrc.ts', 'package.json', 'package-lock.json', '.npmignore', '.npmrc', 'README.md', 'LICENSE', 'Dockerfile', 'docs', 'crds', 'schemas', 'fast-start', 'src', 'tools', 'tsconfig.json', 'lib', 'runtime', '.jsii']) {
      cpSync(join(root, path), join(this.folder, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    writeFileSync(join(this.folder, 'CHANGELOG.md'), withRelease(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
    writeFileSync(join(this.folder, '.gitignore'), '/node_modules\n/dist/\n/lib/\n/runtime/\n.jsii\n');
    this.run('git', 'init', '--quiet', '--initial-branch=main');
    this.commit();
  }

  /** Edits CHANGELOG.md as a maintainer does before a release. */
  prepare(version: string): void {
    writeFileSync(join(this.folder, 'CHANGELOG.md'), withRelease(this.read('CHANGELOG.md'), version));
  }

  commit(): void {
    this.run('git', 'add', '--all');
    this.run('git', 'commit', '--quiet', '--message', 'A change');
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** @throws Error with what the program said */
  run(program: string, ...args: readonly string[]): string {
    return this.execute(program, args, OFFLINE);
  }

  /** For what fetches tools. */
  runOnline(program: string, ...args: readonly string[]): string {
    return this.execute(program, args, {});
  }

  private execute(program: string, args: readonly string[], environment: Readonly<Record<string, string>>): string {
    return execFileSync(program, args, { cwd: this.folder, encoding: 'utf8', env: { ...process.env, ...environment, ...GIT }, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}
