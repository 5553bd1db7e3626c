import type { DynamicAllocationSpec } from '../api/dynamic-allocation';
import type { Violation } from '../model/problem';

interface Spec {
  readonly dynamicAllocation?: DynamicAllocationSpec;
  readonly sparkConf?: { readonly [key: string]: string };
  readonly executor?: { readonly instances?: number };
}

/**
 * What Spark refuses of dynamic allocation when the driver starts, or does not keep to.
 * @internal
 */
export function dynamicAllocationViolations({ dynamicAllocation, sparkConf, executor }: Spec): Violation[] {
  if (!dynamicAllocation?.enabled) return [];
  const { maxExecutors, shuffleTrackingEnabled } = dynamicAllocation;
  const found: Violation[] = [];
  if (shuffleTrackingEnabled === false && !keepsShuffleElsewhere(sparkConf ?? {})) found.push({ path: 'spec.dynamicAllocation.shuffleTrackingEnabled', value: false, reason: SHUFFLE_REASON });
  const instances = executor?.instances;
  // It is one of the numbers that Spark starts with, without a look at the greatest (Utils.getDynamicAllocationInitialExecutors).
  if (instances !== undefined && maxExecutors !== undefined && instances > maxExecutors) {
    found.push({ path: 'spec.executor.instances', value: instances, reason: `must not be greater than maxExecutors of dynamicAllocation, ${maxExecutors}: lower it, or leave it out` });
  }
  return found;
}

const SHUFFLE_REASON = "must be on, or sparkConf must say where else shuffle data is kept: spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled both 'true', "
  + "or spark.shuffle.service.enabled 'true', or a plugin with reliable storage in spark.shuffle.sort.io.plugin.class";

/** What keeps shuffle data on local disks only. */
const LOCAL_PLUGIN = 'org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO';

/** What Spark asks for (ExecutorAllocationManager.validateSettings); whether the storage of a plugin is reliable only the plugin knows. */
function keepsShuffleElsewhere(sparkConf: { readonly [key: string]: string }): boolean {
  const isOn = (key: string) => String(sparkConf[key]).trim().toLowerCase() === 'true';
  const plugin = sparkConf['spark.shuffle.sort.io.plugin.class'];
  return isOn('spark.shuffle.service.enabled') || (isOn('spark.decommission.enabled') && isOn('spark.storage.decommission.shuffleBlocks.enabled'))
    || Boolean(plugin && plugin !== LOCAL_PLUGIN);
}
