import { doubtsAboutLoad, MAX_OTHER_LOAD, renderDoubts, renderProfile, renderRows, type Row } from '../report.ts';
import type { Figures } from './measurements.ts';
import type { Spread } from './timeline.ts';

/** What is to be reached on two processors that the control plane shares. */
export const GOALS = { perMinute: 2000, lagMs: 2000, memoryMiB: 200 } as const;

/** By more the benchmark must not be late, in milliseconds: its own times count. */
const MAX_LATENESS = 100;

const MIB = 1024 * 1024;

/** What the figures come to. */
export interface Verdict {
  /** Applications that were submitted a minute. */
  readonly perMinute: number;
  readonly rateMet: boolean;
  /** Status lag at the 99th percentile, in milliseconds. */
  readonly lagMs: number;
  readonly lagMet: boolean;
  readonly memoryMiB: number;
  readonly memoryMet: boolean;
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goals, and says what speaks against them. */
export function judge({ machine, applications, cluster }: Figures): Verdict {
  const perMinute = applications * 60_000 / cluster.submission;
  const memoryMiB = cluster.memory.peak / MIB;
  return {
    perMinute, rateMet: perMinute >= GOALS.perMinute,
    lagMs: cluster.lag.all.p99, lagMet: cluster.lag.all.p99 < GOALS.lagMs,
    memoryMiB, memoryMet: memoryMiB < GOALS.memoryMiB,
    doubts: [
      ...doubtsAboutLoad(machine),
      ...(cluster.otherLoad > MAX_OTHER_LOAD ? [`other processes kept ${cluster.otherLoad.toFixed(2)} processors busy`] : []),
      ...(cluster.lateness > MAX_LATENESS ? [`the benchmark itself was late by ${cluster.lateness.toFixed(0)} ms at the 99th percentile`] : []),
      ...(cluster.watchCuts > 0 ? [`the API server cut off a watch of the benchmark ${cluster.watchCuts} times, as it does under load; changes were seen later for that`] : []),
      ...(cluster.executorsMissed > 0 ? [`${cluster.executorsMissed} executors are not in the status of their application as completed`] : []),
      ...(Object.keys(cluster.calls).length === 0 ? ['the operator does not tell its calls'] : []),
      ...(cluster.queue ? [] : ['the operator does not tell the depth of its queue']),
      ...(cluster.complaints.length > 0 ? [`the operator complained ${cluster.complaints.length} times, first: ${cluster.complaints[0]}`] : []),
    ],
  };
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ rateMet, lagMet, memoryMet }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !(rateMet && lagMet && memoryMet) ? 1 : 0;
}

/** The report as people read it. */
export function render(figures: Figures): string {
  const { machine, applications, executors, driverSeconds, startSeconds, workers, cluster } = figures;
  const { lag, cpu, memory, queue, calls } = cluster;
  const verdict = judge(figures);
  const met = (isMet: boolean) => (isMet ? 'met' : 'NOT MET');
  const spread = (times: Spread) => [times.p50, times.p99, times.max].map(seconds).join(', ');
  const rows: Row[] = [
    ['Rate', '', 'goal'],
    ['submissions a minute', verdict.perMinute.toFixed(0), `>= ${GOALS.perMinute}: ${met(verdict.rateMet)}`],
    ['all created, submitted, completed after', [cluster.creation, cluster.submission, cluster.whole].map(seconds).join(', ')],
    ['', ''],
    ['Latency', 'p50, p99, max'],
    ['from creation to driver Pod', spread(cluster.toDriver)],
    ['from a phase of the driver to the status that says so', spread(lag.all), `p99 < ${GOALS.lagMs / 1000} s: ${met(verdict.lagMet)}`],
    ['  that it runs', spread(lag.running)],
    ['  that it has ended', spread(lag.ended)],
    ['', ''],
    ['Operator', ''],
    ['peak memory', `${verdict.memoryMiB.toFixed(0)} MiB`, `< ${GOALS.memoryMiB} MiB: ${met(verdict.memoryMet)}`],
    ['  before there were applications', `${(memory.idle / MIB).toFixed(0)} MiB`],
    ['CPU time for one application', `${(cpu.user + cpu.system).toFixed(2)} ms`, `user ${cpu.user.toFixed(2)}, system ${cpu.system.toFixed(2)}`],
    ['queue depth, mean, max', queue ? `${queue.mean.toFixed(0)}, ${queue.max}` : 'not told'],
    ['', ''],
    ['Calls of the operator for one application', sum(Object.values(calls)).toFixed(2), `by anybody ${cluster.allCalls.toFixed(2)}`],
    ...byVerb(calls).map(([verb, count, resources]): Row => [verb, count.toFixed(2), resources]),
    ['', ''],
    ['Processors kept busy', sum(cluster.processors.map(({ busy }) => busy)).toFixed(2), 'CPU time for one application'],
    ...cluster.processors.map(({ program, busy, cpu: time }): Row => [program, busy.toFixed(2), `${(time / applications).toFixed(1)} ms`]),
  ];
  return [
    `${applications} applications created at once; drivers run for ${driverSeconds} s and create ${executors} executors after ${startSeconds} s, on ${cluster.nodes} simulated nodes; ${workers} workers`,
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
    ...renderProfile(cluster.profile),
  ].join('\n');
}

/** Counts of calls such as `PUT sparkapplications/status`, by verb, with the resources that each is made of. */
function byVerb(calls: Figures['cluster']['calls']): [verb: string, count: number, resources: string][] {
  const all = Object.entries(calls).sort(([, a], [, b]) => b - a).map(([call, count]) => ({ verb: call.split(' ', 1)[0]!, resource: call.replace(/^\S+ /, ''), count }));
  return [...new Set(all.map(({ verb }) => verb))].map((verb): [string, number, string] => {
    const ofVerb = all.filter((call) => call.verb === verb);
    return [verb, sum(ofVerb.map(({ count }) => count)), ofVerb.map(({ resource, count }) => `${resource} ${count.toFixed(2)}`).join(', ')];
  }).sort(([, a], [, b]) => b - a);
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 9_995 ? 2 : 1)} s`;
}
