import { UsageError } from '../../text/usage-error';
import { durationIn } from '../../text/duration';

/** Option of commands that wait. */
export const TIMEOUT_OPTION = {
  value: 'DURATION', suggestions: ['5m', '10m', '30m', '1h', '2h'], help: 'maximum time to wait, such as 10m or 1h30m (default: unlimited)',
} as const;

/**
 * Parses `--timeout` to milliseconds; undefined if the option is missing.
 *
 * @throws {UsageError} if it is not a duration longer than 0
 */
export function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeout = durationIn(text);
  if (timeout === undefined || timeout === 0) {
    throw new UsageError(`--timeout=${text}: write a duration longer than 0, such as 10m or 1h30m`);
  }
  return timeout;
}
