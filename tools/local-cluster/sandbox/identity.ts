import { readFileSync } from 'node:fs';

/** A process that cannot be confused with a later one of the same number, also across a reboot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the boot. */
  readonly started: number;
  readonly boot: string;
}

export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly started: number;
}

/** `/proc/<pid>/stat`; the program's name in it can contain spaces and parentheses, so it is cut at the last one. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0]!, parent: Number(fields[1]), started: Number(fields[19]) };
}

export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat && { pid, started: stat.started, boot: bootId() };
}

export function ownIdentity(): ProcessIdentity {
  return identify(process.pid)!;
}

/** Also false for a zombie: nothing runs there any more, and no process might ever collect it. */
export function isAlive(process: ProcessIdentity): boolean {
  const stat = readStat(process.pid);
  return stat !== undefined && stat.started === process.started && stat.state !== 'Z' && process.boot === bootId();
}
