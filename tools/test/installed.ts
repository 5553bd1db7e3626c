import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../local-cluster/run.ts';

/** For a registry that does not answer. */
const MINUTES = 3;

/** Packs the package as it is published. @returns the archive */
export async function pack(root: string, folder: string): Promise<string> {
  const output = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, purpose: 'pack the package' });
  return join(folder, JSON.parse(output)[0].filename);
}

/** The types of Node are those of the oldest that the constructs are meant for. */
const COMMON = { '@types/node': '^20' };

/** Makes a folder a repository as users have one: modules, and dependencies that npm has installed. Packages in npm's cache are not downloaded again. */
export async function makeRepository(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'platform', version: '1.0.0', private: true, type: 'module', dependencies: { ...COMMON, ...dependencies } }, undefined, 2)}\n`);
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    signal: AbortSignal.timeout(MINUTES * 60_000),
    purpose: 'install the package',
    hint: 'npm needs access to a registry (see `npm config get registry`).',
  });
}

/** How such a repository checks its types. */
const TSCONFIG = {
  compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true, types: ['node'] },
  include: ['*.ts'],
};

/**
 * Checks the types of a repository.
 *
 * @param root the root of this repository, whose compiler is used
 */
export async function checkTypes(root: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'tsconfig.json'), `${JSON.stringify(TSCONFIG, undefined, 2)}\n`);
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], { cwd: folder, purpose: 'check types' });
}
