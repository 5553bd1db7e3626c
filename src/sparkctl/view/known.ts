import type { ObservedApplication } from '../../explain/explain';
import { LABEL_APP_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { endOfDriverLog } from '../../model/actions/driver-log-end';
import { viewOf, type PodView } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Reads the Pods of an application, and the end of the log of a failed driver. Without the permission to read Pods, the result has only the
 * application.
 */
export async function knownOf(
  client: KubeClient, application: WholeApplication, now: number, signal?: AbortSignal,
): Promise<ObservedApplication> {
  const pods: PodView[] = [];
  try {
    const { name, namespace } = application.metadata;
    for await (const pod of client.list(PODS, { namespace, labelSelector: `${LABEL_APP_NAME}=${name}`, signal })) pods.push(viewOf(pod));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { application, now };
  }
  const driverLog = await endOfDriverLog(client, application, signal);
  const driver = pods.find(({ metadata }) => metadata.name === application.status?.driverInfo?.podName);
  const executors = pods.filter(({ metadata }) => metadata.labels?.[LABEL_SPARK_ROLE] === 'executor');
  return { application, driver, driverLog, executors, now };
}
