import { containerMemory, factorOf, factorOfBothRoles, heapOf } from '../container-memory';
import { javaDouble } from '../memory';
import type { DriverConf } from './driver-conf';

/** Returns the memory of the driver's pod in MiB: heap and overhead (BasicDriverFeatureStep). */
export function driverMemory(driver: DriverConf): number {
  const { conf } = driver;
  if (heapOf(conf, 'driver') < 1) {
    throw conf.wrong('spark.driver.memory', 'is less than 1 MiB', 'write a size such as 1g');
  }
  // Spark reads the factor even if another property sets the overhead.
  factorOf(conf, 'driver');
  return containerMemory(driver, 'driver');
}

/** Returns the default factor of executors, in Spark's notation. */
export function defaultOverheadFactor(driver: DriverConf): string {
  return javaDouble(factorOfBothRoles(driver));
}
