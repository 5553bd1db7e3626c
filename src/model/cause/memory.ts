import type { SparkApplicationSpec } from '../../api/spark-application';

/** Role of an application's container, as users call it. */
export type MemoryRole = 'driver' | 'executor';

/** Part of a specification that decides the memory of a role. */
export type MemorySpec = Pick<SparkApplicationSpec, 'driver' | 'executor' | 'sparkConf'>;

/** MiB of each unit of Spark and of Kubernetes. */
const UNITS: Readonly<Record<string, number>> = {
  k: 2 ** -10, ki: 2 ** -10, kb: 2 ** -10, m: 1, mi: 1, mb: 1, g: 2 ** 10, gi: 2 ** 10, gb: 2 ** 10, t: 2 ** 20, ti: 2 ** 20, tb: 2 ** 20,
};

/** Returns a size of Spark such as `1g`, or of Kubernetes such as `1408Mi`, in MiB. */
function mebibytes(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,15})([a-zA-Z]{0,2})$/.exec(text.trim()) ?? [];
  const factor = unit === '' ? undefined : UNITS[unit.toLowerCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Returns the heap that a specification sets for a role, such as `spec.driver.memory 1g`. */
export function heapText(role: MemoryRole, spec: MemorySpec | undefined): string | undefined {
  const [field, property] = [spec?.[role]?.memory, spec?.sparkConf?.[`spark.${role}.memory`]];
  if (field !== undefined) return `spec.${role}.memory ${field}`;
  return property === undefined ? undefined : `spark.${role}.memory ${property}`;
}

/**
 * Returns that a container exceeded its memory limit, and what the limit consists of, such as `the
 * driver's container exceeded its memory limit of 1408Mi (spec.driver.memory 1g + overhead 384m)`.
 *
 * @param limit that of the container @default - unknown
 * @param spec the complete specification of the application @default - only the limit is reported
 */
export function exceededLimit(owner: string, limit: string | undefined, role: MemoryRole, spec?: MemorySpec): string {
  const text = `${owner} exceeded its memory limit`;
  if (limit === undefined) return text;
  const heap = heapText(role, spec);
  const overhead = heap === undefined ? NaN : (mebibytes(limit) ?? NaN) - (mebibytes(heap.slice(heap.lastIndexOf(' ') + 1)) ?? NaN);
  return `${text} of ${limit}${overhead >= 0 ? ` (${heap} + overhead ${Math.round(overhead)}m)` : ''}`;
}

/** Cause of a full heap, and the executor in which it was full. */
const HEAP_FULL = /^OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded)( in executor \w{1,20})?/;

/** Returns a driver's cause with the role whose heap was full, and the heap's size if known. */
export function withHeap(cause: string, spec: MemorySpec | undefined): string {
  const match = HEAP_FULL.exec(cause);
  if (!match || cause.includes(' in the driver')) return cause;
  const heap = heapText(match[1] ? 'executor' : 'driver', spec);
  return `${match[0]}${match[1] ? '' : ' in the driver'}${heap ? ` (${heap})` : ''}${cause.slice(match[0].length)}`;
}
