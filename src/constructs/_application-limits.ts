import { seconds, wrongNumber, wrongSeconds } from '../props/_check';
import { found } from '../props/_names';
import { coresQuantity, sizeQuantity, wrongCores, wrongKibibytes } from './_quantity';
import type { ApplicationLimits, PodLimits } from './application-limits';
import type { Violation } from '../model/problem';

/**
 * What is wrong in these props.
 * @internal
 */
export function limitsViolations(limits: ApplicationLimits = {}): Violation[] {
  return found([
    ...(['maxExecutors', 'maxRetries'] as const).map((count) => wrongNumber(`limits.${count}`, limits[count], 0)),
    ...(['driver', 'executor'] as const).flatMap((pod) => [wrongCores(`limits.${pod}.maxCores`, limits[pod]?.maxCores), wrongKibibytes(`limits.${pod}.maxMemory`, limits[pod]?.maxMemory)]),
    wrongSeconds('limits.maxTimeToLive', limits.maxTimeToLive),
    wrongSeconds('limits.minScheduleInterval', limits.minScheduleInterval),
    ...GLOBS.flatMap((list) => limits[list]?.map((glob, index) => wrongGlob(`limits.${list}[${index}]`, glob)) ?? []),
    ...(['allowedImages', 'allowedServiceAccounts'] as const).map((list) => (limits[list]?.length === 0 ? { path: `limits.${list}`, value: [], reason: 'is empty, so that nothing could be run; leave it out, or name some' } : undefined)),
    ...GLOBS.map((list) => tooLong(`limits.${list}`, limits[list], list === 'allowedServiceAnnotations' ? MAX_OF_ANNOTATIONS : MAX_OF_IMAGES)),
  ]);
}

const GLOBS = ['allowedImages', 'allowedServiceAccounts', 'allowedServiceAnnotations'] as const;

/** Characters of all globs, and of those that cost more: the others are a name as it is, or its beginning. */
interface MaxCharacters {
  readonly all: number;
  readonly patterns: number;
}

/** The API server limits what an expression costs, to a million units: enough for 30 images of 100 characters in one application. */
const MAX_OF_IMAGES: MaxCharacters = { all: 16_000, patterns: 8_000 };
/** Enough for 100 annotations of 50 characters. */
const MAX_OF_ANNOTATIONS: MaxCharacters = { all: 2_000, patterns: 2_000 };

function tooLong(path: string, globs: readonly string[] = [], most: MaxCharacters): Violation | undefined {
  const lengthOf = (list: readonly string[]) => list.join(', ').length;
  const wrong = (length: number, reason: string) => ({ path, value: `${length} characters`, reason });
  const patterns = lengthOf(globs.filter((glob) => /\?|[*]./.test(glob)));
  if (lengthOf(globs) > most.all) return wrong(lengthOf(globs), `is more than the admission policy can compare, ${most.all} with commas and blanks; write fewer, with * at the end of what they have in common`);
  if (patterns > most.patterns) return wrong(patterns, `in globs with ? or with * before the end is more than the admission policy can compare, ${most.patterns}; write fewer, with * at the end of what they have in common`);
  return undefined;
}

/** What no name of an image or service account has. The admission policy reads globs with commas between them. */
function wrongGlob(path: string, glob: string): Violation | undefined {
  return /^[^\s,\\]+$/.test(glob) ? undefined : { path, value: glob, reason: 'has a blank, a comma or a backslash, or is empty, so that it fits nothing; write each glob as an entry of its own' };
}

/**
 * As the operator reads them in `limits.yaml`.
 * @internal
 */
export function limitsObject({ driver, executor, maxTimeToLive, minScheduleInterval, ...rest }: ApplicationLimits): object {
  return {
    ...rest,
    driver: podLimits(driver),
    executor: podLimits(executor),
    maxTimeToLiveSeconds: seconds(maxTimeToLive),
    minScheduleInterval: minScheduleInterval && `${seconds(minScheduleInterval)}s`,
  };
}

function podLimits(limits: PodLimits | undefined): object | undefined {
  return limits && { maxCores: limits.maxCores === undefined ? undefined : coresQuantity(limits.maxCores), maxMemory: limits.maxMemory && sizeQuantity(limits.maxMemory) };
}
