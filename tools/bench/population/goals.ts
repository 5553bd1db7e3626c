import { doubtsAboutLoad, MAX_OTHER_LOAD } from '../report.ts';
import type { Load, PopulationFigures } from './measurements.ts';

/** What is to be reached on two processors that the control plane shares. Memory is in MiB. */
export const GOALS = {
  toDriverMs: 250, lagMs: 1000, statusWrites: 4, otherWrites: 1, memoryMiB: 250, caughtUpMs: 15_000,
  /** Changes of executors are gathered for five seconds, on purpose: this is ours, so that they do not take longer than that. */
  executorLagMs: 6000,
} as const;

/** By more the benchmark must not be late, in milliseconds: its own times count. */
const MAX_LATENESS = 100;

const MIB = 1024 * 1024;

/** A goal, and what came of it. */
export interface GoalResult {
  readonly name: 'toDriver' | 'lag' | 'executorLag' | 'statusWrites' | 'otherWrites' | 'memory' | 'caughtUp';
  /** For people. */
  readonly text: string;
  readonly value: number;
  readonly goal: number;
  readonly unit: 'ms' | 'MiB' | '';
  readonly met: boolean;
}

/** What the figures come to. */
export interface Verdict {
  readonly goals: readonly GoalResult[];
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goals, and says what speaks against them. */
export function judge(figures: PopulationFigures): Verdict {
  const { pace, writes, machine, watchCuts, complaints } = figures;
  const steady = figures.steady.at(-1)!;
  const restart = figures.restart.at(-1)!;
  const running = `${steady.size.applications} applications that run`;
  return {
    goals: [
      less('toDriver', `creation to driver, p99, at ${pace.perSecond.wanted} applications a second`, pace.toDriver.p99, GOALS.toDriverMs, 'ms'),
      less('lag', `status lag, p99, with ${running}`, steady.lag.all.p99, GOALS.lagMs, 'ms'),
      less('executorLag', 'the same of executors, whose changes are gathered', steady.executorLag.p99, GOALS.executorLagMs, 'ms'),
      most('statusWrites', 'status writes for an application from creation to COMPLETED', writes.status, GOALS.statusWrites),
      most('otherWrites', 'other writes for it, besides one for each object that is created, and events', writes.others, GOALS.otherWrites),
      less('memory', `memory with ${running} and ${steady.size.pods} pods, before or after a restart`, steadyMemory(figures) / MIB, GOALS.memoryMiB, 'MiB'),
      less('caughtUp', `restart to caught up with ${restart.size.applications} applications and ${restart.size.pods} pods`, restart.caughtUp, GOALS.caughtUpMs, 'ms'),
    ],
    doubts: [
      ...doubtsAboutLoad(machine),
      ...loads(figures).flatMap(([phase, { otherLoad, lateness }]) => [
        ...(otherLoad > MAX_OTHER_LOAD ? [`other processes kept ${otherLoad.toFixed(2)} processors busy (${phase})`] : []),
        ...(lateness > MAX_LATENESS ? [`the benchmark itself was late by ${lateness.toFixed(0)} ms at the 99th percentile (${phase})`] : []),
      ]),
      ...(watchCuts > 0 ? [`the API server cut off a watch of the benchmark ${watchCuts} times, as it does under load; changes were seen later for that`] : []),
      ...[...figures.lifecycle, figures.again].filter(({ executorsMissed }) => executorsMissed > 0)
        .map(({ executorsMissed, size }) => `${executorsMissed} executors are not in the status of their application as completed (lifecycle of ${size.applications})`),
      ...figures.steady.filter(({ executorsUntold }) => executorsUntold > 0)
        .map(({ executorsUntold, size }) => `what had happened to ${executorsUntold} executors was in no status a minute later (steady at ${size.applications})`),
      ...(complaints.length > 0 ? [`the operator complained ${complaints.length} times, first: ${complaints[0]}`] : []),
    ],
  };
}

/** The operator's memory with the greatest population, in bytes: the more of before a restart and after it, as reading everything at once leaves its trace, too. */
export function steadyMemory({ steady, restart }: Pick<PopulationFigures, 'steady' | 'restart'>): number {
  return Math.max(steady.at(-1)!.load.memory.median, restart.at(-1)!.settledMemory);
}

/** The load of each phase, by its name. */
export function loads({ lifecycle, pace, fill, steady, restart, drain, again }: PopulationFigures): (readonly [phase: string, load: Load])[] {
  return [
    ...lifecycle.map(({ size, load }) => [`lifecycle of ${size.applications}`, load] as const),
    ['pace', pace.load],
    ...fill.map(({ size, load }) => [`fill to ${size.applications}`, load] as const),
    ...steady.map(({ size, load }) => [`steady at ${size.applications}`, load] as const),
    ...restart.map(({ size, load }) => [`restart at ${size.applications}`, load] as const),
    ['drain', drain.load],
    ['again', again.load],
  ];
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ goals }: Verdict, { check }: { readonly check: boolean }): number {
  return check && goals.some(({ met }) => !met) ? 1 : 0;
}

function less(name: GoalResult['name'], text: string, value: number, goal: number, unit: GoalResult['unit']): GoalResult {
  return { name, text, value, goal, unit, met: isFigure(value) && value < goal };
}

/** Counts are averages: what happens to one of a hundred applications is no write for each. */
function most(name: GoalResult['name'], text: string, value: number, goal: number): GoalResult {
  return { name, text, value, goal, unit: '', met: isFigure(value) && value <= goal + 0.005 };
}

/** What is not there reaches nothing; out of JSON it is null. */
function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
