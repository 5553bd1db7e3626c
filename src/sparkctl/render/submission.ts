import type { RenderedApplication } from './application';
import type { RenderSettings } from './settings';
import { planApplication, type Plan, type PlanOptions } from '../../plan/plan-application';
import type { PreparedSubmission } from '../../plan/prepare';

/** Submission as the operator would prepare it. */
export interface Submission {
  readonly prepared: PreparedSubmission;
  /** Reason why the operator runs spark-submit; undefined if it submits natively. */
  readonly bySparkSubmit?: string;
  /** See `RenderedApplication`. */
  readonly placeholders: readonly string[];
}

/**
 * Plans a submission as the operator does.
 *
 * @param options @default - with all that a submission needs
 */
export function planOf(
  { application, ids }: RenderedApplication, settings: RenderSettings, options: Pick<PlanOptions, 'imageCanFollow'> = {},
): Plan {
  const { mode, sparkUser, batchSchedulers } = settings;
  return planApplication(application, { submission: { mode, sparkUser, batchSchedulers } }, { ids, ...options });
}

/** Returns the title of an application's output, without a comment sign. */
export function titleOf({ prepared: { metadata, context }, placeholders }: Submission): string {
  const standIns = placeholders.length === 0 ? '' : `; placeholders replace ${placeholders.join(', ')}`;
  return `SparkApplication ${metadata.namespace}/${metadata.name}, attempt ${context.attempt}${standIns}`;
}
