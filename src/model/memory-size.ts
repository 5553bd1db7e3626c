/** Units of sizes, each 1024 times the previous one, from KiB. */
const UNITS = ['k', 'm', 'g', 't', 'p', 'e'] as const;

/** A size, trimmed and in lower case. Spark has no `e`, and no fractions. */
const SIZE = /^([0-9]{1,18}(?:[.][0-9]{1,18})?)(?:(b)|([kmgtp])(i?)b?|(e)(i?))?$/;

/** A size of memory as Spark or Kubernetes writes it. All units are powers of 1024. */
export interface MemorySize {
  /** The number as written, such as `1.5`. */
  readonly amount: string;
  /** The unit in lower case, such as `g`; `b` for bytes, and empty without a unit. */
  readonly unit: '' | 'b' | typeof UNITS[number];
  /** Whether the unit is Kubernetes', such as `Gi`, and not Spark's. */
  readonly isBinary: boolean;
}

/** Rules of fields with a size of Spark (org.apache.spark.network.util.JavaUtils). */
export const SIZE_RULES = [{
  rule: "self.matches('^ *[0-9]+([bB]|[kKmMgGtTpP][iI]?[bB]?)? *$')",
  message: 'must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
}] as const;

/**
 * Parses a size in the notation of Spark or Kubernetes, such as `512m`, `4g`, `4Gi` or `4GiB`;
 * undefined if it is none. Case does not matter, as for Spark.
 */
export function parseMemorySize(text: string): MemorySize | undefined {
  // eslint-disable-next-line no-control-regex
  const match = SIZE.exec(text.toLowerCase().replace(/^[\0-\x20]+|[\0-\x20]+$/g, ''));
  if (!match) return undefined;
  const [, amount, bytes, unit, binary, exa, exbi] = match;
  return { amount: amount!, unit: (bytes ?? unit ?? exa ?? '') as MemorySize['unit'], isBinary: Boolean(binary || exbi) };
}

/** Whether Spark reads a size, in the units of Kubernetes since 4.2. */
export function isSparkSize({ amount, unit }: MemorySize): boolean {
  return !amount.includes('.') && unit !== 'e';
}

/**
 * Returns a size of Spark in MiB; without a unit it already is. Spark drops fractions of a MiB
 * (JavaUtils.byteStringAs).
 */
export function wholeMebibytes(size: MemorySize): bigint {
  return BigInt(size.amount) * bytesPerUnit(size) / bytesPerUnit({ unit: 'm' });
}

/** Returns a size of Spark in bytes, as exactly as JavaScript's numbers do. */
export function bytesOf(size: MemorySize): number {
  return Number(BigInt(size.amount) * bytesPerUnit(size));
}

/** Returns the bytes of a unit; a number without a unit is in MiB. */
function bytesPerUnit({ unit }: Pick<MemorySize, 'unit'>): bigint {
  return unit === 'b' ? 1n : 2n ** (10n * BigInt(UNITS.indexOf(unit || 'm') + 1));
}

/**
 * Returns whether a Java virtual machine reads a size as Spark does: Spark's launcher passes
 * `spark.driver.memory` on as `-Xmx`, unchanged (SparkSubmitCommandBuilder).
 */
export function isJvmSize(text: string): boolean {
  return /^[0-9]+[kmgt]$/i.test(text);
}

/**
 * Returns the same size in units that each version of Spark and the JVM read: `4Gi` and `4gb`
 * become `4g`, and `1024` becomes `1024m`. Returns texts that are no sizes of Spark unchanged.
 */
export function inCommonUnits(text: string): string {
  const size = parseMemorySize(text);
  if (!size || !isSparkSize(size) || isJvmSize(text)) return text;
  const { amount, unit } = size;
  if (unit === 'p') return `${BigInt(amount) * 1024n}t`;
  return unit === '' || unit === 'b' ? `${wholeMebibytes(size)}m` : `${amount}${unit}`;
}
