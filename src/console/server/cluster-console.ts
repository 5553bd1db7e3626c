import { CONNECTIONS, REQUESTS, STREAMS } from './limits';
import { NodeReader } from './node-reader';
import { Page, type LoadPage } from './page-files';
import { reviewedRights } from './reviewed-rights';
import { consoleSemaphore } from './semaphore';
import { serveConsole, type Listening, type RunningConsole } from './server';
import { Streams } from './streams';
import { UsageReader } from './usage';
import { ClusterView } from './cluster-view';
import { leaseCheck, type OperatorLease } from './operator-lease';
import type { KubeClient } from '../../kube/client';
import { systemClock, type Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/** Options of a console in a cluster. */
export interface ClusterConsoleOptions {
  /**
   * Client with the console's own permissions: to read, and to review tokens and permissions of
   * users.
   */
  readonly client: KubeClient;
  readonly loadPage: LoadPage;
  readonly listen: Listening;
  /** Host names of the console; it also accepts IP addresses and localhost. @default - none */
  readonly hosts?: readonly string[];
  /** @default - all */
  readonly namespaces?: readonly string[];
  /** Lease of the operator, to report that none runs. @default - that is not checked */
  readonly operatorLease?: OperatorLease;
  /** URL of the History Server, for links. @default - no links */
  readonly historyServer?: string;
  /** Display name of the cluster. */
  readonly cluster: string;
  readonly version: string;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Starts the read-only console for all users with a bearer token of the cluster.
 *
 * @throws {Error} if it cannot listen on the port, or cannot read or use the certificate
 */
export async function startClusterConsole(options: ClusterConsoleOptions): Promise<RunningConsole> {
  const {
    client, loadPage, listen, hosts = [], namespaces, operatorLease, historyServer, cluster, version, logger, clock = systemClock,
  } = options;
  const view = new ClusterView({
    client, namespaces, logger, clock, ...(operatorLease && { operatorLease }),
    checkOperator: operatorLease ? leaseCheck(client, operatorLease, clock) : async () => undefined,
  });
  const server = await serveConsole({
    ...listen,
    page: new Page(await loadPage()),
    api: {
      authenticate: reviewedRights(client, clock),
      client,
      view,
      clock,
      usage: new UsageReader(client, clock), nodes: new NodeReader(client, clock),
      ...(historyServer !== undefined && { historyServer }),
      shares: { requests: consoleSemaphore(REQUESTS, clock), streams: new Streams(STREAMS) },
      about: { version, cluster, ...(namespaces?.length === 1 && { namespace: namespaces[0] }) },
    },
    hosts: new Set(hosts.map((host) => host.toLowerCase())),
    connections: CONNECTIONS,
    logger,
  });
  view.start();
  logger.info({ port: server.port, namespaces }, 'serving the console');
  return {
    port: server.port,
    async close() {
      await Promise.all([server.close(), view.stop()]);
    },
  };
}
