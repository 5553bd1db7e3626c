/** Takes the place of a missing figure: NaN, which JSON turns into null. */
const NONE = '–';

const MIB = 1024 * 1024;

/** Whether a figure exists. */
export function isFigure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Formats a number with commas between thousands. */
export function number(value: number | null | undefined, digits = 0): string {
  if (!isFigure(value)) return NONE;
  const [whole, fraction] = value.toFixed(digits).split('.');
  return whole!.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction ? `.${fraction}` : '');
}

/** Formats a number with about three significant digits. */
export function short(value: number | null | undefined): string {
  if (!isFigure(value)) return NONE;
  const size = Math.abs(value);
  return number(value, size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** Formats a time in milliseconds. */
export function time(milliseconds: number | null | undefined): string {
  if (!isFigure(milliseconds)) return NONE;
  if (milliseconds < 1000) return `${short(milliseconds)} ms`;
  return milliseconds < 600_000 ? `${short(milliseconds / 1000)} s` : `${short(milliseconds / 60_000)} min`;
}

/** Formats bytes. */
export function mebibytes(bytes: number | null | undefined): string {
  return isFigure(bytes) ? `${short(bytes / MIB)} MiB` : NONE;
}

/** Formats bytes for one application. */
export function kibibytes(bytes: number | null | undefined): string {
  return isFigure(bytes) ? `${short(bytes / 1024)} KiB` : NONE;
}

/** Formats a share of 1. */
export function percent(share: number | null | undefined): string {
  return isFigure(share) ? `${number(share * 100)} %` : NONE;
}
