import type { ElectionHealth } from '../kube/leader-election';
import type { Answer } from './http-server';
import type { WebhookHealth } from './admission/start';
import type { LeadershipHealth } from './runtime/leadership';
import type { NamespaceHealth } from './watches';

/** Milliseconds after which a silent watch makes the operator not ready. */
const MAX_SILENCE = 300_000;

/** Milliseconds after which watches that are all silent count as dead. Longer than an API server is usually away: a new process would not find it either. */
const MAX_SILENCE_OF_ALL = 900_000;

/** Milliseconds without a renewal after which the end of a leader's work counts as stuck. */
const MAX_UNRENEWED = 60_000;

/**
 * What /readyz answers: ready when every namespace is watched or refused to us, and at least one is watched. A namespace that is gone must
 * not make the operator look broken; it is named in the answer. A replica that stands by is ready as soon as it could take over.
 *
 * @param defaults the watches of ConfigMaps with defaults and limits, of which the same holds; nothing is submitted without that for all applications
 * @param webhook the admission webhook, if this replica serves it: API servers are sent to replicas that are ready. It answers without caches, so that a namespace that
 *   cannot be watched must not take it away from the others: then it is enough that each was read once, or has a problem, and one was read
 * @param kinds those that applications do not depend on, such as that of schedules: where they cannot be watched the answer tells it, and is the same for the rest
 */
export function readiness(
  namespaces: readonly NamespaceHealth[], leadership?: LeadershipHealth, defaults: readonly NamespaceHealth[] = [], webhook?: PartReadiness, kinds: readonly KindHealth[] = [],
): Answer {
  const lines = [...linesOf(namespaces, defaults), ...kinds.flatMap((kind) => linesOfKind(kind, namespaces))];
  if (webhook) lines.push(webhook.line);
  if (leadership) lines.push(leadership.line);
  const isReady = webhook
    ? [...namespaces, ...defaults].every(isGoodEnoughToServe) && namespaces.some(({ synced }) => synced) && webhook.isReady
    : [...namespaces, ...defaults].every(isGoodEnough) && namespaces.some(isWatched);
  return { status: isReady ? 200 : 503, body: `${lines.join('\n')}\n` };
}

/** What /readyz answers of a process that serves the webhook and nothing else: namespaces are only followed if labels select them. */
export function readinessOfWebhookAlone(namespaces: readonly NamespaceHealth[], defaults: readonly NamespaceHealth[], webhook: PartReadiness): Answer {
  const isReady = [...namespaces, ...defaults].every(isGoodEnoughToServe) && webhook.isReady;
  return { status: isReady ? 200 : 503, body: `${[...linesOf(namespaces, defaults), webhook.line].join('\n')}\n` };
}

/** How a kind is watched. */
export interface KindHealth {
  /** The name of its controller. */
  readonly name: string;
  health(): readonly NamespaceHealth[];
}

/** Where applications cannot be watched either, one line is enough. */
function linesOfKind(kind: KindHealth, namespaces: readonly NamespaceHealth[]): string[] {
  const isTold = ({ namespace }: NamespaceHealth) => namespaces.some((each) => each.namespace === namespace && !isWatched(each));
  return kind.health().filter((each) => !isWatched(each) && !isTold(each)).map((each) => `${kind.name} in ${each.namespace}: ${describe(each)}`);
}

/** Whether a part of the process is ready, and what there is to be said of it. */
export interface PartReadiness {
  readonly isReady: boolean;
  readonly line: string;
}

/**
 * Whether API servers should be sent to a webhook: if it has a certificate that is valid, and has not been told to end. A problem of the certificate that is to come
 * is told, and does not matter as long as there is one.
 *
 * @param now milliseconds since the epoch
 */
export function webhookReadiness({ certificate: { problem, notAfter }, leaving }: WebhookHealth, now: number): PartReadiness {
  const hasEnded = notAfter !== undefined && notAfter.getTime() <= now;
  const state = notAfter === undefined ? 'there is no certificate yet' : `the certificate ${hasEnded ? 'has ended' : 'is valid until'} ${notAfter.toISOString()}`;
  const texts = [...(leaving ? ['ending'] : []), state, ...(problem === undefined ? [] : [problem])];
  return { isReady: notAfter !== undefined && !hasEnded && !leaving, line: `webhook: ${texts.join('; ')}` };
}

/**
 * What /healthz answers: whether a new process would do better than this one. It would if all watches are dead, or if the work of a lost
 * lead does not end; not if the API server refuses us.
 */
export function liveness(namespaces: readonly NamespaceHealth[], leadership?: LeadershipHealth): Answer {
  const problems: string[] = [];
  const asked = namespaces.filter(({ refused }) => !refused);
  if (asked.length > 0 && asked.every(({ silentFor }) => silentFor > MAX_SILENCE_OF_ALL)) {
    problems.push(`nothing was heard from the API server for ${seconds(Math.min(...asked.map(({ silentFor }) => silentFor)))}`);
  }
  // The renewal is forgotten when the Lease is lost; what counts is that there is work although it is.
  const overdue = overdueTime(leadership?.election);
  if (overdue > MAX_UNRENEWED) problems.push(`the Lease is lost for ${seconds(overdue)}, and the work has not ended`);
  return problems.length === 0 ? { status: 200, body: 'ok\n' } : { status: 503, body: `${problems.join('\n')}\n` };
}

/** Whether decisions about a namespace rest on what is so now. */
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

/** What a process knows of a namespace goes on to be good enough for the webhook: what is not known is asked for. */
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

/** Milliseconds that a process works on without being the leader. */
function overdueTime(election: ElectionHealth | undefined): number {
  return election?.hasTerm && !election.leading ? election.overdueFor ?? 0 : 0;
}
