/** Stands for a figure that is not there: NaN, which JSON turns into null. */
const NONE = '–';

const MIB = 1024 * 1024;

/** Whether a figure is there. */
export function isFigure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A number with so many digits after the point, and commas between thousands. */
export function number(value: number | null | undefined, digits = 0): string {
  if (!isFigure(value)) return NONE;
  const [whole, fraction] = value.toFixed(digits).split('.');
  return whole!.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction ? `.${fraction}` : '');
}

/** A number with about three digits that count, however great it is. */
export function short(value: number | null | undefined): string {
  if (!isFigure(value)) return NONE;
  const size = Math.abs(value);
  return number(value, size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** A time that is given in milliseconds. */
export function time(milliseconds: number | null | undefined): string {
  if (!isFigure(milliseconds)) return NONE;
  if (milliseconds < 1000) return `${short(milliseconds)} ms`;
  return milliseconds < 600_000 ? `${short(milliseconds / 1000)} s` : `${short(milliseconds / 60_000)} min`;
}

/** A time that is given in seconds, in minutes and seconds. */
export function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Memory, or what was read, that is given in bytes. */
export function mebibytes(bytes: number | null | undefined): string {
  return isFigure(bytes) ? `${short(bytes / MIB)} MiB` : NONE;
}

/** Memory of a machine, that is given in bytes. */
export function gibibytes(bytes: number): string {
  return `${number(bytes / (MIB * 1024), 1)} GiB`;
}

/** What is read or written for one application, in bytes. */
export function kibibytes(bytes: number | null | undefined): string {
  return isFigure(bytes) ? `${short(bytes / 1024)} KiB` : NONE;
}

/** A share of 1. */
export function percent(share: number | null | undefined): string {
  return isFigure(share) ? `${number(share * 100)} %` : NONE;
}

/** What is exactly so, and not measured: without zeros at the end. */
export function exactly(figure: string): string {
  return figure.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

/** p50, p99 and the most, in milliseconds. */
export function spread({ p50, p99, max }: { readonly p50: number; readonly p99: number; readonly max: number }): string {
  return [p50, p99, max].map(time).join(' · ');
}
