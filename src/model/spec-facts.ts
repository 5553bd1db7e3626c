import type { SparkApplicationSpec } from '../api/spark-application';
import type { DriverSpec, ExecutorSpec } from '../api/spark-pod';
import type { Problem } from './problem';
import { bytesOf } from '../text/json-bytes';

/** The Spark property that names the driver's Pod. */
export const DRIVER_POD_NAME = 'spark.kubernetes.driver.pod.name';

/**
 * Maximum size of the facts of a specification, in bytes of JSON. Most of it is for annotations of
 * Services and Ingresses, which usually have a few KiB.
 */
export const MAX_FACTS_BYTES = 16 * 1024;

/**
 * Maximum number of values in an object in memory. Many small values take twenty times the memory
 * of one text with the same JSON length.
 */
export const MAX_KEPT_VALUES = 500;

/** Minimum size of a part to mention in the error, in bytes of JSON. */
const LONG_PART = 1024;

/** Returns whether a value is small enough to keep in memory. */
export function isSmall(value: unknown, maxBytes: number): boolean {
  return bytesOf(value) <= maxBytes && valuesIn(value) <= MAX_KEPT_VALUES;
}

/** Returns the number of values in a value, including itself. */
export function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

/** Returns why facts are too large to be kept in memory; nothing if they are not. */
export function oversizedFacts(facts: object, path: string): Problem[] {
  if (isSmall(facts, MAX_FACTS_BYTES)) return [];
  const bytes = bytesOf(facts);
  const parts = Object.entries(facts).filter(([, value]) => bytesOf(value) > LONG_PART).map(([field]) => field).join(', ');
  const reason = bytes > MAX_FACTS_BYTES
    ? `must have at most ${MAX_FACTS_BYTES / 1024} KiB as JSON in ${parts} together, not ${Math.ceil(bytes / 1024)} KiB`
    : `must have at most ${MAX_KEPT_VALUES} entries in ${parts} together`;
  return [{ path, value: undefined, reason }];
}

/** Properties that the operator reads after the submission. */
const PROPERTIES = [
  'spark.ui.enabled',
  'spark.ui.port',
  DRIVER_POD_NAME,
  'spark.kubernetes.scheduler.name',
  'spark.kubernetes.driver.scheduler.name',
  'spark.kubernetes.executor.scheduler.name',
  // They decide whether the cluster's default of `monitoring` applies.
  'spark.metrics.namespace',
  'spark.metrics.conf',
] as const;

/** Fields of a role that the operator reads after the submission. */
type RoleFacts<S extends DriverSpec | ExecutorSpec> = Pick<S, 'schedulerName' | ('podName' & keyof S)> & {
  readonly template?: { readonly spec?: { readonly schedulerName?: string } };
};

/**
 * Fields that the operator needs until the end of every application. Users cannot make them large.
 */
type Numbers = Pick<
  SparkApplicationSpec, 'suspend' | 'timeToLiveSeconds' | 'activeDeadlineSeconds' | 'restartPolicy' | 'driverPodDisruptionBudget'
>;

/**
 * Parts of a specification that the operator also reads after its submission. A complete
 * specification is assignable to it.
 */
export interface SpecFacts extends Numbers, Pick<SparkApplicationSpec, 'batchScheduler' | 'sparkUIOptions' | 'driverIngressOptions'> {
  readonly sparkConf?: { readonly [key in (typeof PROPERTIES)[number]]?: string };
  readonly monitoring?: {
    readonly prometheus?: object;
    /** They decide whether an enforced value of `monitoring` replaces the exporter. */
    readonly exposeDriverMetrics?: boolean;
    readonly exposeExecutorMetrics?: boolean;
  };
  readonly driver: RoleFacts<DriverSpec>;
  readonly executor: RoleFacts<ExecutorSpec>;
}

/** Returns the facts of a specification. */
export function factsOf(spec: SparkApplicationSpec): SpecFacts {
  const { batchScheduler, sparkUIOptions, driverIngressOptions, sparkConf, monitoring, driver, executor } = spec;
  const properties = PROPERTIES.filter((key) => sparkConf?.[key] !== undefined).map((key) => [key, sparkConf![key]] as const);
  return withoutUndefined({
    ...numbersOf(spec),
    batchScheduler,
    sparkUIOptions,
    driverIngressOptions,
    sparkConf: properties.length > 0 ? Object.fromEntries(properties) : undefined,
    monitoring: monitoring && withoutUndefined({
      prometheus: monitoring.prometheus && {},
      exposeDriverMetrics: monitoring.exposeDriverMetrics,
      exposeExecutorMetrics: monitoring.exposeExecutorMetrics,
    }),
    driver: withoutUndefined({ podName: driver?.podName, ...schedulerOf(driver) }),
    executor: schedulerOf(executor),
  });
}

/** Returns the facts to keep if all of them together are too large. */
export function numbersOf(spec: SparkApplicationSpec): SpecFacts {
  const { suspend, timeToLiveSeconds, activeDeadlineSeconds, restartPolicy, driverPodDisruptionBudget } = spec;
  return withoutUndefined({
    suspend, timeToLiveSeconds, activeDeadlineSeconds, restartPolicy, driverPodDisruptionBudget, driver: {}, executor: {},
  });
}

function schedulerOf(role: DriverSpec | ExecutorSpec | undefined): RoleFacts<ExecutorSpec> {
  const inTemplate = role?.template?.spec?.schedulerName;
  const template = inTemplate === undefined ? undefined : { spec: { schedulerName: inTemplate } };
  return withoutUndefined({ schedulerName: role?.schedulerName, template });
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
