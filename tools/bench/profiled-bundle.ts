import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './cluster-run.ts';
import type { ProfileFigures } from './measurements.ts';
import { summarize } from './profile.ts';

/** The file that the image runs. */
export const BUNDLE = join(root, 'runtime/operator.cjs');

/** The operator in a bundle with the names that are in the sources, for a profile that can be read, and where the profile goes. */
export class ProfiledBundle {
  readonly bundle: string;
  readonly profile: string;

  /** @param name the profile's, without its ending */
  constructor(name: string) {
    const folder = join(root, 'test-reports');
    this.bundle = join(folder, 'operator.cjs');
    this.profile = join(folder, `${name}.cpuprofile`);
    mkdirSync(folder, { recursive: true });
    rmSync(this.profile, { force: true });
    execFileSync(process.execPath, [join(root, 'tools/build/bundle.ts'), '--readable', folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Sums up a profile, once it is written. @param file where it is, if it is not in its place any more */
  read(file = this.profile): ProfileFigures {
    const summary = summarize(JSON.parse(readFileSync(file, 'utf8')), { path: this.bundle, text: readFileSync(this.bundle, 'utf8') });
    return { ...summary, file: relative(root, file) };
  }
}
