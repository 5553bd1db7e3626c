import { isError, problemText, type Problem } from '../model/problem';
import { SubmissionError } from './errors';
import type { SparkProperties } from './properties/spark-conf';

/** Runs the steps of a plan. */
export interface Steps {
  /**
   * Runs a step. Returns undefined if it fails and the plan continues.
   *
   * @param properties the properties that the step reads
   * @throws SubmissionError if the plan stops at the first problem
   */
  attempt<T>(step: () => T, properties?: Pick<SparkProperties, 'discard'>): T | undefined;
}

/** Stops at the first problem. */
export const STOP_AT_FIRST: Steps = { attempt: (step) => step() };

/**
 * Maximum number of problems: an answer has room for fewer, and the text of each costs time. An
 * error is kept however many warnings there are.
 */
export const MAX_PROBLEMS = 50;

/** Maximum number of runs of a step, each of which can find one more problem. */
const MAX_RUNS = 8;

/** Collects the problems of a plan. */
export class Problems implements Steps {
  private readonly found = new Map<string, Problem>();
  /** Fields that steps rejected. */
  private readonly rejected: string[] = [];

  constructor(private readonly maxRuns = MAX_RUNS) {}

  public get list(): readonly Problem[] {
    return [...this.found.values()];
  }

  public get hasErrors(): boolean {
    return this.list.some(isError);
  }

  /** Reports problems. It omits sentences that are already reported. */
  public report(problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (this.hasRoomFor(problem)) this.found.set(problemText(problem), problem);
    }
  }

  /**
   * Runs a step. If the step rejects the value of a property, the property is discarded and the
   * step runs again, so that one plan reports all problems.
   */
  public attempt<T>(step: () => T, properties?: Pick<SparkProperties, 'discard'>): T | undefined {
    for (let run = 1; ; run++) {
      try {
        return step();
      } catch (error) {
        if (!SubmissionError.is(error)) throw error;
        const isNew = this.reject(error.problem);
        if (!isNew || run === this.maxRuns || !properties?.discard(error.field)) return undefined;
      }
    }
  }

  /**
   * Reports an error of a step. It omits errors that follow from an earlier one: of the same field,
   * in it or around it, comparisons with a rejected field, and those of neither a field nor a flag.
   *
   * @returns whether the field is rejected for the first time
   */
  public reject(problem: Problem): boolean {
    const text = problemText(problem);
    const isKnown = this.found.has(text) || this.rejected.includes(problem.path);
    const isRepeated = isKnown || !this.hasRoomFor(problem) || this.list.filter(isError).some(({ path }) => (
      isWithin(path, problem.path) || isWithin(problem.path, path)
    )) || this.rejected.some((field) => mentions(text, field)) || (this.hasErrors && !/^(spec\b|metadata\b|--)/.test(problem.path));
    if (!isRepeated) this.found.set(text, problem);
    if (!isKnown) this.rejected.push(problem.path);
    return !isKnown;
  }

  private hasRoomFor(problem: Problem): boolean {
    return this.found.size < MAX_PROBLEMS || (isError(problem) && !this.hasErrors);
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Whether a sentence names a field, and not one that is in it. */
function mentions(text: string, field: string): boolean {
  for (let at = text.indexOf(field); at >= 0; at = text.indexOf(field, at + 1)) {
    if (!/[\w.]/.test(text[at - 1] ?? ' ') && !/[\w[]|\.\w/.test(text.slice(at + field.length, at + field.length + 2))) return true;
  }
  return false;
}
