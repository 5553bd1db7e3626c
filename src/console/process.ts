import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../text/usage-error';
import { loadPage } from './server/bundled-page';
import { startClusterConsole } from './server/cluster-console';
import type { OperatorLease } from './server/operator-lease';
import type { Listening } from './server/server';
import { KubeClient } from '../kube/client';
import { connect } from '../kube/kube-config';
import type { Logger } from '../kube/logger';
import { WEB_URL_HINT, webUrl } from '../rules/web-url';

/** Configuration of `spark-operator console` by its command line. */
export interface ConsoleConfiguration {
  readonly listen: Listening;
  /** Host names of the console. It also accepts IP addresses and localhost. */
  readonly hosts?: readonly string[];
  /** Namespaces whose applications it shows; undefined for all. */
  readonly namespaces?: readonly string[];
  /** Lease of the operator; undefined if the console does not check whether an operator runs. */
  readonly operatorLease?: OperatorLease;
  /** URL of the History Server, for links. */
  readonly historyServer?: string;
  /** Name of the cluster on the page. */
  readonly cluster: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export const CONSOLE_USAGE = `spark-operator console: serves a read-only page of applications to users with a bearer token of the cluster.

  --port=PORT              port to listen on (default 8088)
  --hosts=NAME,…           host names of the console, such as that of its Ingress; it rejects requests for other names, except for
                           IP addresses and localhost (default: none)
  --namespaces=NAME,…      namespaces whose applications it shows (default: all)
  --operator-lease=NAMESPACE/NAME
                           Lease of the operator, to report on the page that no operator runs (default: that is not checked)
  --history-server=URL     URL of the History Server for users' browsers, for links to applications (default: no links)
  --cluster-name=NAME      name of the cluster on the page (default: cluster)
  --tls-cert-file=FILE     certificate in PEM. With it and its key, the console serves HTTPS, which bearer tokens need. The console reads
                           it again every minute, as certificates are renewed
  --tls-key-file=FILE      private key of the certificate in PEM
  --kubeconfig=FILE        (default: the service account of the pod)
  --context=NAME           context of the kubeconfig
`;

/**
 * Parses the arguments after `console`.
 *
 * @param readFile returns the text of a file
 * @throws {UsageError}
 */
export function parseConsole(args: readonly string[], readFile = (path: string) => readFileSync(path, 'utf8')): ConsoleConfiguration {
  let values: Partial<Record<
    | 'port'
    | 'hosts'
    | 'namespaces'
    | 'operator-lease'
    | 'history-server'
    | 'cluster-name'
    | 'tls-cert-file'
    | 'tls-key-file'
    | 'kubeconfig'
    | 'context', string>>;
  const text = { type: 'string' } as const;
  try {
    ({ values } = parseArgs({
      args: [...args], options: {
        'port': text, 'hosts': text, 'namespaces': text, 'operator-lease': text, 'history-server': text, 'cluster-name': text,
        'tls-cert-file': text, 'tls-key-file': text, 'kubeconfig': text, 'context': text,
      },
    }));
  } catch (error) {
    throw new UsageError(`console: ${(error as Error).message}\nRun with console --help for the flags.`);
  }
  const port = Number(values.port ?? 8088);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port=${values.port}: write a number from 0 to 65535`);
  const { 'tls-cert-file': cert, 'tls-key-file': key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError('--tls-cert-file and --tls-key-file belong together; set both or none');
  }
  const [hosts, namespaces] = [
    values.hosts, values.namespaces,
  ].map((list) => list?.split(',').map((name) => name.trim()).filter((name) => name !== ''));
  const wrong = hosts?.find((host) => !/^[\w.-]+$/.test(host));
  if (wrong !== undefined) {
    throw new UsageError(
      `--hosts: ${JSON.stringify(wrong)} is not a host name; write it without scheme, port and path, such as spark.example.org`,
    );
  }
  return {
    listen: { port, ...(cert !== undefined && { tls: () => ({ cert: readFile(cert), key: readFile(key!) }) }) },
    ...(hosts && hosts.length > 0 && { hosts }),
    ...(values['operator-lease'] !== undefined && { operatorLease: leaseIn(values['operator-lease']) }),
    ...(values['history-server'] !== undefined && { historyServer: historyServerIn(values['history-server']) }),
    cluster: values['cluster-name'] ?? 'cluster',
    ...(namespaces && namespaces.length > 0 && { namespaces }),
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.context !== undefined && { context: values.context }),
  };
}

/** @throws {UsageError} */
function historyServerIn(text: string): string {
  const url = webUrl(text);
  if (url === undefined) throw new UsageError(`--history-server=${text} is not the URL of a web server; ${WEB_URL_HINT}`);
  return url;
}

/** @throws {UsageError} */
function leaseIn(text: string): OperatorLease {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (namespace === '' || name === '' || more.length > 0) {
    throw new UsageError(`--operator-lease=${text}: write the namespace and the name of the Lease, such as spark-operator/my-lock`);
  }
  return { namespace, name };
}

/**
 * Limits of calls per second and of a burst. Reviews of unknown tokens have their own, lower limit.
 */
const MAX_CALLS = { qps: 200, burst: 400 } as const;

/** Serves the console until it is stopped. */
export async function startConsoleProcess(
  { listen, hosts, namespaces, operatorLease, historyServer, cluster, kubeconfig, context }: ConsoleConfiguration,
  logger: Logger, version: string,
) {
  const client = new KubeClient(connect({ kubeconfig, context }), { userAgent: `spark-console/${version}`, ...MAX_CALLS });
  const running = await startClusterConsole({
    client, loadPage, listen, ...(hosts && { hosts }), ...(namespaces && { namespaces }), ...(operatorLease && { operatorLease }),
    ...(historyServer !== undefined && { historyServer }), cluster, version, logger,
  });
  return {
    async stop() {
      await running.close();
      client.close();
    },
  };
}
