import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** What figures of this machine depend on. */
export interface MachineFacts {
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  /** Load average of the minute before the run. */
  readonly load: number;
}

export function machineFacts(): MachineFacts {
  return { processor: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism(), node: process.versions.node, load: loadavg()[0]! };
}

/** CPU time in milliseconds. */
export interface CpuTime {
  readonly user: number;
  readonly system: number;
}

/** The kernel tells times in hundredths of a second (USER_HZ, which is 100 on all platforms that Node runs on). */
const MS_PER_TICK = 10;

/** CPU time of a process with all its threads, from its start; undefined when there is none of this id. */
export function cpuOf(pid: number | string): CpuTime | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may have spaces in it. utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { user: Number(fields[11]) * MS_PER_TICK, system: Number(fields[12]) * MS_PER_TICK };
  } catch {
    return undefined;
  }
}

/** The physical memory that a process has now, in bytes; undefined when there is none of this id. */
export function memoryOf(pid: number): number | undefined {
  return memoryField(pid, 'VmRSS');
}

/** The most physical memory that a process has had at a time since its start, in bytes; undefined when there is none of this id. */
export function peakMemoryOf(pid: number): number | undefined {
  return memoryField(pid, 'VmHWM');
}

function memoryField(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

export function total({ user, system }: CpuTime): number {
  return user + system;
}

export function difference(after: CpuTime, before: CpuTime): CpuTime {
  return { user: after.user - before.user, system: after.system - before.system };
}

/** The machine's CPU time so far: all that was used, and of it what the processes in our network namespace used, both in milliseconds. */
export interface Usage {
  readonly at: number;
  readonly busy: number;
  /** What it did not get from its hypervisor. */
  readonly stolen: number;
  readonly ours: ReadonlyMap<string, number>;
}

/** The network namespace is the cluster's: cluster, operator and benchmark are in there, and nobody else. */
export function usage(): Usage {
  const [, user, nice, system, , , irq, softirq, steal = 0] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).map(Number);
  const namespace = readlinkSync('/proc/self/ns/net');
  const ours = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/ns/net`) !== namespace) continue;
    } catch {
      continue; // gone, or a kernel thread
    }
    const cpu = cpuOf(pid);
    if (cpu) ours.set(pid, total(cpu));
  }
  return { at: performance.now(), busy: (user! + nice! + system! + irq! + softirq!) * MS_PER_TICK, stolen: steal * MS_PER_TICK, ours };
}

/** How many processors were busy between two looks, with us and with others. */
export function busyProcessors(before: Usage, after: Usage): { readonly ours: number; readonly others: number } {
  const elapsed = after.at - before.at;
  let ours = 0;
  for (const [pid, used] of after.ours) ours += used - (before.ours.get(pid) ?? 0);
  return { ours: ours / elapsed, others: Math.max(0, after.busy - before.busy - ours) / elapsed };
}
