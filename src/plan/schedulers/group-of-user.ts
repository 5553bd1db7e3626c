import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { SubmissionWarning } from '../warnings';

/**
 * Returns warnings about options without effect, because the user's pods have their own group. The
 * options only apply to a group that the operator creates.
 */
export function groupOfUser(
  options: readonly (keyof BatchSchedulerConfiguration)[], given: BatchSchedulerConfiguration,
): SubmissionWarning[] {
  return options.filter((option) => given[option] !== undefined).map((option) => ({
    field: `spec.batchSchedulerOptions.${option}`, message: 'has no effect: the driver is in your own group; set it there',
  }));
}
