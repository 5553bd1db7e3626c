import { HttpError } from './http';
import { READ_LOG, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { endOfDriverLog } from '../../model/actions/driver-log-end';
import { isDriverEnd } from '../../model/cause/status-cause';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the end of the log of a failed driver, to explain its failure.
 *
 * @returns undefined if the driver has not failed, or the viewer cannot read its log
 */
export async function driverLogFor(
  client: KubeClient, viewer: Viewer, application: WholeApplication, signal: AbortSignal,
): Promise<string | undefined> {
  const { metadata: { namespace }, status } = application;
  const name = status?.driverInfo?.podName;
  if (!name || !isDriverEnd(status?.applicationState?.errorMessage)) return undefined;
  try {
    await viewer.require({ ...READ_LOG, namespace, name });
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined;
    throw error;
  }
  return endOfDriverLog(client, application, signal);
}
