import type { RenderedApplication } from './application';
import type { RenderSettings } from './settings';
import { chooseSubmission, requestedMode } from '../../plan/choose';
import { prepareSubmission, type PreparedSubmission } from '../../plan/prepare';
import { reasonsAgainstNative } from '../../plan/native/reasons-against';
import { reasonsAgainstSparkSubmit } from '../../plan/spark-submit/reasons-against';

/** Submission as the operator would prepare it. */
export interface Submission {
  readonly prepared: PreparedSubmission;
  /** Reason why the operator runs spark-submit; undefined if it submits natively. */
  readonly bySparkSubmit?: string;
  /** See `RenderedApplication`. */
  readonly placeholders: readonly string[];
}

/**
 * Prepares a submission and chooses between native submission and spark-submit, as the operator
 * does. It assumes that spark-submit is available.
 *
 * @throws SubmissionError if the operator would reject it
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

/** Returns the title of an application's output, without a comment sign. */
export function titleOf({ prepared: { metadata, context }, placeholders }: Submission): string {
  const standIns = placeholders.length === 0 ? '' : `; placeholders replace ${placeholders.join(', ')}`;
  return `SparkApplication ${metadata.namespace}/${metadata.name}, attempt ${context.attempt}${standIns}`;
}
