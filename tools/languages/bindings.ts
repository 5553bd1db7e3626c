import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../local-cluster/run.ts';

/** The languages for which jsii makes bindings of a package: sources, and with them the package, which they start in Node. */
export type Language = 'python' | 'java' | 'go';

/** Dependencies of the package; each has bindings of its own. */
export const DEPENDENCIES = ['constructs', 'cdk8s'] as const;

/**
 * Writes the bindings of packages below `folder`, by jsii-pacmak, without building them.
 *
 * @param root the root of the repository, whose node_modules are used
 * @param packages folders of packages
 * @returns the folder with the sources
 */
export async function generateBindings(root: string, language: Language, packages: readonly string[], folder: string, log?: string): Promise<string> {
  // It would write into the packages to keep its output out of them, but the output is elsewhere.
  await run(process.execPath, [
    join(root, 'node_modules/jsii-pacmak/bin/jsii-pacmak'), '--code-only', '--no-npmignore', '--target', language, '--outdir', folder, ...packages,
  ], { cwd: root, log, purpose: `make the bindings for ${language}` });
  return join(folder, language);
}

/** The folder of a package that is installed at the root. */
export function installed(root: string, name: string): string {
  return join(root, 'node_modules', name);
}

/** The version of a package that is installed at the root. */
export function versionOf(root: string, name: string): string {
  return JSON.parse(readFileSync(join(installed(root, name), 'package.json'), 'utf8')).version;
}
