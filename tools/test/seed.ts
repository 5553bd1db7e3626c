import { execFileSync } from 'node:child_process';

/** Returns whether this is a build machine. They set CI to different values. */
export function isCi({ CI }: NodeJS.ProcessEnv = process.env): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}

/**
 * The seed of property-based tests on a build machine: it follows from what is tested, so that a version passes or fails there however often it is run, and can be run the same way
 * elsewhere, while each new version tries other cases. Everywhere else they try new cases each time.
 *
 * @returns nothing if CI is not set, or this is no checkout of git
 */
export function seedOf(root: string, environment: NodeJS.ProcessEnv = process.env): { readonly FAST_CHECK_SEED?: string } {
  if (!isCi(environment)) return {};
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { FAST_CHECK_SEED: String(parseInt(tree.slice(0, 7), 16)) };
  } catch {
    return {};
  }
}
