import { LABEL_APP_NAME, LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_ROLE } from '../../../api/labels';
import { hasEnded, type PodView } from '../../../model/pod-view';
import { keyOf } from '../../../kube/objects';
import type { Store } from '../../../kube/store';
import type { LiveDriver } from './decision';
import type { ScheduledSparkApplication } from '../../../model/scheduled-spark-application';

/** The name of the index of drivers by the key of their schedule. */
export const BY_SCHEDULE_KEY = 'schedule-key';

/** Returns the key of a driver's schedule; undefined for all other pods. */
export function scheduleKeyOfDriver({ metadata: { namespace, labels } }: PodView): string | undefined {
  const name = labels?.[LABEL_SCHEDULED_APP_NAME];
  return name && labels[LABEL_SPARK_ROLE] === 'driver' ? keyOf({ namespace, name }) : undefined;
}

/** Returns the cached drivers of a schedule's runs that have not ended. */
export function driversOf(pods: Store<PodView>, { metadata }: ScheduledSparkApplication): LiveDriver[] {
  return pods.byIndex(BY_SCHEDULE_KEY, keyOf(metadata)).flatMap(liveDriver);
}

/** Returns a driver, unless it has ended. */
export function liveDriver(pod: PodView): LiveDriver[] {
  const { name, uid, labels, deletionTimestamp } = pod.metadata;
  return hasEnded(pod) ? [] : [{ name, uid: uid!, application: labels?.[LABEL_APP_NAME], isLeaving: deletionTimestamp !== undefined }];
}
