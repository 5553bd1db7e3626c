import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { Problem } from '../../model/problem';

/**
 * Returns warnings about options without effect, because the user's pods have their own group. The
 * options only apply to a group that the operator creates.
 */
export function groupOfUser(options: readonly (keyof BatchSchedulerConfiguration)[], given: BatchSchedulerConfiguration): Problem[] {
  return options.filter((option) => given[option] !== undefined).map((option) => ({
    path: `spec.batchSchedulerOptions.${option}`, reason: 'has no effect: the driver is in your own group; set it there',
    severity: 'ineffective',
  }));
}
