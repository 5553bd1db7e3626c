import { inCommonUnits, isJvmSize } from '../../model/memory-size';
import { ConfReader } from '../native/conf-reader';
import type { SparkVersion } from '../versions';
import type { Role } from './role';
import type { ReadonlySparkProperties } from './spark-conf';

/** Minimum heap in MiB: 1.5 times Spark's reserved memory of 300 MiB (UnifiedMemoryManager). */
const LEAST_HEAP = 450;

/**
 * Checks that Spark starts with the heap of a role (UnifiedMemoryManager.getMaxMemory). Tests of
 * Spark can change the minimum.
 *
 * @throws SubmissionError if it is too small, or in units of Spark that the JVM does not read
 */
export function checkHeap(properties: ReadonlySparkProperties, role: Role, version: SparkVersion): void {
  const key = `spark.${role}.memory`;
  if (!properties.has(key) || properties.get(key)!.includes('${') || properties.withPrefix('spark.testing').length > 0) return;
  const conf = new ConfReader(properties, version);
  const mebibytes = conf.mebibytes(key)!;
  if (role === 'driver' && !isJvmSize(properties.get(key)!)) {
    const remedy = `write ${inCommonUnits(properties.get(key)!)}`;
    throw conf.wrong(key, "is passed to the driver's JVM as it is (-Xmx), which does not start with it", remedy);
  }
  if (mebibytes >= LEAST_HEAP) return;
  throw conf.wrong(key, `is less than ${LEAST_HEAP} MiB, with which Spark does not start`, `write ${LEAST_HEAP}m or more`);
}
