import { mayI, localSession } from './local-session';
import { NodeReader } from './node-reader';
import { Page, type LoadPage } from './page-files';
import { serveConsole } from './server';
import { SparkUis, type Dial, type PortRange } from './spark-ui';
import { LIST_APPLICATIONS } from './viewer';
import { ClusterView } from './cluster-view';
import type { CheckOperator } from './operator-watch';
import { UsageReader } from './usage';
import type { KubeClient } from '../../kube/client';
import { systemClock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/** Options of a console on the user's own machine. */
export interface LocalConsoleOptions {
  readonly client: KubeClient;
  readonly dial: Dial;
  readonly loadPage: LoadPage;
  /** 0 for any free port. */
  readonly port: number;
  /** Ports for the web UIs of drivers, one for each. @default - any free ports */
  readonly sparkUiPorts?: PortRange;
  /**
   * Namespace to show.
   *
   * @default - all, if the user is allowed to list applications in all; else `fallback`
   */
  readonly namespace?: string;
  readonly fallback: string;
  /** Checks whether an operator runs. @default - by the Leases that the user can read */
  readonly checkOperator?: CheckOperator;
  /** URL of the History Server, for links. @default - no links */
  readonly historyServer?: string;
  /** Display name of the cluster. */
  readonly cluster: string;
  readonly version: string;
  readonly logger: Logger;
}

/** Running console. */
export interface LocalConsole {
  readonly port: number;
  /** Address with the user's token; anyone who knows it has the user's permissions. */
  readonly url: string;
  /** Returns an address that works once. */
  newUrl(): string;
  /** Namespace that the console shows; undefined for all. */
  readonly namespace?: string;
  /** Whether the user can list the applications that it shows. */
  readonly canList: boolean;
  stop(): Promise<void>;
}

/**
 * Starts a console for the user of a kubeconfig, on the loopback address.
 *
 * @throws {Error} if it cannot listen on the port
 * @throws {ApiError} if the API server does not review the user's permissions
 */
export async function startLocalConsole(options: LocalConsoleOptions): Promise<LocalConsole> {
  const { client, dial, loadPage, port, sparkUiPorts, fallback, checkOperator, historyServer, cluster, version, logger } = options;
  const clock = systemClock;
  const isEverywhere = options.namespace === undefined && await mayI(client, LIST_APPLICATIONS);
  const namespace = isEverywhere ? undefined : options.namespace ?? fallback;
  // Only for a message: a failed review must not prevent the start.
  const canList = isEverywhere || await mayI(client, { ...LIST_APPLICATIONS, namespace }).catch(() => true);
  const view = new ClusterView({
    client, ...(namespace !== undefined && { namespaces: [namespace] }), ...(checkOperator && { checkOperator }), readsExecutors: true,
    logger, clock,
  });
  const sparkUis = new SparkUis(dial, () => clock.monotonic(), sparkUiPorts);
  const own = localSession(client, clock);
  const server = await serveConsole({
    host: '127.0.0.1',
    port,
    page: new Page(await loadPage()),
    api: {
      authenticate: own.authenticate, client, view, sparkUis, clock,
      usage: new UsageReader(client, clock), nodes: new NodeReader(client, clock),
      ...(historyServer !== undefined && { historyServer }),
      about: { version, cluster, ...(namespace !== undefined && { namespace }) },
    },
    own,
    logger,
  });
  view.start();
  const urlWith = (token: string) => `http://127.0.0.1:${server.port}/?token=${token}`;
  return {
    port: server.port,
    url: urlWith(own.token),
    newUrl: () => urlWith(own.newTicket()),
    ...(namespace !== undefined && { namespace }),
    canList,
    async stop() {
      await Promise.all([server.close(), sparkUis.close(), view.stop()]);
    },
  };
}
