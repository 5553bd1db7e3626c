import type { Goal } from '../goal.ts';

/** The headings of the remarks, in small letters: a goal that was missed has one of its name, under which stands why. */
export function headingsOf(remarks: string): ReadonlySet<string> {
  return new Set([...remarks.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => heading!.toLowerCase()));
}

/** The names of the goals that were missed, and of which the remarks do not say why, and what comes next. */
export function unexplained(goals: readonly Goal[], remarks: string): string[] {
  return goals.filter(({ met, name }) => !met && !/\S[^]*\bNext: \S/.test(textUnder(name, remarks))).map(({ name }) => name);
}

/** The names of the goals that were met, although the remarks say why they were missed: that is of another run. */
export function outdated(goals: readonly Goal[], remarks: string): string[] {
  const headings = headingsOf(remarks);
  return goals.filter(({ met, name }) => met && headings.has(name.toLowerCase())).map(({ name }) => name);
}

function textUnder(heading: string, remarks: string): string {
  const parts = remarks.split(/^#{1,6} +/m);
  return parts.find((part) => part.split('\n', 1)[0]!.trim().toLowerCase() === heading.toLowerCase())?.slice(heading.length) ?? '';
}

/** Where a page of GitHub has a heading. */
export function anchorOf(heading: string): string {
  return `#${heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')}`;
}
