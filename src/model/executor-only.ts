import type { SparkApplicationSpec } from '../api/spark-application';
import type { SparkPodSpec } from '../api/spark-pod';

/**
 * Fields of `spec.executor` that only decide where executors run. With the feature gate
 * PartialRestart, an edit of them keeps the driver, and new executors get the change. The fields
 * are those of kubeflow/spark-operator.
 */
export const EXECUTOR_ONLY = [
  'affinity', 'nodeSelector', 'priorityClassName', 'schedulerName', 'tolerations',
] as const satisfies readonly (keyof SparkPodSpec)[];

/** Specification of executors without these fields, or with nothing else. */
type Executor = Partial<SparkApplicationSpec['executor']>;

/** Returns the fields of executors that an edit can change without a restart. */
export function executorOnly(executor: Executor): Pick<Executor, typeof EXECUTOR_ONLY[number]> {
  return Object.fromEntries(EXECUTOR_ONLY.filter((field) => executor[field] !== undefined).map((field) => [field, executor[field]]));
}

/** Returns the specification of executors without these fields. */
export function withoutExecutorOnly<E extends Executor>(executor: E): Omit<E, typeof EXECUTOR_ONLY[number]> {
  const { affinity: _, nodeSelector: __, priorityClassName: ___, schedulerName: ____, tolerations: _____, ...rest } = executor;
  return rest;
}
