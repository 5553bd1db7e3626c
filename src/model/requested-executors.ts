import type { SparkApplicationSpec } from '../api/spark-application';
import { ApplicationState, ConditionType, ExecutorState } from '../api/states';
import { stateOf, type WholeApplication } from './spark-application';

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

/** Milliseconds after which a running driver or server should have its executors' pods. */
export const CREATED_AFTER = 15_000;

/**
 * Returns since when an application runs, in milliseconds; NaN if it does not run, or that is
 * unknown.
 */
export function runningSince(status: WholeApplication['status']): number {
  const condition = status?.conditions?.find(({ type, status: value }) => type === ConditionType.RUNNING && value === 'True');
  return Date.parse(condition?.lastTransitionTime ?? '');
}

/**
 * Whether an application has fewer executors than it requests although its driver has run for some
 * time. With dynamic allocation it counts as requesting one.
 *
 * @param now in milliseconds
 */
export function lacksExecutors({ spec, status }: Pick<WholeApplication, 'spec' | 'status'>, now: number): boolean {
  if (stateOf({ status }) !== ApplicationState.RUNNING || !(now - runningSince(status) > CREATED_AFTER)) return false;
  const states = Object.values(status?.executorState ?? {});
  const here = states.filter((state) => state === ExecutorState.RUNNING || state === ExecutorState.PENDING);
  return here.length < (requestedExecutors(spec) ?? 1);
}
