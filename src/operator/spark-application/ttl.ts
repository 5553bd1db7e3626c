import type { SparkApplication } from '../../model/spark-application';

/**
 * How long a finished application is kept still, in milliseconds; 0 or less: it is to be deleted.
 *
 * @param defaultTimeToLive milliseconds for applications that do not say it themselves; 0: for ever
 * @returns undefined if it is kept until somebody deletes it
 */
export function timeLeft({ spec, status }: SparkApplication, defaultTimeToLive: number, now: number): number | undefined {
  const timeToLive = spec.timeToLiveSeconds === undefined ? defaultTimeToLive || undefined : Math.max(spec.timeToLiveSeconds, 0) * 1000;
  const end = Date.parse(status?.terminationTime ?? '');
  if (timeToLive === undefined || Number.isNaN(end)) return undefined;
  return end + timeToLive - now;
}
