import { isSparkSize, parseMemorySize, wholeMebibytes } from '../model/memory-size';
import { SubmissionError } from './errors';
import { javaTrim } from './properties/java-values';

/**
 * The largest accepted size, in MiB: one exbibyte. It exceeds any machine and is far below the
 * largest integers of JavaScript and Java, so that sums cannot overflow.
 */
const MAX_MEBIBYTES = 2n ** 40n;

const REMEDY = 'write a whole number and a unit, such as 512m or 4g';

/**
 * Reads a size as Spark writes it, such as `512m`, `4g` or `1024` (MiB), in MiB. It drops fractions
 * of a MiB, as Spark does (JavaUtils.byteStringAs).
 *
 * @param binaryUnits whether units such as `4Gi` and `4GiB` are also valid
 * @throws SubmissionError if the text is no size, or too large
 */
export function parseMebibytes(text: string, field: string, binaryUnits = false): number {
  const size = parseMemorySize(text);
  if (!size || !isSparkSize(size) || (size.isBinary && !binaryUnits)) {
    throw new SubmissionError({
      field, value: text, reason: 'is not a size as Spark writes it', remedy: binaryUnits ? REMEDY : `${REMEDY} (not 4Gi)`,
    });
  }
  const mebibytes = wholeMebibytes(size);
  if (mebibytes > MAX_MEBIBYTES) {
    throw new SubmissionError({ field, value: text, reason: 'is more memory than any machine has', remedy: REMEDY });
  }
  return Number(mebibytes);
}

/** The largest overhead of a factor: Spark stores it as a Java integer. */
const MAX_INT = 2 ** 31 - 1;

/** The input for the memory outside the heap. */
export interface OverheadRule {
  /** The heap, in MiB. */
  readonly heap: number;
  /** The share of the heap that is added. */
  readonly factor: number;
  /** The minimum overhead, in MiB. */
  readonly minimum: number;
}

/**
 * Returns the memory outside the heap in MiB: a share of the heap, rounded down, and at least the
 * minimum (BasicDriverFeatureStep).
 */
export function memoryOverhead(rule: OverheadRule): number {
  return Math.max(Math.min(Math.trunc(rule.factor * rule.heap), MAX_INT), rule.minimum);
}

/** A number as in Java, except for hexadecimal ones. */
const DOUBLE = /^[-+]?(Infinity|([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[fFdD]?)$/;

/**
 * Reads an overhead factor, such as `0.1`, as Java reads a double.
 *
 * @throws SubmissionError if the text is no decimal number, or negative
 */
export function parseOverheadFactor(text: string, field: string): number {
  const trimmed = javaTrim(text);
  const factor = DOUBLE.test(trimmed) ? Number(trimmed.replace(/[fFdD]$/, '')) : NaN;
  if (!(factor >= 0)) {
    throw new SubmissionError({ field, value: text, reason: 'is not a part of the memory', remedy: 'write a number such as 0.1' });
  }
  return factor;
}

/**
 * Returns a factor as Java prints a double (`Double.toString`): Spark writes the default factor
 * into the driver's properties in this form.
 */
export function javaDouble(value: number): string {
  if (value !== 0 && Number.isFinite(value) && (value < 1e-3 || value >= 1e7)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}
