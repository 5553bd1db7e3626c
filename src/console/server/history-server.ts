import { UsageError } from '../../text/usage-error';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the URL of a History Server without a slash at its end.
 *
 * @param flag name of the flag, for the error
 * @throws {UsageError} if it is not an HTTP URL, or contains a user or a query
 */
export function historyServerOf(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) {
    throw new UsageError(`${flag}=${text}: write the URL of a History Server, such as https://history.example.org or http://10.0.0.1/history`);
  }
  return url.href.replace(/\/+$/, '');
}

/**
 * Returns the address of an application in the History Server; undefined before its driver has
 * reported its ID, and if the application disables its event log.
 */
export function historyUrl(server: string, { spec, status }: WholeApplication): string | undefined {
  const id = status?.sparkApplicationId;
  if (!id || spec.sparkConf?.['spark.eventLog.enabled']?.trim().toLowerCase() === 'false') return undefined;
  return `${server}/history/${encodeURIComponent(id)}/`;
}
