import { mayI, ownSession } from './own-rights';
import { Page, type LoadPage } from './page-files';
import { newSecret } from './secrets';
import { serveConsole } from './server';
import { SparkUis, type Dial, type PortRange } from './spark-ui';
import { LIST_APPLICATIONS } from './viewer';
import { ClusterView } from './world';
import type { KubeClient } from '../../kube/client';
import { systemClock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';

/** What a console on somebody's own machine is started with. */
export interface OwnConsoleOptions {
  readonly client: KubeClient;
  readonly dial: Dial;
  readonly loadPage: LoadPage;
  /** 0 for any that is free. */
  readonly port: number;
  /** Where the web UIs of drivers are served, each on one of its own. @default - any that are free */
  readonly sparkUiPorts?: PortRange;
  /** The namespace to follow. @default - all, if the user may list the applications of all; else `fallback` */
  readonly namespace?: string;
  readonly fallback: string;
  /** What the cluster is called. */
  readonly cluster: string;
  readonly version: string;
  readonly logger: Logger;
}

/** A console that runs. */
export interface OwnConsole {
  readonly port: number;
  /** By which the user comes in; whoever knows it can do what the user can. */
  readonly url: string;
  /** The same, for once. */
  newUrl(): string;
  /** The namespace that is followed; undefined for all. */
  readonly namespace?: string;
  stop(): Promise<void>;
}

/**
 * Starts a console for the user of a kubeconfig, on the loopback address.
 *
 * @throws {Error} if the port cannot be listened on
 * @throws {ApiError} if the API server cannot be asked for the user's rights
 */
export async function startOwnConsole(options: OwnConsoleOptions): Promise<OwnConsole> {
  const { client, dial, loadPage, port, sparkUiPorts, fallback, cluster, version, logger } = options;
  const clock = systemClock;
  const namespace = options.namespace ?? (await mayI(client, LIST_APPLICATIONS) ? undefined : fallback);
  const world = new ClusterView({ client, ...(namespace !== undefined && { namespaces: [namespace] }), logger, clock, epoch: newSecret().slice(0, 12) });
  const sparkUis = new SparkUis(dial, () => clock.monotonic(), sparkUiPorts);
  const own = ownSession(client, clock);
  const server = await serveConsole({
    host: '127.0.0.1',
    port,
    page: new Page(await loadPage()),
    api: { authenticate: own.authenticate, client, view: world, sparkUis, clock, about: { version, cluster, ...(namespace !== undefined && { namespace }) } },
    own,
    logger,
  });
  world.start();
  const urlWith = (token: string) => `http://127.0.0.1:${server.port}/?token=${token}`;
  return {
    port: server.port,
    url: urlWith(own.token),
    newUrl: () => urlWith(own.newTicket()),
    ...(namespace !== undefined && { namespace }),
    async stop() {
      await Promise.all([server.close(), sparkUis.close(), world.stop()]);
    },
  };
}
