import { containersOf, initContainersOf } from '../pods/container';
import { amountText, plus, times, type Amounts } from '../demand/amounts';
import { resourcesOf } from '../demand/pod-amounts';
import type { Role } from '../properties/role';
import type { Problem } from '../../model/problem';
import type { Need } from './need';
import { podUsage } from './pod-usage';
import { countsPod, isCountedByDefaultClass, type ResourceQuota } from './resource-quota';

/** Result of the comparison with quotas. */
export interface QuotaFindings {
  /** Why there is no room; empty if there is. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** The demand of an application. */
export interface Demanded {
  readonly need: Need;
  /**
   * Pods that the quotas count now, and that end before those of `need` are created. Default: none.
   */
  readonly released?: Need;
}

/** One resource of one quota that is insufficient. */
interface Shortage {
  readonly quota: ResourceQuota;
  readonly resource: string;
  readonly needed: bigint;
  /** The amount that the quota has left, including the released pods. */
  readonly left: bigint;
  /** The part of `needed` that one executor takes. */
  readonly perExecutor: bigint;
  /** The part of `needed` for the driver and for other objects than pods. */
  readonly ofDriver: bigint;
}

/**
 * Compares the needs of an application with the quotas of its namespace. It does not refuse an
 * application that needs no more than it has now, even if a quota is exceeded already.
 */
export function compareWithQuotas({ need, released }: Demanded, quotas: readonly ResourceQuota[]): QuotaFindings {
  const shortages = quotas.flatMap((quota) => shortagesOf(quota, need, released, countsForSure));
  if (shortages.length === 0) {
    const possible = quotas.flatMap((quota) => shortagesOf(quota, need, released, countsPod));
    return {
      problems: [],
      warnings: [...possible.map((shortage) => possibleText(shortage, need)), ...quotas.flatMap((quota) => unspecified(quota, need))],
    };
  }
  const fitting = Math.min(...shortages.map((shortage) => fittingExecutors(shortage)));
  return { problems: shortages.map((shortage) => problemOf(shortage, need, fitting)), warnings: [] };
}

/** Decides which pods a quota counts. */
type Counting = typeof countsPod;

const countsForSure: Counting = (quota, pod) => countsPod(quota, pod) && !isCountedByDefaultClass(quota, pod);

function shortagesOf(quota: ResourceQuota, need: Need, released: Need | undefined, counts: Counting): Shortage[] {
  const needed = usageOf(quota, need, counts);
  const freed = released ? usageOf(quota, released, countsPod) : new Map<string, bigint>();
  const perExecutor = need.executors > 0 && counts(quota, need.executor) ? podUsage(need.executor) : new Map<string, bigint>();
  return [...quota.hard].flatMap(([resource, hard]): Shortage[] => {
    const [amount, back] = [needed.get(resource) ?? 0n, freed.get(resource) ?? 0n];
    const left = hard - (quota.used.get(resource) ?? 0n) + back;
    const own = perExecutor.get(resource) ?? 0n;
    return amount <= back || amount <= left ? [] : [
      { quota, resource, needed: amount, left, perExecutor: own, ofDriver: amount - own * BigInt(need.executors) },
    ];
  });
}

/**
 * Returns the usage of an application that a quota counts. Quotas with scopes count only pods.
 */
function usageOf(quota: ResourceQuota, { driver, executor, executors, objects }: Need, counts: Counting): Amounts {
  return plus(
    counts(quota, driver) ? podUsage(driver) : new Map(),
    executors > 0 && counts(quota, executor) ? times(podUsage(executor), executors) : new Map(),
    quota.scopes.length === 0 ? objects : new Map(),
  );
}

/** Returns the number of executors that fit; 0 if executors are not the problem. */
function fittingExecutors({ left, perExecutor, ofDriver }: Shortage): number {
  if (perExecutor === 0n) return 0;
  const rest = left - ofDriver;
  return rest < perExecutor ? 0 : Number(rest / perExecutor);
}

function problemOf(shortage: Shortage, need: Need, fitting: number): Problem {
  const { quota, resource, needed, left, perExecutor, ofDriver } = shortage;
  // If there is no room even without executors, the driver is the problem.
  const isOfExecutors = perExecutor > 0n && left >= ofDriver;
  const hard = quota.hard.get(resource)!;
  const fewer = fitting > 0 ? [`write at most ${fitting}`] : [];
  const later = needed <= hard ? 'try again when others have ended' : 'ask who looks after the quota for more';
  // Users do not request zero executors. If not even one fits, the driver has to leave room.
  const toLower: readonly Role[] = !isOfExecutors
    ? ['driver']
    : fittingExecutors(shortage) > 0 || ofDriver === 0n ? ['executor'] : ['executor', 'driver'];
  const lower = toLower.flatMap((role) => lowerFields(resource, role, need) ?? []).join(', ');
  return {
    path: isOfExecutors ? need.executorsField : 'spec.driver',
    ...(isOfExecutors && { value: String(need.executors) }),
    reason: `${isOfExecutors ? 'is' : 'needs'} more than ResourceQuota ${quota.name} has room for: ${sumOf(shortage, need)}`,
    remedy: [...fewer, ...(lower === '' ? [] : [`ask for less (${lower})`]), later].join(', or '),
  };
}

/** Returns the needed and the remaining amount as a text. */
function sumOf({ quota, resource, needed, left }: Shortage, { executors }: Need): string {
  const pods = executors === 0 ? 'the driver needs' : `the driver and ${executors} executor${executors === 1 ? '' : 's'} need`;
  const [rest, all] = [left < 0n ? 0n : left, quota.hard.get(resource)!].map((amount) => amountText(resource, amount, 'down'));
  return `${pods} ${amountText(resource, needed, 'up')} of ${resource}, and ${rest} of ${all} are left`;
}

/** Returns a short text, because the length of warnings is limited. */
function possibleText(shortage: Shortage, need: Need): string {
  return `ResourceQuota ${shortage.quota.name} has no room, unless this cluster has a default PriorityClass, whose pods it ignores: `
    + sumOf(shortage, need);
}

/** Returns the fields that lower a pod's request for a resource. */
function lowerFields(resource: string, role: Role, { storageFields }: Need): string | undefined {
  if (resource === 'requests.storage') return storageFields.join(', ') || undefined;
  return FIELDS.find(([names]) => names.test(resource))?.[1].replaceAll('<pod>', `spec.${role}`);
}

const FIELDS: readonly (readonly [names: RegExp, fields: string])[] = [
  [/^(requests\.)?cpu$/, '<pod>.cores, <pod>.coreRequest'],
  [/^limits\.cpu$/, '<pod>.coreLimit'],
  [/^(requests\.)?memory$/, '<pod>.memory, <pod>.memoryOverhead'],
  [/^limits\.memory$/, '<pod>.memory, <pod>.memoryOverhead, <pod>.memoryLimit'],
  [/ephemeral-storage$/, 'resources of the containers in <pod>.template'],
  [/^requests\./, '<pod>.gpu.quantity'],
];

/**
 * Requests and limits that each container needs under a quota for the resource (`Constraints` of
 * the pod evaluator).
 */
const TO_BE_SAID: readonly (readonly [resource: string, kind: 'requests' | 'limits', name: 'cpu' | 'memory'])[] = [
  ['cpu', 'requests', 'cpu'], ['memory', 'requests', 'memory'], ['requests.cpu', 'requests', 'cpu'],
  ['requests.memory', 'requests', 'memory'],
  ['limits.cpu', 'limits', 'cpu'], ['limits.memory', 'limits', 'memory'],
];

/**
 * Returns warnings about containers without required amounts. The API server refuses their pod
 * unless a LimitRange of the namespace adds them, which is not known here.
 */
function unspecified(quota: ResourceQuota, { driver, executor, executors }: Need): string[] {
  const pods: readonly (readonly [Role, Need['driver']])[] = [
    ['driver', driver], ...(executors > 0 ? [['executor', executor] as const] : []),
  ];
  const asked = TO_BE_SAID.filter(([resource]) => quota.hard.has(resource));
  const counted = pods.filter(([, pod]) => countsPod(quota, pod) && !pod.resources);
  return counted.flatMap(([role, pod]) => asked.flatMap(([resource, kind, name]) => (
    [...containersOf(pod), ...initContainersOf(pod)].filter((container) => !resourcesOf(container, kind).has(name)).map((container) => {
      const isCoreLimit = resource === 'limits.cpu' && container.name.startsWith('spark-kubernetes-');
      const remedy = isCoreLimit ? `write spec.${role}.coreLimit` : `write resources.${kind}.${name} of that container`;
      return `spec.${role}: container ${container.name} has no ${kind}.${name}, which ResourceQuota ${quota.name} requires: `
        + `unless a LimitRange gives it one, the API server rejects its pod; ${remedy}`;
    })
  )));
}
