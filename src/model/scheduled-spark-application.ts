import type { ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../api/scheduled-spark-application-status';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { ANNOTATION_SCHEDULED_AT, ANNOTATION_TRIGGER } from '../api/labels';
import { isTerminal } from '../api/states';
import { keyOf, type KubeObject, type ObjectMeta } from '../kube/objects';
import type { Cut } from './cut';
import { stateOf, type SparkApplication } from './spark-application';

/**
 * A ScheduledSparkApplication in memory: of a large specification the schedule alone, without the
 * template of its runs.
 */
export interface ScheduledSparkApplication extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: Omit<ScheduledSparkApplicationSpec, 'template'>;
  /** Present if the specification is not whole. */
  readonly cut?: Cut;
  readonly status?: ScheduledSparkApplicationStatus;
}

/** A ScheduledSparkApplication as the API server holds it. */
export interface WholeSchedule extends ScheduledSparkApplication {
  readonly spec: ScheduledSparkApplicationSpec;
  readonly cut?: undefined;
}

/** The reason for which a run was started. */
export type Trigger = 'schedule' | 'catch-up' | 'run-now';

/** Name of the index of applications by the schedule that they are runs of. */
export const BY_SCHEDULE = 'schedule';

/**
 * The uids of the schedules that an application is a run of, for the index: its owner counts, not its label, which anybody may set. Runs of kubeflow's operator have the same owner.
 */
export function scheduleUidsOf(application: KubeObject): string[] {
  return ownersOf(application).map(({ uid }) => uid);
}

/** The key of the schedule that an application is a run of; undefined for others. */
export function scheduleKeyOf(application: KubeObject): string | undefined {
  const [owner] = ownersOf(application);
  return owner && keyOf({ namespace: application.metadata.namespace, name: owner.name });
}

/** Whether an application is a run of a schedule. */
export function isRunOf(application: KubeObject, schedule: ScheduledSparkApplication): boolean {
  return scheduleUidsOf(application).includes(schedule.metadata.uid);
}

function ownersOf({ metadata }: KubeObject) {
  return (metadata.ownerReferences ?? []).filter(({ kind, apiVersion }) => kind === SCHEDULED_SPARK_APPLICATION.kind && apiVersion.startsWith(`${SCHEDULED_SPARK_APPLICATION.group}/`));
}

/** Whether a run has come to its end, well or badly. One that is being deleted goes on until it is gone. */
export function hasEnded(run: SparkApplication): boolean {
  return isTerminal(stateOf(run)) && !run.metadata.deletionTimestamp;
}

/** Whether a run goes on, or is about to begin. */
export function isActive(run: SparkApplication): boolean {
  return !isTerminal(stateOf(run));
}

/** What a run was started for. */
export function triggerOf(run: KubeObject): Trigger {
  return (run.metadata.annotations?.[ANNOTATION_TRIGGER] ?? 'schedule') as Trigger;
}

/** The time that a run is for, in milliseconds since the epoch; undefined if it is for none, or another operator has started it. */
export function scheduledTimeOf(run: KubeObject): number | undefined {
  const text = run.metadata.annotations?.[ANNOTATION_SCHEDULED_AT];
  return timeIn(text);
}

/** Milliseconds since the epoch; undefined if there is no time, or nothing that can be read as one. */
export function timeIn(text: string | undefined | null): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
