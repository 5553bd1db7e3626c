import type { SparkApplication } from '../../../model/spark-application';

/**
 * Returns how long a finished application is still kept, in milliseconds; 0 or less: the operator
 * deletes it.
 *
 * @param defaultTimeToLive milliseconds for applications that set no time to live; 0: for ever
 * @returns undefined if the application stays until a user deletes it
 */
export function timeLeft({ spec, status }: SparkApplication, defaultTimeToLive: number, now: number): number | undefined {
  const timeToLive = spec.timeToLiveSeconds === undefined ? defaultTimeToLive || undefined : Math.max(spec.timeToLiveSeconds, 0) * 1000;
  const end = Date.parse(status?.terminationTime ?? '');
  if (timeToLive === undefined || Number.isNaN(end)) return undefined;
  return end + timeToLive - now;
}
