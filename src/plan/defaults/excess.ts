import { SubmissionError, type SubmissionErrorDetails } from '../errors';
import { LIMITS_KEY, type Layer } from './layer';

/** One thing that is too much. */
export interface Excess extends Pick<SubmissionErrorDetails, 'field' | 'value' | 'remedy'> {
  /** The rest of a sentence that starts with the field and ends in the name of the ConfigMap: `is more than`, `is not among`. */
  readonly reason: string;
  /** The limit, such as `executor.maxMemory: 32g`. */
  readonly limit: string;
}

/** The error for something that is more than a ConfigMap allows. */
export function refusal({ field, value, reason, limit, remedy }: Excess, { configMap }: Layer): SubmissionError {
  return new SubmissionError({ field, value, reason: `${reason} what ConfigMap ${configMap} allows (${LIMITS_KEY}: ${limit})`, remedy: `${remedy}, or ask who looks after the ConfigMap` });
}

/** More globs than these do not help users. */
const MAX_GLOBS = 5;

/** The globs of a limit, as an error lists them. */
export function globList(globs: readonly string[]): string {
  return [...globs.slice(0, MAX_GLOBS), ...(globs.length > MAX_GLOBS ? [`and ${globs.length - MAX_GLOBS} more`] : [])].join(', ') || 'none';
}
