import { execFile } from 'node:child_process';
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
  /** Script of Node, which prints its own messages. */
  readonly script: readonly [path: string, ...args: string[]];
}

const OF_ALL = ['tools/build/*.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Steps by what they make. Those of an array run one after another, as each uses the results of the earlier ones. */
const STEPS = {
  library: [
    {
      name: 'constructs',
      sources: ['src/**/*.ts', ...OF_ALL],
      exclude: ['bin', 'operator', 'sparkctl', 'console', 'client', 'explain'].map((folder) => `src/${folder}/**`),
      results: ['lib/index.js', '.jsii'],
      script: ['node_modules/jsii/bin/jsii', '--silence-warnings=reserved-word'],
    },
    {
      name: 'types of the client',
      sources: ['src/{client,props,plan,rules,model,text,api,kube}/**/*.ts', ...OF_ALL],
      results: ['lib/client/index.d.ts'],
      script: ['tools/build/client-types.ts'],
    },
  ],
  programs: [
    {
      name: 'programs',
      sources: ['src/**/*.{ts,tsx,css,json}', 'crds/*.yaml', 'schemas/*.json', ...OF_ALL],
      results: ['operator', 'sparkctl', 'client', 'part-operator', 'part-sparkctl'].map((name) => `runtime/${name}.cjs`),
      script: ['tools/build/bundle.ts'],
    },
  ],
} as const satisfies Record<string, readonly Step[]>;

/** Result of compiling: `library` is lib/ and .jsii, `programs` is runtime/. */
export type Output = keyof typeof STEPS;

/**
 * Makes outputs, each unless it is there and its sources did not change.
 *
 * @returns whether it made anything
 * @throws {ToolError} if a step failed, after all steps ended
 */
export async function compileIfChanged(root: string, outputs: readonly Output[] = ['library', 'programs']): Promise<boolean> {
  const ends = await Promise.allSettled(outputs.map((output) => runSteps(root, STEPS[output])));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  }).includes(true);
}

async function runSteps(root: string, steps: readonly Step[]): Promise<boolean> {
  const stamp = join(root, 'runtime/.sources');
  let made = false;
  for (const step of steps) {
    const hash = hashOf(root, step);
    if (readStamp(stamp)[step.name] === hash && step.results.every((path) => existsSync(join(root, path)))) continue;
    await run(root, step.script);
    mkdirSync(join(root, 'runtime'), { recursive: true });
    writeFileSync(stamp, JSON.stringify({ ...readStamp(stamp), [step.name]: hash }));
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

async function run(root: string, [script, ...args]: Step['script']): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(process.execPath, [join(root, script), ...args], { cwd: root, maxBuffer: Infinity }, (error, stdout) => {
      if (!error) return resolve();
      // jsii prints its diagnostics there.
      process.stderr.write(stdout);
      reject(new ToolError(`${script} failed`, 'See its messages above.'));
    });
    child.stderr!.pipe(process.stderr, { end: false });
  });
}
