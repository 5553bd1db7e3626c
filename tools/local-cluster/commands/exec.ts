import { constants } from 'node:os';
import type { CommandOf } from '../cli.ts';
import { spawnIn } from '../cluster/enter.ts';

export async function exec({ name, command }: CommandOf<'exec'>): Promise<number> {
  const child = spawnIn(name, command, { stdio: 'inherit' });
  // The terminal sends an interrupt to the command as well, and what to make of it is the command's business.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
