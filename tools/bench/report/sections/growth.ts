import type { Load, PopulationFigures } from '../../population/measurements.ts';
import { costsOf, type Cost } from '../costs.ts';
import { kibibytes, number, percent, time } from '../format.ts';
import { paragraph, table } from '../markdown.ts';
import { phasesOf, show, type Plot } from '../plots.ts';

/** How the cost of an application changes with the number of others. */
export function growthSection(figures: PopulationFigures, plots: readonly Plot[]): string[] {
  const costs = costsOf(figures);
  const each = ({ applications, loads }: Cost, of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0) / applications;
  const cpu = (cost: Cost) => each(cost, (load) => load.cpu.user + load.cpu.system);
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, count) => total + count, 0);
  return [
    '## Growth with size', '',
    ...paragraph('What one application costs from its creation to COMPLETED, with more and more of them. A column that is not greater than the one before it means: linear, or better.'),
    ...table(['for one application', ...costs.map(({ label }) => label)], [
      ['CPU time of the operator', ...costs.map((cost) => time(cpu(cost)))],
      ['  as against the first column', ...costs.map((cost) => percent(cpu(cost) / cpu(costs[0]!)))],
      ['calls of the operator', ...costs.map((cost) => number(each(cost, (load) => sum(load.calls)), 1))],
      ['status writes', ...costs.map(({ status }) => number(status, 2))],
      ['read by the operator', ...costs.map((cost) => kibibytes(each(cost, (load) => sum(load.received))))],
    ]),
    ...paragraph('The first of all sizes pays for compiling code that runs for the first time. The population is created and drained, without the time of churn between.'),
    ...show(plots, 'cpu-by-size', 'memory-by-size'),
  ];
}

/** Which program takes what, phase by phase. */
export function limitsSection(figures: PopulationFigures, plots: readonly Plot[]): string[] {
  const cores = figures.machine.cores;
  return [
    '## What limits', '',
    ...paragraph(
      `Operator, control plane, simulated nodes and the benchmark share ${cores} processors. Where all of them together keep nearly ${cores} busy, the machine is the limit; what takes the most of it is the first that would have to be faster.`,
    ),
    ...table(['', 'busy in all', 'operator', 'most'], phasesOf(figures).map(({ label, load: { processors, otherLoad } }) => {
      const total = processors.reduce((sum, { busy }) => sum + busy, otherLoad);
      const greatest = [...processors].sort((a, b) => b.busy - a.busy).slice(0, 3).map(({ program, busy }) => `${program} ${number(busy, 2)}`).join(', ');
      const own = processors.find(({ program }) => program === 'operator')?.busy ?? 0;
      return [label, `${number(total, 2)} of ${cores}${total >= 0.9 * cores ? ': full' : ''}`, `${number(own, 2)} (${percent(own / total)})`, greatest];
    })),
    ...show(plots, 'load'),
  ];
}
