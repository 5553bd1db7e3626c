import type { FiguresFile } from './figures.ts';
import { goalsOf, type Goal } from './goals.ts';
import { slowness } from './speed.ts';

const [BEGIN, END] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

/** The page with the table, from the root of the repository. */
export const PAGE = 'docs/explain/benchmarks.md';

/** Returns the anchor of a heading on GitHub. */
export function anchorOf(name: string): string {
  return `#${name.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')}`;
}

/** Returns the lines of the table; a missed goal links to the heading of its name on the same page. */
export function tableOf(goals: readonly Goal[]): string[] {
  return [
    '|  | goal | measured |  |',
    '|---|---|---|---|',
    ...goals.map(({ name, what, goal, measured, met, isSlow }) => (
      `| ${what} | ${goal} | ${measured} | ${met ? 'met' : `**NOT MET**: [why](${anchorOf(name)})`}${isSlow ? ', slow hour' : ''} |`
    )),
  ];
}

/** Puts the table of these figures in place of that on the page. Returns undefined if the page has no place for it. */
export function withTable(page: string, file: FiguresFile): string | undefined {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) return undefined;
  const table = [...tableOf(goalsOf(file)), '', ...originsOf(file)];
  return [page.slice(0, begin + BEGIN.length), ...table, page.slice(end)].join('\n');
}

/** Returns a line for each distinct day, commit and machine, and one for each scenario from a slow hour. */
function originsOf({ scenarios, versions, fastest }: FiguresFile): string[] {
  const origins = new Map<string, string[]>();
  const slow: string[] = [];
  for (const [name, measured] of Object.entries(scenarios)) {
    const { day, commit, cores, processor } = measured;
    const origin = `${day}, commit ${commit}, on ${cores} × ${processor}`;
    origins.set(origin, [...origins.get(origin) ?? [], name]);
    const reasons = slowness(measured, fastest?.[processor]);
    if (reasons.length > 0) slow.push(`- slow hour of ${name}: ${reasons.join('; ')}`);
  }
  return [
    ...[...origins].map(([origin, names]) => `- ${origin}: ${names.join(', ')}`),
    ...slow,
    `- with Kubernetes ${versions.kubernetes}, Node ${versions.node} and Spark ${versions.spark}`,
  ];
}
