import type { SparkApplicationSpec } from '../../api/spark-application';
import { isSparkSize, parseMemorySize, wholeMebibytes } from '../memory-size';

/** Role of an application's container, as users call it. */
export type MemoryRole = 'driver' | 'executor';

/** Part of a specification that decides the memory of a role. */
export type MemorySpec = Pick<SparkApplicationSpec, 'driver' | 'executor' | 'sparkConf'>;

/** Returns a size of Spark such as `1g`, or of Kubernetes such as `1408Mi`, in MiB. */
function mebibytes(text: string): number | undefined {
  const size = parseMemorySize(text);
  return size && size.unit !== '' && isSparkSize(size) ? Number(wholeMebibytes(size)) : undefined;
}

/** Returns the heap that a specification sets for a role, such as `spec.driver.memory 1g`. */
export function heapText(role: MemoryRole, spec: MemorySpec | undefined): string | undefined {
  const [field, property] = [spec?.[role]?.memory, spec?.sparkConf?.[`spark.${role}.memory`]];
  if (field !== undefined) return `spec.${role}.memory ${field}`;
  return property === undefined ? undefined : `spark.${role}.memory ${property}`;
}

/**
 * Returns what the unknown memory limit of a role's container consists of, in parentheses, such as
 * ` (spec.executor.memory 4g + overhead 512m)`: the overhead has its value if the specification
 * sets it.
 */
function limitText(role: MemoryRole, spec: MemorySpec | undefined): string {
  const { memoryLimit, memoryOverhead = spec?.sparkConf?.[`spark.${role}.memoryOverhead`] } = spec?.[role] ?? {};
  if (memoryLimit !== undefined) return ` (spec.${role}.memoryLimit ${memoryLimit})`;
  const heap = heapText(role, spec);
  return heap === undefined ? '' : ` (${heap} + overhead${memoryOverhead === undefined ? '' : ` ${memoryOverhead}`})`;
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
  const { memoryLimit, memoryOverhead } = spec?.[role] ?? {};
  const parts = memoryLimit === undefined ? partsOf(limit, heapText(role, spec), memoryOverhead) : `spec.${role}.memoryLimit`;
  return `${text} of ${limit}${parts ? ` (${parts})` : ''}`;
}

/** Default of the smallest overhead, in MiB. */
const MINIMUM_OVERHEAD = 384;

/**
 * Returns the parts of a limit: heap and overhead. Defaults or enforced values can have replaced
 * the heap of the specification, which then does not fit to the limit.
 */
function partsOf(limit: string, heap: string | undefined, overhead: string | undefined): string | undefined {
  const [whole, part] = [mebibytes(limit), heap === undefined ? undefined : mebibytes(heap.slice(heap.lastIndexOf(' ') + 1))];
  if (whole === undefined || part === undefined) return undefined;
  const rest = Math.round(whole - part);
  const isLikely = rest >= 0 && (overhead === undefined ? rest <= Math.max(part, MINIMUM_OVERHEAD) : rest === mebibytes(overhead));
  return isLikely ? `${heap} + overhead ${rest}m` : undefined;
}

/** Cause of a full heap, and the executor in which it was full. */
const HEAP_FULL = /^OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded)( in executor \w{1,20})?/;

/** Whether a cause, as of a status, already has the role and its heap. */
const IS_COMPLETE = / in the driver| \((?:spec|spark)\.executor\.memory /;

/** End of the cause of an executor that was killed. */
const EXECUTOR_LIMIT = /: its container (?:might have )?exceeded its memory limit$/;

/** Cause of a Python worker that crashed, often because the kernel killed it for its memory. */
const CRASHED_WORKER = /^a Python worker crashed( in (?:the driver|executor \w{1,20}))?(?! in |,)/;

/** Returns a driver's cause with the role that lacked memory, and the memory that it specifies. */
export function withMemory(cause: string, spec: MemorySpec | undefined): string {
  if (EXECUTOR_LIMIT.test(cause)) return `${cause}${limitText('executor', spec)}`;
  const crash = CRASHED_WORKER.exec(cause);
  if (crash) {
    const limit = limitText(crash[1] === ' in the driver' ? 'driver' : 'executor', spec);
    return `${crash[0]}, often at the memory limit of its container${limit}${cause.slice(crash[0].length)}`;
  }
  const match = HEAP_FULL.exec(cause);
  if (!match || IS_COMPLETE.test(cause)) return cause;
  const heap = heapText(match[1] ? 'executor' : 'driver', spec);
  return `${match[0]}${match[1] ? '' : ' in the driver'}${heap ? ` (${heap})` : ''}${cause.slice(match[0].length)}`;
}
