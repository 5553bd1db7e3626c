import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

/** A client, by its address or network. */
interface Client {
  readonly name: string;
  /** Its open connections. */
  count: number;
}

interface Connection {
  readonly key: string;
  readonly socket: Socket;
  readonly client: Client;
  /** The request whose answer is not sent yet. */
  request?: IncomingMessage;
  /** Its answer, and a previous one about which Node.js has yet to report that it is sent. */
  answers: readonly ServerResponse[];
  /** Whether it brought an accepted request. */
  isProven: boolean;
  /**
   * Number of the event of opening it or, once it is proven, of the last begin or end of a request.
   */
  lastEvent: number;
}

/** Limits of open connections. */
export interface ConnectionLimits {
  /** All together. */
  readonly all: number;
  /** Those of one client. */
  readonly ofClient: number;
}

/** No limits, for servers on a loopback address. */
export const UNLIMITED: ConnectionLimits = { all: Infinity, ofClient: Infinity };

/**
 * Connections of an HTTP server that does not know its clients yet.
 *
 * - Each connection has at most one request at a time. Node.js parses all requests of a read
 *   (64 KiB) before it sends the first answer, and keeps all answers that the client does not read.
 * - Each client has at most its share. Without room, a connection of the client with most ends, so
 *   that a client with few connections always gets another one.
 */
export class InboundConnections {
  /** By address and port of the client, the oldest first. */
  private readonly open = new Map<string, Connection>();
  private readonly clients = new Map<string, Client>();
  private events = 0;

  /**
   * @param clientOf the name of a client; its address by default, as pods and API servers can have
   * one IPv6 network
   */
  constructor(private readonly limits: ConnectionLimits, private readonly clientOf: (socket: Socket) => string = addressOf) {}

  /** Number of open connections. */
  get size(): number {
    return this.open.size;
  }

  /** Lets a server answer requests within the limits. */
  serve(server: Server, listener: RequestListener): void {
    // Node.js would answer requests without Host, or with an unknown Expect, without the listener.
    Object.assign(server, { requireHostHeader: false });
    server.on('checkExpectation', ({ socket }) => reject(socket));
    server.on('connection', (socket) => this.add(socket as Socket));
    server.on('request', (request, response) => {
      if (this.begin(request, response)) listener(request, response);
    });
  }

  /** Adds a connection, or ends it if there is no room. */
  add(socket: Socket): void {
    const [key, name] = [keyOf(socket), this.clientOf(socket)];
    // The client ended its previous connection of this port; the server has yet to notice.
    this.remove(this.open.get(key));
    const client = this.clients.get(name) ?? { name, count: 0 };
    if (name === '' || !this.makeRoomFor(client)) {
      socket.destroy();
      return;
    }
    const connection: Connection = { key, socket, client, answers: [], isProven: false, lastEvent: ++this.events };
    this.open.set(key, connection);
    client.count++;
    this.clients.set(name, client);
    socket.once('close', () => this.remove(connection));
  }

  /**
   * Begins a request.
   *
   * @returns `false` if its connection has one already; then the connection ends
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const connection = this.open.get(keyOf(socket));
    if (!connection || !isFree(connection, socket)) {
      reject(socket);
      return false;
    }
    connection.answers = [...connection.answers, response];
    this.setRequest(connection, request);
    // Also without an answer, if the connection breaks.
    response.once('close', () => {
      connection.answers = connection.answers.filter((answer) => answer !== response);
      if (connection.answers.length === 0) this.setRequest(connection, undefined);
    });
    return true;
  }

  /** Marks a connection as that of a client whose request was accepted. */
  prove(socket: Socket): void {
    const connection = this.open.get(keyOf(socket));
    if (connection) connection.isProven = true;
  }

  /** Ends all connections. */
  end(): void {
    for (const { socket } of this.open.values()) socket.destroy();
  }

  private setRequest(connection: Connection, request: IncomingMessage | undefined): void {
    connection.request = request;
    if (connection.isProven) connection.lastEvent = ++this.events;
  }

  private makeRoomFor(client: Client): boolean {
    if (client.count >= this.limits.ofClient) return this.endOneFor(client, (connection) => connection.client === client);
    return this.open.size < this.limits.all || this.endOneFor(client, () => true);
  }

  private endOneFor(newcomer: Client, isAllowed: (connection: Connection) => boolean): boolean {
    let first: Connection | undefined;
    for (const connection of this.open.values()) {
      if (isAllowed(connection) && canEndFor(newcomer, connection) && (!first || byWorth(connection, first) < 0)) first = connection;
    }
    if (!first) return false;
    this.remove(first);
    first.socket.destroy();
    return true;
  }

  private remove(connection: Connection | undefined): void {
    if (!connection || this.open.get(connection.key) !== connection) return;
    this.open.delete(connection.key);
    const { client } = connection;
    client.count--;
    if (client.count === 0) this.clients.delete(client.name);
  }
}

/**
 * Ends a connection, and the parsing of what the server has read. That can be 2,500 requests of
 * some KiB each, which stay until the connections of this turn of the event loop close. Node.js has
 * no public function for the second.
 */
function reject(socket: Socket): void {
  socket.destroy();
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } };
  // As for a request to upgrade, with which HTTP ends.
  if (parser) parser.onIncoming = () => 2;
}

/**
 * Whether a connection can take a request. With TLS, Node.js reports a turn later that an answer is
 * sent, and the next request can be there before that.
 */
function isFree({ answers: [previous, ...others] }: Connection, socket: Socket): boolean {
  return !previous || (others.length === 0 && previous.writableEnded && !socket.writableNeedDrain);
}

/**
 * A client with more connections than the newcomer gives up any, one with as many only an idle one.
 */
function canEndFor(newcomer: Client, connection: Connection): boolean {
  return connection.client.count > newcomer.count || (connection.client.count === newcomer.count && !isBusy(connection));
}

/**
 * Orders connections by their worth. Idle unproven ones have the least, busy proven ones the most;
 * between these and among themselves, those of the client with most connections have less.
 */
function byWorth(a: Connection, b: Connection): number {
  return worthOf(a) - worthOf(b) || b.client.count - a.client.count || Number(isBusy(a)) - Number(isBusy(b)) || a.lastEvent - b.lastEvent;
}

function worthOf(connection: Connection): number {
  return Number(connection.isProven) + Number(isBusy(connection));
}

/**
 * Whether the server has a whole request to answer. A client can keep one without its end at no
 * cost.
 */
function isBusy({ request }: Connection): boolean {
  return request?.complete === true;
}

/** Is the same for a connection and for the TLS on it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Returns the address of a client; empty if it has gone. */
export function addressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress)?.[1] ?? remoteAddress;
}

/**
 * Returns the IPv4 address of a client or its IPv6 /64 network, as a host can use all addresses of
 * one.
 */
export function networkOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const address = addressOf(socket);
  if (!isIPv6(address)) return address;
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]?];
  const zeros = tail ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : [];
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':')}::/64`;
}
