import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Io } from '../../src/sparkctl/io';
import { runProgram } from '../../src/sparkctl/program';
import { schemaOf, type Schemas } from '../../src/sparkctl/schemas/schemas';

const root = join(__dirname, '../..');

/** The files of the world that a command runs in. */
export interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** What came out of a command. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  /** The lines. */
  readonly stderr: readonly string[];
  /** What was written, by path. */
  readonly written: Readonly<Record<string, string>>;
}

/** Runs a command line in a world of its own. */
export async function sparkctl(args: readonly string[], { files = {}, stdin = '' }: World = {}): Promise<Result> {
  const result = { stdout: '', stderr: '', written: {} as Record<string, string> };
  const io: Io = {
    stdout: (text) => { result.stdout += text; },
    stderr: (text) => { result.stderr += text; },
    async readFile(path) {
      if (files[path] === undefined) throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
      return files[path];
    },
    readStdin: async () => stdin,
    async writeFile(path, text) {
      if (path.startsWith('/read-only/')) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      result.written[path] = text;
    },
  };
  const code = await runProgram(args, { io, version: '1.2.3', schemas });
  return { ...result, code, stderr: result.stderr.split('\n').slice(0, -1) };
}

let loaded: Schemas | undefined;

/** Those that are in the bundle, from the files that they are made of. */
export async function schemas(): Promise<Schemas> {
  return (loaded ??= {
    sparkApplication: schemaOf(parse(readFileSync(join(root, 'crds/sparkoperator.k8s.io_sparkapplications.yaml'), 'utf8'))),
    podTemplate: JSON.parse(readFileSync(join(root, 'schemas/pod-template.json'), 'utf8')),
  });
}

/** A manifest that can be rendered. `spec` has further lines of the specification, with their indentation. */
export function manifest({ name = 'pi', metadata = '', spec = '' }: { readonly name?: string; readonly metadata?: string; readonly spec?: string } = {}): string {
  return `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: ${name}
${metadata}spec:
  type: Python
  sparkVersion: 4.1.1
  image: apache/spark:4.1.1
  mainApplicationFile: local:///opt/spark/pi.py
  driver: {}
  executor: {}
${spec}`;
}
