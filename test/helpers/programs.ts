import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';

const RUNTIME = join(__dirname, '../../runtime');

/** Copies a program, as it ships, into a folder of its own: it needs nothing but the files that have its name. @returns the file to run */
export function copyProgram(name: 'operator' | 'sparkctl', folder: string): string {
  for (const file of globSync(`{${name},part-*${name}*}.cjs`, { cwd: RUNTIME })) cpSync(join(RUNTIME, file), join(folder, file));
  return join(folder, `${name}.cjs`);
}
