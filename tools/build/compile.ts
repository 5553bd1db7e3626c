import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../local-cluster/errors.ts';

/** Something that is made of sources. */
interface Step {
  readonly name: string;
  readonly sources: readonly string[];
  readonly exclude?: readonly string[];
  readonly results: readonly string[];
  /** Throws after it has printed its own messages. */
  run(root: string): void;
}

const OF_ALL = ['tools/build/*.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];

const STEPS: readonly Step[] = [
  {
    name: 'constructs',
    sources: ['src/**/*.ts', ...OF_ALL],
    exclude: ['bin', 'operator', 'sparkctl', 'console', 'client', 'explain'].map((folder) => `src/${folder}/**`),
    results: ['lib/index.js', '.jsii'],
    run: (root) => run(root, ['node_modules/jsii/bin/jsii', '--silence-warnings=reserved-word']),
  },
  {
    name: 'programs',
    sources: ['src/**/*.{ts,tsx,css,json}', 'crds/*.yaml', 'schemas/*.json', ...OF_ALL],
    results: ['operator', 'sparkctl', 'client', 'part-operator', 'part-sparkctl'].map((name) => `runtime/${name}.cjs`),
    run: (root) => run(root, ['tools/build/bundle.ts']),
  },
  {
    name: 'types of the client',
    sources: ['src/{client,props,plan,rules,model,text,api,kube}/**/*.ts', ...OF_ALL],
    results: ['lib/client/index.d.ts'],
    run: (root) => run(root, ['tools/build/client-types.ts']),
  },
];

/** Makes lib/, .jsii and runtime/, each unless it is there and what it is made of did not change. Returns whether it built anything. */
export function compileIfChanged(root: string): boolean {
  const stamp = join(root, 'runtime/.sources');
  let made = false;
  for (const step of STEPS) {
    const hashes = readStamp(stamp);
    const hash = hashOf(root, step);
    if (hashes[step.name] === hash && step.results.every((path) => existsSync(join(root, path)))) continue;
    step.run(root);
    mkdirSync(join(root, 'runtime'), { recursive: true });
    writeFileSync(stamp, JSON.stringify({ ...hashes, [step.name]: hash }));
    made = true;
  }
  return made;
}

/** The hash of the sources that each step was made of. */
function readStamp(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function hashOf(root: string, { sources, exclude }: Step): string {
  const hash = createHash('sha256');
  for (const path of globSync([...sources], { cwd: root, exclude }).sort()) {
    hash.update(path).update('\0').update(readFileSync(join(root, path))).update('\0');
  }
  return hash.digest('hex');
}

function run(root: string, [script, ...args]: readonly [string, ...string[]]): void {
  const { status, stdout } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status === 0) return;
  // jsii prints its diagnostics there.
  process.stderr.write(stdout);
  throw new ToolError(`${script} failed`, 'See its messages above.');
}
