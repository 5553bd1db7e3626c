import type { Submission } from './submission';
import type { RenderSettings } from './settings';
import type { SubmissionWarning } from '../../plan/warnings';

/** What is printed of one application. */
export interface Piece<T> {
  readonly content: T;
  readonly warnings: readonly SubmissionWarning[];
  /** Files to write, by path. Default: none. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A form of output. Pure. */
export interface Output<T> {
  /**
   * Renders one application.
   *
   * @throws SubmissionError if it cannot be submitted
   * @throws NotShown if it can be submitted, but not be shown in this form
   */
  render(submission: Submission, settings: RenderSettings): Piece<T>;
  /** Puts together what is printed. */
  join(contents: readonly T[]): string;
}

/** An application cannot be shown in this form. The message is a sentence that says what to do. */
export class NotShown extends Error {}
