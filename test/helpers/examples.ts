import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { FAST_START, QUICK_JVM } from './fast-start';
import { PATIENT } from './patience';
import { runPrograms } from './run-programs';

const root = join(__dirname, '../..');
const folder = join(root, 'examples');

/** The examples there are: each folder of examples/ with a `main.mts`. */
export const EXAMPLES: readonly string[] = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.mts')));

/** A file that an example has written. */
export interface ExampleFile {
  readonly name: string;
  readonly text: string;
  readonly objects: readonly any[];
}

/** Output of an example, and its files in the order of their names, in which they are applied. */
export interface SynthesizedExample {
  readonly stdout: string;
  readonly files: readonly ExampleFile[];
  readonly objects: readonly any[];
}

/** Images of the surroundings do not count. */
function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { SPARK_IMAGE: _, SPARK_JMX_IMAGE: __, OPERATOR_IMAGE: ___, SPARK_STORES_IMAGE: ____, ...others } = process.env;
  return { ...others, ...more };
}

/**
 * Runs an example as users do.
 *
 * @param environment such as `SPARK_IMAGE`
 */
export async function synthesizeExample(name: string, environment: Readonly<Record<string, string>> = {}): Promise<SynthesizedExample> {
  const outdir = mkdtempSync(join(tmpdir(), `example-${name}-`));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [`examples/${name}/main.mts`], { cwd: root, env: { ...environmentWith(environment), OUTDIR: outdir } });
    return writtenBy(stdout, outdir);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Runs all of them, in one process. Returns them by their names. */
export async function synthesizeExamples(environment: Readonly<Record<string, string>> = {}): Promise<Map<string, SynthesizedExample>> {
  const outdir = mkdtempSync(join(tmpdir(), 'examples-'));
  try {
    const programs = EXAMPLES.map((name) => ({ path: join(folder, name, 'main.mts'), cwd: root, environment: { OUTDIR: join(outdir, name) } }));
    const outputs = await runPrograms(programs, environmentWith(environment));
    return new Map(outputs.map(({ stdout, error }, index) => {
      const name = EXAMPLES[index]!;
      if (error !== undefined) throw new Error(`${name}: ${error}`);
      return [name, writtenBy(stdout, join(outdir, name))];
    }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function writtenBy(stdout: string, outdir: string): SynthesizedExample {
  const files = readdirSync(outdir).sort().map((file) => {
    const text = readFileSync(join(outdir, file), 'utf8');
    return { name: file, text, objects: text.split(/^---\n/m).map(objectIn) };
  });
  return { stdout, files, objects: files.flatMap(({ objects }) => objects) };
}

/** The definitions of our kinds are the same, and long, in all examples. */
const parsed = new Map<string, any>();

function objectIn(document: string): any {
  if (!parsed.has(document)) parsed.set(document, parse(document));
  return parsed.get(document);
}

/** Settings of JVMs that start quickly: the node of the tests has two CPUs for everything. */
const QUICK = { coreRequest: '100m', javaOptions: QUICK_JVM };

/**
 * The applications of an example and what they need, for a small node: in a namespace of the tests, with JVMs that start quickly. The rest is as the example has it.
 *
 * @param changes of the specifications; `sparkConf` is added to that of the example
 */
export function forTests(
  { files }: SynthesizedExample, namespace: string, { sparkConf, ...changes }: { readonly sparkConf?: object; readonly [field: string]: unknown } = {},
): any[] {
  return files.slice(1).flatMap(({ objects }) => objects).map((object) => {
    const { kind, metadata, spec } = object;
    const moved = { ...object, metadata: { ...metadata, namespace } };
    if (kind !== 'SparkApplication') return moved;
    const pods = { driver: { ...spec.driver, ...QUICK }, executor: { ...spec.executor, ...QUICK } };
    return { ...moved, spec: { ...spec, fastStart: FAST_START, ...changes, ...pods, sparkConf: { ...PATIENT, ...spec.sparkConf, ...sparkConf } } };
  });
}

/** The object of a kind and a name. */
export function find(objects: readonly any[], kind: string, name: string): any {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found.length !== 1) throw new Error(`there are ${found.length} objects ${kind}/${name} in the example`);
  return found[0];
}
