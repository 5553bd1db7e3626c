import { LABEL_APP_NAME, LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { hasEnded, type PodView } from '../../model/pod-view';
import { keyOf } from '../../kube/objects';
import type { Store } from '../../kube/store';
import type { LiveDriver } from './decision';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';

/** Name of the index of drivers by the key of the schedule that they belong to. */
export const BY_SCHEDULE_KEY = 'schedule-key';

/** The key of the schedule that a driver belongs to; undefined for all other pods. */
export function scheduleKeyOfDriver({ metadata: { namespace, labels } }: PodView): string | undefined {
  const name = labels?.[LABEL_SCHEDULED_APP_NAME];
  return name && labels[LABEL_SPARK_ROLE] === 'driver' ? keyOf({ namespace, name }) : undefined;
}

/** The drivers of a schedule's runs that have not ended, as far as the cache has them. */
export function driversOf(pods: Store<PodView>, { metadata }: ScheduledSparkApplication): LiveDriver[] {
  return pods.byIndex(BY_SCHEDULE_KEY, keyOf(metadata)).flatMap(liveDriver);
}

/** A driver, unless it has ended. */
export function liveDriver(pod: PodView): LiveDriver[] {
  const { name, uid, labels, deletionTimestamp } = pod.metadata;
  return hasEnded(pod) ? [] : [{ name, uid: uid!, application: labels?.[LABEL_APP_NAME], isLeaving: deletionTimestamp !== undefined }];
}
