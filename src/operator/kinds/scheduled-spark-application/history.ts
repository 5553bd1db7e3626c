import { ApplicationState } from '../../../api/states';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { hasEnded, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';

/** Finished runs. */
export interface History {
  /** The names of the successful runs that are kept, the latest first. */
  readonly successful: readonly string[];
  readonly failed: readonly string[];
  /** The runs above the limit, the oldest first. */
  readonly surplus: readonly SparkApplication[];
}

/** The limit for successful and for failed runs, unless the specification has another. */
const DEFAULT_LIMIT = 1;

/** Returns the finished runs, split by the limits of the specification. */
export function historyOf({ spec }: ScheduledSparkApplication, runs: readonly SparkApplication[]): History {
  const ended = runs.filter(hasEnded).sort(latestFirst);
  const successful = ended.filter((run) => stateOf(run) === ApplicationState.COMPLETED);
  const failed = ended.filter((run) => stateOf(run) === ApplicationState.FAILED);
  const mostSuccessful = spec.successfulRunHistoryLimit ?? DEFAULT_LIMIT;
  const mostFailed = spec.failedRunHistoryLimit ?? DEFAULT_LIMIT;
  return {
    successful: successful.slice(0, mostSuccessful).map(({ metadata }) => metadata.name),
    failed: failed.slice(0, mostFailed).map(({ metadata }) => metadata.name),
    surplus: [...successful.slice(mostSuccessful), ...failed.slice(mostFailed)].sort(latestFirst).reverse(),
  };
}

/** Orders runs by their creation, the latest first. Runs of the same second are ordered by name. */
function latestFirst(a: SparkApplication, b: SparkApplication): number {
  const [first, second] = [a, b].map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
  return second! - first! || (a.metadata.name < b.metadata.name ? 1 : -1);
}
