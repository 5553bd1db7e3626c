import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Io } from './io';
import { runProgram } from './program';
import { loadSchemas } from './schemas/bundled';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

const io: Io = {
  stdout: (output) => void process.stdout.write(output),
  stderr: (output) => void process.stderr.write(output),
  readFile: (path) => readFile(path, 'utf8'),
  readStdin: () => text(process.stdin),
  async writeFile(path, content) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  },
};

// Whoever reads, such as `head`, may have enough before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void runProgram(process.argv.slice(2), { io, version: PACKAGE_VERSION, schemas: loadSchemas }).then((code) => { process.exitCode = code; });
