import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Busy } from './figures.ts';

/** The kernel counts hundredths of a second (USER_HZ, which is 100 on all platforms that Node runs on). */
const MS_PER_TICK = 10;
/** Programs that kept less of a processor busy are left out. */
const LEAST = 0.005;

/** Returns the CPU time of a process with all its threads in milliseconds; undefined if it is gone. */
export function cpuOf(pid: number | string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, can contain spaces. utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}

/** Returns the resident memory of a process in bytes, now or at its peak; undefined if it is gone. */
export function memoryOf(pid: number | string, which: 'now' | 'peak' = 'now'): number | undefined {
  try {
    const field = which === 'now' ? 'VmRSS' : 'VmHWM';
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

/** CPU time of the machine since its start, in milliseconds. */
export interface Usage {
  readonly at: number;
  readonly busy: number;
  /** Time that the hypervisor gave to others. */
  readonly stolen: number;
  /** By process of this network namespace: cluster, operator and benchmark. */
  readonly ours: ReadonlyMap<string, number>;
}

export function usage(): Usage {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!;
  const [, user, nice, system, , , irq, softirq, steal = 0] = line.split(/\s+/).map(Number);
  const namespace = readlinkSync('/proc/self/ns/net');
  const ours = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/ns/net`) !== namespace) continue;
    } catch {
      continue; // gone, or a kernel thread
    }
    const cpu = cpuOf(pid);
    if (cpu !== undefined) ours.set(pid, cpu);
  }
  const busy = (user! + nice! + system! + irq! + softirq!) * MS_PER_TICK;
  return { at: performance.now(), busy, stolen: steal * MS_PER_TICK, ours };
}

/** Processors that were busy in a span of time. */
export interface Span {
  readonly ours: number;
  readonly others: number;
  readonly stolen: number;
}

export function processorsBusy(before: Usage, after: Usage): Span {
  const elapsed = after.at - before.at;
  let ours = 0;
  for (const [pid, used] of after.ours) ours += used - (before.ours.get(pid) ?? 0);
  return {
    ours: ours / elapsed,
    others: Math.max(0, after.busy - before.busy - ours) / elapsed,
    stolen: (after.stolen - before.stolen) / elapsed,
  };
}

/** Returns what each program took. @param names of processes without a name of their own, by process id */
export function busyByProgram(
  before: Usage, after: Usage, names: Readonly<Record<string, string>>, nameOf = programOf, rssOf: typeof memoryOf = memoryOf,
): Busy {
  const programs = new Map<string, { processors: number; memory: number }>();
  for (const [pid, used] of after.ours) {
    const name = names[pid] ?? nameOf(pid);
    if (!name) continue;
    const { processors, memory } = programs.get(name) ?? { processors: 0, memory: 0 };
    const cpu = used - (before.ours.get(pid) ?? 0);
    programs.set(name, { processors: processors + cpu / (after.at - before.at), memory: memory + (rssOf(pid) ?? 0) });
  }
  const greatestFirst = [...programs].sort(([, a], [, b]) => b.processors - a.processors);
  return Object.fromEntries(greatestFirst.filter(([, { processors }]) => processors >= LEAST));
}

/** The kernel cuts names off after 15 characters. */
function programOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
