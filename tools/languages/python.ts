import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../local-cluster/build/parts.ts';
import { run } from '../local-cluster/run.ts';
import { DEPENDENCIES, generateBindings, versionOf } from './bindings.ts';

const HINT = 'pip needs access to a package index (see `python3 -m pip config list`).';

/** The package for Python: its sources, and what it asks for. */
export interface PythonSources {
  readonly folder: string;
  /** Requirements to install and to build it, as pip writes them. */
  readonly requirements: readonly string[];
}

/** Makes the bindings for Python below `folder`. */
export async function pythonSources(root: string, folder: string): Promise<PythonSources> {
  const sources = await generateBindings(root, 'python', [root], folder);
  const setup = JSON.parse(/json\.loads\(\s*"""([^]*?)"""/.exec(readFileSync(join(sources, 'setup.py'), 'utf8'))![1]!.replaceAll('\\\\', '\\'));
  const build = JSON.parse(/^requires = (\[.*\])$/m.exec(readFileSync(join(sources, 'pyproject.toml'), 'utf8'))![1]!);
  return { folder: sources, requirements: [...setup.install_requires, ...build] };
}

/**
 * All packages that the package for Python asks for, as wheels, so that it is installed without an index. For a dependency that is also an npm package, this is the version
 * that is installed at the root.
 */
export async function pythonWheels(root: string, requirements: readonly string[]): Promise<Part> {
  const pins = DEPENDENCIES.map((name) => `${name}==${versionOf(root, name)}`);
  const wanted = [...requirements, ...pins];
  return {
    name: 'python-wheels',
    inputs: { wanted: JSON.stringify(wanted), python: (await run('python3', ['--version'], { purpose: 'ask for the version of Python' })).trim(), revision: '1' },
    needs: { programs: [], tools: ['python', 'venv'] },
    label: 'fetching the Python packages that constructs in Python need (once)',
    async build(folder, log) {
      await run('python3', ['-m', 'pip', 'wheel', '--no-cache-dir', '--wheel-dir', folder, ...wanted], { log, purpose: 'fetch Python packages', hint: HINT });
    },
  };
}

/**
 * Builds the package and installs it in a fresh virtual environment.
 *
 * @param wheels the folder of `pythonWheels`
 * @param others further packages of that folder
 * @returns the Python of the environment
 */
export async function installPython(sources: PythonSources, wheels: string, folder: string, others: readonly string[] = []): Promise<string> {
  const built = join(folder, 'wheel');
  const environment = join(folder, 'environment');
  mkdirSync(built, { recursive: true });
  await run('python3', ['-m', 'pip', 'wheel', '--no-index', '--find-links', wheels, '--no-deps', '--wheel-dir', built, sources.folder], { purpose: 'build the wheel' });
  await run('python3', ['-m', 'venv', environment], { purpose: 'make a virtual environment' });
  const python = join(environment, 'bin/python');
  await run(python, ['-m', 'pip', 'install', '--no-index', '--find-links', wheels, ...globSync(join(built, '*.whl')), ...others], { purpose: 'install the wheel' });
  return python;
}
