/** Number of bytes, or whole units, of each suffix (k8s.io/apimachinery/pkg/api/resource). */
const FACTORS: { readonly [suffix: string]: bigint } = {
  '': 1n, 'k': 10n ** 3n, 'M': 10n ** 6n, 'G': 10n ** 9n, 'T': 10n ** 12n, 'P': 10n ** 15n, 'E': 10n ** 18n,
  'Ki': 2n ** 10n, 'Mi': 2n ** 20n, 'Gi': 2n ** 30n, 'Ti': 2n ** 40n, 'Pi': 2n ** 50n, 'Ei': 2n ** 60n,
};
/** Divisors of suffixes for fractions of a unit. */
const DIVISORS: { readonly [suffix: string]: bigint } = { m: 10n ** 3n, u: 10n ** 6n, n: 10n ** 9n };

/** Kubernetes' smallest amount is a billionth. */
const NANO = 10n ** 9n;

/** Maximum length of a quantity. */
const MAX_LENGTH = 64;

/**
 * Kubernetes' quantities as text (k8s.io/apimachinery/pkg/api/resource). A manifest can also have
 * numbers.
 * @internal
 */
export const QUANTITY_PATTERN = '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';
const QUANTITY = new RegExp(QUANTITY_PATTERN);

/** Maximum number of digits of an exponent. */
const MAX_EXPONENT_DIGITS = 2;

/**
 * Returns the amount of a Kubernetes quantity in billionths, such as 500000000 for `500m`;
 * undefined for an invalid text. Smaller fractions are rounded up, as in Kubernetes.
 * @internal
 */
export function parseQuantity(text: string): bigint | undefined {
  const match = text.length > MAX_LENGTH ? null : QUANTITY.exec(text);
  if (!match) return undefined;
  const [, number = '', , suffix = ''] = match;
  const [whole = '', fraction = ''] = number.split('.');
  const exponent = /^[eE][+-]?([0-9]+)$/.exec(suffix);
  if (exponent && exponent[1]!.length > MAX_EXPONENT_DIGITS) return undefined;
  const power = exponent ? Number(suffix.slice(1)) : 0;
  const dividend = BigInt(`${whole}${fraction}`) * NANO * (FACTORS[suffix] ?? 1n) * 10n ** BigInt(Math.max(power, 0));
  const divisor = 10n ** BigInt(fraction.length) * (DIVISORS[suffix] ?? 1n) * 10n ** BigInt(Math.max(-power, 0));
  const amount = (dividend + divisor - 1n) / divisor;
  return text.startsWith('-') ? -amount : amount;
}

/** Whether two texts are the same amount. @internal */
export function sameQuantity(a: string, b: string): boolean {
  const amount = parseQuantity(a);
  return amount !== undefined && amount === parseQuantity(b);
}
