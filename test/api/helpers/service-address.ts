import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { run } from '../../../tools/local-cluster/run';
import { get } from '../../helpers/kubectl';

/**
 * The address of a Service on an API server without nodes, where there is no kube-proxy: connections to it are passed on to processes on
 * this machine, one after the other. Call `close` at the end.
 */
export class ServiceAddress {
  /** Ports of processes that connections are passed on to; none: they are refused, as those of a Service without endpoints. */
  public targets: readonly number[] = [];
  /** How many connections there were. */
  public connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(public readonly address: string, private readonly server: Server) {}

  /** Takes on the address of a Service that is there. */
  static async of(namespace: string, name: string): Promise<ServiceAddress> {
    const { spec: { clusterIP, ports: [{ port }] } } = await get(namespace, 'service', name);
    // The network is that of the cluster that the test runs on, not the machine's.
    await run('ip', ['address', 'replace', `${clusterIP}/32`, 'dev', 'lo'], { purpose: 'give the network of the cluster the address of a Service' });
    const server = createServer();
    const service = new ServiceAddress(clusterIP, server);
    server.on('connection', (socket) => service.passOn(socket));
    server.listen({ host: clusterIP, port });
    await once(server, 'listening');
    return service;
  }

  /** The port, which is that of the Service. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections, as the end of a node does. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Gives the address back. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.drop();
    await closed;
    await run('ip', ['address', 'delete', `${this.address}/32`, 'dev', 'lo'], { purpose: 'take the address of a Service back' });
  }

  private passOn(socket: Socket): void {
    const target = this.targets[this.connections++ % Math.max(1, this.targets.length)];
    if (target === undefined) return void socket.resetAndDestroy();
    const onward = connect({ host: '127.0.0.1', port: target });
    for (const [from, to] of [[socket, onward], [onward, socket]] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.end();
      });
      from.pipe(to);
    }
  }
}
