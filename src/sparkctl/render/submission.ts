import type { RenderedApplication } from './application';
import type { RenderSettings } from './settings';
import { chooseSubmission, requestedMode } from '../../plan/choose';
import { prepareSubmission, type PreparedSubmission } from '../../plan/prepare';
import { reasonsAgainstNative } from '../../plan/native/reasons-against';
import { reasonsAgainstSparkSubmit } from '../../plan/spark-submit/reasons-against';

/** A submission as the operator would make it. */
export interface Submission {
  readonly prepared: PreparedSubmission;
  /** Why the operator runs spark-submit; undefined if it submits natively. */
  readonly bySparkSubmit?: string;
  /** See RenderedApplication. */
  readonly placeholders: readonly string[];
}

/**
 * Prepares a submission and chooses the way it goes, as the operator does. It is taken for granted that there is a spark-submit, as nobody here knows.
 *
 * @throws SubmissionError if the operator would refuse it
 */
export function submissionOf({ application, context, placeholders }: RenderedApplication, settings: RenderSettings): Submission {
  const prepared = prepareSubmission(application, context);
  const choice = chooseSubmission({
    requested: requestedMode(application.metadata.annotations, settings),
    runnerAvailable: true,
    againstNative: reasonsAgainstNative(prepared),
    againstSparkSubmit: reasonsAgainstSparkSubmit(prepared, settings.permissions),
  });
  if (choice.kind === 'refused') throw choice.error;
  return { prepared, placeholders, ...(choice.kind === 'spark-submit' && { bySparkSubmit: choice.because }) };
}

/** The first line of what is printed of an application, without the sign of a comment. */
export function titleOf({ prepared: { metadata, context }, placeholders }: Submission): string {
  const standIns = placeholders.length === 0 ? '' : `; placeholders stand for ${placeholders.join(', ')}`;
  return `SparkApplication ${metadata.namespace}/${metadata.name}, attempt ${context.attempt}${standIns}`;
}
