import type { Answer } from './http-server';
import type { NamespaceHealth } from './spark-application/watches';

/** Milliseconds after which a silent watch makes the operator not ready. */
const MAX_SILENCE = 300_000;

/**
 * What /readyz answers: ready when every namespace was seen or has been refused, and at least one was seen. A namespace that is gone must
 * not make the operator look broken; it is named in the answer.
 */
export function readiness(namespaces: readonly NamespaceHealth[]): Answer {
  const lines = namespaces.map((health) => `${health.namespace}: ${describe(health)}`);
  const isWaiting = namespaces.some(({ synced, problem }) => !synced && problem === undefined);
  const isDeaf = namespaces.some(({ synced, silentFor }) => synced && silentFor > MAX_SILENCE);
  const isReady = !isWaiting && !isDeaf && namespaces.some(({ synced }) => synced);
  return { status: isReady ? 200 : 503, body: `${lines.join('\n')}\n` };
}

function describe({ synced, silentFor, problem }: NamespaceHealth): string {
  if (!synced) return problem === undefined ? 'the caches are not filled yet' : `cannot be watched: ${problem}`;
  return silentFor > MAX_SILENCE ? `nothing was heard from the API server for ${Math.round(silentFor / 1000)} s` : 'ok';
}
