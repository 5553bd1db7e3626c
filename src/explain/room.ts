import { isReady, type Node, type Taint } from '../model/nodes';
import type { PodSpec } from '../model/kubernetes-objects';
import { amountsOf, UNIT, type Amounts } from '../plan/demand/amounts';
import { podAmounts } from '../plan/demand/pod-amounts';

/** Pod for which no node has room. */
export interface Room {
  readonly role: 'driver' | 'executor';
  readonly pod: PodSpec;
  /** All nodes. @default - they could not be read */
  readonly nodes?: readonly Node[];
}

/** Whether the scheduler's message is about amounts that a pod requests. */
export function lacksRoom(message: string | undefined): boolean {
  return /\bInsufficient \S/.test(message ?? '');
}

/**
 * Returns the action for a pod that fits on no node, with the amounts that it requests and those
 * that the largest suitable node offers.
 */
export function roomAdvice({ role, pod, nodes }: Room): string {
  const request = podAmounts(pod, 'requests');
  const asks = `the ${role} asks for ${amountsText(request, request)}`;
  const less = `ask for less in spec.${role}`;
  if (!nodes || nodes.length === 0) return `${less}, or give the cluster more nodes: ${asks}`;
  const suitable = nodes.filter((node) => isSuitable(node, pod));
  if (suitable.length === 0) {
    return `no ready node takes the ${role}, by its node selector and tolerations: check \`kubectl get nodes --show-labels\`, `
      + `spec.nodeSelector and spec.${role}`;
  }
  const offers = suitable.map(({ status }) => amountsOf(status?.allocatable));
  const largest = offers.reduce((best, other) => (shareOf(other, request) > shareOf(best, request) ? other : best));
  const text = `${asks}; the largest node offers ${amountsText(largest, request)}`;
  return shareOf(largest, request) >= 1
    ? `wait until other pods end, ${less}, or give the cluster more nodes: ${text}, a part of which other pods use`
    : `${less}, or give the cluster larger nodes: ${text}`;
}

/** Whether a node accepts new pods, and a pod's node selector and tolerations fit. */
function isSuitable(node: Node, { nodeSelector = {}, tolerations = [] }: PodSpec): boolean {
  const { spec: { unschedulable, taints = [] } = {}, metadata: { labels = {} } } = node;
  return isReady(node) && !unschedulable
    && Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)
    && taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => tolerates(toleration, taint)));
}

function tolerates({ key, operator = 'Equal', value = '', effect }: NonNullable<PodSpec['tolerations']>[number], taint: Taint): boolean {
  return (!effect || effect === taint.effect) && (!key || key === taint.key) && (operator === 'Exists' || value === (taint.value ?? ''));
}

/** Returns the least part of a request that an offer covers; 1 or more if the request fits. */
function shareOf(offer: Amounts, request: Amounts): number {
  const shares = [...request].filter(([, amount]) => amount > 0n).map(([name, amount]) => Number(offer.get(name) ?? 0n) / Number(amount));
  return Math.min(...shares, Infinity);
}

/** Returns amounts such as `4 CPUs and 16Gi`, of the resources that a pod requests. */
function amountsText(amounts: Amounts, request: Amounts): string {
  const names = [...request.keys()].sort((a, b) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
  const texts = names.map((name) => amountText(name, amounts.get(name) ?? 0n));
  if (texts.length === 0) return 'no amounts';
  return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

function orderOf(name: string): number {
  const index = ['cpu', 'memory'].indexOf(name);
  return index < 0 ? 2 : index;
}

function amountText(name: string, amount: bigint): string {
  const number = Number(amount) / Number(UNIT);
  if (name === 'cpu') return `${Math.round(number * 1_000) / 1_000} ${number === 1 ? 'CPU' : 'CPUs'}`;
  if (name === 'memory') return sizeText(number);
  return `${/storage/.test(name) ? sizeText(number) : rounded(number)} ${name}`;
}

function sizeText(bytes: number): string {
  return bytes >= 2 ** 30 ? `${rounded(bytes / 2 ** 30)}Gi` : `${rounded(bytes / 2 ** 20)}Mi`;
}

function rounded(number: number): string {
  return String(Math.round(number * 10) / 10);
}
