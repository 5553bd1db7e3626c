import type { SparkApplicationSpec } from '../api/spark-application';

/** Numbers that Spark accepts and a field of the status (int32) can hold. */
const COUNT = /^\d{1,9}$/;

/**
 * Returns the number of executors that a specification requests, also by its Spark properties.
 *
 * @returns undefined with dynamic allocation, or if the number is invalid
 */
export function requestedExecutors(
  { executor, dynamicAllocation, sparkConf = {} }: Partial<Pick<SparkApplicationSpec, 'executor' | 'dynamicAllocation' | 'sparkConf'>>,
): number | undefined {
  if (dynamicAllocation?.enabled || sparkConf['spark.dynamicAllocation.enabled']?.trim().toLowerCase() === 'true') return undefined;
  const instances = String(executor?.instances ?? sparkConf['spark.executor.instances'] ?? 1).trim();
  return COUNT.test(instances) ? Number(instances) : undefined;
}
