import { containersOf, initContainersOf } from '../../pods/container';
import { SubmissionError } from '../../submission/errors';
import type { Role } from '../../submission/pod-properties';
import { messageOf } from '../validate/findings';
import { amountText, plus, times, type Amounts } from './amounts';
import type { Need } from './need';
import { podUsage, resourcesOf } from './pod-usage';
import { countsPod, type ResourceQuota } from './resource-quota';

/** What the comparison with quotas has come to. */
export interface QuotaFindings {
  /** Why there is no room, for users; undefined if there is. */
  readonly refusal?: string;
  readonly warnings: readonly string[];
}

/** What is needed, and what of it is there already. */
export interface Demanded {
  readonly need: Need;
  /** What the quotas count of it now, and will no longer count: pods that go before those of `need` come. Default: nothing. */
  readonly released?: Need;
}

/** One resource of one quota that is not enough. */
interface Shortage {
  readonly quota: ResourceQuota;
  readonly resource: string;
  readonly needed: bigint;
  /** What the quota has left, with what is released. */
  readonly left: bigint;
  /** Of what is needed, that of one executor. */
  readonly perExecutor: bigint;
}

/**
 * Compares what an application needs with what the quotas of its namespace have left. What does not need more than it has now is not refused, also if a quota
 * is exceeded already.
 */
export function compareWithQuotas({ need, released }: Demanded, quotas: readonly ResourceQuota[]): QuotaFindings {
  const shortages = quotas.flatMap((quota) => shortagesOf(quota, need, released));
  if (shortages.length === 0) return { warnings: quotas.flatMap((quota) => unspecified(quota, need)) };
  const fitting = Math.min(...shortages.map((shortage) => fittingExecutors(shortage, need)));
  return { refusal: messageOf(shortages.map((shortage) => textOf(shortage, need, fitting)), 'reasons'), warnings: [] };
}

function shortagesOf(quota: ResourceQuota, need: Need, released: Need | undefined): Shortage[] {
  const needed = takenOf(quota, need);
  const freed = released ? takenOf(quota, released) : new Map<string, bigint>();
  const perExecutor = need.executors > 0 && countsPod(quota, need.executor) ? podUsage(need.executor) : new Map<string, bigint>();
  return [...quota.hard].flatMap(([resource, hard]): Shortage[] => {
    const [amount, back] = [needed.get(resource) ?? 0n, freed.get(resource) ?? 0n];
    const left = hard - (quota.used.get(resource) ?? 0n) + back;
    return amount <= back || amount <= left ? [] : [{ quota, resource, needed: amount, left, perExecutor: perExecutor.get(resource) ?? 0n }];
  });
}

/** What a quota counts of an application. One with scopes counts pods only. */
function takenOf(quota: ResourceQuota, { driver, executor, executors, objects }: Need): Amounts {
  return plus(
    countsPod(quota, driver) ? podUsage(driver) : new Map(),
    executors > 0 && countsPod(quota, executor) ? times(podUsage(executor), executors) : new Map(),
    quota.scopes.length === 0 ? objects : new Map(),
  );
}

/** With how many executors there would be enough; 0 if executors are not what is too much. */
function fittingExecutors({ needed, left, perExecutor }: Shortage, { executors }: Need): number {
  if (perExecutor === 0n) return 0;
  const rest = left - (needed - perExecutor * BigInt(executors));
  return rest < perExecutor ? 0 : Number(rest / perExecutor);
}

function textOf({ quota, resource, needed, left, perExecutor }: Shortage, need: Need, fitting: number): string {
  // Without executors there is no room either: it is the driver.
  const isOfExecutors = perExecutor > 0n && left >= needed - perExecutor * BigInt(need.executors);
  const pods = need.executors === 0 ? 'the driver needs' : `the driver and ${need.executors} executor${need.executors === 1 ? '' : 's'} need`;
  const hard = quota.hard.get(resource)!;
  const fewer = fitting > 0 ? [`write at most ${fitting}`] : [];
  const later = needed <= hard ? 'try again when others have ended' : 'ask who looks after the quota for more';
  const lower = lowerFields(resource, isOfExecutors ? 'executor' : 'driver');
  return new SubmissionError({
    field: isOfExecutors ? need.executorsField : 'spec.driver',
    ...(isOfExecutors && { value: String(need.executors) }),
    reason: `${isOfExecutors ? 'is' : 'needs'} more than ResourceQuota ${quota.name} has room for: ${pods} ${amountText(resource, needed, 'up')} of ${resource}, and ${amountText(resource, left < 0n ? 0n : left, 'down')} of ${amountText(resource, hard, 'down')} are left`,
    remedy: [...fewer, ...(lower === undefined ? [] : [`ask for less (${lower})`]), later].join(', or '),
  }).message;
}

/** What makes a pod ask for less of a resource. */
function lowerFields(resource: string, role: Role): string | undefined {
  return FIELDS.find(([names]) => names.test(resource))?.[1].replaceAll('<pod>', `spec.${role}`);
}

const FIELDS: readonly (readonly [names: RegExp, fields: string])[] = [
  [/^(requests\.)?cpu$/, '<pod>.cores, <pod>.coreRequest'],
  [/^limits\.cpu$/, '<pod>.coreLimit'],
  [/^(requests\.)?memory$/, '<pod>.memory, <pod>.memoryOverhead'],
  [/^limits\.memory$/, '<pod>.memory, <pod>.memoryOverhead, <pod>.memoryLimit'],
  [/ephemeral-storage$/, 'resources of the containers in <pod>.template'],
  [/^requests\.storage$/, 'spec.volumes'],
  [/^requests\./, '<pod>.gpu.quantity'],
];

/** What each container has to say itself under a quota that counts it (`Constraints` of the evaluator of pods). */
const TO_BE_SAID: readonly (readonly [resource: string, kind: 'requests' | 'limits', name: 'cpu' | 'memory'])[] = [
  ['cpu', 'requests', 'cpu'], ['memory', 'requests', 'memory'], ['requests.cpu', 'requests', 'cpu'], ['requests.memory', 'requests', 'memory'],
  ['limits.cpu', 'limits', 'cpu'], ['limits.memory', 'limits', 'memory'],
];

/** Containers with which the pod is refused, unless a LimitRange of the namespace, which is not known here, says it for them. */
function unspecified(quota: ResourceQuota, { driver, executor, executors }: Need): string[] {
  const pods: readonly (readonly [Role, Need['driver']])[] = [['driver', driver], ...(executors > 0 ? [['executor', executor] as const] : [])];
  const asked = TO_BE_SAID.filter(([resource]) => quota.hard.has(resource));
  return pods.filter(([, pod]) => countsPod(quota, pod) && !pod.resources).flatMap(([role, pod]) => asked.flatMap(([resource, kind, name]) => (
    [...containersOf(pod), ...initContainersOf(pod)].filter((container) => !resourcesOf(container, kind).has(name)).map((container) => {
      const isCoreLimit = resource === 'limits.cpu' && container.name.startsWith('spark-kubernetes-');
      const remedy = isCoreLimit ? `write spec.${role}.coreLimit` : `write resources.${kind}.${name} of that container`;
      return `spec.${role}: container ${container.name} has no ${kind}.${name}, which ResourceQuota ${quota.name} asks for: unless a LimitRange gives it one its pod is refused; ${remedy}`;
    })
  )));
}
