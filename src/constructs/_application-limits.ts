import { seconds, wrongNumber, wrongSeconds } from '../props/_check';
import { found } from '../rules/names';
import { coresQuantity, sizeQuantity, wrongCores, wrongKibibytes } from './_quantity';
import type { ApplicationLimits, PodLimits } from './application-limits';
import type { Problem } from '../model/problem';

/**
 * Returns the problems of the limits.
 * @internal
 */
export function limitsViolations(limits: ApplicationLimits = {}): Problem[] {
  return found([
    ...(['maxExecutors', 'maxRetries'] as const).map((count) => wrongNumber(`limits.${count}`, limits[count], 0)),
    ...(['driver', 'executor'] as const).flatMap((pod) => [
      wrongCores(`limits.${pod}.maxCores`, limits[pod]?.maxCores),
      wrongKibibytes(`limits.${pod}.maxMemory`, limits[pod]?.maxMemory),
    ]),
    wrongSeconds('limits.maxTimeToLive', limits.maxTimeToLive),
    wrongSeconds('limits.minScheduleInterval', limits.minScheduleInterval),
    ...GLOBS.flatMap((list) => limits[list]?.map((glob, index) => wrongGlob(`limits.${list}[${index}]`, glob)) ?? []),
    ...(['allowedImages', 'allowedServiceAccounts'] as const).map((list) => (limits[list]?.length === 0 ? {
      path: `limits.${list}`, value: [], reason: 'is empty, so that nothing could run; leave it out, or list at least one',
    } : undefined)),
    ...GLOBS.map((list) => tooLong(
      `limits.${list}`, limits[list], list === 'allowedServiceAnnotations' ? MAX_OF_ANNOTATIONS : MAX_OF_IMAGES,
    )),
  ]);
}

const GLOBS = ['allowedImages', 'allowedServiceAccounts', 'allowedServiceAnnotations'] as const;

/**
 * Maximum characters of all globs, and of the globs that need a regular expression: those that are
 * neither a name nor a prefix.
 */
interface MaxCharacters {
  readonly all: number;
  readonly patterns: number;
}

/**
 * The API server limits the cost of an expression to a million units: enough for 30 images of 100
 * characters in one application.
 */
const MAX_OF_IMAGES: MaxCharacters = { all: 16_000, patterns: 8_000 };
/** Enough for 100 annotations of 50 characters. */
const MAX_OF_ANNOTATIONS: MaxCharacters = { all: 2_000, patterns: 2_000 };

function tooLong(path: string, globs: readonly string[] = [], most: MaxCharacters): Problem | undefined {
  const lengthOf = (list: readonly string[]) => list.join(', ').length;
  const wrong = (length: number, reason: string) => ({ path, value: `${length} characters`, reason });
  const patterns = lengthOf(globs.filter((glob) => /\?|[*]./.test(glob)));
  if (lengthOf(globs) > most.all) {
    return wrong(
      lengthOf(globs),
      `is more than the admission policy can compare, ${most.all} with commas and blanks; write fewer, with * after a common prefix`,
    );
  }
  if (patterns > most.patterns) {
    return wrong(
      patterns,
      `in globs with ? or with * before the end is more than the admission policy can compare, ${most.patterns}; write fewer, with * after a common prefix`,
    );
  }
  return undefined;
}

/**
 * Rejects characters that occur in no name of an image or service account. The admission policy
 * reads globs as a comma-separated list.
 */
function wrongGlob(path: string, glob: string): Problem | undefined {
  return /^[^\s,\\]+$/.test(glob) ? undefined : {
    path, value: glob,
    reason: 'has a blank, a comma or a backslash, or is empty, so that it matches nothing; write each glob as its own entry',
  };
}

/**
 * Returns the limits in the form of the operator's `limits.yaml`.
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
  return limits && {
    maxCores: limits.maxCores === undefined ? undefined : coresQuantity(limits.maxCores),
    maxMemory: limits.maxMemory && sizeQuantity(limits.maxMemory),
  };
}
