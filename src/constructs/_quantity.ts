import { Size, SizeRoundingBehavior } from 'cdk8s';
import type { Problem } from '../model/problem';

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti'] as const;

/**
 * Formats a size for Kubernetes, in the largest unit of which it is a whole number.
 * @internal
 */
export function sizeQuantity(size: Size): string {
  let amount = size.toKibibytes();
  let unit = 0;
  while (unit < UNITS.length - 1 && amount > 0 && amount % 1024 === 0) {
    amount /= 1024;
    unit++;
  }
  return `${amount}${UNITS[unit]}`;
}

/**
 * Formats a number of CPU cores for Kubernetes.
 * @internal
 */
export function coresQuantity(cores: number): string {
  return Number.isInteger(cores) ? String(cores) : `${Math.round(cores * 1000)}m`;
}

/**
 * Checks a number of CPU cores; undefined is valid.
 * @internal
 */
export function wrongCores(path: string, value: number | undefined): Problem | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0 && Number.isInteger(Math.round(value * 1e9) / 1e6))) return undefined;
  return { path, value, reason: 'must be a number of cores, such as 4 or 0.5, in steps of 0.001' };
}

/**
 * Checks a CPU request in cores; undefined and 0 are valid.
 * @internal
 */
export function wrongCpuRequest(path: string, value: number | undefined): Problem | undefined {
  const wrong = value === 0 ? undefined : wrongCores(path, value);
  return wrong && { ...wrong, reason: 'must be 0 or a number of cores, such as 4 or 0.5, in steps of 0.001' };
}

/**
 * Checks a size for Kubernetes; undefined is valid.
 * @internal
 */
export function wrongKibibytes(path: string, value: Size | undefined): Problem | undefined {
  if (value === undefined) return undefined;
  const amount = value.toKibibytes({ rounding: SizeRoundingBehavior.NONE });
  return Number.isInteger(amount) && amount > 0 ? undefined : {
    path, value: value.asString(), reason: 'must be whole KiB, at least 1',
  };
}
