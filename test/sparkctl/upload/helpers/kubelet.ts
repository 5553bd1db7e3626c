import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Connection } from '../../../../src/kube/connection';

/** Fault of a command. */
export interface Treatment {
  /** Bytes of its input after which the connection is cut. @default - never */
  readonly cutAfter?: number;
}

/**
 * Fake kubelet that runs the commands of `exec` on this machine, by the real protocol and without
 * containers.
 */
export class FakeKubelet {
  /** Paths of the requests. */
  public readonly asked: string[] = [];
  /** Faults of the first commands, in order; later ones have none. */
  public treatments: Treatment[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeKubelet> {
    const server = createServer((_, response) => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'));
    const kubelet = new FakeKubelet(server);
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => (protocols.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false) });
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      const url = new URL(request.url!, 'http://kubelet');
      kubelet.asked.push(url.pathname);
      if (url.pathname.includes('/forbidden/')) {
        const body = JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'pods "p" is forbidden: cannot get resource "pods/exec"' });
        socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => run(opened, url.searchParams.getAll('command'), kubelet.treatments.shift() ?? {}));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return kubelet;
  }

  get connection(): Connection {
    return { server: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`, credentials: () => ({ headers: {}, tls: {} }) };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function run(socket: WebSocket, [command, ...args]: string[], { cutAfter = Infinity }: Treatment): void {
  const child = spawn(command!, args);
  const say = (channel: number, bytes: Buffer | string) => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(bytes)]));
  let bytes = 0;
  socket.on('message', (message: Buffer) => {
    bytes += message.length - 1;
    if (bytes > cutAfter) socket.terminate();
    else child.stdin.write(message.subarray(1));
  });
  // As in a container, a lost input ends.
  socket.on('close', () => child.stdin.end());
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (text) => say(1, text));
  child.stderr.on('data', (text) => say(2, text));
  child.on('close', (code) => {
    say(3, JSON.stringify(code === 0 ? { status: 'Success' } : { status: 'Failure', message: `command terminated with exit code ${code}` }));
    socket.close();
  });
}
