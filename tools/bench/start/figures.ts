import { median } from '../figures.ts';
import { number } from '../format.ts';
import { MOMENTS, type Phases } from './phases.ts';

/**
 * Images and settings side by side. `plain`: an image without an archive. `fast`: the same with one, and
 * `fastStart: auto`. `short`: also the JVM options of short jobs.
 */
export const ARMS = ['plain', 'fast', 'short'] as const;
export type Arm = (typeof ARMS)[number];

export const LANGUAGES = ['Python', 'Java'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Numbers of executors. */
export const EXECUTORS = [1, 5] as const;

/** An application to run. */
export interface Case {
  readonly language: Language;
  readonly executors: number;
  readonly arm: Arm;
}

/** One run. */
export interface Run extends Case {
  readonly phases: Phases;
  /** CPU time of all pods, in milliseconds. */
  readonly cpu: number;
}

/** Figures of bench/start.json. */
export interface StartFigures {
  readonly day: string;
  readonly commit: string;
  readonly machine: string;
  readonly spark: string;
  readonly doubts: readonly string[];
  readonly runs: readonly Run[];
}

/**
 * Returns the cases of a round. The order of the arms changes with each round, so that none always follows the same
 * one.
 */
export function casesOf(round: number): Case[] {
  const arms = ARMS.map((_, index) => ARMS[(index + round) % ARMS.length]!);
  return LANGUAGES.flatMap((language) => EXECUTORS.flatMap((executors) => arms.map((arm) => ({ language, executors, arm }))));
}

const [BEGIN, END] = ['<!-- start:begin -->', '<!-- start:end -->'];

/** Puts a table in place of that on a page. Returns undefined if the page has no place for it. */
export function withStartTable(page: string, { runs, day, commit, machine, spark }: StartFigures): string | undefined {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) return undefined;
  const origin = `Medians of ${day}, commit ${commit}, on ${machine}, with Spark ${spark}; in parentheses the share of plain.`;
  return [page.slice(0, begin + BEGIN.length), ...startTable(runs), '', origin, page.slice(end)].join('\n');
}

/** Goals: the shares of the plain run. */
export const GOALS = { wall: 0.5, cpu: 0.4 } as const;

/** Returns the lines of a table with the medians. */
export function startTable(runs: readonly Run[]): string[] {
  const rows = LANGUAGES.flatMap((language) => EXECUTORS.flatMap((executors) => ARMS.map((arm) => {
    const of = (which: Arm) => runs.filter((run) => run.language === language && run.executors === executors && run.arm === which);
    const own = of(arm);
    if (own.length === 0) return [];
    const value = (some: readonly Run[], read: (run: Run) => number) => median(some.map(read));
    const share = (read: (run: Run) => number) => (arm === 'plain' ? '' : ` (${number(value(own, read) / value(of('plain'), read), 2)})`);
    const [wall, cpu] = [(run: Run) => run.phases.completed, (run: Run) => run.cpu];
    const cells = [
      `${language}, ${executors}`, arm, ...MOMENTS.map((moment) => seconds(value(own, ({ phases }) => phases[moment]))), seconds(value(own, cpu)),
    ];
    return [`| ${cells.map((cell, index) => cell + (index === 6 ? share(wall) : index === 7 ? share(cpu) : '')).join(' | ')} |`];
  }))).flat();
  return [
    '| program, executors |  | context | requests executors | has executors | first job | COMPLETED | CPU |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

function seconds(milliseconds: number): string {
  return `${number(milliseconds / 1000, 1)} s`;
}
