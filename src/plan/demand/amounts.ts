import { parseQuantity } from '../pods/quantity';

/** Amounts by the name of what is counted, in billionths of its unit: of a core, of a byte, of a piece. */
export type Amounts = ReadonlyMap<string, bigint>;

/** A billionth of a unit is the smallest amount that Kubernetes knows. */
export const UNIT = 10n ** 9n;

/** Reads amounts as a manifest has them; what is none is left out. */
export function amountsOf(quantities: unknown): Amounts {
  if (typeof quantities !== 'object' || quantities === null) return new Map();
  return new Map(Object.entries(quantities).flatMap(([name, quantity]): [string, bigint][] => {
    const amount = typeof quantity === 'string' || typeof quantity === 'number' ? parseQuantity(String(quantity)) : undefined;
    return amount === undefined ? [] : [[name, amount]];
  }));
}

/** The sum, name by name. */
export function plus(...all: readonly Amounts[]): Amounts {
  const sum = new Map<string, bigint>();
  for (const amounts of all) for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

/** The greater one, name by name. */
export function greatest(a: Amounts, b: Amounts): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) if (amount > (result.get(name) ?? 0n)) result.set(name, amount);
  return result;
}

/** As often as that. */
export function times(amounts: Amounts, count: number): Amounts {
  return new Map([...amounts].map(([name, amount]) => [name, amount * BigInt(count)]));
}

const BINARY: readonly (readonly [suffix: string, bytes: bigint])[] = [['Ti', 2n ** 40n], ['Gi', 2n ** 30n], ['Mi', 2n ** 20n], ['Ki', 2n ** 10n]];

/** An amount as people write it: `1500m` of CPU, `6Gi` of memory and storage, `3` of what comes in pieces. What has to be cut is rounded up, or down if it is what is left. */
export function amountText(name: string, amount: bigint, rounding: 'up' | 'down'): string {
  if (amount < 0n) return `-${amountText(name, -amount, rounding === 'up' ? 'down' : 'up')}`;
  const inUnits = (unit: bigint) => String(rounding === 'up' ? (amount + unit - 1n) / unit : amount / unit);
  if (amount === 0n) return '0';
  if (/(^|[.])cpu$/.test(name)) return amount % UNIT === 0n ? inUnits(UNIT) : `${inUnits(UNIT / 1000n)}m`;
  if (!/memory|storage$|hugepages-/.test(name)) return inUnits(UNIT);
  const [suffix, bytes] = BINARY.find(([, size]) => amount % (size * UNIT) === 0n) ?? (amount < 2n ** 20n * UNIT ? ['', 1n] : ['Mi', 2n ** 20n]);
  return `${inUnits(bytes * UNIT)}${suffix}`;
}
