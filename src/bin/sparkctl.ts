import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startConsole, synthesizeOperator } from './programs';
import type { Connect } from '../sparkctl/cluster';
import type { Io } from '../sparkctl/io';
import { runProgram } from '../sparkctl/program';
import { terminalOf } from '../sparkctl/terminal';

/** Version of the package; the bundler defines it. */
declare const PACKAGE_VERSION: string;

const io: Io = {
  stdout: (output) => void process.stdout.write(output),
  write: async (bytes) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  },
  stderr: (output) => void process.stderr.write(output),
  readFile: (path) => readFile(path, 'utf8'),
  // Ctrl-C also ends a command that waits for its input.
  readStdin: () => text(addAbortSignal(interrupted.signal, process.stdin)),
  async writeFile(path, content) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  },
};

/** Exit code of a process that SIGPIPE has ended, as that of kubectl in such a pipe. */
const CLOSED_PIPE = 141;

// A reader such as `head` can close the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode || CLOSED_PIPE);
});

const connect: Connect = async (values) => {
  const { connectTo } = await import('../sparkctl/connect');
  return connectTo(values, { environment: process.env, exists: existsSync, userAgent: `sparkctl/${PACKAGE_VERSION}` });
};

const interrupted = new AbortController();
// The first Ctrl-C stops the command in order; the next one kills the process.
process.once('SIGINT', () => interrupted.abort(new Error('interrupted by the user')));

void runProgram(process.argv.slice(2), {
  io,
  version: PACKAGE_VERSION,
  // The file is in runtime/.
  packageFolder: dirname(__dirname),
  connect,
  startConsole,
  synthesizeOperator,
  terminal: terminalOf(process.stdout, process.env, process.stderr),
  now: Date.now,
  debug: Boolean(process.env.SPARKCTL_DEBUG),
  signal: interrupted.signal,
}).then((code) => { process.exitCode = code; });
