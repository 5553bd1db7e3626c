import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import { memoryQuantity } from '../pods/memory-limit';
import { parseQuantity } from '../pods/quantity';
import { SubmissionError } from '../errors';
import { quantity } from '../native/quantity';
import { durationIn } from '../../text/duration';
import type { Bound, Interval, Limits, PartialSpec, PodLimits } from './layer';
import { LIMITS_SCHEMA } from './limits-schema';

/**
 * Parsers of amounts. They read an amount like that of an application, with which it is compared.
 */
const AMOUNTS: { readonly [field in keyof Required<PodLimits>]: (text: string, field: string) => string } = {
  maxCores: quantity, maxMemory: memoryQuantity,
};

/**
 * Reads `limits.yaml`. An invalid entry leaves the other limits in force.
 *
 * @param refuse receives the problems
 */
export function parseLimits(value: PartialSpec, refuse: (...found: Problem[]) => void): Limits {
  const found = violations(LIMITS_SCHEMA, value, '').map((violation) => ({ ...violation, path: violation.path.replace(/^\./, '') }));
  refuse(...found);
  const wrong = new Set(found.map(({ path }) => /^[^.[]*/.exec(path)![0]));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)).map(([name, limit]) => {
    if (name === 'driver' || name === 'executor') return [name, podLimits(name, limit as PartialSpec, refuse)];
    return [name, name === 'minScheduleInterval' ? interval(name, limit as string, refuse) : limit];
  }));
}

function interval(path: string, text: string, refuse: (violation: Problem) => void): Interval {
  const milliseconds = durationIn(text);
  if (milliseconds === undefined) refuse({ path, value: text, reason: 'must be a duration such as 90s, 15m or 1h30m' });
  return { text, milliseconds: milliseconds ?? 0 };
}

function podLimits(role: string, limits: PartialSpec, refuse: (violation: Problem) => void): PodLimits {
  return Object.fromEntries(Object.entries(limits).flatMap(([name, limit]): [string, Bound][] => {
    const [path, text] = [`${role}.${name}`, String(limit)];
    try {
      return [[name, { text, amount: parseQuantity(AMOUNTS[name as keyof PodLimits](text, path))! }]];
    } catch (error) {
      if (!SubmissionError.is(error)) throw error;
      refuse({ path, value: limit, reason: `${error.reason}; ${error.remedy}` });
      return [];
    }
  }));
}
