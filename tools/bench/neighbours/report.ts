import type { Goal } from '../goal.ts';
import { doubtsAboutLoad, goalRow, MAX_OTHER_LOAD, renderDoubts, renderRows, type Row } from '../report.ts';
import { exactly, mebibytes, number, spread, time } from '../report/format.ts';
import type { FloodFigures, NeighboursFigures, QuietFigures } from './measurements.ts';

/** Goals on two processors that the control plane shares. The memory is the pod's limit. */
export const GOALS = { toDriverMs: 1000, memoryMiB: 512 } as const;

const MIB = 1024 * 1024;

/** Milliseconds that the benchmark itself can be late before its times are doubtful. */
const MAX_LATENESS = 100;

/** How the figures compare with the goals. */
export interface Verdict {
  readonly goals: readonly Goal[];
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goals, and lists doubts about them. */
export function judge(figures: NeighboursFigures): Verdict {
  return { goals: goalsOf(figures), doubts: doubtsOf(figures) };
}

/** Returns the exit code of a run. Doubts do not change it: they are about the machine. */
export function exitCode({ goals }: Verdict, { check }: { readonly check: boolean }): number {
  return check && goals.some(({ met }) => !met) ? 1 : 0;
}

/** Returns both goals, in the order of the report. */
export function goalsOf({ whole, alone, flood, load }: NeighboursFigures): Goal[] {
  const huge = `${number(flood.huge.stored)} of up to ${mebibytes(flood.huge.bytes)}`;
  const beside = `a namespace that creates ${number(flood.created)} applications, ${huge}`;
  return [
    {
      name: 'Neighbours', what: `Creation to driver Pod beside ${beside}, p99`, goal: `< ${exactly(time(GOALS.toDriverMs))}`,
      measured: `${time(whole.toDriver.p99)} (${time(alone.toDriver.p99)} before)`, met: whole.toDriver.p99 < GOALS.toDriverMs,
    },
    {
      name: 'Memory of a flood', what: `Peak memory beside ${beside}`, goal: `< ${GOALS.memoryMiB} MiB`,
      measured: mebibytes(load.memory.peak), met: load.memory.peak < GOALS.memoryMiB * MIB,
    },
  ];
}

function doubtsOf({ machine, load: { otherLoad, lateness }, watchCuts, complaints }: NeighboursFigures): string[] {
  return [
    ...doubtsAboutLoad(machine),
    ...(otherLoad > MAX_OTHER_LOAD ? [`other processes kept ${otherLoad.toFixed(2)} processors busy`] : []),
    ...(lateness > MAX_LATENESS ? [`the benchmark itself was late by ${lateness.toFixed(0)} ms at the 99th percentile`] : []),
    ...(watchCuts > 0 ? [`the API server cut off the watch of the benchmark ${watchCuts} times, so changes were seen later`] : []),
    ...(complaints.length > 0 ? [`the operator complained ${complaints.length} times, first: ${complaints[0]}`] : []),
  ];
}

/** Returns what became of the huge applications, such as `FAILED 150`. */
export function statesText({ states }: FloodFigures['huge']): string {
  return Object.entries(states).map(([state, count]) => `${state} ${number(count)}`).join(', ') || 'none';
}

/** Returns the report as people read it. */
export function render(figures: NeighboursFigures): string {
  const { machine, workers, alone, creating, backlog, whole, flood, load } = figures;
  const verdict = judge(figures);
  const quiet = (span: string, { created, toDriver, toAnswer }: QuietFigures): Row[] => [
    [`${span}: ${number(created)} applications, creation to driver`, spread(toDriver)],
    ['  until the API server had answered the creation', spread(toAnswer)],
  ];
  const rows: Row[] = [
    ['Goals', '', 'goal'],
    ...verdict.goals.map(goalRow),
    ['', ''],
    ['The quiet namespace, two applications a second', 'p50 · p99 · max'],
    ...quiet('before the flood', alone),
    ...quiet('while the flood is created', creating),
    ...quiet('after that, until it is submitted', backlog),
    ...quiet('while it is created and submitted', whole),
    ['', ''],
    ['The flood', ''],
    ['created after · with driver or FAILED after', [flood.createdAfter, flood.doneAfter].map(time).join(' · ')],
    ['creation to driver', spread(flood.toDriver)],
    [`huge applications of up to ${mebibytes(flood.huge.bytes)}`, `${number(flood.huge.stored)} stored: ${statesText(flood.huge)}`],
    ['', ''],
    ['The operator', ''],
    ['memory: median, peak', [load.memory.median, load.memory.peak].map(mebibytes).join(', ')],
    ['event loop late by: p99 · max', [load.eventLoopDelay, load.eventLoopBlocked].map(time).join(' · ')],
    ['queue: mean, most', [load.queue.mean, load.queue.max].map((depth) => number(depth)).join(', ')],
    ['processors kept busy', load.processors.map(({ program, busy }) => `${program} ${busy.toFixed(2)}`).join(', ')],
  ];
  return [
    `One namespace beside another that creates ${number(flood.created)} applications; ${workers} workers`,
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
  ].join('\n');
}
