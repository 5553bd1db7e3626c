import { readFileSync } from 'node:fs';
import { memoryOf, type Usage } from '../machine.ts';
import type { ProgramLoad } from './measurements.ts';

/**
 * What each program of the cluster's network took between two looks.
 *
 * @param names of processes that have no name of their own, by process id
 */
export function loadByProgram(
  before: Usage, after: Usage, names: Readonly<Record<string, string>>, nameOf = programOf, rssOf: (pid: number) => number | undefined = memoryOf,
): ProgramLoad[] {
  const [times, memory] = [new Map<string, number>(), new Map<string, number>()];
  for (const [pid, used] of after.ours) {
    const program = names[pid] ?? nameOf(pid);
    if (!program) continue;
    times.set(program, (times.get(program) ?? 0) + used - (before.ours.get(pid) ?? 0));
    memory.set(program, (memory.get(program) ?? 0) + (rssOf(Number(pid)) ?? 0));
  }
  return [...times].map(([program, cpu]) => ({ program, cpu, busy: cpu / (after.at - before.at), memory: memory.get(program)! }))
    .filter(({ busy }) => busy >= 0.005).sort((a, b) => b.busy - a.busy);
}

/** The name is cut off after 15 characters. */
function programOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
