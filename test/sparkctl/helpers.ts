import { join } from 'node:path';
import type { FakeCluster } from './cluster';
import type { Io } from '../../src/sparkctl/io';
import { CommandError } from '../../src/sparkctl/errors';
import { runProgram } from '../../src/sparkctl/program';
import { startConsole, synthesizeOperator } from '../../src/bin/programs';

/** Fake environment of a command. */
export interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** @default - none can be found */
  readonly cluster?: Pick<FakeCluster, 'client'>;
  /** Whether standard output is a terminal with colours. @default false */
  readonly isTerminal?: boolean;
  /** Columns of the terminal. @default 120 */
  readonly columns?: number;
  /** Columns of standard error. @default - it is no terminal */
  readonly errorColumns?: number;
  /** Whether the terminal shows Unicode. @default false */
  readonly isUnicode?: boolean;
  /** Time zone of the user. @default 'UTC' */
  readonly timeZone?: string;
  /** Whether SPARKCTL_DEBUG is set. @default false */
  readonly debug?: boolean;
}

/** Current time in tests. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** Output of a command. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  /** Lines of standard error. */
  readonly stderr: readonly string[];
  /** Written files by path. */
  readonly written: Readonly<Record<string, string>>;
}

/** Runs a command line with fake input and output. */
export async function sparkctl(
  args: readonly string[], { files = {}, stdin = '', cluster, isTerminal = false, columns = 120, errorColumns, isUnicode, timeZone = 'UTC', debug }: World = {},
): Promise<Result> {
  const result = { stdout: '', stderr: '', written: {} as Record<string, string> };
  const io: Io = {
    stdout: (text) => { result.stdout += text; },
    write: async (bytes) => { result.stdout += Buffer.from(bytes).toString(); },
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
  const code = await runProgram(args, {
    io,
    startConsole,
    synthesizeOperator,
    version: '1.2.3',
    packageFolder: join(__dirname, '../..'),
    connect: async ({ namespace = 'jobs', context, kubeconfig }) => {
      if (!cluster) throw new CommandError('there is no cluster in this test');
      return { client: cluster.client, connection: { server: 'https://cluster.example', credentials: () => ({ headers: {}, tls: {} }) }, namespace, context, kubeconfig: kubeconfig === undefined ? undefined : [kubeconfig] };
    },
    terminal: { isTerminal, columns: isTerminal ? columns : undefined, errorColumns, colour: isTerminal, isUnicode, timeZone },
    now: () => NOW,
    debug,
    signal: new AbortController().signal,
  });
  return { ...result, code, stderr: result.stderr.split('\n').slice(0, -1) };
}

/**
 * Returns a valid manifest. `spec` has further lines of the specification, with their indentation.
 */
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
