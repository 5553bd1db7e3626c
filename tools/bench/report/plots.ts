import { median } from '../measurements.ts';
import { GOALS } from '../population/goals.ts';
import type { Load, PopulationFigures } from '../population/measurements.ts';
import type { Spread } from '../population/timeline.ts';
import { middle } from '../synth/measurements.ts';
import { barPlot, type Group } from './bars.ts';
import { costsOf } from './costs.ts';
import type { BenchFigures, PartFigures } from './figures.ts';
import { exactly, mebibytes, number, short, time } from './format.ts';
import { linePlot } from './lines.ts';
import { stackPlot } from './stacks.ts';

/** A plot as a file of the report. */
export interface Plot {
  /** Without its ending. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

const MIB = 1024 * 1024;

/** All plots of the parts that ran. The same figures make the same bytes. */
export function plotsOf({ parts }: BenchFigures): Plot[] {
  const { submission, population, synth } = parts;
  return [
    ...(submission ? submissionPlots(submission.figures) : []),
    ...(population ? populationPlots(population.figures) : []),
    ...(submission || population ? [toDriverPlot(submission?.figures, population?.figures)] : []),
    ...(synth ? [synthPlot(synth.figures)] : []),
  ];
}

/** The plots of these names, as Markdown, in their order; those that are not there are left out. */
export function show(plots: readonly Plot[], ...names: readonly string[]): string[] {
  return names.flatMap((name) => plots.filter((one) => one.name === name)).flatMap(({ name, title }) => [`![${title}](plots/${name}.svg)`, '']);
}

function plot(name: string, title: string, svg: string): Plot {
  return { name, title, svg };
}

function submissionPlots({ cluster: { operator, bare, jvm } }: PartFigures['submission']): Plot[] {
  const [rate, cpu] = ['Submissions a minute', 'CPU time of one submission'];
  const perMinute = (label: string, perSecond: number): Group => ({ label, values: [perSecond * 60] });
  return [
    plot('submission-rate', rate, barPlot({
      title: rate, axis: { label: 'a minute', logarithmic: true }, series: [''], show: short,
      groups: [perMinute('bare client', bare.perSecond), perMinute('operator', operator.perSecond), ...(jvm ? [perMinute('spark-submit', jvm.perSecond)] : [])],
    })),
    plot('submission-cpu', cpu, barPlot({
      title: cpu, axis: { label: 'ms', logarithmic: true }, series: [''], show: time,
      groups: [
        { label: 'bare client', values: [bare.cpu] }, { label: 'operator', values: [operator.cpu] }, ...(jvm ? [{ label: 'spark-submit', values: [median(jvm.runs)] }] : []),
      ],
    })),
  ];
}

const SPREAD = ['p50', 'p99', 'max'];

function spreadGroup(label: string, { p50, p99, max }: Spread): Group {
  return { label, values: [p50, p99, max] };
}

function toDriverPlot(submission: PartFigures['submission'] | undefined, population: PopulationFigures | undefined): Plot {
  const title = 'From creation to driver Pod';
  const groups = [
    ...(submission ? [spreadGroup('one after the other', submission.cluster.single.toDriver)] : []),
    ...(population ? [spreadGroup(`${exactly(short(population.pace.perSecond.wanted))} a second`, population.pace.toDriver)] : []),
    ...(population?.steady ?? []).map(({ size, toDriver }) => spreadGroup(`beside ${number(size.applications)} that run`, toDriver)),
    ...(population?.lifecycle ?? []).map(({ size, toDriver }) => spreadGroup(`${number(size.applications)} at once`, toDriver)),
    ...(submission ? [spreadGroup(`${number(submission.applications)} at once, no nodes`, submission.cluster.live.toDriver)] : []),
  ];
  return plot('creation-to-driver', title, barPlot({ title, axis: { label: 'ms', logarithmic: true }, series: SPREAD, groups, show: time, goal: { value: GOALS.toDriverMs, label: 'goal for p99 at 20 a second' } }));
}

/** Each phase of the population that tells its load, with a name for people. */
export function phasesOf({ lifecycle, pace, fill, steady, restart, drain, again }: PopulationFigures): { readonly label: string; readonly load: Load }[] {
  return [
    ...lifecycle.map(({ size, load }) => ({ label: `lifecycle of ${number(size.applications)}`, load })),
    { label: `pace, ${exactly(short(pace.perSecond.wanted))} a second`, load: pace.load },
    ...fill.map(({ size, load }) => ({ label: `fill up to ${number(size.applications)}`, load })),
    ...steady.map(({ size, load }) => ({ label: `steady, ${number(size.applications)}`, load })),
    ...restart.map(({ size, load }) => ({ label: `restart, ${number(size.applications)}`, load })),
    { label: `drain of ${number(drain.size.applications)}`, load: drain.load },
    { label: `${number(again.size.applications)} beside ${number(again.size.finished)}`, load: again.load },
  ];
}

function populationPlots(figures: PopulationFigures): Plot[] {
  const { lifecycle, pace, fill, steady, restart, drain, again } = figures;
  const phases = phasesOf(figures);
  const besides = `${number(again.size.applications)} beside ${number(again.size.finished)}`;
  const titles = {
    lag: "From a driver's phase to the status that says so", cpu: "Operator's CPU time for one application", memory: "Operator's memory", load: 'Processors kept busy', restart: 'Restart', calls: "Operator's calls for one application",
    read: 'What the operator reads for one application', rate: 'Applications from creation to COMPLETED a minute', blocked: "Longest block of the operator's event loop",
  };
  const costs = costsOf(figures);
  return [
    plot('status-lag', titles.lag, barPlot({
      title: titles.lag, axis: { label: 'ms', logarithmic: true }, series: SPREAD, show: time, goal: { value: GOALS.lagMs, label: 'goal for p99 with 10,000 that run' },
      groups: [
        spreadGroup(`${exactly(short(pace.perSecond.wanted))} a second`, pace.lag.all),
        ...lifecycle.map(({ size, lag }) => spreadGroup(`${number(size.applications)} at once`, lag.all)),
        ...fill.map(({ size, lag }) => spreadGroup(`fill up to ${number(size.applications)}`, lag.running)),
        ...steady.map(({ size, lag }) => spreadGroup(`steady, ${number(size.applications)}`, lag.all)),
        ...steady.map(({ size, executorLag }) => spreadGroup(`its executors, ${number(size.applications)}`, executorLag)),
        spreadGroup(`all ${number(drain.size.applications)} end`, drain.lag.ended),
        spreadGroup(besides, again.lag.all),
      ],
    })),
    plot('cpu-by-size', titles.cpu, stackPlot({
      title: titles.cpu, axis: { label: 'ms' }, show: time,
      stacks: costs.map(({ label, applications, loads }) => ({
        label, parts: (['user', 'system'] as const).map((name) => ({ name, value: loads.reduce((sum, { cpu }) => sum + cpu[name], 0) / applications })),
      })),
    })),
    plot('calls-by-size', titles.calls, stackPlot({
      title: titles.calls, axis: { label: 'calls, without watches' }, show: (value) => number(value, 2),
      stacks: costs.map(({ label, applications, loads }) => ({
        label, parts: Object.entries(together(loads.map(({ calls }) => calls))).map(([name, count]) => ({ name, value: count / applications })),
      })),
    })),
    plot('read-by-size', titles.read, stackPlot({
      title: titles.read, axis: { label: 'KiB' }, show: short,
      stacks: costs.map(({ label, applications, loads }) => ({
        label, parts: Object.entries(together(loads.map(({ received }) => received))).map(([name, bytes]) => ({ name, value: bytes / 1024 / applications })),
      })),
    })),
    plot('rate-by-size', titles.rate, barPlot({
      title: titles.rate, axis: { label: 'a minute' }, series: [''], show: short, groups: costs.map(({ label, applications, milliseconds }) => ({ label, values: [applications * 60_000 / milliseconds] })),
    })),
    plot('memory-by-size', titles.memory, linePlot({
      title: titles.memory, x: { label: 'pods', logarithmic: true }, y: { label: 'MiB' }, show: short, goal: { value: GOALS.memoryMiB, label: 'goal, steady at 50,000 pods' },
      lines: [
        { name: 'steady, median', points: bySize(steady).map(({ size, load }) => [size.pods, load.memory.median / MIB]) },
        { name: 'most so far, while created', points: bySize([...lifecycle, ...fill]).map(({ size, load }) => [size.pods, load.memory.peak / MIB]) },
        { name: 'most after a restart', points: bySize(restart).map(({ size, load }) => [size.pods, load.memory.peak / MIB]) },
        { name: 'the 15 seconds after that, median', points: bySize(restart).map(({ size, settledMemory }) => [size.pods, settledMemory / MIB]) },
      ].filter(({ points }) => points.length > 0) as { name: string; points: [number, number][] }[],
    })),
    plot('load', titles.load, stackPlot({
      title: titles.load, axis: { label: `processors of ${figures.machine.cores}` }, show: (value) => number(value, 2),
      stacks: phases.map(({ label, load: { processors, otherLoad } }) => ({
        label, parts: [...processors.map(({ program, busy }) => ({ name: program, value: busy })), ...(otherLoad >= 0.005 ? [{ name: 'not of the benchmark', value: otherLoad }] : [])],
      })),
    })),
    plot('event-loop', titles.blocked, barPlot({
      title: titles.blocked, axis: { label: 'ms', logarithmic: true }, series: ['p99', 'max'], show: time,
      groups: phases.map(({ label, load: { eventLoopDelay, eventLoopBlocked } }) => ({ label, values: [eventLoopDelay, eventLoopBlocked] })),
    })),
    plot('restart', titles.restart, barPlot({
      title: titles.restart, axis: { label: 'seconds since the start of the process' }, series: ['caches filled', 'first namespace at work', 'caught up'], show: (value) => time(value * 1000),
      goal: { value: GOALS.caughtUpMs / 1000, label: 'goal, caught up' },
      groups: restart.map(({ size, filled, firstReconcile, caughtUp }) => ({
        label: `${number(size.applications)} applications, ${number(size.pods)} pods`, values: [filled, firstReconcile, caughtUp].map((value) => value / 1000),
      })),
    })),
    ...seriesPlots(steady.at(-1)),
  ];
}

/** The sums, of each key, in the order in which they come. */
function together(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const key in counts) sums[key] = (sums[key] ?? 0) + counts[key]!;
  return sums;
}

function bySize<F extends { readonly size: { readonly pods: number } }>(all: readonly F[]): F[] {
  return [...all].sort((a, b) => a.size.pods - b.size.pods);
}

/** What happened over the time of the steady state, if it was noted. */
function seriesPlots(steady: PopulationFigures['steady'][number] | undefined): Plot[] {
  if (!steady?.series) return [];
  const { size, series: { seconds, memory, lagP99, probeP99, statusWrites } } = steady;
  const beside = `with ${number(size.applications)} running applications`;
  type Values = readonly (number | null)[];
  const over = (name: string, title: string, unit: string, lines: Readonly<Record<string, Values>>, shown: (value: number) => string, goal?: number) => plot(name, title, linePlot({
    title, x: { label: 'seconds' }, y: { label: unit }, show: shown, marked: false, goal: goal === undefined ? undefined : { value: goal, label: 'goal' },
    lines: Object.entries(lines).map(([line, values]) => ({ name: line, points: seconds.map((second, index) => [second, values[index]] as const) })),
  }));
  return [
    over('steady-memory', `Memory over time ${beside}`, 'MiB', { memory: memory.map((bytes) => bytes / MIB) }, (value) => mebibytes(value * MIB), GOALS.memoryMiB),
    over('steady-lag', `Status lag over time ${beside}, p99`, 'ms', { 'status lag': lagP99, 'a write of the benchmark itself': probeP99 }, time, GOALS.lagMs),
    over('steady-writes', `Status writes a second ${beside}`, 'a second', { writes: statusWrites }, short),
  ];
}

function synthPlot({ sizes }: PartFigures['synth']): Plot {
  const title = 'Synthesizing applications';
  const line = (name: string, of: 'whole' | 'construct' | 'write') => ({ name, points: sizes.map(({ applications, runs }) => [applications, middle(runs)[of] / 1000] as const) });
  return plot('synth', title, linePlot({
    title, x: { label: 'applications', logarithmic: true }, y: { label: 'seconds', logarithmic: true }, show: short,
    lines: [line('whole program', 'whole'), line('creating the constructs', 'construct'), line('checking and writing the manifests', 'write')],
  }));
}
