import { kubectl } from './kubectl';

/** A TCP connection that is there, by who opened it. Addresses are as the pod sees them: maybe that of a Service. */
export interface TcpConnection {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

const ESTABLISHED = '01';
const LISTEN = '0A';

/** The connections of a pod, to others and from others, as its kernel has them. */
export async function connectionsOf(namespace: string, pod: string): Promise<TcpConnection[]> {
  return readConnections(await kubectl(['exec', pod, '-n', namespace, '--', 'cat', '/proc/net/tcp', '/proc/net/tcp6']));
}

/** Reads what is in `/proc/net/tcp` and `/proc/net/tcp6`. Connections of a pod to itself are left out. */
export function readConnections(text: string): TcpConnection[] {
  const sockets = text.split('\n').flatMap((line) => {
    const [, local, localPort, remote, remotePort, state] = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]{2}) /.exec(line) ?? [];
    return local === undefined ? [] : [{ local: addressOf(local), localPort: parseInt(localPort!, 16), remote: addressOf(remote!), remotePort: parseInt(remotePort!, 16), state }];
  });
  const listening = new Set(sockets.filter(({ state }) => state === LISTEN).map(({ localPort }) => localPort));
  return sockets.filter(({ state, local, remote }) => state === ESTABLISHED && local !== remote).map(({ local, localPort, remote, remotePort }) => (
    listening.has(localPort) ? { from: remote, to: local, port: localPort } : { from: local, to: remote, port: remotePort }
  ));
}

/** Reads words of four bytes, each with its bytes in the order of the machine: from IPv6 only an embedded IPv4 address. */
function addressOf(hex: string): string {
  return (hex.slice(-8).match(/../g) ?? []).map((byte) => parseInt(byte, 16)).reverse().join('.');
}
