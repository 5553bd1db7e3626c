import { doubtsAboutLoad, renderDoubts, renderRows, type Row } from '../report.ts';
import { middle, type Figures } from './measurements.ts';

/** What is to be reached. */
export const GOAL = { applications: 1000, wholeMs: 5000 } as const;

const MIB = 1024 * 1024;

/** What the figures come to. */
export interface Verdict {
  /** How long a program takes that synthesizes as many applications as the goal is about, in milliseconds. */
  readonly wholeMs: number;
  readonly wholeMet: boolean;
  /** Why the figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Compares the figures with the goal, and says what speaks against them. */
export function judge({ machine, sizes }: Figures): Verdict {
  const wholeMs = middle(sizes.find(({ applications }) => applications === GOAL.applications)!.runs).whole;
  return { wholeMs, wholeMet: wholeMs < GOAL.wholeMs, doubts: doubtsAboutLoad(machine) };
}

/** The exit code of a run. Doubts do not count: they are about the machine, and stand in the report. */
export function exitCode({ wholeMet }: Verdict, { check }: { readonly check: boolean }): number {
  return check && !wholeMet ? 1 : 0;
}

/** The report as people read it. */
export function render(figures: Figures): string {
  const { machine, sizes } = figures;
  const verdict = judge(figures);
  const rows = sizes.flatMap(({ applications, runs }, index): Row[] => {
    const { whole, load, construct, write, memory, size } = middle(runs);
    const goal = applications === GOAL.applications ? `< ${GOAL.wholeMs / 1000} s: ${verdict.wholeMet ? 'met' : 'NOT MET'}` : '';
    return [
      ...(index === 0 ? [] : [['', ''] as const]),
      [`${applications} applications`, seconds(whole), goal],
      ['  loading cdk8s and the package', seconds(load)],
      ['  creating the constructs', seconds(construct), `${(construct / applications).toFixed(2)} ms each`],
      ['  checking and writing the manifests', seconds(write), `${(write / applications).toFixed(2)} ms each, ${(size / MIB).toFixed(2)} MiB`],
      ['  peak memory', `${(memory / MIB).toFixed(0)} MiB`],
    ];
  });
  return [
    `Synthesized by a program of their own, start and end of Node included; in the middle of ${sizes[0]!.runs.length} runs`,
    `on ${machine.cores} × ${machine.processor}, Node ${machine.node}, load average ${machine.load.toFixed(2)}`,
    '',
    ...renderRows(rows),
    ...renderDoubts(verdict.doubts),
  ].join('\n');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
