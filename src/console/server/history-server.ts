import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the address of an application in the History Server; undefined before its driver has
 * reported its ID, and if the application disables its event log.
 */
export function historyUrl(server: string, { spec, status }: WholeApplication): string | undefined {
  const id = status?.sparkApplicationId;
  if (!id || spec.sparkConf?.['spark.eventLog.enabled']?.trim().toLowerCase() === 'false') return undefined;
  return `${server}/history/${encodeURIComponent(id)}/`;
}
