import type { StringMap } from '../../model/kubernetes-objects';
import { amountText, plus, times, UNIT, type Amounts } from '../demand/amounts';
import { podAmounts } from '../demand/pod-amounts';
import type { Gang, GangPod, SchedulingRequest } from './scheduler';

/** What must be free before an application starts: what its user says, else what its driver and the executors that it begins with ask for. */
export function minResources({ options: { resources }, gang }: Pick<SchedulingRequest, 'options' | 'gang'>): StringMap | undefined {
  // A manifest may have numbers.
  if (resources && Object.keys(resources).length > 0) return Object.fromEntries(Object.entries(resources).map(([name, amount]) => [name, String(amount)]));
  return gang && quantities(gangAmounts(gang));
}

/** What all pods of an application ask for when it begins. */
export function gangAmounts({ driver, executor, executors }: Gang): Amounts {
  return plus(podAmounts(driver.spec, 'requests'), times(podAmounts(executor.spec, 'requests'), executors));
}

/** What one pod asks for, as Kubernetes writes it. */
export function requestsOf({ spec }: GangPod): StringMap {
  return quantities(podAmounts(spec, 'requests'));
}

function quantities(amounts: Amounts): StringMap {
  return Object.fromEntries([...amounts].filter(([, amount]) => amount > 0n).map(([name, amount]) => [name, quantityOf(name, amount)]));
}

/** Nothing is rounded but what Kubernetes rounds up itself: CPU to thousandths of a core, all else to whole pieces and bytes. */
function quantityOf(name: string, amount: bigint): string {
  return name === 'cpu' || amount % (1024n * UNIT) === 0n ? amountText(name, amount, 'up') : String((amount + UNIT - 1n) / UNIT);
}
