import { CRON_FIELDS } from '../api/schedule-rules';

/**
 * Converts fields of robfig/cron to fields that have the same meaning in croner:
 *
 * - names become numbers, so that `fri-sun` is the range 5-0, which is backwards for robfig/cron,
 * - `n/step` becomes `n-max/step`, and steps beyond the end leave only the first value,
 * - empty entries (`1,,2`) are removed,
 * - a field with an entry `*` or `?` becomes `*`: of the two kinds of days only the other one then
 *   applies. A field with steps of two and more is an ordinary list: if days of the other kind are
 *   also set, either of them is enough.
 *
 * @internal
 */
export function fieldsForCroner(fields: readonly string[]): string[] {
  return fields.map((field, index) => {
    const entries = entriesOf(field, index);
    return entries.some((entry) => /^[*](\/1)?$/.test(entry)) ? '*' : entries.map((entry) => withSteps(entry, index)).join(',');
  });
}

/** Returns the first range of a field that ends before it begins. @internal */
export function backwardRange(field: string, index: number): string | undefined {
  return entriesOf(field, index).find((entry) => {
    const [, first, last] = /^(\d+)-(\d+)/.exec(entry) ?? [];
    return first !== undefined && Number(first) > Number(last);
  });
}

/**
 * Returns the entries with numbers in place of names, without leading zeros, and with `*` for `?`.
 */
function entriesOf(field: string, index: number): string[] {
  const { min, words } = CRON_FIELDS[index]!;
  const numbers = field.toLowerCase()
    .replace(/[a-z]+/g, (word) => String(min + words.indexOf(word)))
    .replace(/\d+/g, (digits) => String(Number(digits)));
  return numbers.replace(/[?]/g, '*').split(',').filter((entry) => entry !== '');
}

function withSteps(entry: string, index: number): string {
  const { min, max } = CRON_FIELDS[index]!;
  const [range, step] = entry.split('/') as [string, string | undefined];
  if (step === undefined) return entry;
  if (Number(step) > max - min) return range === '*' ? String(min) : range.split('-')[0]!;
  return /^\d+$/.test(range) ? `${range}-${max}/${step}` : entry;
}
