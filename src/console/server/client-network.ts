import { isIPv6 } from 'node:net';

/** The groups of an IPv6 address that name the network: the host chooses the other four. */
const NETWORK_GROUPS = 4;

/**
 * Returns the client that an address counts as: the /64 of an IPv6 address, as a host has all
 * addresses of it, and an IPv4 address itself, mapped to IPv6 or not.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [head = '', tail = ''] = address.split('%', 1)[0]!.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
