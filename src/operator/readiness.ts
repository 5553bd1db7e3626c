import type { Answer } from './http-server';
import type { NamespaceHealth } from './spark-application/watches';

/** Milliseconds after which a silent watch makes the operator not ready. */
const MAX_SILENCE = 300_000;

/**
 * What /readyz answers: ready when every namespace is watched or refused to us, and at least one is watched. A namespace that is gone must
 * not make the operator look broken; it is named in the answer.
 */
export function readiness(namespaces: readonly NamespaceHealth[]): Answer {
  const lines = namespaces.map((health) => `${health.namespace}: ${describe(health)}`);
  const isReady = namespaces.every((health) => health.refused || isWatched(health)) && namespaces.some(isWatched);
  return { status: isReady ? 200 : 503, body: `${lines.join('\n')}\n` };
}

/** Whether decisions about a namespace rest on what is so now. */
export function isWatched({ synced, silentFor, refused }: NamespaceHealth): boolean {
  return synced && !refused && silentFor <= MAX_SILENCE;
}

function describe(health: NamespaceHealth): string {
  if (isWatched(health)) return 'ok';
  if (health.problem) return `cannot be watched: ${health.problem}`;
  return health.synced ? `nothing was heard from the API server for ${Math.round(health.silentFor / 1000)} s` : 'the caches are not filled yet';
}
