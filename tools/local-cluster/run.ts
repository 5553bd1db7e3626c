import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ToolError, logTail } from './errors.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Text for stdin, or the name of a file to read it from. */
  readonly input?: string | { readonly file: string };
  /** Collects both outputs in this file (appended) instead of in the result; an error then quotes its end. */
  readonly log?: string;
  /** Purpose of the command, as in "could not <purpose>". */
  readonly purpose?: string;
  readonly hint?: string;
  readonly signal?: AbortSignal;
}

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();

/** Ends the commands that are under way, for a process that is about to exit. */
export function stopCommands(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** Runs a command to its end, whatever its exit code. */
export async function capture(command: string, args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const log = options.log === undefined ? undefined : openSync(options.log, 'a');
  try {
    if (log !== undefined) writeSync(log, `$ ${[command, ...args].join(' ')}\n`);
    return await new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: options.cwd,
        env: options.env ?? process.env,
        stdio: [options.input === undefined ? 'ignore' : 'pipe', log ?? 'pipe', log ?? 'pipe'],
        signal: options.signal,
      });
      running.add(child);
      const stdout = collect(child.stdout);
      const stderr = collect(child.stderr);
      child.on('error', (error) => {
        running.delete(child);
        reject(error);
      });
      child.on('close', (code, signal) => {
        running.delete(child);
        resolve({ code: code ?? 128, stdout: stdout(), stderr: signal ? `${stderr()}(ended by ${signal})` : stderr() });
      });
      if (child.stdin && options.input !== undefined) {
        // A command can end without having read all of its input; its exit code explains more than EPIPE.
        child.stdin.on('error', () => {});
        if (typeof options.input === 'string') child.stdin.end(options.input);
        else createReadStream(options.input.file).on('error', reject).pipe(child.stdin);
      }
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** Runs a command that has to succeed. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  let result: Result;
  try {
    result = await capture(command, args, options);
  } catch (error) {
    throw new ToolError(`could not ${options.purpose ?? `run ${command}`}: ${(error as Error).message}`, options.hint, { cause: error });
  }
  if (result.code === 0) return result.stdout;
  const output = options.log === undefined ? (result.stderr || result.stdout).trimEnd() : logTail(options.log);
  const purpose = options.purpose === undefined ? '' : `could not ${options.purpose}: `;
  throw new ToolError(`${purpose}\`${[command, ...args].join(' ')}\` failed with exit code ${result.code}\n${output}`, options.hint);
}

function collect(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
