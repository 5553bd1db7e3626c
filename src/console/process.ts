import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../text/usage-error';
import { loadPage } from './server/bundled-page';
import { startClusterConsole } from './server/cluster-console';
import type { Listening } from './server/server';
import { KubeClient } from '../kube/client';
import { connect } from '../kube/kube-config';
import type { Logger } from '../kube/logger';

/** What `spark-operator console` is told on its command line. */
export interface ConsoleConfiguration {
  readonly listen: Listening;
  /** Host names of the console; it also answers to addresses and localhost. */
  readonly hosts?: readonly string[];
  /** Namespaces whose applications are shown; undefined for all. */
  readonly namespaces?: readonly string[];
  /** What the page calls the cluster. */
  readonly cluster: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export const CONSOLE_USAGE = `spark-operator console: serves a page that shows applications and changes nothing, to all who bring a bearer token of the cluster.

  --port=PORT              where it listens (default 8088)
  --hosts=NAME,…           host names of the console, such as that of its Ingress; requests with other names are refused, except for
                           addresses and localhost (default: none)
  --namespaces=NAME,…      namespaces whose applications are shown (default: all)
  --cluster-name=NAME      what the page calls the cluster (default: cluster)
  --tls-cert-file=FILE     certificate, PEM; with it and the key the page is served by HTTPS. Bearer tokens should not go over plain HTTP.
                           It is read again each minute, as certificates are renewed
  --tls-key-file=FILE      key of the certificate, PEM
  --kubeconfig=FILE        (default: the service account of the pod)
  --context=NAME           context of the kubeconfig
`;

/**
 * Reads the command line behind `console`.
 *
 * @param readFile the text of a file
 * @throws {UsageError}
 */
export function parseConsole(args: readonly string[], readFile = (path: string) => readFileSync(path, 'utf8')): ConsoleConfiguration {
  let values: Partial<Record<'port' | 'hosts' | 'namespaces' | 'cluster-name' | 'tls-cert-file' | 'tls-key-file' | 'kubeconfig' | 'context', string>>;
  const text = { type: 'string' } as const;
  try {
    ({ values } = parseArgs({ args: [...args], options: { 'port': text, 'hosts': text, 'namespaces': text, 'cluster-name': text, 'tls-cert-file': text, 'tls-key-file': text, 'kubeconfig': text, 'context': text } }));
  } catch (error) {
    throw new UsageError(`console: ${(error as Error).message}\nRun with console --help for the flags.`);
  }
  const port = Number(values.port ?? 8088);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port=${values.port}: write a number from 0 to 65535`);
  const { 'tls-cert-file': cert, 'tls-key-file': key } = values;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--tls-cert-file and --tls-key-file belong together; give both or none');
  const [hosts, namespaces] = [values.hosts, values.namespaces].map((list) => list?.split(',').map((name) => name.trim()).filter((name) => name !== ''));
  const wrong = hosts?.find((host) => !/^[\w.-]+$/.test(host));
  if (wrong !== undefined) throw new UsageError(`--hosts: ${JSON.stringify(wrong)} is no name of a host; write it without scheme, port and path, such as spark.example.org`);
  return {
    listen: { port, ...(cert !== undefined && { tls: () => ({ cert: readFile(cert), key: readFile(key!) }) }) },
    ...(hosts && hosts.length > 0 && { hosts }),
    cluster: values['cluster-name'] ?? 'cluster',
    ...(namespaces && namespaces.length > 0 && { namespaces }),
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.context !== undefined && { context: values.context }),
  };
}

/** Calls a second, and in a burst. Reviews of unknown tokens have a lower limit of their own. */
const MAX_CALLS = { qps: 200, burst: 400 } as const;

/** Serves the console until it is stopped. */
export async function startConsoleProcess({ listen, hosts, namespaces, cluster, kubeconfig, context }: ConsoleConfiguration, logger: Logger, version: string) {
  const client = new KubeClient(connect({ kubeconfig, context }), { userAgent: `spark-console/${version}`, ...MAX_CALLS });
  const running = await startClusterConsole({ client, loadPage, listen, ...(hosts && { hosts }), ...(namespaces && { namespaces }), cluster, version, logger });
  return {
    async stop() {
      await running.close();
      client.close();
    },
  };
}
