import { SparkApplicationType, type SparkApplicationSpec } from '../../api/spark-application';
import type { Problem } from '../../model/problem';

/** Minimum overhead in MiB, and the overhead factors (BasicDriverFeatureStep). */
const LEAST_OVERHEAD = 384;
const FACTOR = 0.1;
const FACTOR_OUTSIDE_THE_JVM = 0.4;

/**
 * Reports a limit of the driver's memory below its request: heap and overhead, as set or by Spark's
 * defaults.
 * @internal
 */
export function memoryLimitViolations(spec: SparkApplicationSpec): Problem[] {
  const { memory, memoryLimit } = spec.driver;
  const heap = mebibytes(memory || spec.sparkConf?.['spark.driver.memory'] || '1g', 'm');
  const limit = mebibytes(memoryLimit, 'b');
  if (heap === undefined || limit === undefined) return [];
  const overhead = overheadOf(spec, Math.floor(heap));
  if (overhead === undefined || limit >= Math.floor(heap) + overhead) return [];
  const remedy = `raise it, or ${memory ? 'lower' : 'write a lower'} spec.driver.memory`;
  const reason = `is less than memory and memoryOverhead, ${Math.floor(heap) + overhead} MiB: ${remedy}`;
  return [{ path: 'spec.driver.memoryLimit', value: memoryLimit, reason }];
}

/** Returns the overhead in MiB; undefined if it depends on settings that are not handled here. */
function overheadOf({ type, driver, sparkConf = {}, memoryOverheadFactor }: SparkApplicationSpec, heap: number): number | undefined {
  const written = driver.memoryOverhead || sparkConf['spark.driver.memoryOverhead'];
  if (written) return floor(mebibytes(written, 'm'));
  const others = /^spark[.](driver|kubernetes)[.](memoryOverheadFactor|minMemoryOverhead)$/;
  if (Object.keys(sparkConf).some((key) => others.test(key))) return undefined;
  const byDefault = type === SparkApplicationType.JAVA || type === SparkApplicationType.SCALA ? FACTOR : FACTOR_OUTSIDE_THE_JVM;
  return floor(Math.max((memoryOverheadFactor ? Number(memoryOverheadFactor) : byDefault) * heap, LEAST_OVERHEAD));
}

function floor(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : Math.floor(value);
}

const MEBIBYTES: { readonly [unit: string]: number } = { b: 2 ** -20, k: 2 ** -10, m: 1, g: 2 ** 10, t: 2 ** 20, p: 2 ** 30, e: 2 ** 40 };

function mebibytes(text: string | undefined, unit: string): number | undefined {
  const match = /^ *([0-9]+(?:[.][0-9]+)?)([bkmgtpe])?[bi]? *$/.exec((text ?? '').toLowerCase());
  return match ? Number(match[1]) * MEBIBYTES[match[2] ?? unit]! : undefined;
}
