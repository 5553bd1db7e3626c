import { LABEL_SCHEDULED_APP_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { runsOf, type ScheduleRun } from '../../model/schedule-runs';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { SparkApplication } from '../../model/spark-application';

/**
 * Reads the existing runs of schedules, and returns a function that finds those of a schedule.
 * Without the permission to list applications, it returns the finished runs of its status.
 *
 * @param schedule name of the only schedule @default - all of the namespace
 */
export async function readRuns(
  client: Pick<KubeClient, 'list'>,
  { namespace, schedule, signal }: { readonly namespace?: string; readonly schedule?: string; readonly signal?: AbortSignal },
): Promise<(of: ScheduledSparkApplication) => ScheduleRun[]> {
  const applications: SparkApplication[] = [];
  const labelSelector = schedule === undefined ? LABEL_SCHEDULED_APP_NAME : `${LABEL_SCHEDULED_APP_NAME}=${schedule}`;
  try {
    for await (const application of client.list(SPARK_APPLICATIONS, { namespace, labelSelector, signal })) applications.push(application);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return (of) => runsOf(of, applications);
}
