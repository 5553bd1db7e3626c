import { containerMemory, factorOfBothRoles, heapOf } from '../container-memory';
import { javaDouble } from '../memory';
import type { DriverConf } from './driver-conf';

const FACTOR = 'spark.driver.memoryOverheadFactor';

/** Returns the memory of the driver's pod in MiB: heap and overhead (BasicDriverFeatureStep). */
export function driverMemory(driver: DriverConf): number {
  const { conf } = driver;
  if (heapOf(conf, 'driver') < 1) {
    throw conf.wrong('spark.driver.memory', 'is less than 1 MiB', 'write a size such as 1g');
  }
  const factor = conf.factor(FACTOR);
  if (factor !== undefined && !(factor > 0)) {
    throw conf.wrong(FACTOR, 'is not greater than 0', 'write a number such as 0.1');
  }
  return containerMemory(driver, 'driver');
}

/** Returns the default factor of executors, in Spark's notation. */
export function defaultOverheadFactor(driver: DriverConf): string {
  return javaDouble(factorOfBothRoles(driver));
}
