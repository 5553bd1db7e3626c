import { ConfReader } from '../native/conf-reader';
import type { ReadonlySparkProperties } from './spark-conf';
import type { SparkVersion } from '../versions';

const PREFIX = 'spark.dynamicAllocation.';
const INSTANCES = 'spark.executor.instances';

/**
 * Checks the numbers of executors of dynamic allocation, whatever their source: if they contradict
 * each other, every driver fails at its start (ExecutorAllocationManager.validateSettings). The CRD
 * also has rules for the fields of the specification.
 *
 * @throws SubmissionError that names the field of the first problem
 */
export function checkDynamicAllocation(properties: ReadonlySparkProperties, version: SparkVersion): void {
  if (properties.get(`${PREFIX}enabled`)?.trim().toLowerCase() !== 'true') {
    return;
  }
  const conf = new ConfReader(properties, version);
  const number = (name: string) => {
    const key = PREFIX + name;
    // Only the driver knows the values of references to its environment.
    return properties.get(key)?.includes('${') ? undefined : conf.integer(key);
  };
  const [least, most] = [number('minExecutors'), number('maxExecutors')];
  number('initialExecutors');
  if (least !== undefined && least < 0) {
    throw conf.wrong(`${PREFIX}minExecutors`, 'is less than 0', 'write 0 or more');
  }
  if (most !== undefined && most < 1) {
    throw conf.wrong(`${PREFIX}maxExecutors`, 'is less than 1, with which Spark does not start', 'write 1 or more, or remove it');
  }
  if (least !== undefined && most !== undefined && least > most) {
    throw conf.wrong(
      `${PREFIX}minExecutors`, `is more than the greatest number, ${properties.fieldOf(`${PREFIX}maxExecutors`)} = ${most}`,
      'lower it, or raise the other',
    );
  }
}

/**
 * Checks the fixed number of executors. Without dynamic allocation, Spark does not start with 0
 * (SparkSubmitArguments.validateSubmitArguments, also inside the pod of a driver or a server).
 *
 * @throws SubmissionError if it is not a whole number above 0, and dynamic allocation is off
 */
export function checkInstances(properties: ReadonlySparkProperties, conf: ConfReader): void {
  if (properties.get(`${PREFIX}enabled`)?.toLowerCase() !== 'true') {
    conf.rawCount(INSTANCES, 'executors');
  }
}
