import { HttpError } from './http';
import { READ_LOG, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { needsDriverLog, readDriverLogEnd, type LogEnd } from '../../model/actions/driver-log-end';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Reads the end of the log of a driver that failed or lacks executors, to explain it.
 *
 * @returns no text if the log explains nothing, or the viewer cannot read it
 */
export async function driverLogFor(
  client: KubeClient, viewer: Viewer, application: WholeApplication, now: number, signal: AbortSignal,
): Promise<LogEnd> {
  const { metadata: { namespace }, status } = application;
  const name = status?.driverInfo?.podName;
  if (!name || !needsDriverLog(application, now)) return {};
  try {
    await viewer.require({ ...READ_LOG, namespace, name });
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return { isForbidden: true };
    throw error;
  }
  return readDriverLogEnd(client, application, now, signal);
}
