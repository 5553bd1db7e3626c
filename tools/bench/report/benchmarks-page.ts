import type { BenchFigures } from './figures.ts';
import { goalsOf } from './goals.ts';
import { plain } from './markdown.ts';
import { commandOf, goalsTable } from './sections/frame.ts';

const [BEGIN, END] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

/** What README shows of the figures: the main table, and where it is from. */
export function readmeTable(figures: BenchFigures): string {
  const { machine: { cores, processor, kubernetes }, parts } = figures;
  const days = [...new Set(Object.values(parts).map(({ day }) => day))].sort();
  return [
    ...goalsTable(goalsOf(figures)),
    'The bare client makes the calls of a submission that were recorded, and does nothing else. "Our own" are goals that are not part of the original ones. Memory is resident memory (RSS), the median.',
    `Measured on ${days.join(', ')} by \`${commandOf(figures)}\` on ${cores} × ${plain(processor)}, shared by operator, control plane (Kubernetes ${plain(kubernetes)}) and simulated nodes;`,
    'how, and what limits: [bench/report.md](bench/report.md).',
  ].join('\n');
}

/** README with the table of these figures in place of the one that is there. @returns undefined when it has no place for one */
export function withTable(readme: string, figures: BenchFigures): string | undefined {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) return undefined;
  return `${readme.slice(0, begin + BEGIN.length)}\n${readmeTable(figures)}\n${readme.slice(end)}`;
}
