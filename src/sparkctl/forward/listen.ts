import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { CommandError } from '../errors';

/** Address and port to listen on. */
export interface ListenOptions {
  readonly address: string;
  /** 0 is any free port. */
  readonly port: number;
  /** Whether to use any free port if this one is taken. */
  readonly isAnyPort: boolean;
  /** Option that sets the port, for messages. */
  readonly portOption: string;
}

/** Server that listens on this machine. */
export interface Listener {
  readonly port: number;
  /** Closes the server and all of its connections. */
  close(): Promise<void>;
}

/**
 * Starts to listen.
 *
 * @throws {CommandError} if the port is taken, or the address is not one of this machine
 */
export async function listen(
  { address, port, isAnyPort, portOption }: ListenOptions, onConnection: (socket: Socket) => void,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  // Half open: a client can end its side and still wait for the answer.
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
    case 'EADDRINUSE': return new CommandError(
      `port ${port} of ${address} is taken; set ${option} to another one, or to 0 for any free one`,
    );
    case 'EACCES': return new CommandError(`you cannot listen on port ${port}; set ${option} to one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND': return new CommandError(`${address} is not an address of this machine; set --address to one, such as 127.0.0.1`);
    default: return new CommandError(`cannot listen on ${address}, port ${port}: ${message}`);
  }
}
