import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { CommandError } from '../errors';

/** Where connections are taken. */
export interface ListenOptions {
  readonly address: string;
  /** 0 is any that is free. */
  readonly port: number;
  /** Whether another free port will do if this one is taken. */
  readonly isAnyPort: boolean;
  /** The option that the port comes from, for messages. */
  readonly portOption: string;
}

/** Takes connections on this machine. */
export interface Listener {
  readonly port: number;
  /** Ends all connections, and takes no more. */
  close(): Promise<void>;
}

/**
 * Begins to take connections.
 *
 * @throws {CommandError} if the port is taken, or the address is none of this machine
 */
export async function listen({ address, port, isAnyPort, portOption }: ListenOptions, onConnection: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  // Half open: a client may have said all it has to say, and wait for the answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  try {
    await bind(server, address, port);
  } catch (error) {
    if (!isAnyPort || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw problemOf(error, address, port, portOption);
    await bind(server, address, 0);
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

function problemOf(error: unknown, address: string, port: number, option: string): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE': return new CommandError(`port ${port} of ${address} is taken; write another one as ${option}, or 0 for any that is free`);
    case 'EACCES': return new CommandError(`port ${port} may not be taken by you; write one above 1023 as ${option}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND': return new CommandError(`${address} is no address of this machine; write one of it as --address, such as 127.0.0.1`);
    default: return new CommandError(`cannot listen on ${address}, port ${port}: ${message}`);
  }
}
