import { CONNECTIONS, REQUESTS, STREAMS } from './limits';
import { Page, type LoadPage } from './page-files';
import { reviewedRights } from './reviewed-rights';
import { newSecret } from './secrets';
import { consoleSemaphore } from './semaphore';
import { serveConsole, type Listening, type RunningConsole } from './server';
import { Streams } from './streams';
import { ClusterView } from './world';
import type { KubeClient } from '../../kube/client';
import { systemClock, type Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/** What a console in a cluster is started with. */
export interface ClusterConsoleOptions {
  /** With the rights of the console itself: to read, and to ask who somebody is and what they may. */
  readonly client: KubeClient;
  readonly loadPage: LoadPage;
  readonly listen: Listening;
  /** Host names of the console; it also answers to addresses and localhost. @default - none */
  readonly hosts?: readonly string[];
  /** @default - all */
  readonly namespaces?: readonly string[];
  /** What the cluster is called. */
  readonly cluster: string;
  readonly version: string;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Starts the console that only shows, for all who bring a bearer token of the cluster.
 *
 * @throws {Error} if the port cannot be listened on, or the certificate cannot be read or served
 */
export async function startClusterConsole(options: ClusterConsoleOptions): Promise<RunningConsole> {
  const { client, loadPage, listen, hosts = [], namespaces, cluster, version, logger, clock = systemClock } = options;
  const world = new ClusterView({ client, namespaces, logger, clock, epoch: newSecret().slice(0, 12) });
  const server = await serveConsole({
    ...listen,
    page: new Page(await loadPage()),
    api: {
      authenticate: reviewedRights(client, clock),
      client,
      view: world,
      clock,
      shares: { requests: consoleSemaphore(REQUESTS, clock), streams: new Streams(STREAMS) },
      about: { version, cluster, ...(namespaces?.length === 1 && { namespace: namespaces[0] }) },
    },
    hosts: new Set(hosts.map((host) => host.toLowerCase())),
    connections: CONNECTIONS,
    logger,
  });
  world.start();
  logger.info({ port: server.port, namespaces }, 'serving the console');
  return {
    port: server.port,
    async close() {
      await Promise.all([server.close(), world.stop()]);
    },
  };
}
