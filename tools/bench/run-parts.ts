import { formatError } from '../local-cluster/errors.ts';
import type { Progress } from '../local-cluster/progress.ts';
import { impersonal } from './impersonal.ts';
import type { BenchFigures, Failure, Measured, PartFigures, PartName } from './report/figures.ts';
import { minutes } from './report/format.ts';

/** A benchmark as one of several. */
export interface Part<Name extends PartName = PartName> {
  readonly name: Name;
  /** About how long it takes, in seconds. */
  readonly seconds: number;
  measure(progress: Progress): Promise<PartFigures[Name]>;
}

export interface RunOptions {
  readonly progress: Progress;
  /** In milliseconds since the epoch. */
  readonly now: () => number;
  /** Tells what runs. */
  readonly version: string;
  /** The root of the repository, which is not to be told. */
  readonly root: string;
  /** Told what there is after each part, so that nothing is lost when a later one is interrupted. */
  readonly keep: (soFar: Outcome) => void;
}

/** What came of the parts. */
export type Outcome = Pick<BenchFigures, 'parts' | 'failures'>;

/** Runs one part after the other. One that fails does not take the others with it. */
export async function runParts(parts: readonly Part[], { progress, now, version, root, keep }: RunOptions): Promise<Outcome> {
  const done: Partial<Record<PartName, Measured<any>>> = {};
  const failures: Failure[] = [];
  const whole = parts.reduce((sum, { seconds }) => sum + seconds, 0);
  const began = now();
  for (const [index, part] of parts.entries()) {
    const started = now();
    const left = parts.slice(index).reduce((sum, { seconds }) => sum + seconds, 0);
    progress.note(`${part.name}: ${index + 1} of ${parts.length}, takes about ${minutes(part.seconds)}; ${minutes((started - began) / 1000)} gone, about ${minutes(left)} of ${minutes(whole)} to go`);
    try {
      const figures = await part.measure(told(progress, part, started, now));
      done[part.name] = { day: new Date(started).toISOString().slice(0, 10), seconds: Math.round((now() - started) / 1000), version, figures };
      progress.note(`${part.name}: done in ${minutes((now() - started) / 1000)}`);
    } catch (error) {
      progress.note(`${part.name}: FAILED after ${minutes((now() - started) / 1000)}\n${formatError(error)}`);
      failures.push({ part: part.name, reason: impersonal((error as Error).message ?? String(error), root) });
    }
    keep({ parts: { ...done }, failures: [...failures] });
  }
  return { parts: done, failures };
}

/** Says with each line what it is part of, how long that has been running, and how long it is expected to. */
function told(progress: Progress, { name, seconds }: Part, started: number, now: () => number): Progress {
  const prefix = () => `[${name}, ${minutes((now() - started) / 1000)} of about ${minutes(seconds)}]`;
  return {
    note: (line) => progress.note(`${prefix()} ${line}`),
    step: (label, work) => progress.step(`${prefix()} ${label}`, work),
  };
}
