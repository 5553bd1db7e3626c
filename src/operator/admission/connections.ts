import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests that are not answered yet. */
  underWay: number;
  /** Whether it has brought a review. */
  isProven: boolean;
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
 * room the oldest connection goes on which nothing is under way and that has never brought a review.
 */
export class Connections {
  /** By address and port of the other end, the oldest first. */
  private readonly open = new Map<string, Connection>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** How many there are. */
  get size(): number {
    return this.open.size;
  }

  /** Takes one, or ends it if there is no room. */
  add(socket: Socket): void {
    const [key, address] = [keyOf(socket), socket.remoteAddress ?? ''];
    if (!this.makeRoom(address)) {
      socket.destroy();
      return;
    }
    this.open.set(key, { socket, address, underWay: 0, isProven: false });
    this.counts.set(address, this.of(address) + 1);
    socket.once('close', () => this.remove(key, socket));
  }

  /** A request has begun, or has been answered. */
  count(socket: Socket, requests: 1 | -1): void {
    const connection = this.open.get(keyOf(socket));
    if (connection) connection.underWay += requests;
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
    if (this.of(address) >= this.limits.ofAddress) return this.endOldest((connection) => connection.address === address);
    return this.open.size < this.limits.all || this.endOldest(() => true);
  }

  private endOldest(isMeant: (connection: Connection) => boolean): boolean {
    for (const [key, connection] of this.open) {
      if (connection.underWay > 0 || connection.isProven || !isMeant(connection)) continue;
      this.remove(key, connection.socket);
      connection.socket.destroy();
      return true;
    }
    return false;
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
