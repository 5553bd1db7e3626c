import { UsageError } from '../../text/usage-error';
import { durationIn } from '../../text/duration';

/** Of commands that wait. */
export const TIMEOUT_OPTION = { value: 'DURATION', help: 'how long to wait at most, such as 10m or 1h30m (default: without end)' } as const;

/**
 * The value of `--timeout`, in milliseconds; undefined if it is not there.
 *
 * @throws {UsageError} if it is none
 */
export function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeout = durationIn(text);
  if (timeout === undefined || timeout === 0) throw new UsageError(`--timeout=${text}: write a duration longer than 0, such as 10m or 1h30m`);
  return timeout;
}
