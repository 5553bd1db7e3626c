import { isIPv4, isIPv6 } from 'net';
import type { Problem } from '../model/problem';

interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly version: 4 | 6;
}

/**
 * Checks a range of addresses, and that an exception is within the range.
 * @internal
 */
export function wrongRange(path: string, value: string, wider?: string): Problem | undefined {
  const range = rangeOf(value);
  if (!range) return { path, value, reason: 'is not a range of addresses; write for example 10.0.0.0/8, or 192.0.2.1/32 for one address' };
  const around = wider === undefined ? undefined : rangeOf(wider);
  if (!around) return undefined;
  const isWithin = range.version === around.version && range.first >= around.first && range.last <= around.last;
  const isAll = range.first === around.first && range.last === around.last;
  return isWithin && !isAll ? undefined : { path, value, reason: `is not within ${wider}, so the API server would reject it` };
}

function rangeOf(text: string): Range | undefined {
  const [address, length, ...rest] = text.split('/');
  if (rest.length > 0 || !address || !/^(0|[1-9]\d{0,2})$/.test(length ?? '')) return undefined;
  const version = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  const bits = version === 4 ? 32 : 128;
  if (version === undefined || Number(length) > bits) return undefined;
  const size = 2n ** BigInt(bits - Number(length));
  const number = version === 4 ? ipv4(address) : ipv6(address);
  const first = number - (number % size);
  return { first, last: first + size - 1n, version };
}

/** Returns the numbers of a group of an IPv6 address. */
const GROUP = 2n ** 16n;

function ipv4(address: string): bigint {
  return address.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
}

function ipv6(address: string): bigint {
  const [head, tail] = address.replace(/(\d+\.\d+\.\d+\.\d+)$/, (last) => {
    const number = ipv4(last);
    return `${(number / GROUP).toString(16)}:${(number % GROUP).toString(16)}`;
  }).split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = tail === undefined ? head! : [...head!, ...Array<string>(8 - head!.length - tail.length).fill('0'), ...tail];
  return groups.reduce((number, group) => number * GROUP + BigInt(`0x${group}`), 0n);
}
