import { GAVE_UP } from '../../model/cause/obstacle-text';
import type { ApplicationRow } from '../wire';

/** Bucket of time. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly completed: number;
  readonly failed: number;
  /** Applications that have not ended. */
  readonly open: number;
  /** Durations of those that have ended, in milliseconds, ascending. */
  readonly durations: readonly number[];
}

/** Data of the plots for a span of time. */
export interface Series {
  readonly buckets: readonly Bucket[];
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  /** In milliseconds; undefined if none has ended. */
  readonly median?: number;
  /** Reasons of failures, the most frequent first. */
  readonly reasons: readonly ReasonCount[];
}

/** Number of failures for a reason. */
export interface ReasonCount {
  /** Reason without names with an id, dates and large numbers; undefined if it is unknown. */
  readonly reason: string | undefined;
  readonly count: number;
}

/**
 * Summarizes the applications whose latest attempt began within a span of time. Deleted
 * applications and those that were never submitted are not included.
 *
 * @param count number of buckets
 */
export function seriesOf(rows: Iterable<ApplicationRow>, from: number, to: number, count: number): Series {
  const width = (to - from) / count;
  const empty = (index: number) => ({
    from: from + index * width, to: from + (index + 1) * width, completed: 0, failed: 0, open: 0, durations: [] as number[],
  });
  const buckets = Array.from({ length: count }, (_, index) => empty(index));
  const reasons = new Map<string | undefined, number>();
  const all: number[] = [];
  for (const row of rows) {
    const { begun, ended } = row;
    if (begun === undefined || begun < from || begun > to) continue;
    const bucket = buckets[Math.min(count - 1, Math.floor((begun - from) / width))]!;
    const outcome = outcomeOf(row);
    bucket[outcome]++;
    if (outcome !== 'open' && ended !== undefined && ended >= begun) {
      bucket.durations.push(ended - begun);
      all.push(ended - begun);
    }
    if (outcome === 'failed') reasons.set(kindOfReason(row.reason), (reasons.get(kindOfReason(row.reason)) ?? 0) + 1);
  }
  for (const { durations } of buckets) durations.sort((a, b) => a - b);
  all.sort((a, b) => a - b);
  const median = quantile(all, 0.5);
  const sorted = [...reasons].map(([reason, times]) => ({ reason, count: times }))
    .sort((a, b) => b.count - a.count || ((a.reason ?? '') < (b.reason ?? '') ? -1 : 1));
  const sum = (of: (bucket: Bucket) => number) => buckets.reduce((total, bucket) => total + of(bucket), 0);
  return {
    buckets,
    submitted: sum(({ completed, failed, open }) => completed + failed + open),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    ...(median !== undefined && { median }),
    reasons: sorted,
  };
}

/**
 * Returns a quantile, between the two values next to it: the median of two values is their mean.
 *
 * @param sorted values, ascending
 */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const position = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  return below + (above - below) * (position - Math.floor(position));
}

function outcomeOf({ state }: ApplicationRow): 'completed' | 'failed' | 'open' {
  return state === 'COMPLETED' ? 'completed' : state === 'FAILED' ? 'failed' : 'open';
}

/** Maximum length of a reason, in characters. */
const MAX_REASON = 120;

/**
 * Returns the search by which the list finds the applications with a reason of `Series`: the parts
 * of the reason as it is in the applications. A word with "=" would be a label in the filter.
 */
export function searchOfReason(reason: string): string {
  const parts = reason.split(/\S*[…=]\S*/).map((part) => part.trim()).filter((part) => part !== '');
  return parts.map((part) => (/^\S+$|"/.test(part) ? part : `"${part}"`)).join(' ');
}

/** Groups reasons that differ only in names with an id, in dates or in large numbers. */
function kindOfReason(reason: string | undefined): string | undefined {
  if (!reason) return undefined;
  const kind = reason.split('\n')[0]!.replace(GAVE_UP, '').replace(
    /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|[0-9a-f]{8}-[0-9a-f-]{20,}|\b[a-z0-9-]+-[0-9a-f]{8,}[a-z0-9-]*/g, '…',
  ).replace(/\d{5,}/g, '…');
  return kind.length > MAX_REASON ? `${kind.slice(0, MAX_REASON).trimEnd()}…` : kind;
}
