import { rewritten } from './rewritten';
import { withoutSecrets } from '../../text/redaction';

/** The refusal of an executor's Pod, as the client of Spark logs it. */
const REFUSED = /Failure executing: POST at: \S+\/pods\.? Message: [^\n]{1,4000}/g;

/**
 * Returns why the API server refused the last executor that a driver could not create, such as an
 * exceeded quota. Spark logs it, and tries again each second.
 *
 * @param log the end of the driver's log
 * @returns undefined if it has no refusal
 */
export function refusedExecutor(log: string): string | undefined {
  const last = log.match(REFUSED)?.at(-1);
  const text = last && rewritten(last);
  return text && withoutSecrets(text);
}
