import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import type { SparkApplication, WholeApplication } from '../../model/spark-application';
import type { CurrentDefaults } from '../../plan/defaults/layer';
import type { PlanSettings } from '../../plan/plan-application';

/** What answers are made of besides the question. */
export interface AdmissionDependencies extends Omit<PlanSettings, 'defaults'> {
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: { current(namespace: string): CurrentDefaults };
  /** Whether the applications of a namespace are run here. What is elsewhere is never refused nor changed. */
  readonly isSelected: (namespace: string) => boolean;
  /** Minimum time between two runs of a schedule, in milliseconds. @default - there is none */
  readonly minScheduleInterval?: number;
  /**
   * An application; undefined if there is none that is meant.
   *
   * @param isMeant whether it is the one, at the state, that is asked for. What is known of an application can be a moment behind: if that is not meant, the API server is asked how it is now
   * @throws errors of the API server that may pass
   */
  readonly application: (namespace: string, name: string, isMeant: (application: SparkApplication) => boolean, signal?: AbortSignal) => Promise<WholeApplication | undefined>;
  /** For what users would not hear of otherwise. @default - nobody is told */
  readonly logger?: Pick<Logger, 'warn'>;
  /** The ResourceQuotas of a namespace; undefined: they are not looked at. */
  readonly quotas?: (namespace: string, signal?: AbortSignal) => Promise<readonly KubeObject[]>;
}

/** Returns what plans in a namespace depend on. */
export function planSettings(
  { submission, againstSparkSubmit, defaults }: Pick<AdmissionDependencies, 'submission' | 'againstSparkSubmit' | 'defaults'>, namespace: string,
): PlanSettings {
  return { submission, againstSparkSubmit, defaults: defaults?.current(namespace) };
}
