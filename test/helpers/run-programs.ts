import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A program of a user, in TypeScript or JavaScript. */
export interface Program {
  readonly path: string;
  readonly cwd: string;
  /** More variables than those of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Output of a program. */
export interface ProgramOutput {
  readonly stdout: string;
  /** The error that ended it, with its stack. */
  readonly error?: string;
}

/**
 * Runs programs one after another in one process: the import of the library takes longer than
 * most of them.
 *
 * @param environment all variables of the process
 */
export async function runPrograms(programs: readonly Program[], environment: NodeJS.ProcessEnv = process.env): Promise<readonly ProgramOutput[]> {
  const child = spawn(process.execPath, [join(__dirname, '../../tools/test/programs-in-process.ts')], { env: environment });
  child.stdin.end(JSON.stringify(programs));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the programs ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as ProgramOutput[];
}
