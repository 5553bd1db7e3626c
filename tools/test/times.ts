import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import type { Counts } from './jest.ts';
import type { Tier } from './lanes.ts';

/** How a tier ended, and after how many seconds. */
export interface TierResult extends Counts {
  readonly seconds: number;
  /** CPU time of the pods of its cluster, in seconds. @default - it has no node */
  readonly pods?: number;
}

/** Seconds of one test file, from its first line to its last test. */
interface FileTimes {
  readonly path: string;
  readonly wall: number;
  /** CPU time, with the children that have ended. */
  readonly cpu: number;
}

/** Files of each tier in the table. */
const LISTED = 8;

/** Returns the file to which tests of a tier append their times, as lines of JSON. */
export function timesFile(root: string, tier: string): string {
  return join(root, 'test-reports', `${tier}-times.jsonl`);
}

/** Returns a table in Markdown of what tiers and their slowest files took. */
export function timesTable(root: string, results: ReadonlyMap<Tier, TierResult>): string {
  const rows = [...results].flatMap(([tier, { seconds, pods }]) => {
    const files = readTimes(timesFile(root, tier)).sort((a, b) => b.wall - a.wall);
    const cpu = files.reduce((sum, file) => sum + file.cpu, 0);
    return [
      row(`**${tier}**`, seconds, cpu),
      ...(pods === undefined ? [] : [row('pods', seconds, pods)]),
      ...files.slice(0, LISTED).map((file) => row(relative(join(root, 'test'), file.path), file.wall, file.cpu)),
    ];
  });
  return ['| tier, file | time | CPU time |', '|---|---|---|', ...rows].join('\n');
}

/** Returns how many seconds the processors of this machine have worked since it started. */
export function workedSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

function readTimes(file: string): FileTimes[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as FileTimes);
}

function row(name: string, wall: number, cpu: number): string {
  return `| ${name} | ${Math.round(wall)} s | ${Math.round(cpu)} s |`;
}
