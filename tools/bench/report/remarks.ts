import type { Goal } from '../goal.ts';

/** Headings of the remarks, in lower case. A goal that was missed has one of its name, with the reason below it. */
export function headingsOf(remarks: string): ReadonlySet<string> {
  return new Set([...remarks.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => heading!.toLowerCase()));
}

/** The names of the goals that were missed, and of which the remarks do not say why, and what comes next. */
export function unexplained(goals: readonly Goal[], remarks: string): string[] {
  return goals.filter(({ met, name }) => !met && !/\S[^]*\bNext: \S/.test(textUnder(name, remarks))).map(({ name }) => name);
}

/** Names of the goals that were met and have remarks of another run, which explain why they were missed. */
export function outdated(goals: readonly Goal[], remarks: string): string[] {
  const headings = headingsOf(remarks);
  return goals.filter(({ met, name }) => met && headings.has(name.toLowerCase()) && reserveOf(name, remarks) === undefined).map(({ name }) => name);
}

/** The reserve with which a goal was met, such as `in one run of four`. The remarks write it at the beginning, as `Met in one run of four: …`. */
export function reserveOf(name: string, remarks: string): string | undefined {
  return /^\s*Met ([^:\n]+):/.exec(textUnder(name, remarks))?.[1];
}

function textUnder(heading: string, remarks: string): string {
  const parts = remarks.split(/^#{1,6} +/m);
  return parts.find((part) => part.split('\n', 1)[0]!.trim().toLowerCase() === heading.toLowerCase())?.slice(heading.length) ?? '';
}

/** Where a page of GitHub has a heading. */
export function anchorOf(heading: string): string {
  return `#${heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')}`;
}
