const UNITS = [['d', 86_400], ['h', 3_600], ['m', 60], ['s', 1]] as const;

/**
 * Returns a duration as kubectl writes it, such as `45s`, `3m12s`, `5h` or `2d3h`: the largest
 * unit, and the next one while the first is small.
 *
 * @param milliseconds negative values are treated as 0
 */
export function shortDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return '0s';
  const [unit, size] = UNITS[first]!;
  const count = Math.floor(seconds / size);
  const next = UNITS[first + 1];
  const rest = next && count < 10 ? Math.floor((seconds % size) / next[1]) : 0;
  return `${count}${unit}${rest > 0 ? `${rest}${next![0]}` : ''}`;
}

/**
 * Returns the time until an event, in the form of `shortDuration`. A begun second is a whole one,
 * so that the first wait of an interval of `90m` is not `1h29m`.
 */
export function timeUntil(milliseconds: number): string {
  return shortDuration(Math.ceil(milliseconds / 1_000) * 1_000);
}

const MILLISECONDS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Returns the milliseconds of a duration as Go writes it, such as `1h30m`. Go's longest duration is
 * about 292 years.
 */
export function durationIn(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  return [...text.matchAll(/([\d.]+)(\D+)/g)].reduce((sum, [, value, unit]) => sum + Number(value) * MILLISECONDS[unit!]!, 0);
}

/** Returns a duration as `durationIn` reads it, such as `1h30m`, without parts of a second. */
export function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const parts = [[Math.floor(seconds / 3_600), 'h'], [Math.floor(seconds / 60) % 60, 'm'], [seconds % 60, 's']] as const;
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join('') || '0s';
}
