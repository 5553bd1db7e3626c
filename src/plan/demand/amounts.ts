import { parseQuantity } from '../pods/quantity';

/** Amounts by resource name, in billionths of a unit (core, byte or device). */
export type Amounts = ReadonlyMap<string, bigint>;

/** Billionths per unit; Kubernetes has no smaller amounts. */
export const UNIT = 10n ** 9n;

/** Returns the amounts of a manifest, without invalid ones. */
export function amountsOf(quantities: unknown): Amounts {
  if (typeof quantities !== 'object' || quantities === null) return new Map();
  return new Map(Object.entries(quantities).flatMap(([name, quantity]): [string, bigint][] => {
    const amount = typeof quantity === 'string' || typeof quantity === 'number' ? parseQuantity(String(quantity)) : undefined;
    return amount === undefined ? [] : [[name, amount]];
  }));
}

/** Returns the sum by name. */
export function plus(...all: readonly Amounts[]): Amounts {
  const sum = new Map<string, bigint>();
  for (const amounts of all) for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

/** Returns the maximum by name. */
export function greatest(a: Amounts, b: Amounts): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) if (amount > (result.get(name) ?? 0n)) result.set(name, amount);
  return result;
}

/** Returns the amounts multiplied by a count. */
export function times(amounts: Amounts, count: number): Amounts {
  return new Map([...amounts].map(([name, amount]) => [name, amount * BigInt(count)]));
}

const BINARY: readonly (readonly [suffix: string, bytes: bigint])[] = [
  ['Ti', 2n ** 40n], ['Gi', 2n ** 30n], ['Mi', 2n ** 20n], ['Ki', 2n ** 10n],
];

/**
 * Returns an amount as a Kubernetes quantity: `1500m` of CPU, `6Gi` of memory and storage, `3`
 * devices. Demands are rounded up, and free amounts down.
 */
export function amountText(name: string, amount: bigint, rounding: 'up' | 'down'): string {
  if (amount < 0n) return `-${amountText(name, -amount, rounding === 'up' ? 'down' : 'up')}`;
  const inUnits = (unit: bigint) => String(rounding === 'up' ? (amount + unit - 1n) / unit : amount / unit);
  if (amount === 0n) return '0';
  if (/(^|[.])cpu$/.test(name)) return amount % UNIT === 0n ? inUnits(UNIT) : `${inUnits(UNIT / 1000n)}m`;
  if (!/memory|storage$|hugepages-/.test(name)) return inUnits(UNIT);
  const [suffix, bytes] = BINARY.find(([, size]) => amount % (size * UNIT) === 0n)
    ?? (amount < 2n ** 20n * UNIT ? ['', 1n] : ['Mi', 2n ** 20n]);
  return `${inUnits(bytes * UNIT)}${suffix}`;
}
