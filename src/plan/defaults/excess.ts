import { SubmissionError, type SubmissionErrorDetails } from '../errors';
import { LIMITS_KEY, type Layer } from './layer';

/** A value above a limit. */
export interface Excess extends Pick<SubmissionErrorDetails, 'field' | 'value' | 'remedy'> {
  /**
   * The rest of a sentence that starts with the field and ends in the name of the ConfigMap: `is
   * more than`, `is not among`.
   */
  readonly reason: string;
  /** The limit, such as `executor.maxMemory: 32g`. */
  readonly limit: string;
}

/** Returns the error for a value above the limit of a ConfigMap. */
export function refusal({ field, value, reason, limit, remedy }: Excess, { configMap, origin }: Layer): SubmissionError {
  return new SubmissionError({
    field, value, reason: `${reason} what ${origin ?? `ConfigMap ${configMap}`} allows (${origin ? 'limits' : LIMITS_KEY}: ${limit})`,
    remedy: `${remedy}, or ask who looks after ${origin ?? 'the ConfigMap'}`,
  });
}

/** Maximum number of listed globs: more do not help users. */
const MAX_GLOBS = 5;

/** Returns the globs of a limit for an error. */
export function globList(globs: readonly string[]): string {
  return [...globs.slice(0, MAX_GLOBS), ...(globs.length > MAX_GLOBS ? [`and ${globs.length - MAX_GLOBS} more`] : [])].join(', ') || 'none';
}
