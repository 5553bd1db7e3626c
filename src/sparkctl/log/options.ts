import type { LogRequest } from './dependencies';
import { CLUSTER_OPTIONS } from '../cluster';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import type { KindName } from '../target';
import { durationIn } from '../../text/duration';

/** Options of `sparkctl log`. */
export const LOG_OPTIONS = {
  follow: {
    short: 'f',
    help: 'print new lines as they are written, also those of the next driver after a restart, until the application has ended',
  },
  all: { help: 'the driver and all executors; each line begins with its pod' },
  executor: {
    value: 'ID', suggestions: ['all'], help: 'an executor instead of the driver, by its number or the name of its pod, or all',
  },
  attempt: { value: 'N', help: 'only this attempt, by its # in status; logs of earlier ones are deleted with their pods (default: the current one)' },
  previous: { short: 'p', help: "of the container's instance before the last restart, if the pod restarts containers" },
  since: {
    value: 'DURATION', suggestions: ['30s', '5m', '10m', '1h', '24h'], help: 'only lines that are not older, such as 90s, 10m or 1h30m',
  },
  tail: { value: 'N', suggestions: ['20', '100', '1000'], help: 'only this number of lines at the end of the current log' },
  timestamps: { help: 'begin each line with its time' },
  ...CLUSTER_OPTIONS,
} as const satisfies Options;

export type LogValues = Values<typeof LOG_OPTIONS>;

/**
 * Parses the options.
 *
 * @param now milliseconds since 1970
 * @throws {UsageError} that names all wrong options
 */
export function requestOf(values: LogValues, kind: KindName, now: number): LogRequest {
  const { all, executor, follow, previous, timestamps } = values;
  const problems: string[] = [];
  const read = <T>(name: 'attempt' | 'since' | 'tail', convert: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = values[name];
    const value = text === undefined ? undefined : convert(text);
    if (text !== undefined && value === undefined) problems.push(`--${name}=${text}: write ${expected}`);
    return value;
  };
  const attempt = read('attempt', numberIn(1), 'a whole number of at least 1');
  const tailLines = read('tail', numberIn(0), 'a whole number of lines, or omit it for all');
  const since = read('since', (text) => durationIn(text) || undefined, 'a duration longer than 0, such as 90s, 10m or 1h30m');
  if (all && executor !== undefined) problems.push('--all includes the executors; omit --executor');
  if (follow && previous) problems.push('--previous prints a log that has ended; omit --follow');
  if (attempt !== undefined && kind === 'connect') problems.push('a Spark Connect server has no attempts; omit --attempt');
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return {
    selection: { hasMain: executor === undefined, executor: all ? 'all' : executor, attempt },
    part: {
      previous: previous || undefined,
      timestamps: timestamps || undefined,
      tailLines,
      sinceTime: since === undefined ? undefined : new Date(now - since),
    },
  };
}

function numberIn(least: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined);
}
