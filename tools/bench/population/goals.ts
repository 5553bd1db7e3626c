import { ourOwn, type Goal } from '../goal.ts';
import { exactly, isFigure, kibibytes, mebibytes, number, short, time } from '../report/format.ts';
import { doubtsOf } from './doubts.ts';
import { cpuGrowth } from './growth.ts';
import type { LifecycleFigures, PopulationFigures } from './measurements.ts';

/** What is to be reached on two processors that the control plane shares. Memory is in MiB. */
export const GOALS = {
  toDriverMs: 250, lagMs: 1000, statusWrites: 4, handOver: 1, memoryMiB: 250, caughtUpMs: 15_000,
  /** Changes of executors are gathered for five seconds, on purpose: this is ours, so that they do not take longer than that. */
  executorLagMs: 6000,
  /**
   * As many times as much an application may cost beside finished ones, or as one of many. That it does not grow is asked for; the factor is ours: what measuring has of noise. CPU time is compared with
   * that of other programs at the same time.
   */
  growth: 1.2,
} as const;

/** Less of the pace that is wanted is not that pace. */
const ENOUGH_PACE = 0.95;
/** Counts are averages: what happens to one of a hundred applications is no write for each. */
const ROUNDING = 0.005;
const MIB = 1024 * 1024;
/** What is compared, of CPU times. */
const BESIDE_OTHERS = 'divided by the growth of etcd, the API server or the benchmark at the same time, whichever grew least';

/** What the figures come to. */
export interface Verdict {
  readonly goals: readonly Goal[];
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goals, and says what speaks against them. */
export function judge(figures: PopulationFigures): Verdict {
  return { goals: goalsOf(figures), doubts: doubtsOf(figures) };
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ goals }: Verdict, { check }: { readonly check: boolean }): number {
  return check && goals.some(({ met }) => !met) ? 1 : 0;
}

/** The operator's memory with the greatest population, in bytes: the more of before a restart and after it, as reading everything at once leaves its trace, too. */
export function steadyMemory({ steady, restart }: Pick<PopulationFigures, 'steady' | 'restart'>): number {
  return Math.max(steady.at(-1)!.load.memory.median, restart.at(-1)!.settledMemory);
}

/** All goals of a population, in the order of the report. */
export function goalsOf(figures: PopulationFigures): Goal[] {
  const { lifecycle, again } = figures;
  const alone = lifecycle.find(({ size }) => size.applications === again.size.applications);
  return [paceGoal(figures), ...runningGoals(figures), ...writeGoals(figures), ...restartGoals(figures), ...growthGoals(figures), ...(alone ? [besideFinished(alone, again)] : [])];
}

function paceGoal({ pace: { perSecond: { wanted, actual }, toDriver } }: PopulationFigures): Goal {
  const isKept = actual >= wanted * ENOUGH_PACE;
  return {
    name: 'Creation to driver', what: `Creation to driver Pod at ${exactly(short(wanted))} applications a second, drivers alone, with nothing else running, p99`,
    goal: `< ${exactly(time(GOALS.toDriverMs))}`, measured: `${time(toDriver.p99)}${isKept ? '' : ` (at ${short(actual)} a second)`}`, met: isLess(toDriver.p99, GOALS.toDriverMs) && isKept,
  };
}

function runningGoals({ steady }: PopulationFigures): Goal[] {
  const running = steady.at(-1);
  if (!running) return [];
  const { size, lag, executorLag } = running;
  return [
    {
      name: 'Status lag of drivers', what: `Status lag of drivers with ${number(size.applications)} running applications, p99`, goal: `< ${exactly(time(GOALS.lagMs))}`,
      measured: time(lag.all.p99), met: isLess(lag.all.p99, GOALS.lagMs),
    },
    {
      name: 'Status lag of executors', what: 'Status lag of executors (their changes are gathered for five seconds), p99', goal: ourOwn(`< ${exactly(time(GOALS.executorLagMs))}`),
      measured: time(executorLag.p99), met: isLess(executorLag.p99, GOALS.executorLagMs),
    },
  ];
}

function writeGoals({ writes, again, lifecycle, executors }: PopulationFigures): Goal[] {
  const all = [writes, again.writes, ...lifecycle.map((one) => one.writes)];
  // Out of JSON, what is not there is null, which would count as none.
  const most = (kind: 'status' | 'handOver' | 'others') => Math.max(...all.map((one) => one[kind] ?? NaN));
  const [status, handOver, others] = [most('status'), most('handOver'), most('others')];
  return [
    {
      name: 'Status writes', what: `Status writes for an application from creation to COMPLETED, with ${executors} executors, not counting the first one, by which the operator claims it; the most of all sizes`,
      goal: `at most ${GOALS.statusWrites}`, measured: number(status, 2), met: isAtMost(status, GOALS.statusWrites),
    },
    {
      name: 'Other writes', what: 'Other writes for it, events aside: by which it is claimed · of anything that is not the creation or deletion of an object', goal: `at most ${GOALS.handOver} · none`,
      measured: `${number(handOver, 2)} · ${number(others, 2)} (created: ${number(writes.created, 2)}; deleted after its end: ${number(writes.deleted, 2)})`,
      met: isAtMost(handOver, GOALS.handOver) && isAtMost(others, 0),
    },
  ];
}

function restartGoals(figures: PopulationFigures): Goal[] {
  const [running, restarted] = [figures.steady.at(-1), figures.restart.at(-1)];
  if (!restarted) return [];
  return [
    ...(running
      ? [{
        name: 'Memory', what: `Steady memory with ${number(running.size.applications)} applications and ${number(running.size.pods)} pods, the higher value around a restart`,
        goal: `< ${GOALS.memoryMiB} MiB`, measured: `${mebibytes(steadyMemory(figures))} (${mebibytes(running.load.memory.median)}, ${mebibytes(restarted.settledMemory)})`,
        met: isLess(steadyMemory(figures) / MIB, GOALS.memoryMiB),
      }]
      : []),
    {
      name: 'Restart', what: `Restart to caught up beside ${number(restarted.size.applications)} applications and ${number(restarted.size.pods)} pods`, goal: `< ${exactly(time(GOALS.caughtUpMs))}`,
      measured: time(restarted.caughtUp), met: isLess(restarted.caughtUp, GOALS.caughtUpMs),
    },
  ];
}

/** What an application costs must not grow with how many there are: linear or better. Compared is what is the same work, from the creation to all executors running. */
function growthGoals({ fill }: PopulationFigures): Goal[] {
  const [one, many] = [fill[0], fill.at(-1)];
  if (!one || !many || many.size.applications <= one.size.applications) return [];
  const [before, after] = [one, many].map(({ load: { received }, created }) => Object.values(received).reduce((sum, bytes) => sum + bytes, 0) / created) as [number, number];
  const cpu = cpuGrowth({ size: { applications: one.created }, load: one.load }, { size: { applications: many.created }, load: many.load });
  const of = `for an application until its executors run, when ${number(many.size.applications)} come to run, as a multiple of that when ${number(one.size.applications)} do`;
  const most = ourOwn(`at most ${GOALS.growth} times`);
  return [
    { name: 'CPU time with size', what: `CPU time ${of}, ${BESIDE_OTHERS}`, goal: most, measured: cpu.text, met: cpu.times <= GOALS.growth },
    {
      name: 'Reading with size', what: `What is read ${of}`, goal: most, measured: `${number(after / before, 2)} times (${kibibytes(after)} to ${kibibytes(before)})`, met: after / before <= GOALS.growth,
    },
  ];
}

/** What an application costs must not depend on those that are through. */
function besideFinished(alone: LifecycleFigures, again: LifecycleFigures): Goal {
  const { times, text } = cpuGrowth(alone, again);
  return {
    name: 'Finished applications',
    what: `CPU time for one of ${number(again.size.applications)} applications beside ${number(again.size.finished)} finished ones, as a multiple of that without them, ${BESIDE_OTHERS}`,
    goal: ourOwn(`at most ${GOALS.growth} times`), measured: text, met: times <= GOALS.growth,
  };
}

/** What is not there reaches nothing; out of JSON it is null. */
function isLess(value: number, goal: number): boolean {
  return isFigure(value) && value < goal;
}

function isAtMost(value: number, goal: number): boolean {
  return isFigure(value) && value <= goal + ROUNDING;
}
