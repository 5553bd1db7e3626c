import type { SparkApplicationSpec } from '../api/spark-application';
import { inCommonUnits, parseMemorySize } from '../model/memory-size';
import { RESOLVED_FIELDS } from './fields';
import type { ConfReader } from './native/conf-reader';
import type { MainApplication } from './properties/main-application';
import { overridden, type Problem } from '../model/problem';
import { ROLES, type Role } from './properties/role';
import type { ReadonlySparkProperties } from './properties/spark-conf';
import type { SparkVersion } from './versions';
import { memoryOverhead } from './memory';
import { valueAt } from './paths';

/** Defaults of Spark, in MiB, and the shares of the heap that are added. */
const DEFAULT_HEAP = 1024;
const DEFAULT_MINIMUM_OVERHEAD = 384;
const DEFAULT_FACTOR = { java: 0.1, python: 0.4, r: 0.4 };

/** Property with the factor of both roles. */
export const OVERHEAD_FACTOR = 'spark.kubernetes.memoryOverheadFactor';

/** Properties with the overhead of a role, by precedence. */
function overheadKeys(role: Role): string[] {
  return [`spark.${role}.memoryOverhead`, `spark.yarn.${role}.memoryOverhead`];
}

/** Returns warnings about overhead factors that another setting replaces. */
export function overheadWarnings(properties: ReadonlySparkProperties): Problem[] {
  const stronger = ROLES.map((role) => [...overheadKeys(role), `spark.${role}.memoryOverheadFactor`].filter((key) => properties.has(key)));
  const isReplaced = ([first]: readonly string[]) => first !== undefined && properties.get(first) !== properties.get(OVERHEAD_FACTOR);
  const replacing = (keys: readonly string[]) => keys.map((key) => properties.fieldOf(key)).join(' and ');
  return [
    ...stronger.filter((keys) => keys.length > 1).map((keys) => overridden(properties.fieldOf(keys.at(-1)!), replacing(keys.slice(0, 1)))),
    ...(properties.has(OVERHEAD_FACTOR) && stronger.every(isReplaced)
      ? [overridden(properties.fieldOf(OVERHEAD_FACTOR), replacing(stronger.map(([first]) => first!)))] : []),
  ];
}

/** Fields with a size. */
const SIZE_FIELDS = RESOLVED_FIELDS.filter(({ path }) => /^memory(Overhead)?$/.test(path.at(-1)!));

/** Returns warnings about sizes in units that the application's Spark does not read itself. */
export function sizeWarnings(spec: SparkApplicationSpec, { features }: SparkVersion): Problem[] {
  if (features.binaryUnits) return [];
  return SIZE_FIELDS.flatMap(({ path, field }): Problem[] => {
    const value = valueAt(spec, path);
    if (typeof value !== 'string' || !parseMemorySize(value)?.isBinary) return [];
    const same = inCommonUnits(value);
    return [{ path: field, value, reason: `has a unit that Spark reads since 4.2, and becomes ${same}`, remedy: `write ${same}`, severity: 'warning' }];
  });
}

/** Input for the memory of a container. */
export interface MemoryInput {
  readonly conf: ConfReader;
  readonly application: Pick<MainApplication, 'type'>;
  readonly version: SparkVersion;
}

/** Returns the heap of a role in MiB. */
export function heapOf(conf: ConfReader, role: Role): number {
  return conf.mebibytes(`spark.${role}.memory`) ?? DEFAULT_HEAP;
}

/**
 * Returns the overhead factor of a role. Unlike that of both roles, Spark does not accept 0
 * (DRIVER_MEMORY_OVERHEAD_FACTOR, EXECUTOR_MEMORY_OVERHEAD_FACTOR).
 */
export function factorOf(conf: ConfReader, role: Role): number | undefined {
  const key = `spark.${role}.memoryOverheadFactor`;
  const factor = conf.factor(key);
  if (factor === 0) throw conf.wrong(key, 'is not greater than 0', 'write a number such as 0.1');
  return factor;
}

/** Returns the overhead factor of both roles. */
export function factorOfBothRoles({ conf, application }: Pick<MemoryInput, 'conf' | 'application'>): number {
  return conf.factor(OVERHEAD_FACTOR) ?? DEFAULT_FACTOR[application.type];
}

/**
 * Returns the memory of Spark's container in MiB: heap and overhead, and for executors Python's and
 * off-heap memory (BasicDriverFeatureStep, ResourceProfile). Python's memory only applies to
 * applications in Python, even if the property is set.
 */
export function containerMemory(input: MemoryInput, role: Role): number {
  const { conf, application, version } = input;
  const heap = heapOf(conf, role);
  const minimum = version.features.minMemoryOverhead ? conf.mebibytes(`spark.${role}.minMemoryOverhead`) : undefined;
  const overhead = conf.mebibytes(...overheadKeys(role)) ?? memoryOverhead({
    heap,
    factor: factorOf(conf, role) ?? factorOfBothRoles(input),
    minimum: minimum ?? DEFAULT_MINIMUM_OVERHEAD,
  });
  if (role === 'driver') return heap + overhead;
  const offHeap = conf.boolean(['spark.memory.offHeap.enabled'], false) ? offHeapOf(conf) ?? 0 : 0;
  const python = application.type === 'python' ? conf.mebibytes('spark.executor.pyspark.memory') ?? 0 : 0;
  return heap + overhead + python + offHeap;
}

/**
 * Returns the size of off-heap memory in MiB. Without a unit, it is in bytes, unlike other sizes
 * (Utils.memoryStringToMb).
 */
export function offHeapOf(conf: ConfReader): number | undefined {
  const key = 'spark.memory.offHeap.size';
  const text = conf.text(key);
  return text !== undefined && /^\s*[0-9]+\s*$/.test(text) ? Math.floor(Number(text) / 2 ** 20) : conf.mebibytes(key);
}
