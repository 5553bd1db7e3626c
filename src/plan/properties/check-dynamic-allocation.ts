import type { Problem } from '../../model/problem';
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
  const conf = new ConfReader(properties, version);
  // Only the driver knows the values of references to its environment.
  if (properties.get(`${PREFIX}enabled`)?.includes('${') || !conf.boolean([`${PREFIX}enabled`], false)) return;
  const number = (name: string) => {
    const key = PREFIX + name;
    return properties.get(key)?.includes('${') ? undefined : conf.integer(key);
  };
  const [least, most] = [number('minExecutors'), number('maxExecutors')];
  number('initialExecutors');
  if (least !== undefined && least < 0) {
    throw conf.wrong(`${PREFIX}minExecutors`, 'must be at least 0', 'write 0 or more');
  }
  if (most !== undefined && most < 1) {
    throw conf.wrong(`${PREFIX}maxExecutors`, 'must be at least 1, as Spark does not start otherwise', 'write 1 or more, or remove it');
  }
  if (properties.get(SHUFFLE_TRACKING)?.trim().toLowerCase() === 'false' && !keepsShuffleElsewhere(properties)) {
    throw conf.wrong(SHUFFLE_TRACKING, 'is false, and nothing else keeps shuffle data, with which Spark does not start', SHUFFLE_REMEDY);
  }
  if (least !== undefined && most !== undefined && least > most) {
    throw conf.wrong(
      `${PREFIX}minExecutors`, `must not be greater than ${properties.fieldOf(`${PREFIX}maxExecutors`)}, ${most}`,
      'lower it, or raise the other',
    );
  }
}

const SHUFFLE_TRACKING = `${PREFIX}shuffleTracking.enabled`;

const SHUFFLE_REMEDY = "remove it, or set in sparkConf spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled, both to 'true', "
  + "or spark.shuffle.service.enabled to 'true', or a plugin with reliable storage in spark.shuffle.sort.io.plugin.class";

/** Shuffle managers that keep data only on local disks. */
const LOCAL_PLUGIN = 'org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO';

/**
 * Checks Spark's conditions (ExecutorAllocationManager.validateSettings). Only a plugin knows
 * whether its storage is reliable.
 */
function keepsShuffleElsewhere(properties: ReadonlySparkProperties): boolean {
  const isOn = (key: string) => properties.get(key)?.trim().toLowerCase() === 'true';
  const plugin = properties.get('spark.shuffle.sort.io.plugin.class');
  return isOn('spark.shuffle.service.enabled')
    || (isOn('spark.decommission.enabled') && isOn('spark.storage.decommission.shuffleBlocks.enabled'))
    || Boolean(plugin && plugin !== LOCAL_PLUGIN);
}

/**
 * Reports numbers of executors above the maximum of dynamic allocation. Spark starts with the
 * largest of three numbers, and compares none with the maximum
 * (Utils.getDynamicAllocationInitialExecutors).
 */
export function dynamicAllocationWarnings(properties: ReadonlySparkProperties): Problem[] {
  if (properties.get(`${PREFIX}enabled`)?.trim().toLowerCase() !== 'true') return [];
  const most = Number(properties.get(`${PREFIX}maxExecutors`));
  return [INSTANCES, `${PREFIX}initialExecutors`].filter((key) => Number(properties.get(key)) > most).map((key): Problem => ({
    path: properties.fieldOf(key), value: properties.get(key), severity: 'ineffective',
    reason: `is more than ${properties.fieldOf(`${PREFIX}maxExecutors`)}, ${most}`, remedy: 'lower it, or remove it',
  }));
}

/**
 * Checks the fixed number of executors. Without dynamic allocation, Spark does not start with 0
 * (SparkSubmitArguments.validateSubmitArguments, also inside the pod of a driver or a server).
 *
 * @throws SubmissionError if it is not a whole number above 0, and dynamic allocation is off
 */
export function checkInstances(properties: ReadonlySparkProperties, conf: ConfReader): void {
  if (properties.get(`${PREFIX}enabled`)?.toLowerCase() === 'true') return;
  if (properties.get(INSTANCES) === '0') {
    throw conf.wrong(INSTANCES, 'is too few without dynamic allocation', 'write 1 or more, or set spec.dynamicAllocation.enabled: true');
  }
  conf.rawCount(INSTANCES, 'executors');
}
