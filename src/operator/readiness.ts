import type { ElectionHealth } from '../kube/leader-election';
import type { Answer } from './http-server';
import type { WebhookHealth } from './admission/start';
import type { LeadershipHealth } from './runtime/leadership';
import type { NamespaceHealth } from './watches';

/** Milliseconds after which a silent watch makes the operator not ready. */
const MAX_SILENCE = 300_000;

/**
 * Milliseconds after which watches that are all silent count as dead. This is longer than usual
 * outages of an API server, during which a new process would not reach it either.
 */
const MAX_SILENCE_OF_ALL = 900_000;

/** Milliseconds without a renewal after which the end of a leader's work counts as stuck. */
const MAX_UNRENEWED = 60_000;

/**
 * Returns the answer of /readyz. The operator is ready when it watches every namespace, except for
 * those without permission, and at least one. A deleted namespace must not make the operator look
 * broken; the answer names it. A standby replica is ready as soon as it could lead.
 *
 * @param defaults the watches of ConfigMaps with defaults and limits, with the same conditions;
 * without that for all applications nothing is submitted
 * @param webhook the admission webhook, if this replica serves it: API servers call only ready
 * replicas. It answers without caches, so an unwatched namespace must not disable it for others. It
 * needs one read of each namespace, or a problem of it, and at least one read
 * @param kinds kinds that applications do not depend on, such as schedules: the answer lists
 * namespaces where they are not watched, and is otherwise the same
 */
export function readiness(
  namespaces: readonly NamespaceHealth[], leadership?: LeadershipHealth, defaults: readonly NamespaceHealth[] = [], webhook?: PartReadiness,
  kinds: readonly KindHealth[] = [],
): Answer {
  const lines = [...linesOf(namespaces, defaults), ...kinds.flatMap((kind) => linesOfKind(kind, namespaces))];
  if (webhook) lines.push(webhook.line);
  if (leadership) lines.push(leadership.line);
  const isReady = webhook
    ? [...namespaces, ...defaults].every(isGoodEnoughToServe) && namespaces.some(({ synced }) => synced) && webhook.isReady
    : [...namespaces, ...defaults].every(isGoodEnough) && namespaces.some(isWatched);
  return { status: isReady ? 200 : 503, body: `${lines.join('\n')}\n` };
}

/**
 * Returns the answer of /readyz for a process that only serves the webhook. It watches namespaces
 * only if labels select them.
 */
export function readinessOfWebhookAlone(
  namespaces: readonly NamespaceHealth[], defaults: readonly NamespaceHealth[], webhook: PartReadiness,
): Answer {
  const isReady = [...namespaces, ...defaults].every(isGoodEnoughToServe) && webhook.isReady;
  return { status: isReady ? 200 : 503, body: `${[...linesOf(namespaces, defaults), webhook.line].join('\n')}\n` };
}

/** The watches of a kind. */
export interface KindHealth {
  /** The name of its controller. */
  readonly name: string;
  health(): readonly NamespaceHealth[];
}

/**
 * Returns the lines of a kind. If applications are not watched in a namespace either, one line is
 * enough.
 */
function linesOfKind(kind: KindHealth, namespaces: readonly NamespaceHealth[]): string[] {
  const isReported = ({ namespace }: NamespaceHealth) => namespaces.some((each) => each.namespace === namespace && !isWatched(each));
  return kind.health().filter((each) => !isWatched(each) && !isReported(each)).map(
    (each) => `${kind.name} in ${each.namespace}: ${describe(each)}`,
  );
}

/** Readiness of a part of the process, with a line for the answer. */
export interface PartReadiness {
  readonly isReady: boolean;
  readonly line: string;
}

/**
 * Returns whether API servers should call a webhook: if it has a valid certificate and is not being
 * stopped. A problem of the next certificate is reported, but has no effect while there is a valid
 * one.
 *
 * @param now milliseconds since the epoch
 */
export function webhookReadiness({ certificate: { problem, notAfter }, leaving }: WebhookHealth, now: number): PartReadiness {
  const hasEnded = notAfter !== undefined && notAfter.getTime() <= now;
  const state = notAfter === undefined
    ? 'there is no certificate yet'
    : `the certificate ${hasEnded ? 'has ended' : 'is valid until'} ${notAfter.toISOString()}`;
  const texts = [...(leaving ? ['ending'] : []), state, ...(problem === undefined ? [] : [problem])];
  return { isReady: notAfter !== undefined && !hasEnded && !leaving, line: `webhook: ${texts.join('; ')}` };
}

/**
 * Returns the answer of /healthz: whether a new process would work better than this one. It would
 * if all watches are dead, or if the work of a lost lead does not end. It would not if the API
 * server denies access.
 */
export function liveness(namespaces: readonly NamespaceHealth[], leadership?: LeadershipHealth): Answer {
  const problems: string[] = [];
  const asked = namespaces.filter(({ refused }) => !refused);
  if (asked.length > 0 && asked.every(({ silentFor }) => silentFor > MAX_SILENCE_OF_ALL)) {
    problems.push(`nothing was heard from the API server for ${seconds(Math.min(...asked.map(({ silentFor }) => silentFor)))}`);
  }
  // A lost Lease has no renewal, but there can still be work.
  const overdue = overdueTime(leadership?.election);
  if (overdue > MAX_UNRENEWED) problems.push(`the Lease is lost for ${seconds(overdue)}, and the work has not ended`);
  return problems.length === 0 ? { status: 200, body: 'ok\n' } : { status: 503, body: `${problems.join('\n')}\n` };
}

/** Whether decisions about a namespace use current data. */
export function isWatched({ synced, silentFor, refused }: NamespaceHealth): boolean {
  return synced && !refused && silentFor <= MAX_SILENCE;
}

function linesOf(namespaces: readonly NamespaceHealth[], defaults: readonly NamespaceHealth[]): string[] {
  return [
    ...namespaces.map((health) => `${health.namespace}: ${describe(health)}`),
    ...defaults.map((health) => `defaults and limits of ${health.namespace}: ${describe(health)}`),
  ];
}

function isGoodEnough(health: NamespaceHealth): boolean {
  return (health.refused && !health.isRequired) || isWatched(health);
}

/** Whether the data of a namespace is good enough for the webhook, which reads missing objects. */
function isGoodEnoughToServe({ synced, refused, problem, isRequired }: NamespaceHealth): boolean {
  return synced || (!isRequired && (refused === true || problem !== undefined));
}

function describe(health: NamespaceHealth): string {
  if (isWatched(health)) return 'ok';
  if (health.problem) return `cannot be watched: ${health.problem}`;
  return health.synced ? `nothing was heard from the API server for ${seconds(health.silentFor)}` : 'the caches are not filled yet';
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** Returns the milliseconds for which a process has worked without being the leader. */
function overdueTime(election: ElectionHealth | undefined): number {
  return election?.hasTerm && !election.leading ? election.overdueFor ?? 0 : 0;
}
