import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { Problem } from '../../model/problem';

/** What of the options is lost where pods are in a group of the user's: they would be those of the group that is made. */
export function groupOfUser(options: readonly (keyof BatchSchedulerConfiguration)[], given: BatchSchedulerConfiguration): Problem[] {
  return options.filter((option) => given[option] !== undefined).map((option) => ({
    path: `spec.batchSchedulerOptions.${option}`, reason: 'has no effect: the driver is in a group of your own, which has to say it itself', severity: 'ineffective',
  }));
}
