import { HttpError } from './http';
import { READ_LOG, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { endOfDriverLog, needsDriverLog } from '../../model/actions/driver-log-end';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the end of the log of a driver that failed or lacks executors, to explain it.
 *
 * @returns undefined if the log explains nothing, or the viewer cannot read it
 */
export async function driverLogFor(
  client: KubeClient, viewer: Viewer, application: WholeApplication, now: number, signal: AbortSignal,
): Promise<string | undefined> {
  const { metadata: { namespace }, status } = application;
  const name = status?.driverInfo?.podName;
  if (!name || !needsDriverLog(application, now)) return undefined;
  try {
    await viewer.require({ ...READ_LOG, namespace, name });
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined;
    throw error;
  }
  return endOfDriverLog(client, application, now, signal);
}
