/** Distances between the marks of a time axis, in milliseconds. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000)
  .concat(
    [1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000), [1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
    [1, 2, 7, 14, 30].map((days) => days * 86_400_000),
  );

/**
 * Returns round times within a span, at most so many.
 *
 * @param offset minutes that the zone is behind UTC, as in `getTimezoneOffset`
 */
export function timeMarks(from: number, to: number, most: number, offset: number): number[] {
  const step = TIME_STEPS.find((each) => (to - from) / each <= most) ?? TIME_STEPS.at(-1)!;
  const shift = offset * 60_000;
  const first = Math.ceil((from - shift) / step) * step + shift;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

/** Returns round numbers from 0 to at least the greatest value. */
export function numberMarks(greatest: number, most: number): number[] {
  const rough = Math.max(greatest, 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!);
  return Array.from({ length: Math.ceil(Math.max(greatest, 1) / step) + 1 }, (_, index) => index * step);
}

/** Returns round durations from 0 to at least the greatest one, in milliseconds. */
export function durationMarks(greatest: number, most: number): number[] {
  const step = TIME_STEPS.find((each) => greatest / each <= most) ?? Math.ceil(greatest / most / 86_400_000) * 86_400_000;
  return Array.from({ length: Math.ceil(Math.max(greatest, 1) / step) + 1 }, (_, index) => index * step);
}
