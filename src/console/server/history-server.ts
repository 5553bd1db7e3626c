import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the address of an application in the History Server; undefined before a driver has
 * started, and if the application disables its event log.
 */
export function historyUrl(server: string, { spec, status }: WholeApplication): string | undefined {
  const id = status?.sparkApplicationId;
  if (!id || spec.sparkConf?.['spark.eventLog.enabled']?.trim().toLowerCase() === 'false') return undefined;
  // Other operators record no attempts.
  const attempts = status.attemptHistory ?? [];
  if (attempts.length > 0 && !attempts.some(({ driverStartTime }) => driverStartTime !== undefined)) return undefined;
  return `${server}/history/${encodeURIComponent(id)}/`;
}
