import { doubtsAboutLoad, MAX_OTHER_LOAD, renderDoubts, renderProfile, renderRows, type Row } from '../report.ts';
import { total } from '../machine.ts';
import type { Spread } from '../population/timeline.ts';
import type { Figures } from './measurements.ts';

/** What is to be reached on two processors that the control plane shares: so many milliseconds after the minute the last run is there. */
export const GOAL_MS = 10_000;

/** By more the benchmark must not be late, in milliseconds: its own times count. */
const MAX_LATENESS = 100;

/** What the figures come to. */
export interface Verdict {
  readonly lagMs: number;
  readonly met: boolean;
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goal, and says what speaks against them. */
export function judge({ machine, schedules, cluster }: Figures): Verdict {
  return {
    lagMs: cluster.lag.max,
    met: cluster.runs === schedules && cluster.lag.max <= GOAL_MS,
    doubts: [
      ...doubtsAboutLoad(machine),
      ...(cluster.otherLoad > MAX_OTHER_LOAD ? [`other processes kept ${cluster.otherLoad.toFixed(2)} processors busy`] : []),
      ...(cluster.lateness > MAX_LATENESS ? [`the benchmark itself was late by ${cluster.lateness.toFixed(0)} ms at the 99th percentile`] : []),
      ...(cluster.runs !== schedules ? [`${cluster.runs} runs were created`] : []),
      ...(cluster.complaints.length > 0 ? [`the operator complained ${cluster.complaints.length} times, first: ${cluster.complaints[0]}`] : []),
    ],
  };
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ met }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !met ? 1 : 0;
}

/** The report as people read it. */
export function render(figures: Figures): string {
  const { machine, schedules, workers, cluster } = figures;
  const verdict = judge(figures);
  const spread = ({ p50, p99, max }: Spread) => [p50, p99, max].map((time) => `${(time / 1000).toFixed(2)} s`).join(', ');
  const calls = Object.entries(cluster.calls).sort(([, a], [, b]) => b - a);
  const rows: Row[] = [
    ['After the minute', 'p50, p99, max', 'goal'],
    ['until the run was there', spread(cluster.lag), `max <= ${GOAL_MS / 1000} s: ${verdict.met ? 'met' : 'NOT MET'}`],
    ['until the status of the schedule said so', spread(cluster.statusLag)],
    ['', ''],
    ['Runs', String(cluster.runs), `${cluster.submitted} of them submitted by then`],
    ['CPU time of the operator for one', `${(total(cluster.cpu) / schedules).toFixed(2)} ms`],
    ...calls.slice(0, 8).map(([call, count]): Row => [call, count.toFixed(0)]),
  ];
  return [
    `${schedules} ScheduledSparkApplications due at the same minute; ${workers} workers`,
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
    ...renderProfile(cluster.profile),
  ].join('\n');
}
