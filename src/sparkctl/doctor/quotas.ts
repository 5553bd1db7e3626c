import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import type { ResourceQuota } from './resources';
import { isAtRest } from '../../explain/unattended';
import type { WholeApplication } from '../../model/spark-application';
import { parseQuantity } from '../../rules/quantity';

const findings = findingsOf('Quotas');

/** Resources of a quota that applications need; if others are used up, applications still run. */
const USED_RESOURCES = /^((count\/)?(pods|services|configmaps|persistentvolumeclaims)|cpu|memory|ephemeral-storage|(requests|limits)\..+)$/;

/**
 * Checks whether the quotas of a namespace are used up, or have kept an application from starting.
 *
 * @param applications all of the namespace
 */
export function quotaFindings(
  namespace: string, reading: Reading<readonly ResourceQuota[]>, applications: readonly WholeApplication[] = [],
): Finding[] {
  if (isUnreadable(reading)) return [unreadable(findings, `the quotas of ${namespace}`, reading)];
  const quotas = reading.kind === 'found' ? reading.value : [];
  const full = quotas.flatMap((quota) => {
    const used = fullIn(quota);
    if (used.length === 0) return [];
    const waiting = waitingFor(quota, namespace, applications);
    const until = allowsNone(quota) ? 'it is raised' : 'something ends';
    return [findingAbout(namespace, quota, waiting, `is used up: ${used.join(', ')}; applications wait there until ${until}`)];
  });
  const others = quotas.filter((quota) => fullIn(quota).length === 0);
  const short = others.flatMap((quota) => shortageFinding(namespace, quota, applications) ?? []);
  if (full.length + short.length > 0) return [...full, ...short];
  return [findings.ok(quotas.length === 0
    ? `${namespace} has none`
    : `${quotas.length === 1 ? 'that' : `the ${quotas.length}`} of ${namespace} ${quotas.length === 1 ? 'is' : 'are'} not used up`)];
}

/** Returns the finding that a quota has room, but too little for applications that wait. */
function shortageFinding(
  namespace: string, quota: ResourceQuota, applications: readonly WholeApplication[],
): Finding | undefined {
  const waiting = waitingFor(quota, namespace, applications);
  const [first, ...others] = waiting;
  if (!first) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return findingAbout(namespace, quota, waiting, `has too little room for SparkApplication ${first.title}${more}: ${first.amounts}`);
}

/** Application that a quota keeps from starting. */
interface WaitingApplication {
  readonly title: string;
  /** Requested, used and maximum amounts. */
  readonly amounts: string | undefined;
}

function waitingFor(
  { metadata: { name } }: ResourceQuota, namespace: string, applications: readonly WholeApplication[],
): WaitingApplication[] {
  return applications.flatMap((application) => {
    const message = isAtRest(application) ? undefined : application.status?.applicationState?.errorMessage;
    const [, quota, amounts] = /exceeded quota: ([^\s,]+), (requested: .*limited: [^\s;]+)/.exec(message ?? '') ?? [];
    return quota === name ? [{ title: `${namespace}/${application.metadata.name}`, amounts }] : [];
  });
}

/** @param clause rest of the sentence about the quota */
function findingAbout(
  namespace: string, { metadata: { name } }: ResourceQuota, waiting: readonly WaitingApplication[], clause: string,
): Finding {
  const finding = findings.about({ kind: 'ResourceQuota', namespace, name }).warning(
    `ResourceQuota ${namespace}/${name} ${clause}`, `kubectl describe resourcequota -n ${namespace} ${name}`,
  );
  return waiting.length > 0 ? { ...finding, applications: waiting.map(({ title }) => title) } : finding;
}

/** Whether a quota allows nothing of the resources that are used up. */
function allowsNone(quota: ResourceQuota): boolean {
  return fullIn(quota).every((amounts) => amounts.endsWith(' of 0'));
}

function fullIn({ status: { hard = {}, used = {} } = {} }: ResourceQuota): string[] {
  return Object.entries(hard).filter(([name, limit]) => {
    const [most, now] = [parseQuantity(limit), parseQuantity(used[name] ?? '0')];
    return USED_RESOURCES.test(name) && most !== undefined && now !== undefined && now >= most;
  }).map(([name, limit]) => `${name} ${used[name] ?? '0'} of ${limit}`);
}
