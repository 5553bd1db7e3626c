import { javaDouble, memoryOverhead } from '../memory';
import type { DriverConf } from './driver-conf';

const HEAP = 'spark.driver.memory';
const DEFAULT_HEAP = 1024;
const FACTOR = 'spark.driver.memoryOverheadFactor';
const DEFAULT_MINIMUM_OVERHEAD = 384;
const DEFAULT_FACTOR = { java: 0.1, python: 0.4, r: 0.4 };

/** Property that passes the default factor to executors. */
export const DEFAULT_OVERHEAD_FACTOR = 'spark.kubernetes.memoryOverheadFactor';

/** Returns the memory of the driver's pod in MiB: heap and overhead (BasicDriverFeatureStep). */
export function driverMemory(driver: DriverConf): number {
  const { conf, version } = driver;
  const heap = conf.mebibytes(HEAP) ?? DEFAULT_HEAP;
  if (heap < 1) {
    throw conf.wrong(HEAP, 'is less than 1 MiB', 'write a size such as 1g');
  }
  const own = conf.factor(FACTOR);
  if (own !== undefined && !(own > 0)) {
    throw conf.wrong(FACTOR, 'is not greater than 0', 'write a number such as 0.1');
  }
  const minimum = version.features.minMemoryOverhead ? conf.mebibytes('spark.driver.minMemoryOverhead') : undefined;
  const overhead = conf.mebibytes('spark.driver.memoryOverhead', 'spark.yarn.driver.memoryOverhead') ?? memoryOverhead({
    heap, factor: own ?? defaultFactor(driver), minimum: minimum ?? DEFAULT_MINIMUM_OVERHEAD,
  });
  return heap + overhead;
}

/** Returns the default factor of executors, in Spark's notation. */
export function defaultOverheadFactor(driver: DriverConf): string {
  return javaDouble(defaultFactor(driver));
}

function defaultFactor({ conf, application }: DriverConf): number {
  return conf.factor(DEFAULT_OVERHEAD_FACTOR) ?? DEFAULT_FACTOR[application.type];
}
