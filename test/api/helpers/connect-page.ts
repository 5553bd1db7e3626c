import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The page for Spark Connect in Spark's web UI, served to the operator from here. */
export interface ConnectPage {
  readonly port: number;
  /** Sessions that are open. */
  sessions: number;
  close(): Promise<unknown>;
}

/** Starts a web UI on the loopback address. */
export async function connectPage(sessions: number): Promise<ConnectPage> {
  const server = createServer((request, response) => {
    response.end(request.url === '/connect/' ? `<h4>\n  ${page.sessions}\n  session(s) are online,\n  running\n  0\n  Request(s)\n</h4>` : 'nothing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page: ConnectPage = { port: (server.address() as AddressInfo).port, sessions, close: () => new Promise((resolve) => server.close(resolve)) };
  return page;
}

/** The status of a server's pod that takes connections, with its web UI here. */
export function takingConnections(): object {
  const now = new Date().toISOString();
  return {
    phase: 'Running',
    podIP: '127.0.0.1',
    podIPs: [{ ip: '127.0.0.1' }],
    startTime: now,
    containerStatuses: [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: true, restartCount: 0, state: { running: { startedAt: now } } }],
    conditions: [{ type: 'Ready', status: 'True' }, { type: 'PodScheduled', status: 'True' }],
  };
}
