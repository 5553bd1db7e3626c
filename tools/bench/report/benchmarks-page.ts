import type { BenchFigures } from './figures.ts';
import { goalsOf } from './goals.ts';
import { plain } from './markdown.ts';
import { commandOf, goalsTable } from './sections/frame.ts';

const [BEGIN, END] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

/** The page with the table, from the root of the repository. */
export const BENCHMARKS_PAGE = 'docs/benchmarks.md';

/** The report, from that page. */
const REPORT = '../bench/report.md';

/** The part of the page that follows from the figures: the table of goals, and how they were measured. */
export function benchmarksTable(figures: BenchFigures, remarks: string): string {
  const { machine: { cores, processor, kubernetes }, parts } = figures;
  const days = [...new Set(Object.values(parts).map(({ day }) => day))].sort();
  return [
    ...goalsTable(goalsOf(figures), remarks, REPORT),
    'The bare client makes the recorded calls of a submission, and does nothing else. "Our own" marks goals that were added later. Memory is the median of resident memory (RSS).',
    `Measured on ${days.join(', ')} by \`${commandOf(figures)}\` on ${cores} × ${plain(processor)}, shared by operator, control plane (Kubernetes ${plain(kubernetes)}) and simulated nodes.`,
    'etcd ran with `--unsafe-no-fsync`: it does not wait for the disk, so writes are faster than in a real cluster.',
    `Method, limits and missed goals: [bench/report.md](${REPORT}).`,
  ].join('\n');
}

/** Puts the table of these figures in place of the one on the page. @returns undefined if the page has no place for one */
export function withTable(page: string, figures: BenchFigures, remarks: string): string | undefined {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) return undefined;
  return `${page.slice(0, begin + BEGIN.length)}\n${benchmarksTable(figures, remarks)}\n${page.slice(end)}`;
}
