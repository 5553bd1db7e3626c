import type { Submission } from './submission';
import type { RenderSettings } from './settings';
import type { Problem } from '../../model/problem';

/** Output for one application. */
export interface Piece<T> {
  readonly content: T;
  readonly warnings: readonly Problem[];
  /** Files to write, by path. @default - none */
  readonly files?: Readonly<Record<string, string>>;
}

/** Output format. Pure. */
export interface Output<T> {
  /**
   * Renders one application.
   *
   * @throws SubmissionError if it cannot be submitted
   * @throws NotShown if it can be submitted, but not printed in this format
   */
  render(submission: Submission, settings: RenderSettings): Piece<T>;
  /** Joins the outputs of several applications. */
  join(contents: readonly T[]): string;
}

/** Error for an application that cannot be printed in a format. The message names the remedy. */
export class NotShown extends Error {}
