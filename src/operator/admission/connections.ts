import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests that are not answered yet. */
  underWay: number;
  /** Whether it has brought a review. */
  isProven: boolean;
  /** When a request last began or ended on it: which of all such events that was. */
  lastEvent: number;
}

/** How many connections there may be. */
export interface ConnectionLimits {
  /** All together. */
  readonly all: number;
  /** From one address. */
  readonly ofAddress: number;
}

/**
 * The open connections. API servers show no certificates, so that anybody who reaches the port may connect: no address gets more than its share, and where there is no
 * room one goes on which nothing is under way. The oldest that has never brought a review; if there is none, the one that has been idle for longest, of the address that has most: a review is
 * quickly sent, and is no claim to a place for good.
 */
export class Connections {
  /** By address and port of the other end, the oldest first. */
  private readonly open = new Map<string, Connection>();
  private readonly counts = new Map<string, number>();
  private events = 0;

  /** @param clientOf returns the client that an address counts as. @default - the address */
  constructor(private readonly limits: ConnectionLimits, private readonly clientOf = (address: string) => address) {}

  /** How many there are. */
  get size(): number {
    return this.open.size;
  }

  /** Takes one, or ends it if there is no room. */
  add(socket: Socket): void {
    const [key, address] = [keyOf(socket), this.clientOf(socket.remoteAddress ?? '')];
    if (!this.makeRoom(address)) {
      socket.destroy();
      return;
    }
    this.open.set(key, { socket, address, underWay: 0, isProven: false, lastEvent: ++this.events });
    this.counts.set(address, this.of(address) + 1);
    socket.once('close', () => this.remove(key, socket));
  }

  /** A request has begun, or has been answered. */
  count(socket: Socket, requests: 1 | -1): void {
    const connection = this.open.get(keyOf(socket));
    if (!connection) return;
    connection.underWay += requests;
    connection.lastEvent = ++this.events;
  }

  /** It has brought a review. */
  prove(socket: Socket): void {
    const connection = this.open.get(keyOf(socket));
    if (connection) connection.isProven = true;
  }

  /** Ends all. */
  end(): void {
    for (const { socket } of this.open.values()) socket.destroy();
  }

  private of(address: string): number {
    return this.counts.get(address) ?? 0;
  }

  private makeRoom(address: string): boolean {
    if (this.of(address) >= this.limits.ofAddress) return this.endOne((connection) => connection.address === address);
    return this.open.size < this.limits.all || this.endOne(() => true, address);
  }

  /** @param newcomer an address; it takes no proven connection of one that has fewer than itself */
  private endOne(isMeant: (connection: Connection) => boolean, newcomer?: string): boolean {
    const idle = [...this.open.values()].filter((connection) => connection.underWay === 0 && isMeant(connection));
    const ended = idle.find(({ isProven }) => !isProven) ?? this.leastMissed(idle, newcomer === undefined ? 0 : this.of(newcomer));
    if (!ended) return false;
    this.remove(keyOf(ended.socket), ended.socket);
    ended.socket.destroy();
    return true;
  }

  private leastMissed(idle: readonly Connection[], atLeast: number): Connection | undefined {
    let found: Connection | undefined;
    for (const connection of idle) {
      const [count, most] = [this.of(connection.address), found ? this.of(found.address) : atLeast];
      if (count > most || (count === most && (!found || connection.lastEvent < found.lastEvent))) found = connection;
    }
    return found;
  }

  private remove(key: string, socket: Socket): void {
    const connection = this.open.get(key);
    // The port may be another connection's by now.
    if (connection?.socket !== socket) return;
    this.open.delete(key);
    const left = this.of(connection.address) - 1;
    if (left > 0) this.counts.set(connection.address, left);
    else this.counts.delete(connection.address);
  }
}

/** The same for a connection and the TLS on it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
