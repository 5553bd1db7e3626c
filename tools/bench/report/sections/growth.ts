import type { Load, PopulationFigures } from '../../population/measurements.ts';
import { costsOf, type Cost } from '../costs.ts';
import { kibibytes, mebibytes, number, percent, short, time } from '../format.ts';
import { paragraph, table } from '../markdown.ts';
import { phasesOf, show, type Plot } from '../plots.ts';

/** Programs of the control plane whose memory grows with what there is. */
const WITH_MEMORY = ['kube-apiserver', 'etcd'];

/** How the cost of an application changes with the number of others. */
export function growthSection(figures: PopulationFigures, plots: readonly Plot[]): string[] {
  const costs = costsOf(figures);
  const each = ({ applications, loads }: Cost, of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0) / applications;
  const cpu = (cost: Cost) => each(cost, (load) => load.cpu.user + load.cpu.system);
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, count) => total + count, 0);
  return [
    '## Growth with size', '',
    ...paragraph('What one application costs from its creation to COMPLETED, with more and more of them. A column that is not greater than the one before it means: linear, or better.'),
    ...comparability(figures),
    ...table(['for one application', ...costs.map(({ label }) => label)], [
      ['CPU time of the operator', ...costs.map((cost) => time(cpu(cost)))],
      ['  as against the first column', ...costs.map((cost) => percent(cpu(cost) / cpu(costs[0]!)))],
      ['COMPLETED a minute', ...costs.map(({ applications, milliseconds }) => short(applications * 60_000 / milliseconds))],
      ['calls of the operator', ...costs.map((cost) => number(each(cost, (load) => sum(load.calls)), 1))],
      ...callsOf(costs).map((call) => [`  ${call}`, ...costs.map((cost) => number(each(cost, (load) => load.calls[call] ?? 0), 2))]),
      ['calls of anybody', ...costs.map(({ allCalls, applications }) => number(allCalls / applications, 1))],
      ['status writes, without the one that hands over', ...costs.map(({ status }) => number(status, 2))],
      ['read by the operator', ...costs.map((cost) => kibibytes(each(cost, (load) => sum(load.received))))],
      ['  of it by watches', ...costs.map((cost) => kibibytes(each(cost, watched)))],
    ]),
    ...show(plots, 'rate-by-size', 'calls-by-size', 'read-by-size'),
    ...paragraph('The first of all sizes pays for compiling code that runs for the first time. The population is created and drained, without the time of churn between.'),
    ...show(plots, 'cpu-by-size', 'memory-by-size'),
  ];
}

/** What is the same work in two columns, and what is not. */
function comparability({ lifecycle, again, executors }: PopulationFigures): string[] {
  const named = (atOnce: boolean) => lifecycle.filter((one) => one.atOnce === atOnce).map(({ size }) => number(size.applications)).join(' and ');
  const [alike, others] = [named(true), named(false)];
  return paragraph(
    `Executors of the population end at once, without a time of grace${alike ? `, and so do those of the lifecycle of ${alike}, with which it is compared` : ''}.`,
    ...(others ? [`In the lifecycle of ${others} they have one, as in a cluster: ${executors} more events of pods for each application, to be read and looked at.`] : []),
    `The column beside finished ones is to be compared with that of ${number(again.size.applications)} without them.`,
    'Drivers of the population run longer, so that their executors are written by themselves: up to one status write more, with what is read of it.',
  );
}

/** Calls of which there is one for every twenty applications, at least; the dearest first. */
function callsOf(costs: readonly Cost[]): string[] {
  const counts = new Map<string, number>();
  for (const { loads, applications } of costs) {
    for (const { calls } of loads) for (const call in calls) counts.set(call, Math.max(counts.get(call) ?? 0, calls[call]! / applications));
  }
  return [...counts].filter(([, count]) => count >= 0.05).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([call]) => call);
}

/** Bytes that came by watches. */
export function watched({ received }: Load): number {
  return Object.entries(received).reduce((total, [key, bytes]) => total + (key.startsWith('watch ') ? bytes : 0), 0);
}

/** Which program takes what, phase by phase. */
export function limitsSection(figures: PopulationFigures, plots: readonly Plot[]): string[] {
  const cores = figures.machine.cores;
  return [
    '## What limits', '',
    ...paragraph(
      `Operator, control plane, simulated nodes and the benchmark share ${cores} processors. Where all of them together keep nearly ${cores} busy, the machine is the limit; what takes the most of it is the first that would have to be faster.`,
    ),
    ...table(['', 'busy in all', 'operator', 'most', 'memory'], phasesOf(figures).map(({ label, load: { processors, otherLoad } }) => {
      const total = processors.reduce((sum, { busy }) => sum + busy, otherLoad);
      const greatest = [...processors].sort((a, b) => b.busy - a.busy).slice(0, 3).map(({ program, busy }) => `${program} ${number(busy, 2)}`).join(', ');
      const own = processors.find(({ program }) => program === 'operator')?.busy ?? 0;
      const memory = processors.filter(({ program }) => WITH_MEMORY.includes(program)).map((each) => `${each.program} ${mebibytes(each.memory)}`).join(', ');
      return [label, `${number(total, 2)} of ${cores}${total >= 0.9 * cores ? ': full' : ''}`, `${number(own, 2)} (${percent(own / total)})`, greatest, memory];
    })),
    ...show(plots, 'load', 'event-loop'),
  ];
}
