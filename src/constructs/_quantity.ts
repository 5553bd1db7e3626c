import { Size, SizeRoundingBehavior } from 'cdk8s';
import type { Violation } from '../model/problem';

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti'] as const;

/**
 * A size as Kubernetes writes it, in the largest unit that it is a whole number of.
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
 * A number of CPU cores as Kubernetes writes it.
 * @internal
 */
export function coresQuantity(cores: number): string {
  return Number.isInteger(cores) ? String(cores) : `${Math.round(cores * 1000)}m`;
}

/**
 * A number of CPU cores; what is left out is fine.
 * @internal
 */
export function wrongCores(path: string, value: number | undefined): Violation | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0 && Number.isInteger(Math.round(value * 1e9) / 1e6))) return undefined;
  return { path, value, reason: 'must be a number of cores, such as 4 or 0.5, in steps of 0.001' };
}

/**
 * A size of which Kubernetes can be told; what is left out is fine.
 * @internal
 */
export function wrongKibibytes(path: string, value: Size | undefined): Violation | undefined {
  const amount = value?.toKibibytes({ rounding: SizeRoundingBehavior.NONE });
  return amount === undefined || (Number.isInteger(amount) && amount > 0) ? undefined : { path, value: value!.asString(), reason: 'must be whole KiB, at least 1' };
}
