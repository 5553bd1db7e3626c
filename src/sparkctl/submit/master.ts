import type { Cluster } from '../cluster';
import { CommandError } from '../errors';
import type { Setting } from './request';

/** Names of the API server inside of its cluster. */
const IN_CLUSTER = /^kubernetes\.default(\.svc(\.cluster\.local)?)?$/;

/**
 * Checks that a master of spark-submit is the cluster that the command uses: another one would get
 * what is meant for the first.
 *
 * @throws {CommandError} if it is another server
 */
export function checkMaster({ value, origin }: Setting, { connection, context, kubeconfig }: Pick<Cluster, 'connection' | 'context' | 'kubeconfig'>): void {
  const master = urlOf(value.slice('k8s://'.length));
  const isPod = (kubeconfig ?? []).length === 0;
  if (master && (master.href === urlOf(connection.server)?.href || (isPod && IN_CLUSTER.test(master.hostname)))) return;
  throw new CommandError(
    `${origin} ${value} is not the server of the kubeconfig's context${context === undefined ? '' : ` ${context}`}, ${connection.server}; `
      + 'choose a context with --context, or omit it',
  );
}

/** Returns the URL of an API server; without a scheme it has https. */
function urlOf(text: string): URL | undefined {
  const whole = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole.replace(/\/+$/, '')) : undefined;
}
