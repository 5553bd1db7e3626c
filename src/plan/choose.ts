import { ANNOTATION_SUBMISSION_MODE } from '../api/labels';
import { SubmissionError } from './errors';
import type { SubmissionReason } from './native/reasons-against';
import { SUBMISSION_MODES, type SubmissionMode, type SubmissionSettings } from './settings';

export type { SubmissionReason } from './native/reasons-against';

/** The operator's flag for the mode, also in errors. */
export const SUBMISSION_MODE_FLAG = '--submission-mode';

/** The operator's flag that forbids applications to choose the mode. */
const SUBMISSION_MODE_ANNOTATION_FLAG = '--enable-submission-mode-annotation';

/** A mode and its origin. */
export interface RequestedMode {
  readonly mode: SubmissionMode;
  /** The annotation or the operator's flag. */
  readonly field: string;
}

/**
 * Returns the mode of an application: its annotation, else the operator's.
 *
 * @throws SubmissionError if the annotation is no mode, or is not allowed
 */
export function requestedMode(
  annotations: { readonly [name: string]: string } | undefined,
  { mode: byDefault, modeAnnotation }: Pick<SubmissionSettings, 'mode' | 'modeAnnotation'>,
): RequestedMode {
  const text = annotations?.[ANNOTATION_SUBMISSION_MODE];
  if (text === undefined) {
    return { mode: byDefault, field: SUBMISSION_MODE_FLAG };
  }
  const field = `metadata.annotations[${ANNOTATION_SUBMISSION_MODE}]`;
  if (modeAnnotation === false) {
    throw new SubmissionError({
      field, value: text, reason: `is not allowed by the operator (${SUBMISSION_MODE_ANNOTATION_FLAG}=false)`,
      remedy: 'remove it, or ask who looks after the operator',
    });
  }
  const mode = SUBMISSION_MODES.find(name => name === text);
  if (mode === undefined) {
    throw new SubmissionError({
      field, value: text, reason: 'is not a way to submit', remedy: `write ${SUBMISSION_MODES.join(', ')}, or remove it`,
    });
  }
  return { mode, field };
}

/** The input of a choice. */
export interface ChoiceInput {
  readonly requested: RequestedMode;
  /** Reasons against native submission. */
  readonly againstNative: readonly SubmissionReason[];
  /** Reasons against spark-submit. */
  readonly againstSparkSubmit: readonly SubmissionReason[];
}

/** The chosen way to submit an application. */
export type Choice =
  | { readonly kind: 'native' }
  /** `because`: a sentence for log and event. */
  | { readonly kind: 'spark-submit'; readonly because: string }
  | { readonly kind: 'refused'; readonly error: SubmissionError };

/** Chooses between native submission and spark-submit. A rejection contains all reasons. */
export function chooseSubmission({ requested, againstNative, againstSparkSubmit }: ChoiceInput): Choice {
  const { mode, field } = requested;
  if (mode !== 'spark-submit' && againstNative.length === 0) return { kind: 'native' };
  const isPossible = againstSparkSubmit.length === 0;
  if (mode === 'native') {
    return refused(againstNative, isPossible ? `Or write auto for ${field}: spark-submit could submit it` : undefined);
  }
  if (!isPossible) {
    const isExplained = againstSparkSubmit.some((reason) => reason.field === againstNative[0]?.field);
    return refused(
      againstSparkSubmit, mode === 'auto' && !isExplained ? `It needs spark-submit because ${complaintOf(againstNative[0]!)}` : undefined,
    );
  }
  return { kind: 'spark-submit', because: mode === 'auto' ? againstNative.map(complaintOf).join('; ') : `${field} requests it` };
}

/** Maximum number of reasons in an error: more would hide the first ones. */
const MAX_REASONS = 5;

/** Returns one error for several reasons: the error of the first one, followed by the others. */
function refused(reasons: readonly SubmissionReason[], advice?: string): Choice {
  const [first, ...others] = reasons;
  const shown = others.slice(0, MAX_REASONS - 1);
  const hidden = others.length - shown.length;
  const remedy = [
    first!.remedy,
    ...shown.map(reason => new SubmissionError(reason).message),
    ...(hidden > 0 ? [`There are ${hidden} more reasons`] : []),
    ...(advice === undefined ? [] : [advice]),
  ].join('. ');
  return { kind: 'refused', error: new SubmissionError({ ...first!, remedy }) };
}

/** Returns a reason without its remedy. The error leaves out secrets. */
function complaintOf(details: SubmissionReason): string {
  const { field, value, reason } = new SubmissionError(details);
  return `${value === undefined ? field : `${field} = ${JSON.stringify(value)}`} ${reason}`;
}
