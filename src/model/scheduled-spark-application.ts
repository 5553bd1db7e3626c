import {
  CatchUpPolicy, ConcurrencyPolicy, SCHEDULED_SPARK_APPLICATION, type ScheduledSparkApplicationSpec,
} from '../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../api/scheduled-spark-application-status';
import { ANNOTATION_SCHEDULED_AT, ANNOTATION_TRIGGER } from '../api/labels';
import { isTerminal } from '../api/states';
import { keyOf, type KubeObject, type ObjectMeta } from '../kube/objects';
import type { Cut } from './cut';
import { stateOf, type SparkApplication } from './spark-application';
import type { StatusWriter } from './status-writers';

/**
 * A ScheduledSparkApplication in memory. If its specification is large, it only has the schedule,
 * not the template of its runs.
 */
export interface ScheduledSparkApplication extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: Omit<ScheduledSparkApplicationSpec, 'template'>;
  /** Present if the specification is not complete. */
  readonly cut?: Cut;
  readonly status?: ScheduledSparkApplicationStatus;
  /** Writers of the status, read from the managed fields, which are not kept. */
  readonly statusWriters?: readonly StatusWriter[];
}

/** A ScheduledSparkApplication with its complete specification. */
export interface WholeSchedule extends ScheduledSparkApplication {
  readonly spec: ScheduledSparkApplicationSpec;
  readonly cut?: undefined;
}

/** Reason for which the operator started a run. */
export type Trigger = 'schedule' | 'catch-up' | 'run-now';

/** Reason of the condition `Waiting`: why a run that is due has not begun. */
export type WaitingReason = 'Replacing' | 'CatchingUp' | 'CannotStart';

/** Name of the index of applications by their schedule. */
export const BY_SCHEDULE = 'schedule';

/**
 * Returns the uids of the schedules that own an application, for the index. The owner applies, not
 * the label, which any user can set. Runs of kubeflow's operator have the same owner.
 */
export function scheduleUidsOf(application: KubeObject): string[] {
  return ownersOf(application).map(({ uid }) => uid);
}

/** Returns the key of the schedule that owns an application; undefined if none does. */
export function scheduleKeyOf(application: KubeObject): string | undefined {
  const [owner] = ownersOf(application);
  return owner && keyOf({ namespace: application.metadata.namespace, name: owner.name });
}

/** Whether an application is a run of a schedule. */
export function isRunOf(application: KubeObject, schedule: ScheduledSparkApplication): boolean {
  return scheduleUidsOf(application).includes(schedule.metadata.uid);
}

function ownersOf({ metadata }: KubeObject) {
  const { kind, group } = SCHEDULED_SPARK_APPLICATION;
  return (metadata.ownerReferences ?? []).filter((owner) => owner.kind === kind && owner.apiVersion.startsWith(`${group}/`));
}

/**
 * Whether a run has succeeded or failed. A run that is being deleted is active until it is gone.
 */
export function hasEnded(run: SparkApplication): boolean {
  return isTerminal(stateOf(run)) && !run.metadata.deletionTimestamp;
}

/** Whether a run is running or starting. */
export function isActive(run: SparkApplication): boolean {
  return !isTerminal(stateOf(run));
}

/** Returns the reason for which a run was started. */
export function triggerOf(run: KubeObject): Trigger {
  return (run.metadata.annotations?.[ANNOTATION_TRIGGER] ?? 'schedule') as Trigger;
}

/**
 * Returns the scheduled time of a run, in milliseconds since the epoch.
 *
 * @returns undefined if the run has none, or another operator started it
 */
export function scheduledTimeOf(run: KubeObject): number | undefined {
  const text = run.metadata.annotations?.[ANNOTATION_SCHEDULED_AT];
  return timeIn(text);
}

/** Returns a time in milliseconds since the epoch; undefined if it is missing or unreadable. */
export function timeIn(text: string | undefined | null): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the policy about missed runs. */
export function catchUpPolicyOf({ catchUpPolicy }: Pick<ScheduledSparkApplicationSpec, 'catchUpPolicy'>): CatchUpPolicy {
  return catchUpPolicy || CatchUpPolicy.LATEST;
}

/** Returns the policy about overlapping runs. Unset and empty mean the documented default. */
export function concurrencyPolicyOf({ concurrencyPolicy }: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy'>): ConcurrencyPolicy {
  return concurrencyPolicy || ConcurrencyPolicy.ALLOW;
}
