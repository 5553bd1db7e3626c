import { judge as judgeSubmission, GOALS as SUBMISSION } from '../report.ts';
import { GOAL as SYNTH, judge as judgeSynth } from '../synth/report.ts';
import { GOALS as POPULATION, judge as judgePopulation, steadyMemory, type GoalResult } from '../population/goals.ts';
import type { LifecycleFigures, PopulationFigures } from '../population/measurements.ts';
import { costsOf } from './costs.ts';
import type { BenchFigures, PartFigures, PartName } from './figures.ts';
import { exactly, isFigure, kibibytes, mebibytes, number, percent, short, time } from './format.ts';

/** As many times as much an application may cost beside finished ones, or as one of many: what a machine that others share too has of noise. */
const [BESIDE_FINISHED, GROWTH] = [1.2, 1.2];
/** Less of the pace that is wanted is not that pace. */
const ENOUGH_PACE = 0.95;
/** Counts are averages. */
const ROUNDING = 0.005;

/** A goal, and what became of it. */
export interface Goal {
  readonly part: PartName;
  /** What is measured. */
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
}

/** All goals of the parts that ran, in the order of the report. */
export function goalsOf({ parts }: BenchFigures): Goal[] {
  return [
    ...(parts.submission ? submissionGoals(parts.submission.figures) : []),
    ...(parts.population ? populationGoals(parts.population.figures) : []),
    ...(parts.synth ? synthGoals(parts.synth.figures) : []),
  ];
}

function submissionGoals(figures: PartFigures['submission']): Goal[] {
  const { cpuMs, cpuMet, share, shareMet, times, timesMet } = judgeSubmission(figures);
  const { operator, bare, jvm } = figures.cluster;
  const perMinute = (perSecond: number) => short(perSecond * 60);
  return [
    {
      part: 'submission', what: "Submissions a minute, as a share of a bare client's that makes the same calls", goal: `at least ${percent(SUBMISSION.shareOfBareRate)}`,
      measured: `${percent(share)} (${perMinute(operator.perSecond)} of ${perMinute(bare.perSecond)})`, met: shareMet,
    },
    ...(jvm
      ? [{
        part: 'submission' as const, what: `Submissions a minute, as a multiple of spark-submit's (Spark ${jvm.sparkVersion}, default JVM)`, goal: `at least ${SUBMISSION.timesSparkSubmit} times`,
        measured: `${number(times)} times (${perMinute(operator.perSecond)} to ${perMinute(jvm.perSecond)})`, met: timesMet!,
      }]
      : []),
    { part: 'submission', what: 'CPU time of the operator for one submission', goal: `< ${exactly(time(SUBMISSION.cpuMs))}`, measured: time(cpuMs), met: cpuMet },
  ];
}

function populationGoals(figures: PartFigures['population']): Goal[] {
  const { pace, steady, restart, lifecycle, again, writes, executors } = figures;
  const part = 'population';
  const { goals } = judgePopulation(figures);
  /** A figure that is not there reaches nothing. */
  const isMet = (name: GoalResult['name']) => goals.some((goal) => goal.name === name && goal.met && isFigure(goal.value));
  const [running, restarted, alone] = [steady.at(-1), restart.at(-1), lifecycle.find(({ size }) => size.applications === again.size.applications)];
  const statusWrites = Math.max(writes.status, again.writes.status, ...lifecycle.map((one) => one.writes.status));
  const isPaceKept = pace.perSecond.actual >= pace.perSecond.wanted * ENOUGH_PACE;
  return [
    {
      part, what: `Creation to driver Pod at ${exactly(short(pace.perSecond.wanted))} applications a second, p99`, goal: `< ${exactly(time(POPULATION.toDriverMs))}`,
      measured: `${time(pace.toDriver.p99)}${isPaceKept ? '' : ` (at ${short(pace.perSecond.actual)} a second)`}`, met: isMet('toDriver') && isPaceKept,
    },
    ...(running
      ? [
        {
          part, what: `Status lag with ${number(running.size.applications)} running applications, p99`, goal: `< ${exactly(time(POPULATION.lagMs))}`,
          measured: time(running.lag.all.p99), met: isMet('lag'),
        } as const,
        {
          part, what: 'The same of their executors, whose changes are gathered for five seconds', goal: `< ${exactly(time(POPULATION.executorLagMs))}`,
          measured: time(running.executorLag.p99), met: isMet('executorLag'),
        } as const,
      ]
      : []),
    {
      part, what: `Status writes for an application from creation to COMPLETED, with ${executors} executors; the most of all sizes`, goal: `at most ${POPULATION.statusWrites}`,
      measured: number(statusWrites, 2), met: isMet('statusWrites') && statusWrites <= POPULATION.statusWrites + ROUNDING,
    },
    {
      part, what: 'Other writes for it, besides one for each object that is created, and events', goal: `at most ${POPULATION.otherWrites}`,
      measured: `${number(writes.others, 2)} (created: ${number(writes.created, 2)})`, met: isMet('otherWrites'),
    },
    ...(running && restarted
      ? [{
        part, what: `Steady memory with ${number(running.size.applications)} applications and ${number(running.size.pods)} pods, the more of before and after a restart`, goal: `< ${POPULATION.memoryMiB} MiB`,
        measured: `${mebibytes(steadyMemory(figures))} (${mebibytes(running.load.memory.median)}, ${mebibytes(restarted.settledMemory)})`, met: isMet('memory'),
      } as const]
      : []),
    ...(restarted
      ? [{
        part, what: `Restart to caught up beside ${number(restarted.size.applications)} applications and ${number(restarted.size.pods)} pods`, goal: `< ${exactly(time(POPULATION.caughtUpMs))}`,
        measured: time(restarted.caughtUp), met: isMet('caughtUp'),
      } as const]
      : []),
    ...growthGoals(figures),
    ...(alone ? [besideFinished(alone, again)] : []),
  ];
}

/** What an application costs must not grow with how many there are: linear or better. The first sizes pay for compiling code, so that the greatest of them counts. */
function growthGoals(figures: PopulationFigures): Goal[] {
  const small = figures.lifecycle.at(-1);
  const all = costsOf(figures);
  const [one, many] = [all.find(({ applications }) => applications === small?.size.applications), all.find(({ isPopulation }) => isPopulation)];
  if (!one || !many || many.applications <= one.applications) return [];
  const goal = (what: string, show: (value: number) => string, of: (load: LifecycleFigures['load']) => number): Goal => {
    const [before, after] = [one, many].map(({ loads, applications }) => loads.reduce((sum, load) => sum + of(load), 0) / applications) as [number, number];
    return {
      part: 'population', what: `${what} for one of ${number(many.applications)} applications, as a multiple of that for one of ${number(one.applications)}`,
      goal: `at most ${GROWTH} times`, measured: `${number(after / before, 2)} times (${show(after)} to ${show(before)})`, met: after / before <= GROWTH,
    };
  };
  return [
    goal('CPU time', time, ({ cpu }) => cpu.user + cpu.system),
    goal('What is read', kibibytes, ({ received }) => Object.values(received).reduce((sum, bytes) => sum + bytes, 0)),
  ];
}

/** What an application costs must not depend on those that are through. */
function besideFinished(alone: LifecycleFigures, again: LifecycleFigures): Goal {
  const times = cpuEach(again) / cpuEach(alone);
  return {
    part: 'population', what: `CPU time for one of ${number(again.size.applications)} applications beside ${number(again.size.finished)} finished ones, as a multiple of that without them`,
    goal: `at most ${BESIDE_FINISHED} times`, measured: `${number(times, 2)} times (${time(cpuEach(again))} to ${time(cpuEach(alone))})`, met: times <= BESIDE_FINISHED,
  };
}

/** CPU time of the operator for one application, in milliseconds. */
export function cpuEach({ size, load: { cpu } }: { readonly size: { readonly applications: number }; readonly load: LifecycleFigures['load'] }): number {
  return (cpu.user + cpu.system) / size.applications;
}

function synthGoals(figures: PartFigures['synth']): Goal[] {
  const { wholeMs, wholeMet } = judgeSynth(figures);
  return [{ part: 'synth', what: `Synthesizing ${number(SYNTH.applications)} applications, start of Node included`, goal: `< ${exactly(time(SYNTH.wholeMs))}`, measured: time(wholeMs), met: wholeMet }];
}
