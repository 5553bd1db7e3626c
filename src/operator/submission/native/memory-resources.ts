import { SubmissionError } from '../errors';
import { javaDouble, memoryOverhead } from '../memory';
import type { DriverConf } from './driver-conf';

const HEAP = 'spark.driver.memory';
const DEFAULT_HEAP = 1024;
const DEFAULT_MINIMUM_OVERHEAD = 384;
const DEFAULT_FACTOR = { java: 0.1, python: 0.4, r: 0.4 };

/** The property that hands the default factor on to the executors. */
export const DEFAULT_OVERHEAD_FACTOR = 'spark.kubernetes.memoryOverheadFactor';

/** The memory of the driver's pod, in MiB: heap and overhead (BasicDriverFeatureStep). */
export function driverMemory({ conf, properties, application, version }: DriverConf): number {
  const heap = conf.mebibytes(HEAP) ?? DEFAULT_HEAP;
  if (heap < 1) {
    throw new SubmissionError({
      field: properties.fieldOf(HEAP), value: properties.get(HEAP), reason: 'is less than 1 MiB', remedy: 'write a size such as 1g',
    });
  }
  const minimum = version.features.minMemoryOverhead ? conf.mebibytes('spark.driver.minMemoryOverhead') : undefined;
  const overhead = conf.mebibytes('spark.driver.memoryOverhead') ?? memoryOverhead({
    heap,
    factor: conf.factor('spark.driver.memoryOverheadFactor') ?? conf.factor(DEFAULT_OVERHEAD_FACTOR) ?? DEFAULT_FACTOR[application.type],
    minimum: minimum ?? DEFAULT_MINIMUM_OVERHEAD,
  });
  return heap + overhead;
}

/** The factor that executors use unless they have their own, as Spark writes it. */
export function defaultOverheadFactor({ conf, application }: DriverConf): string {
  return javaDouble(conf.factor(DEFAULT_OVERHEAD_FACTOR) ?? DEFAULT_FACTOR[application.type]);
}
