import type { StringMap } from '../../model/kubernetes-objects';
import { amountText, plus, times, UNIT, type Amounts } from '../demand/amounts';
import { podAmounts } from '../demand/pod-amounts';
import type { Gang, GangPod, SchedulingRequest } from './scheduler';

/**
 * Returns the resources that must be free before an application starts: the user's, otherwise the
 * requests of its driver and its initial executors.
 */
export function minResources({ options: { resources }, gang }: Pick<SchedulingRequest, 'options' | 'gang'>): StringMap | undefined {
  // Values can be numbers in a manifest.
  if (resources && Object.keys(resources).length > 0) {
    return Object.fromEntries(Object.entries(resources).map(([name, amount]) => [name, String(amount)]));
  }
  return gang && quantities(gangAmounts(gang));
}

/** Returns the requests of all initial pods of an application. */
export function gangAmounts({ driver, executor, executors }: Gang): Amounts {
  return plus(podAmounts(driver.spec, 'requests'), times(podAmounts(executor.spec, 'requests'), executors));
}

/** Returns the requests of one pod as Kubernetes quantities. */
export function requestsOf({ spec }: GangPod): StringMap {
  return quantities(podAmounts(spec, 'requests'));
}

function quantities(amounts: Amounts): StringMap {
  return Object.fromEntries([...amounts].filter(([, amount]) => amount > 0n).map(([name, amount]) => [name, quantityOf(name, amount)]));
}

/**
 * Returns a quantity, rounded up only as Kubernetes does: CPU to thousandths of a core, others to
 * whole devices and bytes.
 */
function quantityOf(name: string, amount: bigint): string {
  return name === 'cpu' || amount % (1024n * UNIT) === 0n ? amountText(name, amount, 'up') : String((amount + UNIT - 1n) / UNIT);
}
