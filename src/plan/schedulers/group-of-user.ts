import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { SubmissionWarning } from '../warnings';

/** What of the options is lost where pods are in a group of the user's: they would be those of the group that is made. */
export function groupOfUser(options: readonly (keyof BatchSchedulerConfiguration)[], given: BatchSchedulerConfiguration): SubmissionWarning[] {
  return options.filter((option) => given[option] !== undefined).map((option) => ({
    field: `spec.batchSchedulerOptions.${option}`, message: 'has no effect: the driver is in a group of your own, which has to say it itself',
  }));
}
