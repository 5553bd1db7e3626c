import type { SparkPodSpec } from '../api/spark-pod';

/**
 * Fields of `spec.executor` that only decide where executors run. With the feature gate
 * PartialRestart, an edit of them keeps the driver, and new executors get the change. The fields
 * are those of kubeflow/spark-operator.
 */
export const EXECUTOR_ONLY = [
  'affinity', 'nodeSelector', 'priorityClassName', 'schedulerName', 'tolerations',
] as const satisfies readonly (keyof SparkPodSpec)[];

/** One of these fields. */
export type ExecutorOnly = typeof EXECUTOR_ONLY[number];

/** Returns some of these fields of a specification, as far as it has them. */
export function executorOnly(executor: SparkPodSpec, fields: readonly ExecutorOnly[] = EXECUTOR_ONLY): Pick<SparkPodSpec, ExecutorOnly> {
  return Object.fromEntries(fields.filter((field) => executor[field] !== undefined).map((field) => [field, executor[field]])) as
    Pick<SparkPodSpec, ExecutorOnly>;
}

/** Returns the specification of executors without these fields. */
export function withoutExecutorOnly<E extends SparkPodSpec>(executor: E): Omit<E, ExecutorOnly> {
  const { affinity: _, nodeSelector: __, priorityClassName: ___, schedulerName: ____, tolerations: _____, ...rest } = executor;
  return rest;
}
