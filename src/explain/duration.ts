const UNITS = [['d', 86_400], ['h', 3_600], ['m', 60], ['s', 1]] as const;

/**
 * Formats a duration as kubectl does: the largest unit, and the next one while the first is small,
 * such as `45s`, `3m12s`, `5h`, `2d3h`.
 *
 * @param milliseconds a negative value is treated as 0
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
