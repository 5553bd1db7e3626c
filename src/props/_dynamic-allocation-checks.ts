import type { DynamicAllocationSpec } from '../api/dynamic-allocation';
import type { Problem } from '../model/problem';

interface Spec {
  readonly dynamicAllocation?: DynamicAllocationSpec;
  readonly sparkConf?: { readonly [key: string]: string };
  readonly executor?: { readonly instances?: number };
}

/**
 * Returns settings of dynamic allocation that Spark rejects when the driver starts, or does not
 * respect.
 * @internal
 */
export function dynamicAllocationViolations({ dynamicAllocation, sparkConf, executor }: Spec): Problem[] {
  if (!dynamicAllocation?.enabled) return [];
  const { maxExecutors, shuffleTrackingEnabled } = dynamicAllocation;
  const found: Problem[] = [];
  if (shuffleTrackingEnabled === false && !keepsShuffleElsewhere(sparkConf ?? {})) {
    found.push({ path: 'spec.dynamicAllocation.shuffleTrackingEnabled', value: false, reason: SHUFFLE_REASON });
  }
  const instances = executor?.instances;
  // Spark starts with the largest of three numbers, including this one, and does not compare it
  // with the maximum (Utils.getDynamicAllocationInitialExecutors).
  if (instances !== undefined && maxExecutors !== undefined && instances > maxExecutors) {
    found.push({
      path: 'spec.executor.instances', value: instances,
      reason: `must not be greater than maxExecutors of dynamicAllocation, ${maxExecutors}: lower it, or leave it out`,
    });
  }
  return found;
}

const SHUFFLE_REASON = "must be on, or sparkConf must say where else shuffle data is kept: spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled both 'true', "
  + "or spark.shuffle.service.enabled 'true', or a plugin with reliable storage in spark.shuffle.sort.io.plugin.class";

/** Shuffle managers that keep data only on local disks. */
const LOCAL_PLUGIN = 'org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO';

/**
 * Checks Spark's conditions (ExecutorAllocationManager.validateSettings). Only a plugin knows
 * whether its own storage is reliable.
 */
function keepsShuffleElsewhere(sparkConf: { readonly [key: string]: string }): boolean {
  const isOn = (key: string) => String(sparkConf[key]).trim().toLowerCase() === 'true';
  const plugin = sparkConf['spark.shuffle.sort.io.plugin.class'];
  return isOn('spark.shuffle.service.enabled') || (isOn('spark.decommission.enabled')
    && isOn('spark.storage.decommission.shuffleBlocks.enabled'))
    || Boolean(plugin && plugin !== LOCAL_PLUGIN);
}
